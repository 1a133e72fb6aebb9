/* The model: expected rate of false positives of a geometry that holds n items. */
#ifndef TAMIS_FILTER_RATE_H
#define TAMIS_FILTER_RATE_H

#include "filter/internal.h"

/* Expected rate of an array of lines after `items` distinct items, without
 * collisions of whole hashes. Exact for g = 1 up to the accuracy of a double;
 * 1 where the lines are so crowded that the table ends. Only + - * / exp log and
 * sqrt are used, so that every machine agrees. */
double tamis_rate_model(const tamis_geometry *geometry, double items);

/* Expected number of those among `items` distinct items that change no bit while an
 * empty geometry fills with them: the integral of the rate. Good to 1 % of itself
 * where it matters (rates above 0.001). */
double tamis_rate_lost(const tamis_geometry *geometry, double items);

/* The inverse: distinct items after which `changed` of them changed a bit. */
double tamis_rate_items(const tamis_geometry *geometry, double changed);

/* Probability that a hash equals one of `items` others: the floor under any rate. */
double tamis_rate_floor(double items);

/* True when the model's correction for items whose lines coincide is good for
 * this geometry: g = 1, or regions of at least 64 lines. */
bool tamis_rate_model_holds(const tamis_geometry *geometry);

#endif
