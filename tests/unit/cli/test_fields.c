/* Keys made of fields: plain ones and CSV. */
#include "cli_test.h"

#include "record/fields.h"

static tamis_error err;
static field_list list;
static arena memory;
static tamis_item key;
static const char *why;

static int reset(void **state)
{
    (void)state;
    arena_free(&memory);
    why = NULL;
    return 0;
}

static tamis_status plain(const char *fields, char separator, const char *data, size_t len)
{
    assert_int_equal(field_list_parse(fields, &list, &err), TAMIS_OK);
    return fields_key(&list, (unsigned char)separator, &memory, data, len, &key, &why);
}

static tamis_status csv(const char *fields, const char *data, size_t len)
{
    if (fields == NULL)
        return csv_key(NULL, ',', &memory, data, len, &key, &why);
    assert_int_equal(field_list_parse(fields, &list, &err), TAMIS_OK);
    return csv_key(&list, ',', &memory, data, len, &key, &why);
}

#define PLAIN(fields, separator, literal) plain(fields, separator, literal, sizeof(literal) - 1)
#define CSV(fields, literal) csv(fields, literal, sizeof(literal) - 1)

static void lists(void **state)
{
    (void)state;
    assert_int_equal(field_list_parse("2-4,1,9", &list, &err), TAMIS_OK);
    static const uint32_t expected[] = {2, 3, 4, 1, 9};
    assert_int_equal(list.count, 5);
    assert_memory_equal(list.numbers, expected, sizeof expected);
    assert_int_equal(list.last, 9);
    assert_int_equal(field_list_parse("1000000", &list, &err), TAMIS_OK);
    assert_int_equal(field_list_parse("1-1024", &list, &err), TAMIS_OK);
    assert_int_equal(field_list_parse("-2,4-", &list, &err), TAMIS_OK);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.open, 4);
}

static void lists_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",   "0",   "1,",      ",1",     "1,,2",        "a",    "1a",   "-",   "--1", "3-2", "1,1", "1-3,2",
        "1 ", "1.2", "1000001", "1-1025", "99999999999", "2-,1", "3,2-", "2-,", "0-",  "-0",  "1--"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (field_list_parse(texts[i], &list, &err) != TAMIS_E_ARGUMENT)
            fail_msg("%s is taken for a list of fields", texts[i]);
}

static void plain_fields(void **state)
{
    (void)state;
    assert_int_equal(PLAIN("1", ':', "a:b"), TAMIS_OK);
    assert_item(key, "a");
    assert_int_equal(PLAIN("2", ':', "a:b"), TAMIS_OK);
    assert_item(key, "b");
    assert_int_equal(PLAIN("2", ':', "a:"), TAMIS_OK);
    assert_item(key, "");
    assert_int_equal(PLAIN("1", ':', ""), TAMIS_OK);
    assert_item(key, "");
    assert_int_equal(PLAIN("1", ':', "\0x:y"), TAMIS_OK);
    assert_item(key, "\0x");
    assert_int_equal(PLAIN("2", ':', "a"), TAMIS_E_RECORD);
    assert_non_null(why);
}

static void joined_fields(void **state)
{
    (void)state;
    assert_int_equal(PLAIN("1,2", ':', "ab:cd"), TAMIS_OK);
    assert_item(key, "\2\0\0\0\0\0\0\0ab\2\0\0\0\0\0\0\0cd");
    assert_int_equal(PLAIN("2,1", ':', "a:bcd"), TAMIS_OK);
    assert_item(key, "\3\0\0\0\0\0\0\0bcd\1\0\0\0\0\0\0\0a");
    assert_int_equal(PLAIN("1,3", ':', "::"), TAMIS_OK);
    assert_item(key, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    assert_int_equal(PLAIN("1,3", ':', "a:b"), TAMIS_E_RECORD);
}

static void csv_values(void **state)
{
    (void)state;
    assert_int_equal(CSV("2", "a,b,c"), TAMIS_OK);
    assert_item(key, "b");
    assert_int_equal(CSV("2", "a,\"b\",c"), TAMIS_OK);
    assert_item(key, "b");
    assert_int_equal(CSV("1", "\"a,b\",c"), TAMIS_OK);
    assert_item(key, "a,b");
    assert_int_equal(CSV("2", "\"a,b\",c"), TAMIS_OK);
    assert_item(key, "c");
    assert_int_equal(CSV("1", "\"say \"\"hi\"\"\""), TAMIS_OK);
    assert_item(key, "say \"hi\"");
    assert_int_equal(CSV("1", "\"a\nb\",c"), TAMIS_OK);
    assert_item(key, "a\nb");
    assert_int_equal(CSV("1", "\"\""), TAMIS_OK);
    assert_item(key, "");
    assert_int_equal(CSV("1", "\"\"\"\""), TAMIS_OK);
    assert_item(key, "\"");
    assert_int_equal(CSV("2", "\"a\","), TAMIS_OK);
    assert_item(key, "");
    assert_int_equal(CSV("1", "a\"b\""), TAMIS_OK); /* a quote within a plain field is a byte */
    assert_item(key, "a\"b\"");
    assert_int_equal(CSV("1,2", "\"ab\",c"), TAMIS_OK);
    assert_item(key, "\2\0\0\0\0\0\0\0ab\1\0\0\0\0\0\0\0c");
    assert_int_equal(CSV(NULL, "\"a\",b"), TAMIS_OK);
    assert_item(key, "\"a\",b");
}

static void csv_refused(void **state)
{
    (void)state;
    assert_int_equal(CSV("1", "\"a"), TAMIS_E_RECORD);
    assert_int_equal(CSV("1", "\"a\"\""), TAMIS_E_RECORD);
    assert_int_equal(CSV("1", "\"a\"b"), TAMIS_E_RECORD);
    assert_int_equal(CSV("1", "a,\"b"), TAMIS_E_RECORD); /* also behind the field that is wanted */
    assert_int_equal(CSV(NULL, "a,\"b"), TAMIS_E_RECORD);
    assert_int_equal(CSV("3", "a,\"b\""), TAMIS_E_RECORD);
    assert_int_equal(CSV("1", "\"a\"\r"), TAMIS_E_RECORD);
    assert_non_null(strstr(why, "--crlf"));
}

/* Cuts `data` whole and in two pieces at every place: the same records. */
static void check_cuts(const char *data, size_t len, const size_t *expected, size_t count)
{
    for (size_t piece = 0; piece <= len; piece++) {
        size_t start = 0, n = 0, have = piece;
        bool restart = true;
        csv_scan scan = {0, 0};
        while (start < len) {
            size_t cut = csv_cut(&scan, ',', '\n', data + start, have - start, restart);
            restart = cut != 0;
            if (cut == 0 && have == len)
                break;
            if (cut == 0)
                have = len;
            else {
                assert_true(n < count);
                assert_int_equal(cut, expected[n++]);
                start += cut;
                have = have > start ? have : start;
            }
        }
        assert_int_equal(n, count);
    }
}

#define CUTS(literal, ...)                                                  \
    check_cuts(literal, sizeof(literal) - 1, (const size_t[]){__VA_ARGS__}, \
               sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t))

static void csv_cuts(void **state)
{
    (void)state;
    CUTS("a\nb\n", 2, 2);
    CUTS("\"a\nb\",c\nd\n", 8, 2);
    CUTS("\"a\"\"\nb\"\nd\n", 8, 2);
    CUTS("a\"\nb\n", 3, 2); /* a quote within a plain field opens nothing */
    CUTS("a,\"\n\",b\n\n", 8, 1);
    CUTS("\"\"\n\"\"\"\n\"\n", 3, 6);
    CUTS("x\n\"open\n", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(lists, reset),        cmocka_unit_test_teardown(lists_refused, reset),
        cmocka_unit_test_teardown(plain_fields, reset), cmocka_unit_test_teardown(joined_fields, reset),
        cmocka_unit_test_teardown(csv_values, reset),   cmocka_unit_test_teardown(csv_refused, reset),
        cmocka_unit_test_teardown(csv_cuts, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
