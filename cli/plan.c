#include <inttypes.h>
#include <stdio.h>

#include "commands.h"
#include "fail.h"
#include "json_out.h"
#include "lists.h"
#include "report.h"

static const tamis_kind kinds[] = {TAMIS_BLOOM, TAMIS_COUNTING, TAMIS_SCALABLE};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static tamis_params params_of(const options *opts, tamis_kind kind)
{
    tamis_params params = TAMIS_PARAMS_INIT;
    params.kind = kind;
    params.capacity = opts->given[OPT_CAPACITY] && opts->capacity == 0 ? 1 : opts->capacity;
    params.error_rate = opts->error_rate;
    params.memory = opts->memory;
    params.flags = opts->flag[OPT_COMPACT] ? TAMIS_COMPACT : 0u;
    return params;
}

static tamis_status plan_all(const options *opts, tamis_plan *plans, tamis_error *err)
{
    const bool *given = opts->given;
    int count = given[OPT_CAPACITY] + given[OPT_RATE] + given[OPT_MEMORY];
    if (count != 2)
        return fail(err, TAMIS_E_ARGUMENT, "give two of -n, -p and -S, the third follows; %s",
                    count == 3 ? "all three are given" : "as in tamis plan -n 10000000 -p 0.001");
    for (int i = 0; i < KINDS; i++) {
        tamis_params params = params_of(opts, kinds[i]);
        plans[i] = (tamis_plan){.struct_size = sizeof plans[i]};
        tamis_status status = tamis_plan_filter(&params, &plans[i], err);
        if (status != TAMIS_OK)
            return status;
    }
    return TAMIS_OK;
}

/* How many cache lines a question touches. */
static uint32_t lines_touched(const tamis_plan *plan)
{
    return plan->lines_per_item * plan->layers;
}

static const char *speed_of(const tamis_plan *plan)
{
    uint32_t lines = lines_touched(plan);
    return lines == 1 ? "fastest" : lines == 2 ? "fast" : lines <= 4 ? "middling" : "slow";
}

static void print_text(const tamis_plan *plans)
{
    (void)printf("capacity %" PRIu64 ", error rate %g\n", plans[0].capacity, plans[0].error_rate);
    (void)printf("a classic Bloom filter: %.3f bits an item, %.0f bytes\n\n", plans[0].classic_bits_per_item,
                 plans[0].classic_bits_per_item * (double)plans[0].capacity / 8.0);
    (void)printf("%-9s %16s %12s %9s %2s %2s %13s  %s\n", "kind", "capacity", "bytes", "bits/item", "g", "k",
                 "expected rate", "speed (lines touched)");
    for (int i = 0; i < KINDS; i++)
        (void)printf("%-9s %16" PRIu64 " %12" PRIu64 " %9.3f %2" PRIu32 " %2" PRIu32 " %13.4g  %s (%" PRIu32
                     ")\n",
                     list_kind_text(kinds[i]), plans[i].capacity, plans[i].payload_bytes,
                     plans[i].bits_per_item, plans[i].lines_per_item, plans[i].bits_per_line,
                     plans[i].expected_rate, speed_of(&plans[i]), lines_touched(&plans[i]));
    (void)printf("\ng lines of 64 bytes an item, k bits in each; scalable: its first layer\n");
}

static void print_json(const tamis_plan *plans)
{
    json_open(NULL, '{');
    json_real("classic_bits_per_item", plans[0].classic_bits_per_item);
    json_open("kinds", '[');
    for (int i = 0; i < KINDS; i++) {
        const tamis_plan *plan = &plans[i];
        json_open(NULL, '{');
        json_text("kind", list_kind_text(kinds[i]));
        json_count("capacity", plan->capacity);
        json_real("error_rate", plan->error_rate);
        json_real("expected_rate", plan->expected_rate);
        json_count("payload_bytes", plan->payload_bytes);
        json_real("bits_per_item", plan->bits_per_item);
        json_count("lines_per_item", plan->lines_per_item);
        json_count("bits_per_line", plan->bits_per_line);
        json_count("lines", plan->lines);
        json_count("regions", plan->regions);
        json_count("region_lines", plan->region_lines);
        json_count("layers", plan->layers);
        json_count("lines_touched", lines_touched(plan));
        json_text("speed", speed_of(plan));
        json_close('}');
    }
    json_close(']');
    json_close('}');
    json_end();
}

int plan_main(const options *opts)
{
    tamis_error err = {.status = TAMIS_OK};
    tamis_plan plans[KINDS];
    if (plan_all(opts, plans, &err) != TAMIS_OK)
        return report_failure(&err);
    if (opts->flag[OPT_INFO_JSON])
        print_json(plans);
    else
        print_text(plans);
    return report_finish_stdout(&err) == TAMIS_OK ? STATUS_FINE : report_failure(&err);
}
