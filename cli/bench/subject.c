#include "bench/subject.h"

uint64_t subject_bytes(tamis_kind kind, uint64_t items, double error_rate)
{
    tamis_plan plan = {.struct_size = sizeof plan};
    tamis_params params = TAMIS_PARAMS_INIT;
    params.kind = kind;
    params.capacity = items;
    params.error_rate = error_rate;
    return tamis_plan_filter(&params, &plan, NULL) == TAMIS_OK ? plan.payload_bytes : 0;
}

void subject_make(stage *s, double error_rate, subject *out)
{
    tamis_params params = TAMIS_PARAMS_INIT;
    params.capacity = s->items;
    params.error_rate = error_rate;
    *out = (subject){.layer = {.struct_size = sizeof out->layer}};
    out->full = stage_filter(s, &params);
    stage_fill(s, out->full, 0, s->items / 2);
    out->half = (refilled){stage_clone(s, out->full), s->items, s->items - s->items / 2};
    stage_fill(s, out->full, s->items / 2, s->items - s->items / 2);
    if (stage_fine(s))
        (void)tamis_filter_layer_info(out->full, 0, &out->layer);
    out->place = stage_place(s, &out->layer, true);
}

contender subject_asked(const stage *s, const subject *of, supply_what what, supply_form form,
                        uint64_t (*run)(const contender *))
{
    return (contender){.run = run, .from = s->supply, .what = what, .form = form, .filter = of->full};
}

contender subject_added(const stage *s, subject *to, supply_what what, supply_form form,
                        uint64_t (*run)(const contender *))
{
    contender c = {.run = run, .from = s->supply, .what = what, .form = form, .filter = to->full};
    if (what == ITEMS_NEW) {
        c.filter = to->half.filter;
        c.refill = &to->half;
    }
    return c;
}

bool is_near(uint64_t items)
{
    return items <= 200000;
}

double batch_target(uint64_t items)
{
    return items >= 100000000 ? 1.15 : items >= 5000000 ? 1.3 : is_near(items) ? 2.0 : 0.0;
}

double add_target(uint64_t items)
{
    return items >= 5000000 ? 1.3 : batch_target(items);
}
