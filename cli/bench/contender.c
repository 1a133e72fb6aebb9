#include "bench/contender.h"

/* Untimed items before a timed chunk: enough to touch every line some times, or to drive
 * out of a cache of 32 MiB what others left in it, unwritten lines too. */
enum { TOUCHES_A_LINE = 4, FAR_ITEMS = (32 << 20) / TAMIS_LINE_BYTES };

/* Makes room for a chunk of new items, where it matters. */
static void make_room(const contender *c)
{
    refilled *to = c->refill;
    if (to == NULL)
        return;
    if (to->room < c->count) {
        (void)tamis_filter_clear(to->filter);
        (void)supply_add_range(to->filter, 0, to->capacity / 2);
        to->room = to->capacity - to->capacity / 2;
    }
    to->room -= c->count < to->room ? c->count : to->room;
}

static volatile uint64_t sink;

void contender_warm(const contender *c)
{
    uint64_t lines = tamis_filter_payload_bytes(c->filter) / TAMIS_LINE_BYTES;
    uint64_t items = lines * TOUCHES_A_LINE;
    if (items > FAR_ITEMS)
        items = FAR_ITEMS;
    for (uint64_t done = 0; done < items; done += c->count) {
        contender_prepare(c);
        sink += c->run(c);
    }
}

void contender_prepare(const contender *c)
{
    make_room(c);
    if (c->from != NULL)
        supply_fill(c->from, c->filter, c->what, c->form, c->count);
    if (c->before != NULL)
        c->before(c);
}

uint64_t run_touch(const contender *c)
{
    return touch_run(c->places, c->place_count, c->from->hashes, c->count, c->distance, false);
}

uint64_t run_touch_in_turn(const contender *c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->place_count; i++)
        sum += touch_run(&c->places[i], 1, c->from->hashes, c->count, c->distance, false);
    return sum;
}

uint64_t run_touch_writing(const contender *c)
{
    return touch_run(c->places, c->place_count, c->from->hashes, c->count, c->distance, true);
}

uint64_t run_hash_batch(const contender *c)
{
    tamis_filter_hash_batch(c->filter, c->from->items, c->count, c->from->hashes);
    return c->from->hashes[0];
}

uint64_t run_contains_hashes(const contender *c)
{
    return tamis_filter_contains_hashes(c->filter, c->from->hashes, c->count, NULL);
}

uint64_t run_contains_fixed(const contender *c)
{
    return tamis_filter_contains_fixed(c->filter, c->from->values, 8, c->count, NULL);
}

uint64_t run_contains_batch(const contender *c)
{
    return tamis_filter_contains_batch(c->filter, c->from->items, c->count, NULL);
}

uint64_t run_add_hashes(const contender *c)
{
    size_t total = 0;
    (void)tamis_filter_add_hashes(c->filter, c->from->hashes, c->count, NULL, &total, NULL);
    return total;
}

uint64_t run_add_fixed(const contender *c)
{
    size_t total = 0;
    (void)tamis_filter_add_fixed(c->filter, c->from->values, 8, c->count, NULL, &total, NULL);
    return total;
}

uint64_t run_add_batch(const contender *c)
{
    size_t total = 0;
    (void)tamis_filter_add_batch(c->filter, c->from->items, c->count, NULL, &total, NULL);
    return total;
}

uint64_t run_hash_one(const contender *c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->count; i++)
        sum += tamis_filter_hash(c->filter, c->from->items[i].data, c->from->items[i].len);
    return sum;
}

uint64_t run_contains_hash_one(const contender *c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->count; i++)
        sum += tamis_filter_contains_hash(c->filter, c->from->hashes[i]);
    return sum;
}

uint64_t run_contains_one(const contender *c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->count; i++)
        sum += tamis_filter_contains(c->filter, c->from->items[i].data, c->from->items[i].len);
    return sum;
}

uint64_t run_add_one(const contender *c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->count; i++) {
        bool is_new = false;
        (void)tamis_filter_add(c->filter, c->from->items[i].data, c->from->items[i].len, &is_new);
        sum += is_new;
    }
    return sum;
}

uint64_t run_remove_one(const contender *c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->count; i++)
        sum += tamis_filter_remove(c->filter, c->from->items[i].data, c->from->items[i].len) == TAMIS_OK;
    return sum;
}
