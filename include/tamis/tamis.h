/* Tamis: Bloom filters for lists, streams and files. The umbrella header. */
#ifndef TAMIS_H
#define TAMIS_H

#define TAMIS_VERSION_MAJOR 0
#define TAMIS_VERSION_MINOR 1
#define TAMIS_VERSION_PATCH 0

#include <tamis/file.h>
#include <tamis/filter.h>
#include <tamis/status.h>

#endif
