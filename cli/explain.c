#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "fail.h"
#include "lists.h"
#include "record/record.h"
#include "report.h"

enum { LANES = 8, LANE_BITS = 64, PROBES_MAX = TAMIS_MAX_LAYERS * 64 };

/* The item as text: what is no printable ASCII as \xHH. */
static void print_item(const char *text)
{
    (void)printf("item \"");
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c >= 0x7f)
            (void)printf("\\x%02x", c);
        else
            (void)putchar(c);
    }
    (void)printf("\"");
}

/* Eight rows of 64 bits for the probes of one line. Returns how many are set. */
static size_t draw_line(const tamis_probe *probes, size_t count)
{
    char lanes[LANES][LANE_BITS + 1];
    size_t set = 0;
    memset(lanes, '.', sizeof lanes);
    for (size_t i = 0; i < count; i++) {
        uint32_t lane = probes[i].bit / LANE_BITS % LANES;
        lanes[lane][probes[i].bit % LANE_BITS] = probes[i].set ? '1' : '0';
        set += probes[i].set;
    }
    for (int lane = 0; lane < LANES; lane++)
        (void)printf("    lane %d  %.*s\n", lane, LANE_BITS, lanes[lane]);
    return set;
}

static bool same_line(const tamis_probe *a, const tamis_probe *b)
{
    return a->layer == b->layer && a->line_of_item == b->line_of_item;
}

static void print_probes(const tamis_probe *probes, size_t count)
{
    size_t from = 0;
    while (from < count) {
        size_t to = from;
        while (to < count && same_line(&probes[from], &probes[to]))
            to++;
        (void)printf("  layer %" PRIu32 ", region %" PRIu64 ", line %" PRIu32 " of the item: line %" PRIu64
                     " of the layer\n",
                     probes[from].layer, probes[from].region, probes[from].line_of_item, probes[from].line);
        size_t set = draw_line(probes + from, to - from);
        (void)printf("    %zu of %zu bits are set\n", set, to - from);
        from = to;
    }
}

static tamis_status explain_one(const tamis_filter *filter, record *rec, const char *text, tamis_error *err)
{
    static tamis_probe probes[PROBES_MAX];
    const char *why = "it is no key";
    tamis_item key = {text, strlen(text)};
    tamis_info info = {.struct_size = sizeof info};
    tamis_status status = record_normalise(rec, &key, &why);
    if (status != TAMIS_OK)
        return fail(err, status, "%s: %s", text, status == TAMIS_E_RECORD ? why : tamis_status_text(status));
    print_item(text);
    (void)printf(", %zu bytes as a key, hash 0x%016" PRIx64 "\n", key.len,
                 tamis_filter_hash(filter, key.data, key.len));
    size_t count = tamis_filter_explain(filter, key.data, key.len, probes, PROBES_MAX);
    print_probes(probes, count < PROBES_MAX ? count : PROBES_MAX);
    (void)tamis_filter_info(filter, &info);
    if (tamis_filter_contains(filter, key.data, key.len))
        (void)printf("  in the filter: it was added, or is one of the %.2g that are found without\n",
                     info.current_rate);
    else
        (void)printf("  not in the filter: it was never added\n");
    return TAMIS_OK;
}

int explain_main(const options *opts)
{
    tamis_error err = {.status = TAMIS_OK};
    tamis_filter *filter = NULL;
    record *rec = NULL;
    tamis_status status = list_open(opts->operands[0], false, &filter, &err);
    record_rule rule = {.delimiter = '\n'};
    if (status == TAMIS_OK) {
        rule.normalisation = tamis_filter_normalisation(filter);
        status = record_open(&rule, &rec, &err);
    }
    for (size_t i = 1; i < opts->operand_count && status == TAMIS_OK; i++)
        status = explain_one(filter, rec, opts->operands[i], &err);
    if (status == TAMIS_OK)
        status = report_finish_stdout(&err);
    record_close(rec);
    tamis_filter_free(filter);
    return status == TAMIS_OK ? STATUS_FINE : report_failure(&err);
}
