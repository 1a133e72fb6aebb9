#include <inttypes.h>
#include <stdio.h>

#include "commands.h"
#include "fail.h"
#include "input.h"
#include "json_out.h"
#include "lists.h"
#include "report.h"

enum { MANY_LAYERS = 4 };

typedef struct about {
    const char *path;
    const tamis_filter *filter;
    tamis_info info;
    uint64_t file_bytes;
    size_t metadata_len;
    bool show_seed;
} about;

/* What to do about a filter that is not as it should be; NULL: nothing. */
static const char *advice(const about *a)
{
    if (a->info.saturated)
        return "every bit is set, so that every line is found: build it again with a larger -n";
    if (a->info.overfull)
        return "it holds more than it was made for: build it again with a larger -n";
    if (a->info.kind == TAMIS_SCALABLE && a->info.layers > MANY_LAYERS)
        return "it has grown by many layers: build it again with a larger -n for a smaller and faster filter";
    return NULL;
}

static tamis_layer_info layer(const about *a, uint32_t index)
{
    tamis_layer_info out = {.struct_size = sizeof out};
    (void)tamis_filter_layer_info(a->filter, index, &out);
    return out;
}

static void print_layers_text(const about *a)
{
    for (uint32_t i = 0; i < a->info.layers; i++) {
        tamis_layer_info l = layer(a, i);
        (void)printf("%-10s %-3" PRIu32 "          capacity %" PRIu64
                     ", error rate %g, now %.4g, items estimated %.0f, "
                     "g %" PRIu32 ", k %" PRIu32 ", lines %" PRIu64 " = %" PRIu64 " regions of %" PRIu32 "\n",
                     a->info.kind == TAMIS_ROTATING ? "generation" : "layer", i, l.capacity, l.error_rate,
                     l.current_rate, l.items_estimated, l.lines_per_item, l.bits_per_line, l.lines, l.regions,
                     l.region_lines);
    }
}

static void print_flags(const about *a)
{
    char norm[64];
    bool secret = (a->info.flags & TAMIS_SECRET_SEED) != 0;
    (void)printf("%-24s%s\n", "normalisation",
                 input_normalisation_text(a->info.normalisation, norm, sizeof norm));
    if (a->show_seed)
        (void)printf("%-24s%" PRIu64 "%s\n", "seed", a->info.seed, secret ? " (secret)" : "");
    else
        (void)printf("%-24ssecret (--show-seed tells it)\n", "seed");
    if ((a->info.flags & TAMIS_COMPACT) != 0)
        (void)printf("%-24s%s\n", "compact", "yes");
}

static void print_text(const about *a)
{
    const tamis_info *info = &a->info;
    (void)printf("%-24s%s\n", "file", a->path);
    (void)printf("%-24s%" PRIu64 "\n", "file bytes", a->file_bytes);
    (void)printf("%-24s%s\n", "kind", list_kind_text(info->kind));
    (void)printf("%-24snative\n", "dialect");
    (void)printf("%-24sXXH3-64\n", "hash");
    (void)printf("%-24s%" PRIu64 "\n", "capacity", info->capacity);
    (void)printf("%-24s%g\n", "error rate", info->error_rate);
    (void)printf("%-24s%.4g (computed from the bits)\n", "error rate now", info->current_rate);
    (void)printf("%-24s%s%.0f (from the bits)\n", "items estimated", info->saturated ? "at least " : "",
                 info->items_estimated);
    (void)printf("%-24s%" PRIu64 " (repeats included)\n", "lines added", info->items_offered);
    (void)printf("%-24s%.4f%s\n", "load", info->load, info->overfull ? " (over-full)" : "");
    (void)printf("%-24s%" PRIu64 " of %" PRIu64 "\n", "bits set", info->bits_set, info->bits);
    (void)printf("%-24s%" PRIu64 "\n", "payload bytes", info->payload_bytes);
    print_flags(a);
    if (info->kind == TAMIS_ROTATING)
        (void)printf("%-24s%" PRIu64 " ms, now %" PRIu64 "\n", "window", info->window_ms, info->now_ms);
    if (info->kind == TAMIS_COUNTING)
        (void)printf("%-24s%" PRIu32 "\n", "stuck counters", info->stuck_counters);
    (void)printf("%-24s%zu bytes\n", "metadata", a->metadata_len);
    print_layers_text(a);
    if (advice(a) != NULL)
        (void)printf("%-24s%s\n", "advice", advice(a));
}

static void print_layers_json(const about *a)
{
    json_open("layers", '[');
    for (uint32_t i = 0; i < a->info.layers; i++) {
        tamis_layer_info l = layer(a, i);
        json_open(NULL, '{');
        json_count("capacity", l.capacity);
        json_real("error_rate", l.error_rate);
        json_real("error_rate_now", l.current_rate);
        json_count("items_new", l.items_new);
        json_real("items_estimated", l.items_estimated);
        json_count("lines", l.lines);
        json_count("regions", l.regions);
        json_count("region_lines", l.region_lines);
        json_count("lines_per_item", l.lines_per_item);
        json_count("bits_per_line", l.bits_per_line);
        json_count("bits_set", l.bits_set);
        json_close('}');
    }
    json_close(']');
}

/* The seed is text: readers of JSON may not keep 64 bits of a number. */
static void print_seed_json(const about *a)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRIu64, a->info.seed);
    json_bool("secret_seed", (a->info.flags & TAMIS_SECRET_SEED) != 0);
    if (a->show_seed)
        json_text("seed", text);
    else
        json_null("seed");
}

static void print_normalisation_json(uint32_t word)
{
    static const char *const names[] = {"trim", "case", "hex", "url"};
    json_open("normalisation", '{');
    for (int i = 0; i < 4; i++)
        json_count(names[i], word >> (8 * i) & 255u);
    json_close('}');
}

static void print_json(const about *a)
{
    const tamis_info *info = &a->info;
    json_open(NULL, '{');
    json_text("file", a->path);
    json_count("file_bytes", a->file_bytes);
    json_text("kind", list_kind_text(info->kind));
    json_text("dialect", "native");
    json_text("hash", "XXH3-64");
    json_count("capacity", info->capacity);
    json_real("error_rate", info->error_rate);
    json_real("error_rate_now", info->current_rate);
    json_real("items_estimated", info->items_estimated);
    json_count("lines_added", info->items_offered);
    json_real("load", info->load);
    json_bool("overfull", info->overfull);
    json_bool("saturated", info->saturated);
    json_count("bits", info->bits);
    json_count("bits_set", info->bits_set);
    json_count("payload_bytes", info->payload_bytes);
    json_bool("compact", (info->flags & TAMIS_COMPACT) != 0);
    print_seed_json(a);
    print_normalisation_json(info->normalisation);
    json_count("window_ms", info->window_ms);
    json_count("now_ms", info->now_ms);
    json_count("stuck_counters", info->stuck_counters);
    json_count("metadata_bytes", a->metadata_len);
    print_layers_json(a);
    if (advice(a) != NULL)
        json_text("advice", advice(a));
    else
        json_null("advice");
    json_close('}');
    json_end();
}

int info_main(const options *opts)
{
    tamis_error err = {.status = TAMIS_OK};
    tamis_filter *filter = NULL;
    about a = {.path = opts->operands[0], .info = {.struct_size = sizeof a.info}};
    if (list_open(a.path, false, &filter, &err) != TAMIS_OK)
        return report_failure(&err);
    (void)tamis_filter_info(filter, &a.info);
    (void)tamis_filter_metadata(filter, &a.metadata_len);
    a.filter = filter;
    a.file_bytes = tamis_filter_file_bytes(filter);
    a.show_seed = opts->flag[OPT_SHOW_SEED] || (a.info.flags & TAMIS_SECRET_SEED) == 0;
    if (opts->flag[OPT_INFO_JSON])
        print_json(&a);
    else
        print_text(&a);
    tamis_filter_free(filter);
    return report_finish_stdout(&err) == TAMIS_OK ? STATUS_FINE : report_failure(&err);
}
