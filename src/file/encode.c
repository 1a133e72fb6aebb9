#include <tamis/file.h>

#include "file/contents.h"
#include "file/format.h"
#include "file/io.h"

tamis_status tamis_filter_write(const tamis_filter *filter, int fd, tamis_error *err)
{
    unsigned char page[TAMIS_FILE_HEADER_BYTES];
    tamis_pieces pieces;
    tamis_seal seal;
    tamis_seal_of(filter, &seal);
    tamis_header_encode(filter, &seal, page);
    tamis_pieces_of(filter, &pieces);
    tamis_status status = tamis_io_write(fd, page, sizeof page, err);
    for (size_t i = 0; i < pieces.count && status == TAMIS_OK; i++)
        status = tamis_io_write(fd, pieces.piece[i].data, pieces.piece[i].len, err);
    return status;
}

uint64_t tamis_filter_file_bytes(const tamis_filter *filter)
{
    tamis_layout layout;
    (void)tamis_layout_of(filter, filter->metadata_len, &layout);
    return TAMIS_FILE_HEADER_BYTES + layout.payload_bytes;
}
