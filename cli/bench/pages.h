/* Memory for the measurements, with huge pages and without. */
#ifndef TAMIS_CLI_BENCH_PAGES_H
#define TAMIS_CLI_BENCH_PAGES_H

#include <stdbool.h>

#include <tamis/filter.h>

/* Zeroed pages as a filter of that size gets them (`huge`: huge pages are asked for
 * from 4 MiB on) or, without `huge`, small ones only. NULL when there are none. */
void *pages_map(size_t nbytes, bool huge);
void pages_unmap(void *pages, size_t nbytes);

/* Allocates small pages only. */
extern const tamis_allocator pages_small;

/* Bytes of this process that are in huge pages; 0 where nothing tells. */
uint64_t pages_huge_bytes(void);

#endif
