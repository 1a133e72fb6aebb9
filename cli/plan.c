#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "capacity.h"
#include "commands.h"
#include "fail.h"
#include "json_out.h"
#include "lists.h"
#include "memory.h"
#include "report.h"

static const tamis_kind kinds[] = {TAMIS_BLOOM, TAMIS_COUNTING, TAMIS_SCALABLE};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static tamis_params params_of(const options *opts, tamis_kind kind)
{
    tamis_params params = TAMIS_PARAMS_INIT;
    params.kind = kind;
    params.capacity = capacity_given(opts);
    params.error_rate = opts->error_rate;
    params.memory = opts->memory;
    params.flags = opts->flag[OPT_COMPACT] ? TAMIS_COMPACT : 0u;
    return params;
}

/* The plan of one kind; `error.status` is not OK where there is none. */
typedef struct planned {
    tamis_kind kind;
    tamis_plan plan;
    tamis_error error;
} planned;

/* Plans every kind; fails only where the plainest, the first, cannot be. */
static tamis_status plan_all(const options *opts, planned *out, tamis_error *err)
{
    const bool *given = opts->given;
    int count = given[OPT_CAPACITY] + given[OPT_RATE] + given[OPT_MEMORY];
    if (count != 2)
        return fail(err, TAMIS_E_ARGUMENT, "give two of -n, -p and -S, the third follows; %s",
                    count == 3 ? "all three are given" : "as in tamis plan -n 10000000 -p 0.001");
    for (int i = 0; i < KINDS; i++) {
        tamis_params params = params_of(opts, kinds[i]);
        out[i] = (planned){.kind = kinds[i], .plan = {.struct_size = sizeof out[i].plan}};
        (void)tamis_plan_filter(&params, &out[i].plan, &out[i].error);
    }
    *err = out[0].error;
    tamis_params plainest = params_of(opts, kinds[0]);
    return memory_too_small(&plainest, opts->given_text[OPT_MEMORY], err);
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

static void print_row(const planned *row)
{
    const tamis_plan *plan = &row->plan;
    if (row->error.status != TAMIS_OK) {
        (void)printf("%-9s %s\n", list_kind_text(row->kind), row->error.message);
        return;
    }
    (void)printf(
        "%-9s %15" PRIu64 " %14" PRIu64 " %9.3f %2" PRIu32 " %2" PRIu32 " %10.4g  %s (%" PRIu32 ")\n",
        list_kind_text(row->kind), plan->capacity, plan->payload_bytes, plan->bits_per_item,
        plan->lines_per_item, plan->bits_per_line, plan->expected_rate, speed_of(plan), lines_touched(plan));
}

static void print_text(const planned *rows)
{
    const tamis_plan *plan = &rows[0].plan;
    (void)printf("capacity %" PRIu64 ", error rate %.4g\n", plan->capacity, plan->error_rate);
    (void)printf("a classic Bloom filter: %.3f bits an item, %.0f bytes\n\n", plan->classic_bits_per_item,
                 ceil(plan->classic_bits_per_item * (double)plan->capacity / 8.0));
    (void)printf("%-9s %15s %14s %9s %2s %2s %10s  %s\n", "kind", "capacity", "bytes", "bits/item", "g", "k",
                 "rate", "speed");
    for (int i = 0; i < KINDS; i++)
        print_row(&rows[i]);
    (void)printf("\ng lines of 64 bytes an item, k bits in each; rate: expected at capacity;\n"
                 "speed: lines touched by a question; scalable: its first layer, which has half of\n"
                 "the error rate\n");
}

static void print_row_json(const planned *row)
{
    const tamis_plan *plan = &row->plan;
    json_text("kind", list_kind_text(row->kind));
    if (row->error.status != TAMIS_OK) {
        json_text("error", row->error.message);
        return;
    }
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
}

static void print_json(const planned *rows)
{
    json_open(NULL, '{');
    json_real("classic_bits_per_item", rows[0].plan.classic_bits_per_item);
    json_open("kinds", '[');
    for (int i = 0; i < KINDS; i++) {
        json_open(NULL, '{');
        print_row_json(&rows[i]);
        json_close('}');
    }
    json_close(']');
    json_close('}');
    json_end();
}

int plan_main(const options *opts)
{
    tamis_error err = {.status = TAMIS_OK};
    planned rows[KINDS];
    if (plan_all(opts, rows, &err) != TAMIS_OK)
        return report_failure(&err);
    if (opts->flag[OPT_INFO_JSON])
        print_json(rows);
    else
        print_text(rows);
    return report_finish_stdout(&err) == TAMIS_OK ? STATUS_FINE : report_failure(&err);
}
