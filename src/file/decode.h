/* From bytes to a filter. */
#ifndef TAMIS_FILE_DECODE_H
#define TAMIS_FILE_DECODE_H

#include "file/format.h"
#include "file/bytes.h"

/* Options checked and filled in: flags outside `allowed` are refused; NULL stands
 * for the defaults. E_ARGUMENT. */
tamis_status tamis_open_options_of(const tamis_open_options *given, unsigned allowed, tamis_open_options *out,
                                   tamis_error *err);

/* Takes the header page and makes the filter it describes, without memory for its
 * bits. As tamis_header_decode; also E_FORMAT, E_IO, E_NORMALISED. */
tamis_status tamis_decode_header(tamis_byte_source *source, const tamis_open_options *options,
                                 tamis_filter **out, tamis_seal *seal, tamis_error *err);

/* Reads and checks a whole file; *seal says whether it was dirty. */
tamis_status tamis_decode_source(tamis_byte_source *source, const tamis_open_options *options,
                                 tamis_filter **out, tamis_seal *seal, tamis_error *err);

/* The same for a path. */
tamis_status tamis_decode_path(const char *path, const tamis_open_options *options, tamis_filter **out,
                               tamis_seal *seal, tamis_error *err);

/* Takes the metadata, padding included, and checks that the padding is zero. */
tamis_status tamis_decode_metadata(tamis_byte_source *source, tamis_filter *filter, size_t len,
                                   tamis_error *err);

#endif
