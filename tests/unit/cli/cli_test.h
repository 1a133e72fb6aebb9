/* What the tests of the command share. */
#ifndef TAMIS_TESTS_CLI_TEST_H
#define TAMIS_TESTS_CLI_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tamis/filter.h>

/* Asserts that an item has exactly the bytes of a literal, NULs included. */
#define assert_item(item, literal)                                      \
    do {                                                                \
        assert_int_equal((item).len, sizeof(literal) - 1);              \
        assert_memory_equal((item).data, literal, sizeof(literal) - 1); \
    } while (0)

#endif
