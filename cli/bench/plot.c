/* The plot: ns an item against the number of items, both logarithmic, as SVG. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <tamis/tamis.h>

#include "bench/bench.h"

enum { WIDTH = 760, HEIGHT = 460, LEFT = 64, RIGHT = 210, TOP = 56, BOTTOM = 60 };

/* A line of the plot: a figure of the part "sizes", and how it is drawn. */
typedef struct curve {
    const char *what;
    const char *label;
    const char *colour;
    const char *dashes;
} curve;

static const curve curves[] = {
    {"contains, single calls", "contains, single calls", "#b5482a", "none"},
    {"add, new items", "add, batch", "#1f7a4d", "none"},
    {"contains, present", "contains, batch", "#1d4f91", "none"},
    {"touch one line, plain", "limit: touch a line, plain", "#7a7a7a", "2 4"},
    {"touch one line, rolling", "limit: the same, rolling", "#333333", "7 4"},
};
enum { CURVES = sizeof curves / sizeof curves[0] };

/* What the axes span. */
typedef struct frame {
    double first, last; /* log10 of the number of items */
    double low, high;   /* log10 of ns */
} frame;

static const curve *curve_of(const figure *f)
{
    if (strcmp(f->part, "sizes") != 0 || strcmp(f->limit_name, "read and write") == 0)
        return NULL;
    for (int i = 0; i < CURVES; i++)
        if (strcmp(f->what, curves[i].what) == 0)
            return &curves[i];
    return NULL;
}

/* The largest of 1, 2 and 5 times a power of ten that is not above `ns`. */
static double tick_below(double ns)
{
    double power = pow(10.0, floor(log10(ns)));
    return ns >= 5.0 * power ? 5.0 * power : ns >= 2.0 * power ? 2.0 * power : power;
}

static double tick_above(double tick)
{
    double power = pow(10.0, floor(log10(tick * 1.01)));
    return tick < 1.5 * power ? 2.0 * power : tick < 3.0 * power ? 5.0 * power : 10.0 * power;
}

static frame frame_of(const bench *b)
{
    double low = 1e9, high = 0.01;
    frame f = {.first = log10((double)b->sizes[0]), .last = log10((double)b->sizes[b->size_count - 1])};
    for (size_t i = 0; i < b->figure_count; i++)
        if (curve_of(&b->figures[i]) != NULL) {
            low = fmin(low, b->figures[i].ns);
            high = fmax(high, b->figures[i].ns);
        }
    f.low = log10(tick_below(fmax(fmin(low, high), 0.01)));
    f.high = log10(tick_above(tick_below(high)));
    if (f.last - f.first < 0.1) {
        f.first -= 0.5;
        f.last += 0.5;
    }
    return f;
}

static double x_of(const frame *f, uint64_t items)
{
    return LEFT + (log10((double)items) - f->first) / (f->last - f->first) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const frame *f, double ns)
{
    double share = (log10(fmax(ns, 1e-3)) - f->low) / (f->high - f->low);
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
}

static void draw_text(FILE *to, double x, double y, const char *anchor, const char *text)
{
    (void)fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    for (; *text != '\0'; text++) {
        if (*text == '<' || *text == '>' || *text == '&')
            (void)fprintf(to, "&#%d;", *text);
        else
            (void)fputc((unsigned char)*text < 0x20 || (unsigned char)*text > 0x7e ? '?' : *text, to);
    }
    (void)fputs("</text>\n", to);
}

static void draw_rule(FILE *to, double x1, double y1, double x2, double y2, const char *colour)
{
    (void)fprintf(to, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1, y1, x2,
                  y2, colour);
}

static void draw_y_axis(FILE *to, const frame *f)
{
    char label[32];
    for (double ns = pow(10.0, f->low); log10(ns) < f->high + 0.01; ns = tick_above(ns)) {
        draw_rule(to, LEFT, y_of(f, ns), WIDTH - RIGHT, y_of(f, ns), "#e3e3e3");
        (void)snprintf(label, sizeof label, "%.4g", ns);
        draw_text(to, LEFT - 8, y_of(f, ns) + 4, "end", label);
    }
    draw_rule(to, LEFT, TOP, LEFT, HEIGHT - BOTTOM, "#444444");
    draw_rule(to, LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "#444444");
    draw_text(to, LEFT - 8, TOP - 14, "middle", "ns an item");
}

static void draw_x_axis(FILE *to, const frame *f, const bench *b)
{
    char label[32];
    for (size_t i = 0; i < b->size_count; i++) {
        double x = x_of(f, b->sizes[i]);
        bench_spell_count(b->sizes[i], label, sizeof label);
        draw_rule(to, x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 6, "#444444");
        draw_text(to, x, HEIGHT - BOTTOM + 21, "middle", label);
    }
    draw_text(to, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 16, "middle",
              "items in the filter (1 % error rate)");
}

static void draw_curve(FILE *to, const frame *f, const bench *b, const curve *c)
{
    (void)fprintf(to,
                  "<g fill=\"%s\"><polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" "
                  "stroke-dasharray=\"%s\" points=\"",
                  c->colour, c->colour, c->dashes);
    for (size_t i = 0; i < b->figure_count; i++)
        if (curve_of(&b->figures[i]) == c)
            (void)fprintf(to, "%.1f,%.1f ", x_of(f, b->figures[i].items), y_of(f, b->figures[i].ns));
    (void)fputs("\"/>\n", to);
    for (size_t i = 0; i < b->figure_count; i++)
        if (curve_of(&b->figures[i]) == c)
            (void)fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>\n", x_of(f, b->figures[i].items),
                          y_of(f, b->figures[i].ns));
    (void)fputs("</g>\n", to);
}

static void draw_legend(FILE *to, int row, const curve *c)
{
    double y = TOP + 10 + 24.0 * row, x = WIDTH - RIGHT + 18;
    (void)fprintf(to,
                  "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2\" "
                  "stroke-dasharray=\"%s\"/>\n",
                  x, y, x + 28, y, c->colour, c->dashes);
    draw_text(to, x + 36, y + 4, "start", c->label);
}

void bench_draw(const bench *b, FILE *to)
{
    char title[256], cpu[128];
    frame f = frame_of(b);
    bench_cpu_name(cpu, sizeof cpu);
    (void)fprintf(
        to,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222222\">\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    (void)snprintf(title, sizeof title, "tamis %s, kernel %s, %s: ready hashes, one thread", tamis_version(),
                   tamis_kernel_name(), cpu);
    draw_text(to, LEFT, 22, "start", title);
    draw_y_axis(to, &f);
    draw_x_axis(to, &f, b);
    for (int i = 0; i < CURVES; i++) {
        draw_curve(to, &f, b, &curves[i]);
        draw_legend(to, i, &curves[i]);
    }
    (void)fputs("</svg>\n", to);
}
