/* A bloom filter full of items, one that takes new items, and an array as large. */
#ifndef TAMIS_CLI_BENCH_SUBJECT_H
#define TAMIS_CLI_BENCH_SUBJECT_H

#include "bench/stage.h"

typedef struct subject {
    tamis_filter *full;
    refilled half;
    tamis_layer_info layer;
    touch_place place;
} subject;

/* Payload bytes of a filter of that kind; 0 when there is none. */
uint64_t subject_bytes(tamis_kind kind, uint64_t items, double error_rate);

/* Makes all three for the stage, which owns them. */
void subject_make(stage *s, double error_rate, subject *out);

/* Contenders: batches over ready hashes, asking the full filter. */
contender subject_asked(const stage *s, const subject *of, supply_what what, supply_form form,
                        uint64_t (*run)(const contender *));
/* Adding to the full filter (items that it has), or new ones to the other. */
contender subject_added(const stage *s, subject *to, supply_what what, supply_form form,
                        uint64_t (*run)(const contender *));

/* Targets by size: how many times as long as the rolling limit a batch may take
 * (small filters, which fit in L2: as the plain limit); 0: no target. */
double batch_target(uint64_t items);
double add_target(uint64_t items);
bool is_near(uint64_t items);

#endif
