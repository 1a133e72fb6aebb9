#include "stream/fingerprints.h"

#include "base/error.h"
#include "base/memory.h"
#include "hash/xxh3.h"

#define FIRST_LOG2 12u
#define SEED UINT64_C(0x74616d6973206578)
#define AHEAD 32u /* fingerprints made before the first of them is looked up */

static size_t table_bytes(unsigned log2)
{
    return sizeof(tamis_fingerprint) << log2;
}

uint64_t tamis_fingerprints_bytes(const tamis_fingerprints *set)
{
    return set->slots == NULL ? 0 : table_bytes(set->slots_log2);
}

tamis_status tamis_fingerprints_init(tamis_fingerprints *set, uint64_t memory_limit, tamis_error *err)
{
    size_t bytes = table_bytes(FIRST_LOG2);
    *set = (tamis_fingerprints){.slots_log2 = FIRST_LOG2, .memory_limit = memory_limit};
    if (memory_limit != 0 && memory_limit < bytes)
        return tamis_fail(err, TAMIS_E_RANGE,
                          "memory limit of %llu bytes is below the %zu bytes of the smallest table",
                          (unsigned long long)memory_limit, bytes);
    set->slots = tamis_allocate(&tamis_default_allocator, bytes);
    if (set->slots == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for a table of %zu bytes", bytes);
    return TAMIS_OK;
}

void tamis_fingerprints_clear(tamis_fingerprints *set)
{
    tamis_release(&tamis_default_allocator, set->slots, table_bytes(set->slots_log2));
    *set = (tamis_fingerprints){0};
}

/* Slots are chosen by the highest bits, so that growth walks both tables in order. */
static size_t home_slot(const tamis_fingerprints *set, tamis_fingerprint print)
{
    return (size_t)(print.high >> (64 - set->slots_log2));
}

static bool is_empty(tamis_fingerprint print)
{
    return (print.high | print.low) == 0;
}

/* The slot that holds the fingerprint, or the empty one where it belongs. */
static tamis_fingerprint *find_slot(const tamis_fingerprints *set, tamis_fingerprint print)
{
    size_t mask = ((size_t)1 << set->slots_log2) - 1;
    size_t at = home_slot(set, print);
    for (;; at = (at + 1) & mask) {
        tamis_fingerprint *slot = &set->slots[at];
        if (is_empty(*slot) || (slot->high == print.high && slot->low == print.low))
            return slot;
    }
}

static bool growth_is_allowed(const tamis_fingerprints *set)
{
    if (set->slots_log2 + 5 >= 8 * sizeof(size_t))
        return false;
    uint64_t both = (uint64_t)table_bytes(set->slots_log2) + table_bytes(set->slots_log2 + 1);
    return set->memory_limit == 0 || both <= set->memory_limit;
}

static tamis_status grow(tamis_fingerprints *set)
{
    tamis_fingerprints larger = *set;
    larger.slots_log2 = set->slots_log2 + 1;
    larger.slots = tamis_allocate(&tamis_default_allocator, table_bytes(larger.slots_log2));
    if (larger.slots == NULL)
        return TAMIS_E_NOMEM;
    size_t slots = (size_t)1 << set->slots_log2;
    for (size_t i = 0; i < slots; i++)
        if (!is_empty(set->slots[i]))
            *find_slot(&larger, set->slots[i]) = set->slots[i];
    tamis_release(&tamis_default_allocator, set->slots, table_bytes(set->slots_log2));
    *set = larger;
    return TAMIS_OK;
}

/* Makes room for one more: grows at three quarters, and where it may not, fills
 * the table up to fifteen sixteenths. */
static tamis_status make_room(tamis_fingerprints *set)
{
    uint64_t slots = UINT64_C(1) << set->slots_log2;
    if (set->count < slots / 4 * 3)
        return TAMIS_OK;
    tamis_status status = growth_is_allowed(set) ? grow(set) : TAMIS_E_FULL;
    return status != TAMIS_OK && set->count < slots / 16 * 15 ? TAMIS_OK : status;
}

tamis_status tamis_fingerprints_add(tamis_fingerprints *set, tamis_fingerprint print, bool *out_new)
{
    if (is_empty(print)) {
        *out_new = !set->has_zero;
        set->has_zero = true;
        return TAMIS_OK;
    }
    tamis_fingerprint *slot = find_slot(set, print);
    if (!is_empty(*slot)) {
        *out_new = false;
        return TAMIS_OK;
    }
    unsigned before = set->slots_log2;
    tamis_status status = make_room(set);
    if (status != TAMIS_OK)
        return status;
    if (set->slots_log2 != before)
        slot = find_slot(set, print);
    *slot = print;
    set->count++;
    *out_new = true;
    return TAMIS_OK;
}

static tamis_fingerprint fingerprint_of(const tamis_item *key)
{
    XXH128_hash_t hash = XXH3_128bits_withSeed(key->len == 0 ? "" : key->data, key->len, SEED);
    return (tamis_fingerprint){hash.high64, hash.low64};
}

tamis_status tamis_fingerprints_add_batch(tamis_fingerprints *set, const tamis_item *keys, size_t count,
                                          uint8_t *out_new, size_t *out_total, size_t *out_done)
{
    tamis_fingerprint prints[AHEAD];
    *out_total = 0;
    for (*out_done = 0; *out_done < count;) {
        size_t part = count - *out_done < AHEAD ? count - *out_done : AHEAD;
        for (size_t i = 0; i < part; i++) {
            prints[i] = fingerprint_of(&keys[*out_done + i]);
            __builtin_prefetch(&set->slots[home_slot(set, prints[i])], 1);
        }
        for (size_t i = 0; i < part; i++) {
            bool fresh = false;
            tamis_status status = tamis_fingerprints_add(set, prints[i], &fresh);
            if (status != TAMIS_OK)
                return status;
            out_new[*out_done] = fresh;
            *out_total += fresh;
            ++*out_done;
        }
    }
    return TAMIS_OK;
}
