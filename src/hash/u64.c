#include <tamis/filter.h>

#include "hash/mix.h"

uint64_t tamis_hash_u64(uint64_t value, uint64_t seed)
{
    return tamis_fmix64(tamis_fmix64(value + TAMIS_GOLDEN) + seed * TAMIS_GOLDEN);
}
