/* Counting, scalable and rotating filters. */
#include <stdio.h>

#include "bench/subject.h"

enum { COUNTER_LINES = 4 /* beside each line */, FIRST_CAPACITY = 1000, WINDOW_MS = 8000 };
static const double layers_target = 1.5;

static tamis_params params_of(tamis_kind kind, uint64_t capacity)
{
    tamis_params params = TAMIS_PARAMS_INIT;
    params.kind = kind;
    params.capacity = capacity;
    params.error_rate = 0.01;
    params.window_ms = kind == TAMIS_ROTATING ? WINDOW_MS : 0;
    return params;
}

static contender asked(const stage *s, tamis_filter *filter, supply_what what)
{
    return (contender){.run = run_contains_hashes, .from = s->supply, .what = what, .filter = filter};
}

/* --- counting ------------------------------------------------------------------- */

/* The items to be removed are added first. */
static void add_chunk(const contender *c)
{
    (void)tamis_filter_add_fixed(c->filter, c->from->values, 8, c->count, NULL, NULL, NULL);
}

typedef struct counting {
    subject on;
    touch_place lines_and_counters[2];
    limits line, all;
    size_t hash_batch, hash_one, old, absent, add, remove;
} counting;

static void counting_make(stage *s, counting *c)
{
    tamis_params params = params_of(TAMIS_COUNTING, s->items);
    subject *on = &c->on;
    *on = (subject){.full = stage_filter(s, &params), .layer = {.struct_size = sizeof on->layer}};
    stage_fill(s, on->full, 0, s->items / 2);
    on->half = (refilled){stage_clone(s, on->full), s->items, s->items - s->items / 2};
    stage_fill(s, on->full, s->items / 2, s->items - s->items / 2);
    if (stage_fine(s))
        (void)tamis_filter_layer_info(on->full, 0, &on->layer);
    tamis_layer_info counters = on->layer;
    counters.lines *= COUNTER_LINES;
    c->lines_and_counters[0] = on->place = stage_place(s, &on->layer, true);
    c->lines_and_counters[1] = stage_place(s, &counters, true);
    c->lines_and_counters[1].lines = on->layer.lines;
    c->lines_and_counters[1].span = COUNTER_LINES;
}

static void counting_enter(stage *s, counting *c)
{
    subject *on = &c->on;
    c->line = stage_enter_limits(s, on->full, &on->place, 1);
    c->all = stage_enter_limits(s, on->full, c->lines_and_counters, 2);
    c->hash_batch = stage_enter(s, subject_asked(s, on, ITEMS_OLD, FORM_FIXED, run_hash_batch));
    c->hash_one = stage_enter(s, subject_asked(s, on, ITEMS_OLD, FORM_FIXED, run_hash_one));
    c->old = stage_enter(s, asked(s, on->full, ITEMS_OLD));
    c->absent = stage_enter(s, asked(s, on->full, ITEMS_ABSENT));
    c->add = stage_enter(s, subject_added(s, on, ITEMS_NEW, FORM_HASHES, run_add_hashes));
    contender remove = subject_added(s, on, ITEMS_NEW, FORM_FIXED, run_remove_one);
    remove.before = add_chunk;
    c->remove = stage_enter(s, remove);
}

static void counting_claim(stage *s, counting *c)
{
    char name[32];
    stage_choose(s, &c->line);
    stage_choose(s, &c->all);
    size_t hash = stage_faster(s, c->hash_batch, c->hash_one);
    (void)snprintf(name, sizeof name, "counters, %s", c->all.name);
    const claim claims[] = {
        {.what = "counting: touch line, rolling", .subject = sum_of(c->line.best)},
        {.what = "counting: with counters, rolling", .subject = sum_of(c->all.best)},
        {.what = "counting: with counters, plain", .subject = sum_of(c->all.plain)},
        {"counting: contains, present", sum_of(c->old), c->line.name, sum_of(c->line.best), 0, TARGET_NONE},
        {"counting: contains, absent", sum_of(c->absent), c->line.name, sum_of(c->line.best), 0, TARGET_NONE},
        {"counting: add, new items", sum_of(c->add), name, sum_of(c->all.best), 0, TARGET_NONE},
        {"counting: remove, single calls", sum_of(c->remove), "hash + plain", sum_of_two(hash, c->all.plain),
         0, TARGET_NONE},
    };
    stage_claim_all(s, claims, sizeof claims / sizeof claims[0]);
}

static void measure_counting(bench *b)
{
    stage s;
    counting c;
    uint64_t items = bench_main_size(b);
    if (stage_begin(&s, b, "kinds", items, 3 * subject_bytes(TAMIS_COUNTING, items, 0.01))) {
        counting_make(&s, &c);
        counting_enter(&s, &c);
        stage_run(&s);
        counting_claim(&s, &c);
    }
    stage_end(&s);
}

/* --- scalable --------------------------------------------------------------------- */

typedef struct layered {
    tamis_filter *full, *taking;
    refilled room; /* scalable: what `taking` still takes before it is made half full again */
    uint32_t layers;
    touch_place places[TAMIS_MAX_LAYERS];
    limits touch[TAMIS_MAX_LAYERS];
    limits in_turn; /* one layer after the other */
    time_sum alone; /* each with the caches for itself */
    size_t old, absent, add_old, add_new;
} layered;

static void make_places(stage *s, layered *l)
{
    tamis_info info = {.struct_size = sizeof info};
    if (!stage_fine(s) || tamis_filter_info(l->full, &info) != TAMIS_OK)
        return;
    l->layers = info.layers;
    for (uint32_t i = 0; i < l->layers; i++) {
        tamis_layer_info layer = {.struct_size = sizeof layer};
        (void)tamis_filter_layer_info(l->full, i, &layer);
        l->places[i] = stage_place(s, &layer, true);
    }
}

/* A rotating filter that takes new items: each generation gets its share of them. */
static void turn_generations(const contender *c)
{
    uint64_t share = c->from->members / TAMIS_GENERATIONS;
    uint64_t slot_ms = WINDOW_MS / (TAMIS_GENERATIONS - 1);
    (void)tamis_filter_advance(c->filter, tamis_filter_items_offered(c->filter) / share * slot_ms);
}

static void enter_questions(stage *s, layered *l)
{
    contender add = asked(s, l->full, ITEMS_OLD);
    add.run = run_add_hashes;
    l->old = stage_enter(s, asked(s, l->full, ITEMS_OLD));
    l->absent = stage_enter(s, asked(s, l->full, ITEMS_ABSENT));
    l->add_old = stage_enter(s, add);
    add.filter = l->taking;
    add.what = ITEMS_NEW;
    add.refill = l->room.filter != NULL ? &l->room : NULL;
    add.before = l->room.filter != NULL ? NULL : turn_generations;
    l->add_new = stage_enter(s, add);
}

static void scalable_enter(stage *s, layered *l)
{
    for (uint32_t i = 0; i < l->layers; i++)
        l->touch[i] = stage_enter_rolling(s, l->full, &l->places[i], 1, run_touch);
    l->in_turn = stage_enter_rolling(s, l->full, l->places, l->layers, run_touch_in_turn);
    enter_questions(s, l);
}

static void scalable_claim(stage *s, layered *l)
{
    char name[32];
    for (uint32_t i = 0; i < l->layers; i++) {
        stage_choose(s, &l->touch[i]);
        sum_add(&l->alone, l->touch[i].best, 1.0);
    }
    stage_choose(s, &l->in_turn);
    (void)snprintf(name, sizeof name, "sum of %u layers", (unsigned)l->layers);
    time_sum limit = sum_of(l->in_turn.best);
    const claim claims[] = {
        {.what = "scalable: touch each layer", .subject = limit},
        {"scalable: touch each, alone", l->alone, name, limit, 0, TARGET_NONE},
        {"scalable: contains, present", sum_of(l->old), name, limit, layers_target, AT_MOST},
        {"scalable: contains, absent", sum_of(l->absent), name, limit, layers_target, AT_MOST},
        {"scalable: add, items already there", sum_of(l->add_old), name, limit, layers_target, AT_MOST},
        {"scalable: add, new items", sum_of(l->add_new), name, limit, 0, TARGET_NONE},
    };
    stage_claim_all(s, claims, sizeof claims / sizeof claims[0]);
}

static void measure_scalable(bench *b)
{
    stage s;
    uint64_t items = bench_main_size(b);
    tamis_params params = params_of(TAMIS_SCALABLE, FIRST_CAPACITY);
    if (stage_begin(&s, b, "kinds", items, 12 * subject_bytes(TAMIS_BLOOM, items, 0.01))) {
        layered l = {.full = stage_filter(&s, &params)};
        stage_fill(&s, l.full, 0, items);
        l.taking = stage_clone(&s, l.full);
        l.room = (refilled){l.taking, items, 0};
        make_places(&s, &l);
        scalable_enter(&s, &l);
        stage_run(&s);
        scalable_claim(&s, &l);
    }
    stage_end(&s);
}

/* --- rotating --------------------------------------------------------------------- */

static void fill_generations(stage *s, tamis_filter *filter)
{
    uint64_t share = s->items / TAMIS_GENERATIONS;
    for (uint64_t i = 0; i < TAMIS_GENERATIONS && stage_fine(s); i++) {
        (void)tamis_filter_advance(filter, i * (WINDOW_MS / (TAMIS_GENERATIONS - 1)));
        stage_fill(s, filter, i * share, share);
    }
    s->supply->members = share * TAMIS_GENERATIONS;
}

static void rotating_claim(stage *s, const layered *l)
{
    const limits *touch = &l->touch[0];
    time_sum limit = sum_of(touch->best);
    const claim claims[] = {
        {.what = "rotating: touch each", .subject = limit},
        {"rotating: contains, present", sum_of(l->old), touch->name, limit, 0, TARGET_NONE},
        {"rotating: contains, absent", sum_of(l->absent), touch->name, limit, 0, TARGET_NONE},
        {"rotating: add, items already there", sum_of(l->add_old), touch->name, limit, 0, TARGET_NONE},
        {"rotating: add, new items", sum_of(l->add_new), touch->name, limit, 0, TARGET_NONE},
    };
    stage_claim_all(s, claims, sizeof claims / sizeof claims[0]);
}

static void measure_rotating(bench *b)
{
    stage s;
    uint64_t items = bench_main_size(b);
    tamis_params params = params_of(TAMIS_ROTATING, items);
    if (stage_begin(&s, b, "kinds", items, 3 * subject_bytes(TAMIS_ROTATING, items, 0.01))) {
        layered l = {.full = stage_filter(&s, &params)};
        fill_generations(&s, l.full);
        l.taking = stage_clone(&s, l.full);
        if (stage_fine(&s)) /* a generation that is empty yet */
            (void)tamis_filter_advance(l.taking, WINDOW_MS / (TAMIS_GENERATIONS - 1) * TAMIS_GENERATIONS);
        make_places(&s, &l);
        l.touch[0] = stage_enter_rolling(&s, l.full, l.places, l.layers, run_touch_in_turn);
        enter_questions(&s, &l);
        stage_run(&s);
        stage_choose(&s, &l.touch[0]);
        rotating_claim(&s, &l);
    }
    stage_end(&s);
}

void part_kinds(bench *b)
{
    measure_counting(b);
    measure_scalable(b);
    measure_rotating(b);
}
