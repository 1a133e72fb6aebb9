/* An exact set of keys that stand, as entries (entry.h), somewhere in memory: a
 * table of places with 16 bits of the hash, compared byte by byte. */
#ifndef TAMIS_STREAM_KEYSET_H
#define TAMIS_STREAM_KEYSET_H

#include <tamis/filter.h>

/* The largest place an entry may stand at. */
#define TAMIS_KEYSET_MAX_PLACE ((UINT64_C(1) << 47) - 2)

typedef struct tamis_keyset {
    uint64_t *slots; /* 0: empty; else hash << 48 | (place + 1) << 1 | marked */
    size_t slot_count;
    const unsigned char *base; /* the entries; may grow behind `size` */
    size_t size;
    uint64_t count;
} tamis_keyset;

/* The hash of a key in all exact parts; a filter with this seed has the same. */
#define TAMIS_KEY_SEED UINT64_C(0x6578616374207365)
uint64_t tamis_key_hash(const tamis_item *key);

/* Slots, and bytes of them, that hold `keys` keys. */
size_t tamis_keyset_slots(uint64_t keys);

/* Empty, over no entries. Fails with E_NOMEM. */
tamis_status tamis_keyset_init(tamis_keyset *set, size_t slot_count, tamis_error *err);
void tamis_keyset_free(tamis_keyset *set);
/* Forgets every key. */
void tamis_keyset_clear(tamis_keyset *set);

/* The slot of a key, or the empty one (value 0) where it would be put. */
uint64_t *tamis_keyset_find(const tamis_keyset *set, uint64_t hash, const tamis_item *key);
/* Puts the key of the entry at `place` into an empty slot. */
void tamis_keyset_put(tamis_keyset *set, uint64_t *slot, uint64_t hash, size_t place);
void tamis_keyset_prefetch(const tamis_keyset *set, uint64_t hash);

static inline void tamis_keyset_mark(uint64_t *slot)
{
    *slot |= 1;
}
static inline bool tamis_keyset_is_marked(const uint64_t *slot)
{
    return (*slot & 1) != 0;
}

#endif
