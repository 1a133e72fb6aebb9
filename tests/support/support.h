/* What the tests share: the variant to run, reproducible numbers, short ways to make filters. */
#ifndef TAMIS_TESTS_SUPPORT_H
#define TAMIS_TESTS_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tamis/tamis.h>

/* TAMIS_TEST_FULL=1 asks for the long variants. */
static inline bool full_run(void)
{
    const char *value = getenv("TAMIS_TEST_FULL");
    return value != NULL && strcmp(value, "1") == 0;
}

/* SplitMix64: the state counts in steps, the output is a bijection of it. */
static inline uint64_t mixed(uint64_t value)
{
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

static inline uint64_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return mixed(*state);
}

/* 0 to bound-1; the bias of the remainder does not matter here. */
static inline uint64_t random_below(uint64_t *state, uint64_t bound)
{
    return next_random(state) % bound;
}

static inline tamis_params params_of(tamis_kind kind, uint64_t capacity, double error_rate, uint64_t seed)
{
    tamis_params params = TAMIS_PARAMS_INIT;
    params.kind = kind;
    params.capacity = capacity;
    params.error_rate = error_rate;
    params.seed = seed;
    if (kind == TAMIS_ROTATING)
        params.window_ms = 8000;
    return params;
}

static inline tamis_filter *make_filter(const tamis_params *params)
{
    tamis_filter *filter = NULL;
    tamis_error err = {TAMIS_OK, 0, ""};
    tamis_status status = tamis_filter_create(params, &filter, &err);
    if (status != TAMIS_OK)
        print_error("create: %s\n", err.message);
    assert_int_equal(status, TAMIS_OK);
    assert_non_null(filter);
    return filter;
}

static inline tamis_filter *make_kind(tamis_kind kind, uint64_t capacity, double error_rate, uint64_t seed)
{
    tamis_params params = params_of(kind, capacity, error_rate, seed);
    return make_filter(&params);
}

static inline tamis_filter *clone_of(const tamis_filter *filter)
{
    tamis_filter *copy = NULL;
    assert_int_equal(tamis_filter_clone(filter, &copy), TAMIS_OK);
    assert_non_null(copy);
    return copy;
}

static inline tamis_info info_of(const tamis_filter *filter)
{
    tamis_info info = {.struct_size = sizeof info};
    assert_int_equal(tamis_filter_info(filter, &info), TAMIS_OK);
    return info;
}

static inline tamis_layer_info layer_of(const tamis_filter *filter, uint32_t index)
{
    tamis_layer_info info = {.struct_size = sizeof info};
    assert_int_equal(tamis_filter_layer_info(filter, index, &info), TAMIS_OK);
    return info;
}

static inline bool add_u64(tamis_filter *filter, uint64_t item)
{
    bool is_new = false;
    assert_int_equal(tamis_filter_add(filter, &item, sizeof item, &is_new), TAMIS_OK);
    return is_new;
}

static inline bool has_u64(const tamis_filter *filter, uint64_t item)
{
    return tamis_filter_contains(filter, &item, sizeof item);
}

/* Adds the integers from..from+count-1, as 8 bytes in the machine's order. */
static inline void add_range(tamis_filter *filter, uint64_t from, uint64_t count)
{
    for (uint64_t i = from; i < from + count; i++)
        (void)add_u64(filter, i);
}

static inline uint64_t hits_in_range(const tamis_filter *filter, uint64_t from, uint64_t count)
{
    uint64_t hits = 0;
    for (uint64_t i = from; i < from + count; i++)
        hits += has_u64(filter, i);
    return hits;
}

static inline void assert_near(double value, double wanted, double relative)
{
    double difference = value > wanted ? value - wanted : wanted - value;
    if (!(difference <= relative * wanted))
        print_error("%.17g is not within %g of %.17g\n", value, relative, wanted);
    assert_true(difference <= relative * wanted);
}

/* value <= limit, saying both when not. */
static inline void assert_at_most(double value, double limit, const char *what)
{
    if (!(value <= limit))
        print_error("%s: %.17g is above %.17g\n", what, value, limit);
    assert_true(value <= limit);
}

#endif
