#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "file/decode.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "file/contents.h"
#include "file/io.h"
#include "file/map.h"

/* Size of the options in version 0.1. */
#define FIRST_OPTIONS (offsetof(tamis_open_options, allocator) + sizeof(const tamis_allocator *))

tamis_status tamis_open_options_of(const tamis_open_options *given, unsigned allowed, tamis_open_options *out,
                                   tamis_error *err)
{
    const tamis_open_options defaults = TAMIS_OPEN_OPTIONS_INIT;
    if (!tamis_options_read(out, sizeof *out, given != NULL ? given : &defaults, FIRST_OPTIONS))
        return tamis_fail(err, TAMIS_E_ARGUMENT,
                          "open options of %zu bytes, or with members that are not known here; "
                          "start from TAMIS_OPEN_OPTIONS_INIT",
                          given->struct_size);
    if ((out->flags & ~allowed) != 0)
        return tamis_fail(err, TAMIS_E_ARGUMENT, "open flags 0x%x; allowed here are 0x%x", out->flags,
                          allowed);
    if ((out->flags & TAMIS_OPEN_MAP) != 0 && (out->flags & TAMIS_OPEN_MAP_WRITE) != 0)
        return tamis_fail(err, TAMIS_E_ARGUMENT,
                          "TAMIS_OPEN_MAP and TAMIS_OPEN_MAP_WRITE exclude each other");
    if ((out->flags & TAMIS_OPEN_WAIT) != 0 && (out->flags & TAMIS_OPEN_MAP_WRITE) == 0)
        return tamis_fail(err, TAMIS_E_ARGUMENT,
                          "TAMIS_OPEN_WAIT goes with TAMIS_OPEN_MAP_WRITE only: a reader does not wait");
    return TAMIS_OK;
}

static tamis_status take_page(tamis_byte_source *source, unsigned char *page, tamis_error *err)
{
    size_t got = 0;
    tamis_status status = tamis_bytes_take(source, page, TAMIS_FILE_HEADER_BYTES, &got, err);
    if (status != TAMIS_OK || got == TAMIS_FILE_HEADER_BYTES)
        return status;
    if (got < TAMIS_FILE_MAGIC_BYTES || memcmp(page, TAMIS_FILE_MAGIC, TAMIS_FILE_MAGIC_BYTES) != 0)
        return tamis_fail(err, TAMIS_E_FORMAT, "not a tamis file: %zu bytes, without the magic bytes", got);
    return tamis_fail(err, TAMIS_E_CORRUPT,
                      "the file ends after %zu of the header's %u bytes; it is truncated", got,
                      TAMIS_FILE_HEADER_BYTES);
}

tamis_status tamis_decode_header(tamis_byte_source *source, const tamis_open_options *options,
                                 tamis_filter **out, tamis_seal *seal, tamis_error *err)
{
    unsigned char page[TAMIS_FILE_HEADER_BYTES];
    tamis_filter *filter = NULL;
    tamis_status status = take_page(source, page, err);
    if (status == TAMIS_OK)
        status = tamis_header_decode(page, options->allocator, &filter, seal, err);
    if (status != TAMIS_OK)
        return status;
    if (filter->params.normalisation != 0 && (options->flags & TAMIS_OPEN_NORMALISED) == 0) {
        status = tamis_fail(err, TAMIS_E_NORMALISED,
                            "the filter's items are normalised (0x%08" PRIx32
                            "); normalise yours alike and open it with TAMIS_OPEN_NORMALISED",
                            filter->params.normalisation);
        tamis_filter_free(filter);
        return status;
    }
    *out = filter;
    return TAMIS_OK;
}

static tamis_status keep_metadata(tamis_byte_source *source, tamis_filter *filter, unsigned char *buffer,
                                  size_t len, size_t padded, tamis_error *err)
{
    tamis_status status = tamis_bytes_read(source, buffer, padded, err);
    if (status != TAMIS_OK)
        return status;
    for (size_t i = len; i < padded; i++)
        if (buffer[i] != 0)
            return tamis_fail(err, TAMIS_E_CORRUPT, "the padding behind the metadata is not zero");
    status = tamis_filter_set_metadata(filter, buffer, len);
    return status == TAMIS_OK ? status : tamis_fail(err, status, "no memory for %zu bytes of metadata", len);
}

tamis_status tamis_decode_metadata(tamis_byte_source *source, tamis_filter *filter, size_t len,
                                   tamis_error *err)
{
    if (len == 0)
        return TAMIS_OK;
    size_t padded = (len + TAMIS_FILE_ALIGN - 1u) / TAMIS_FILE_ALIGN * TAMIS_FILE_ALIGN;
    unsigned char *buffer = tamis_allocate(&filter->allocator, padded);
    if (buffer == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "no memory for %zu bytes of metadata", len);
    tamis_status status = keep_metadata(source, filter, buffer, len, padded, err);
    tamis_release(&filter->allocator, buffer, padded);
    return status;
}

static tamis_status read_layer(tamis_byte_source *source, tamis_filter *filter, tamis_layer *layer,
                               tamis_error *err)
{
    tamis_status status = tamis_layer_allocate(filter, layer);
    if (status != TAMIS_OK)
        return tamis_fail(err, status, "no memory for a layer of %" PRIu64 " lines of 64 bytes",
                          tamis_geometry_lines(&layer->geometry));
    return tamis_bytes_read(source, layer->payload, tamis_layer_bytes(layer), err);
}

static tamis_status read_payload(tamis_byte_source *source, tamis_filter *filter, const tamis_seal *seal,
                                 tamis_error *err)
{
    tamis_status status = tamis_bytes_expect(source, seal->payload_bytes, &filter->allocator, err);
    for (uint32_t i = 0; i < filter->layer_count && status == TAMIS_OK; i++)
        status = read_layer(source, filter, &filter->layers[i], err);
    if (status == TAMIS_OK && filter->params.kind == TAMIS_COUNTING)
        status = tamis_bytes_read(source, filter->counters, tamis_counter_bytes(&filter->layers[0]), err);
    if (status == TAMIS_OK)
        status = tamis_decode_metadata(source, filter, seal->metadata_len, err);
    return status;
}

/* A dirty file's counts and checksum are those of before. */
static tamis_status check_or_repair(tamis_filter *filter, const tamis_seal *seal, tamis_error *err)
{
    if (!seal->dirty)
        return tamis_contents_check(filter, seal, err);
    tamis_counters_repair(filter);
    return TAMIS_OK;
}

tamis_status tamis_decode_source(tamis_byte_source *source, const tamis_open_options *options,
                                 tamis_filter **out, tamis_seal *seal, tamis_error *err)
{
    tamis_filter *filter = NULL;
    tamis_status status = tamis_decode_header(source, options, &filter, seal, err);
    if (status != TAMIS_OK)
        return status;
    status = read_payload(source, filter, seal, err);
    tamis_bytes_end(source);
    if (status == TAMIS_OK)
        status = check_or_repair(filter, seal, err);
    if (status != TAMIS_OK) {
        tamis_filter_free(filter);
        return status;
    }
    *out = filter;
    return TAMIS_OK;
}

static tamis_status decode_fd(int fd, const tamis_open_options *options, tamis_filter **out, tamis_seal *seal,
                              tamis_error *err)
{
    tamis_byte_source source;
    tamis_status status = tamis_bytes_of_fd(&source, fd, err);
    return status == TAMIS_OK ? tamis_decode_source(&source, options, out, seal, err) : status;
}

tamis_status tamis_decode_path(const char *path, const tamis_open_options *options, tamis_filter **out,
                               tamis_seal *seal, tamis_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return tamis_fail_errno(err, "cannot open %.240s", path);
    tamis_status status = decode_fd(fd, options, out, seal, err);
    (void)close(fd);
    return tamis_io_name_error(err, status, path);
}

tamis_status tamis_filter_open(const char *path, const tamis_open_options *options, tamis_filter **out,
                               tamis_error *err)
{
    tamis_open_options checked;
    tamis_seal seal;
    unsigned allowed = TAMIS_OPEN_MAP | TAMIS_OPEN_MAP_WRITE | TAMIS_OPEN_WAIT | TAMIS_OPEN_NORMALISED;
    tamis_status status = tamis_open_options_of(options, allowed, &checked, err);
    if (status != TAMIS_OK)
        return status;
    if ((checked.flags & (TAMIS_OPEN_MAP | TAMIS_OPEN_MAP_WRITE)) != 0)
        return tamis_map_open(path, &checked, out, err);
    return tamis_decode_path(path, &checked, out, &seal, err);
}

tamis_status tamis_filter_decode(const void *data, size_t nbytes, const tamis_open_options *options,
                                 tamis_filter **out, tamis_error *err)
{
    tamis_open_options checked;
    tamis_byte_source source;
    tamis_seal seal;
    tamis_status status = tamis_open_options_of(options, TAMIS_OPEN_NORMALISED, &checked, err);
    if (status != TAMIS_OK)
        return status;
    tamis_bytes_of_memory(&source, data, nbytes);
    return tamis_decode_source(&source, &checked, out, &seal, err);
}

tamis_status tamis_filter_read(int fd, const tamis_open_options *options, tamis_filter **out,
                               tamis_error *err)
{
    tamis_open_options checked;
    tamis_seal seal;
    tamis_status status = tamis_open_options_of(options, TAMIS_OPEN_NORMALISED, &checked, err);
    return status == TAMIS_OK ? decode_fd(fd, &checked, out, &seal, err) : status;
}
