/* Bytes as a run of operations on a filter, beside a plain model of what was added: a
 * false negative, a filter that its own check refuses, or an operation that answers
 * otherwise than the model is a crash. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <tamis/filter.h>

#include "filter/internal.h"

#define ITEMS 256u /* an item is one byte, so that repeats are frequent */
#define MOST_BYTES 4000000u
#define STUCK 15u

typedef struct input {
    const uint8_t *at;
    size_t left;
} input;

/* What the filter must know. Counting: how often an item was added and not removed, up
 * to where counters stick. Rotating: until when it must be remembered. */
typedef struct model {
    tamis_filter *filter;
    tamis_kind kind;
    bool refresh;
    uint64_t window;
    uint64_t now;
    uint64_t offered;
    unsigned held[ITEMS];
    uint64_t until[ITEMS];
} model;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good)
{
    if (!good)
        abort();
}

static unsigned take(input *in)
{
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->at++;
}

/* --- making ------------------------------------------------------------------------ */

static double take_rate(input *in)
{
    uint64_t bits = 0;
    double rate = (take(in) + 1) / 257.0;
    unsigned way = take(in) % 4;
    for (unsigned i = 0; i < way * 5; i++) /* 1, 1/32, 2^-10 or 2^-15 of it */
        rate /= 2;
    if (way == 3 && take(in) == 0) { /* any double at all */
        for (unsigned i = 0; i < 8; i++)
            bits = bits << 8 | take(in);
        memcpy(&rate, &bits, sizeof rate);
    }
    return rate;
}

static tamis_params take_params(input *in)
{
    tamis_params params = TAMIS_PARAMS_INIT;
    params.kind = (tamis_kind)(take(in) % 5);
    params.flags = take(in) % 8;
    params.capacity = (uint64_t)take(in) << take(in) % 5;
    params.error_rate = take_rate(in);
    params.seed = take(in);
    params.region_lines = take(in) % 2 == 0 ? 0 : take(in);
    params.window_ms = params.kind == TAMIS_ROTATING ? take(in) * 3 : 0;
    params.tightening = params.kind == TAMIS_SCALABLE ? take(in) % 10 : 0;
    if (take(in) % 4 == 0) {
        params.memory = (uint64_t)take(in) * 100;
        if (take(in) % 2 == 0)
            params.error_rate = 0.0;
        else
            params.capacity = 0;
    }
    return params;
}

/* False: the parameters were refused, with a message and nothing made. */
static bool make_model(model *m, input *in)
{
    tamis_params params = take_params(in);
    tamis_plan plan = {.struct_size = sizeof plan};
    tamis_error err = {TAMIS_OK, 0, ""};
    tamis_status status = tamis_plan_filter(&params, &plan, &err);
    memset(m, 0, sizeof *m);
    if (status != TAMIS_OK) {
        check(err.status == status && err.message[0] != '\0' && plan.lines == 0);
        check(tamis_filter_create(&params, &m->filter, NULL) == status && m->filter == NULL);
        return false;
    }
    check(plan.expected_rate <= plan.error_rate * (1 + 1e-9) && plan.error_rate < 1.0);
    check(params.memory == 0 || plan.payload_bytes <= params.memory);
    if (plan.payload_bytes > MOST_BYTES || tamis_filter_create(&params, &m->filter, &err) != TAMIS_OK)
        return false;
    check(tamis_filter_payload_bytes(m->filter) == plan.payload_bytes);
    (void)tamis_filter_limit_growth(m->filter, MOST_BYTES);
    m->kind = params.kind;
    m->refresh = (params.flags & TAMIS_REFRESH) != 0;
    m->window = params.window_ms;
    return true;
}

/* --- the model ----------------------------------------------------------------------- */

static bool must_be_there(const model *m, unsigned item)
{
    return m->held[item] > 0 && (m->kind != TAMIS_ROTATING || m->now <= m->until[item]);
}

static void note_add(model *m, unsigned item, bool is_new)
{
    check(!is_new || !must_be_there(m, item));
    m->offered++;
    if (m->held[item] < STUCK)
        m->held[item]++;
    if (m->kind == TAMIS_ROTATING && (is_new || m->refresh))
        m->until[item] = m->now + m->window;
    else if (m->kind == TAMIS_ROTATING && !must_be_there(m, item))
        m->held[item] = 0; /* a late or mistaken repeat, which is not remembered anew */
}

static void check_all(const model *m)
{
    tamis_info info = {.struct_size = sizeof info};
    for (unsigned item = 0; item < ITEMS; item++) {
        uint8_t byte = (uint8_t)item;
        check(!must_be_there(m, item) || tamis_filter_contains(m->filter, &byte, 1));
    }
    check(tamis_filter_validate(m->filter, NULL) == TAMIS_OK);
    check(tamis_filter_info(m->filter, &info) == TAMIS_OK);
    check(info.current_rate >= 0.0 && info.current_rate <= 1.0 && info.bits_set <= info.bits);
    check(info.items_estimated >= 0.0 && info.items_estimated < 1e15);
    check(info.items_offered == m->offered);
}

/* --- operations ------------------------------------------------------------------------ */

static void add_one(model *m, input *in)
{
    uint8_t item = (uint8_t)take(in);
    bool had = tamis_filter_contains(m->filter, &item, 1), is_new = false;
    tamis_status status = tamis_filter_add(m->filter, &item, 1, &is_new);
    check(status == TAMIS_OK || (status == TAMIS_E_FULL && m->kind == TAMIS_SCALABLE));
    if (status != TAMIS_OK)
        return;
    check(is_new == !had);
    note_add(m, item, is_new);
    check(m->kind == TAMIS_ROTATING || tamis_filter_contains(m->filter, &item, 1));
}

static void add_batch(model *m, input *in)
{
    size_t count = take(in), total = 0, done = 0, ones = 0;
    uint8_t answers[256];
    uint64_t hashes[256];
    tamis_item items[256];
    tamis_status status;
    const uint8_t *bytes = in->at;
    count = count < in->left ? count : in->left;
    in->at += count;
    in->left -= count;
    for (size_t i = 0; i < count; i++) {
        items[i] = (tamis_item){&bytes[i], 1};
        hashes[i] = tamis_filter_hash(m->filter, &bytes[i], 1);
    }
    if (count % 3 == 0)
        status = tamis_filter_add_fixed(m->filter, bytes, 1, count, answers, &total, &done);
    else if (count % 3 == 1)
        status = tamis_filter_add_batch(m->filter, items, count, answers, &total, &done);
    else
        status = tamis_filter_add_hashes(m->filter, hashes, count, answers, &total, &done);
    check(status == TAMIS_OK ? done == count : status == TAMIS_E_FULL && done < count);
    for (size_t i = 0; i < done; i++) {
        note_add(m, bytes[i], answers[i] != 0);
        ones += answers[i];
    }
    check(ones == total);
    check(tamis_filter_contains_fixed(m->filter, bytes, 1, done, NULL) ==
          tamis_filter_contains_hashes(m->filter, hashes, done, NULL));
}

static void remove_one(model *m, input *in)
{
    uint8_t item = (uint8_t)take(in);
    if (m->kind != TAMIS_COUNTING) {
        check(tamis_filter_remove(m->filter, &item, 1) == TAMIS_E_UNSUPPORTED);
        return;
    }
    bool had = tamis_filter_contains(m->filter, &item, 1);
    if (m->held[item] == 0 && had)
        return; /* removing a false positive is the caller's mistake */
    check((tamis_filter_remove(m->filter, &item, 1) == TAMIS_OK) == had);
    if (m->held[item] > 0 && m->held[item] < STUCK)
        m->held[item]--;
    m->offered -= had && m->offered > 0;
}

static void merge(model *m, input *in)
{
    tamis_filter *other = NULL;
    bool can = m->kind == TAMIS_BLOOM || m->kind == TAMIS_COUNTING;
    check(tamis_filter_clone(m->filter, &other) == TAMIS_OK && tamis_filter_clear(other) == TAMIS_OK);
    uint8_t item = (uint8_t)take(in);
    check(tamis_filter_add(other, &item, 1, NULL) == TAMIS_OK || m->kind == TAMIS_SCALABLE);
    check(tamis_filter_merge(m->filter, other, NULL) == (can ? TAMIS_OK : TAMIS_E_UNSUPPORTED));
    if (can) {
        m->offered++;
        m->held[item] += m->held[item] < STUCK;
    }
    tamis_status with_itself = m->kind == TAMIS_BLOOM      ? TAMIS_OK
                               : m->kind == TAMIS_COUNTING ? TAMIS_E_ARGUMENT
                                                           : TAMIS_E_UNSUPPORTED;
    check(tamis_filter_merge(m->filter, m->filter, NULL) == with_itself);
    tamis_filter_free(other);
}

/* Goes on with a copy. */
static void change_to_clone(model *m)
{
    tamis_filter *copy = NULL;
    check(tamis_filter_clone(m->filter, &copy) == TAMIS_OK && tamis_filter_equal(m->filter, copy));
    tamis_filter_free(m->filter);
    m->filter = copy;
}

static void clear(model *m)
{
    check(tamis_filter_clear(m->filter) == TAMIS_OK);
    memset(m->held, 0, sizeof m->held);
    m->offered = 0;
    for (unsigned item = 0; item < ITEMS; item++) {
        uint8_t byte = (uint8_t)item;
        check(!tamis_filter_contains(m->filter, &byte, 1));
    }
}

static void advance(model *m, input *in)
{
    uint64_t to = m->now + take(in) * (1 + m->window / 64);
    if (take(in) % 8 == 0)
        to = m->now / 2; /* back: must do nothing */
    tamis_status status = tamis_filter_advance(m->filter, to);
    check(status == (m->kind == TAMIS_ROTATING ? TAMIS_OK : TAMIS_E_UNSUPPORTED));
    if (m->kind == TAMIS_ROTATING && to > m->now)
        m->now = to;
}

static void explain(model *m, input *in)
{
    uint8_t item = (uint8_t)take(in);
    tamis_probe probes[1024];
    size_t count = tamis_filter_explain(m->filter, &item, 1, probes, 1024);
    bool all = true, any = false;
    check(count > 0 && count <= 1024);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && probes[i].layer != probes[i - 1].layer) {
            any |= all;
            all = true;
        }
        all &= probes[i].set;
    }
    check((any | all) == tamis_filter_contains(m->filter, &item, 1));
}

static void operate(model *m, input *in)
{
    switch (take(in) % 9) {
    case 0:
    case 1:
        add_one(m, in);
        break;
    case 2:
        add_batch(m, in);
        break;
    case 3:
        remove_one(m, in);
        break;
    case 4:
        merge(m, in);
        break;
    case 5:
        change_to_clone(m);
        break;
    case 6:
        advance(m, in);
        break;
    case 7:
        explain(m, in);
        break;
    default:
        if (take(in) % 8 == 0)
            clear(m);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size};
    model m;
    if (!make_model(&m, &in))
        return 0;
    while (in.left > 0)
        operate(&m, &in);
    check_all(&m);
    tamis_filter_free(m.filter);
    return 0;
}
