#include "capacity.h"

#include "fail.h"

#define TIGHTENING 3 /* the first layer gets 7/8 of the error rate: most input needs no other */
#define FIRST_LAYER_BYTES (UINT64_C(1) << 20)

uint64_t capacity_given(const options *opts)
{
    return opts->given[OPT_CAPACITY] && opts->capacity == 0 ? 1 : opts->capacity;
}

tamis_status capacity_choose(const options *opts, const input *in, tamis_params *params, tamis_error *err)
{
    bool grows = params->kind == TAMIS_SCALABLE;
    uint64_t lines = 0;
    if (grows)
        params->tightening = TIGHTENING;
    params->capacity = capacity_given(opts);
    if (params->capacity > 0)
        return TAMIS_OK;
    tamis_status status = tamis_estimate_records(in->paths, in->count, &in->format, &lines, err);
    if (status != TAMIS_OK)
        return status;
    if (lines > 0)
        params->capacity = lines + lines / 64 + 1;
    else if (grows)
        params->memory = FIRST_LAYER_BYTES;
    else
        return fail(err, TAMIS_E_ARGUMENT,
                    "-n is missing: a filter that does not grow needs the number of lines where the input "
                    "is not a file whose size tells");
    return TAMIS_OK;
}
