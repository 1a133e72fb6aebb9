/* A growing set of 128-bit fingerprints: exact but for a chance below 1e-20. */
#ifndef TAMIS_STREAM_FINGERPRINTS_H
#define TAMIS_STREAM_FINGERPRINTS_H

#include <tamis/filter.h>

typedef struct tamis_fingerprint {
    uint64_t high; /* both 0: an empty slot */
    uint64_t low;
} tamis_fingerprint;

typedef struct tamis_fingerprints {
    tamis_fingerprint *slots;
    unsigned slots_log2;
    uint64_t count;
    uint64_t memory_limit; /* bytes, the old and the new table during growth together; 0 = none */
    bool has_zero;         /* the one fingerprint that no slot can hold */
} tamis_fingerprints;

/* Fails with E_NOMEM, E_RANGE (the limit is too small for any table). */
tamis_status tamis_fingerprints_init(tamis_fingerprints *set, uint64_t memory_limit, tamis_error *err);
void tamis_fingerprints_clear(tamis_fingerprints *set);
uint64_t tamis_fingerprints_bytes(const tamis_fingerprints *set);

/* As tamis_filter_add_batch. Fails with E_FULL (the limit), E_NOMEM. */
tamis_status tamis_fingerprints_add_batch(tamis_fingerprints *set, const tamis_item *keys, size_t count,
                                          uint8_t *out_new, size_t *out_total, size_t *out_done);

/* The step below the hash, for fingerprints made elsewhere. */
tamis_status tamis_fingerprints_add(tamis_fingerprints *set, tamis_fingerprint print, bool *out_new);

#endif
