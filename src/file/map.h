/* Filters that stand in a mapped file. */
#ifndef TAMIS_FILE_MAP_H
#define TAMIS_FILE_MAP_H

#include <sys/stat.h>

#include <tamis/file.h>

/* tamis_filter_open with TAMIS_OPEN_MAP or TAMIS_OPEN_MAP_WRITE; options checked. */
tamis_status tamis_map_open(const char *path, const tamis_open_options *options, tamis_filter **out,
                            tamis_error *err);

/* Whether the filter is a writable mapping of that file. */
bool tamis_map_writes_to(const tamis_filter *filter, const struct stat *file);

#endif
