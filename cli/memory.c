#include "memory.h"

#include <inttypes.h>
#include <stdio.h>

#include <tamis/stream.h>

#include "fail.h"

uint64_t memory_available(const char **limit)
{
    uint64_t system = tamis_memory_available(), space = tamis_address_space_left();
    *limit = system <= space ? "available memory" : "address space limit (ulimit -v)";
    return system <= space ? system : space;
}

/* The error rate that this much memory gives at the same capacity; 0: none. */
static double rate_that_fits(const tamis_params *params, uint64_t nbytes)
{
    tamis_params other = *params;
    tamis_plan plan = {.struct_size = sizeof plan};
    other.error_rate = 0.0;
    other.memory = nbytes;
    return nbytes > 0 && tamis_plan_filter(&other, &plan, NULL) == TAMIS_OK ? plan.error_rate : 0.0;
}

tamis_status memory_too_small(const tamis_params *params, const char *given, tamis_error *err)
{
    tamis_params other = *params;
    tamis_plan plan = {.struct_size = sizeof plan};
    uint64_t too_few = params->memory, enough = params->memory;
    tamis_status status = err->status;
    if (status != TAMIS_E_RANGE || params->memory == 0)
        return status;
    do {
        if (enough > UINT64_C(1) << 60)
            return status;
        other.memory = enough *= 2;
    } while (tamis_plan_filter(&other, &plan, NULL) != TAMIS_OK);
    while (enough - too_few > 1) {
        other.memory = too_few + (enough - too_few) / 2;
        if (tamis_plan_filter(&other, &plan, NULL) == TAMIS_OK)
            enough = other.memory;
        else
            too_few = other.memory;
    }
    return fail(err, status, "-S %s: too little for such a filter; it takes %" PRIu64 " bytes at least",
                given, enough);
}

tamis_status memory_check(const tamis_params *params, tamis_error *err)
{
    const char *limit = NULL;
    tamis_plan plan = {.struct_size = sizeof plan};
    tamis_status status = tamis_plan_filter(params, &plan, err);
    if (status != TAMIS_OK)
        return status;
    uint64_t available = memory_available(&limit);
    if (plan.payload_bytes <= available)
        return TAMIS_OK;
    tamis_params asked = *params;
    asked.capacity = plan.capacity;
    double fits = rate_that_fits(&asked, available / 16 * 15);
    char advice[64] = "split the list into parts";
    if (fits > 0.0 && fits < 0.5)
        (void)snprintf(advice, sizeof advice, "-p %.2g would fit", fits);
    return fail(err, TAMIS_E_TOO_LARGE,
                "a filter for %" PRIu64 " lines at error rate %g needs %" PRIu64
                " bytes, more than the %s of %" PRIu64 " bytes; %s",
                plan.capacity, plan.error_rate, plan.payload_bytes, limit, available, advice);
}
