/* What is shown: the table, its heading and end, progress, and JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <tamis/tamis.h>

#include "bench/stage.h"
#include "json_out.h"

void bench_spell_count(uint64_t items, char *out, size_t size)
{
    if (items % 1000000 == 0 && items > 0)
        (void)snprintf(out, size, "%" PRIu64 "M", items / 1000000);
    else if (items % 1000 == 0 && items > 0)
        (void)snprintf(out, size, "%" PRIu64 "k", items / 1000);
    else
        (void)snprintf(out, size, "%" PRIu64, items);
}

void bench_progress(const bench *b, const char *part, uint64_t items, const char *what)
{
    char count[32];
    bench_spell_count(items, count, sizeof count);
    if (b->talk)
        (void)fprintf(stderr, "\r%s, %s items: %s\033[K", part, count, what);
}

void bench_progress_clear(const bench *b)
{
    if (b->talk)
        (void)fputs("\r\033[K", stderr);
}

void bench_cpu_name(char *out, size_t size)
{
    char line[256];
    FILE *from = fopen("/proc/cpuinfo", "r");
    (void)snprintf(out, size, "unknown CPU");
    while (from != NULL && fgets(line, sizeof line, from) != NULL) {
        const char *value = strchr(line, ':');
        if (value == NULL || strncmp(line, "model name", 10) != 0)
            continue;
        value += 1 + strspn(value + 1, " ");
        (void)snprintf(out, size, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    if (from != NULL)
        (void)fclose(from);
}

void bench_show_heading(const bench *b)
{
    char cpu[128];
    bench_cpu_name(cpu, sizeof cpu);
    (void)printf("# tamis %s, kernel %s, %s\n", tamis_version(), tamis_kernel_name(), cpu);
    (void)printf(
        "# ns an item, medians of %zu chunks of %d items (large filters: %d); ratio with its quartiles\n",
        b->rounds, SUPPLY_CHUNK, b->rounds < FEW_ROUNDS ? (int)b->rounds : FEW_ROUNDS);
}

static const char *sign_of(target_sense sense)
{
    return sense == AT_MOST ? "<=" : sense == AT_LEAST ? ">=" : "+-";
}

/* The line above the first figure of a part, a size and an error rate. */
static void show_section(const figure *f)
{
    char count[32];
    bench_spell_count(f->items, count, sizeof count);
    (void)printf("\n%s: %s items, error rate %g, %" PRIu32 " line%s an item\n", f->part, count, f->error_rate,
                 f->lines_per_item, f->lines_per_item == 1 ? "" : "s");
    (void)printf("  %-34s %7s %7s %6s %14s %-18s %s\n", "what", "ns", "limit", "ratio", "quartiles", "limit",
                 "target");
}

static bool same_section(const figure *a, const figure *b)
{
    return a->part == b->part && a->items == b->items && !(a->error_rate < b->error_rate) &&
           !(a->error_rate > b->error_rate);
}

void bench_show_figure(const figure *f, const figure *before)
{
    if (before == NULL || !same_section(f, before))
        show_section(f);
    (void)printf("  %-34s %7.2f", f->what, f->ns);
    if (f->sense != TARGET_NONE)
        (void)printf(" %7.2f %6.2f [%5.2f, %5.2f] %-18s %s %.4g %s", f->limit_ns, f->ratio, f->low, f->high,
                     f->limit_name, sign_of(f->sense), f->target, verdict_text(f->verdict));
    else if (f->limit_name[0] != '\0')
        (void)printf(" %7.2f %6.2f [%5.2f, %5.2f] %s", f->limit_ns, f->ratio, f->low, f->high, f->limit_name);
    (void)putchar('\n');
    (void)fflush(stdout);
}

size_t bench_count(const bench *b, verdict v)
{
    size_t count = 0;
    for (size_t i = 0; i < b->figure_count; i++)
        count += b->figures[i].verdict == v;
    return count;
}

void bench_show_summary(const bench *b)
{
    (void)printf("\n# %zu figures; targets: %zu ok, %zu missed, %zu unproven\n", b->figure_count,
                 bench_count(b, KEPT), bench_count(b, MISSED), bench_count(b, UNPROVEN));
}

static void json_target(const figure *f)
{
    static const char *const senses[] = {
        [TARGET_NONE] = "", [AT_MOST] = "at most", [AT_LEAST] = "at least", [WITHIN] = "within"};
    static const char *const verdicts[] = {
        [NO_TARGET] = "", [KEPT] = "ok", [MISSED] = "missed", [UNPROVEN] = "unproven"};
    if (f->sense == TARGET_NONE)
        return;
    json_text("sense", senses[f->sense]);
    json_real("target", f->target);
    json_text("verdict", verdicts[f->verdict]);
}

static void json_figure(const figure *f)
{
    json_open(NULL, '{');
    json_text("part", f->part);
    json_text("what", f->what);
    json_count("items", f->items);
    json_real("error_rate", f->error_rate);
    json_count("lines_per_item", f->lines_per_item);
    json_count("chunks", f->rounds);
    json_real("ns", f->ns);
    if (f->limit_name[0] != '\0') {
        json_text("limit", f->limit_name);
        json_real("limit_ns", f->limit_ns);
        json_real("ratio", f->ratio);
        json_real("low", f->low);
        json_real("high", f->high);
        json_target(f);
    }
    json_close('}');
}

static void json_heading(const bench *b)
{
    char cpu[128];
    bench_cpu_name(cpu, sizeof cpu);
    json_text("version", tamis_version());
    json_text("kernel", tamis_kernel_name());
    json_text("cpu", cpu);
    json_count("chunk_items", SUPPLY_CHUNK);
    json_count("ok", bench_count(b, KEPT));
    json_count("missed", bench_count(b, MISSED));
    json_count("unproven", bench_count(b, UNPROVEN));
}

void bench_show_json(const bench *b, FILE *to)
{
    json_write_to(to);
    json_open(NULL, '{');
    json_heading(b);
    json_open("notes", '[');
    for (size_t i = 0; i < b->note_count; i++)
        json_text(NULL, b->notes[i]);
    json_close(']');
    json_open("figures", '[');
    for (size_t i = 0; i < b->figure_count; i++)
        json_figure(&b->figures[i]);
    json_close(']');
    json_close('}');
    json_end();
    json_write_to(NULL);
}
