#include "stream/keyset.h"

#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"
#include "hash/mix.h"
#include "hash/xxh3.h"
#include "stream/entry.h"

#define TAG_SHIFT 48u
#define PLACE_BITS ((UINT64_C(1) << 47) - 1)

uint64_t tamis_key_hash(const tamis_item *key)
{
    return tamis_xxh3(key->data, key->len, TAMIS_KEY_SEED);
}

size_t tamis_keyset_slots(uint64_t keys)
{
    return (size_t)(keys + keys / 2 + 1);
}

tamis_status tamis_keyset_init(tamis_keyset *set, size_t slot_count, tamis_error *err)
{
    *set = (tamis_keyset){.slot_count = slot_count};
    if (slot_count <= SIZE_MAX / sizeof *set->slots)
        set->slots = tamis_allocate(&tamis_default_allocator, slot_count * sizeof *set->slots);
    if (set->slots == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for a table of %zu keys", slot_count);
    return TAMIS_OK;
}

void tamis_keyset_free(tamis_keyset *set)
{
    tamis_release(&tamis_default_allocator, set->slots, set->slot_count * sizeof *set->slots);
    set->slots = NULL;
}

void tamis_keyset_clear(tamis_keyset *set)
{
    memset(set->slots, 0, set->slot_count * sizeof *set->slots);
    set->size = 0;
    set->count = 0;
}

/* Slots are chosen by the highest bits of the mixed hash, tags are its lowest:
 * both differ from the bits that a filter of the same hash looks at. */
static size_t home_slot(const tamis_keyset *set, uint64_t mixed)
{
    uint64_t low;
    return (size_t)tamis_mulhi64(mixed, set->slot_count, &low);
}

void tamis_keyset_prefetch(const tamis_keyset *set, uint64_t hash)
{
    __builtin_prefetch(&set->slots[home_slot(set, tamis_fmix64(hash))], 1);
}

static bool holds_key(const tamis_keyset *set, uint64_t slot, const tamis_item *key)
{
    size_t place = (size_t)((slot >> 1 & PLACE_BITS) - 1);
    tamis_cursor at = {.at = set->base + place, .here = set->size - place, .left = set->size - place};
    tamis_entry entry;
    return tamis_entry_read(&at, &entry, NULL) == TAMIS_OK && entry.key.len == key->len &&
           (key->len == 0 || memcmp(entry.key.data, key->data, key->len) == 0);
}

uint64_t *tamis_keyset_find(const tamis_keyset *set, uint64_t hash, const tamis_item *key)
{
    uint64_t mixed = tamis_fmix64(hash);
    size_t at = home_slot(set, mixed);
    for (;;) {
        uint64_t *slot = &set->slots[at];
        if (*slot == 0 || (*slot >> TAG_SHIFT == (mixed & 0xffff) && holds_key(set, *slot, key)))
            return slot;
        at = at + 1 == set->slot_count ? 0 : at + 1;
    }
}

void tamis_keyset_put(tamis_keyset *set, uint64_t *slot, uint64_t hash, size_t place)
{
    *slot = tamis_fmix64(hash) << TAG_SHIFT | ((uint64_t)place + 1) << 1;
    set->count++;
}
