/* The bulk build: many items into one filter by several threads. */
#ifndef TAMIS_FILTER_BULK_H
#define TAMIS_FILTER_BULK_H

#include "filter/internal.h"
#include "filter/source.h"

/* As tamis_filter_bulk_batch; the source's seed need not be set. */
tamis_status tamis_bulk_add(tamis_filter *filter, tamis_source from, size_t count, unsigned threads,
                            size_t *out_total, size_t *out_done);

#endif
