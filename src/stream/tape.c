#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include "stream/tape.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"

/* A block in the file: number of the next block (8 bytes), then its share of the
 * tape. The number of the next one is given out before a block is written. */
#define LINK ((size_t)8)
#define SMALLEST_BUDGET ((size_t)64 * 1024)

void tamis_tape_init(tamis_tape *tape, tamis_temp *temp, size_t budget)
{
    *tape = (tamis_tape){.temp = temp, .budget = budget};
}

static void free_memory(tamis_tape *tape)
{
    tamis_release(&tamis_default_allocator, tape->memory, tape->budget);
    tape->memory = NULL;
}

void tamis_tape_free(tamis_tape *tape)
{
    free_memory(tape);
    free(tape->buffer);
    tape->buffer = NULL;
}

static tamis_status out_of_memory(const tamis_tape *tape, tamis_error *err)
{
    return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for a block of %zu bytes", tape->temp->block);
}

/* --- writing ---------------------------------------------------------------- */

static tamis_status write_block(tamis_tape *tape, uint64_t next, tamis_error *err)
{
    tamis_temp *temp = tape->temp;
    tamis_status status = temp->fd < 0 ? tamis_temp_make(temp->folder, &temp->fd, err) : TAMIS_OK;
    if (status != TAMIS_OK)
        return status;
    tamis_store64(tape->buffer, next);
    temp->bytes += tape->used;
    return tamis_temp_write(temp->folder, temp->fd, tape->buffer, tape->used, tape->current * temp->block,
                            err);
}

/* Goes over to the file: what is in memory becomes its first blocks. */
static tamis_status spill(tamis_tape *tape, tamis_error *err)
{
    tape->buffer = malloc(tape->temp->block);
    if (tape->buffer == NULL)
        return out_of_memory(tape, err);
    tape->spilled = true;
    tape->first = tape->current = tape->temp->blocks++;
    tape->used = LINK;
    size_t held = (size_t)tape->bytes;
    tape->bytes = 0;
    tamis_status status = held == 0 ? TAMIS_OK : tamis_tape_append(tape, tape->memory, held, err);
    free_memory(tape);
    return status;
}

static tamis_status append_to_file(tamis_tape *tape, const unsigned char *data, size_t len, tamis_error *err)
{
    size_t block = tape->temp->block;
    while (len > 0) {
        if (tape->used == block) {
            uint64_t next = tape->temp->blocks++;
            tamis_status status = write_block(tape, next, err);
            if (status != TAMIS_OK)
                return status;
            tape->current = next;
            tape->used = LINK;
        }
        size_t part = block - tape->used < len ? block - tape->used : len;
        memcpy(tape->buffer + tape->used, data, part);
        tape->used += part;
        tape->bytes += part;
        data += part;
        len -= part;
    }
    return TAMIS_OK;
}

/* Pages of it that are never written cost nothing. */
static void allocate_memory(tamis_tape *tape)
{
    while (tape->budget > 0 && tape->memory == NULL) {
        tape->memory = tamis_allocate(&tamis_default_allocator, tape->budget);
        if (tape->memory == NULL)
            tape->budget = tape->budget > SMALLEST_BUDGET ? tape->budget / 2 : 0;
    }
}

tamis_status tamis_tape_append(tamis_tape *tape, const void *data, size_t len, tamis_error *err)
{
    if (len == 0)
        return TAMIS_OK;
    if (!tape->spilled) {
        if (tape->memory == NULL)
            allocate_memory(tape);
        if (len <= tape->budget - (size_t)tape->bytes) {
            memcpy(tape->memory + tape->bytes, data, len);
            tape->bytes += len;
            return TAMIS_OK;
        }
        tamis_status status = spill(tape, err);
        if (status != TAMIS_OK)
            return status;
    }
    return append_to_file(tape, data, len, err);
}

tamis_status tamis_tape_end(tamis_tape *tape, tamis_error *err)
{
    if (!tape->spilled || tape->buffer == NULL)
        return TAMIS_OK;
    tamis_status status = write_block(tape, 0, err);
    free(tape->buffer);
    tape->buffer = NULL;
    return status;
}

/* --- reading ------------------------------------------------------------------ */

static tamis_status load_block(tamis_cursor *cursor, tamis_error *err)
{
    const tamis_temp *temp = cursor->tape->temp;
    uint64_t room = temp->block - LINK;
    size_t want = LINK + (size_t)(cursor->left < room ? cursor->left : room);
    size_t have = 0;
    while (have < want) {
        ssize_t n =
            pread(temp->fd, cursor->block + have, want - have, (off_t)(cursor->next * temp->block + have));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return tamis_fail_errno(err, "cannot read temporary data in %s", temp->folder);
        if (n == 0)
            return tamis_fail(err, TAMIS_E_IO, "temporary data in %s ended early", temp->folder);
        have += (size_t)n;
    }
    cursor->next = tamis_load64(cursor->block);
    cursor->at = cursor->block + LINK;
    cursor->here = want - LINK;
    return TAMIS_OK;
}

tamis_status tamis_cursor_open(tamis_cursor *cursor, const tamis_tape *tape, tamis_error *err)
{
    *cursor = (tamis_cursor){.tape = tape, .left = tape->bytes};
    if (!tape->spilled) {
        cursor->at = tape->memory;
        cursor->here = (size_t)tape->bytes;
        return TAMIS_OK;
    }
    cursor->next = tape->first;
    cursor->block = malloc(tape->temp->block);
    return cursor->block == NULL ? out_of_memory(tape, err) : TAMIS_OK;
}

void tamis_cursor_close(tamis_cursor *cursor)
{
    free(cursor->block);
    free(cursor->scratch);
    cursor->block = cursor->scratch = NULL;
}

static tamis_status grow_scratch(tamis_cursor *cursor, size_t len, tamis_error *err)
{
    unsigned char *scratch = realloc(cursor->scratch, len);
    if (scratch == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for a record of %zu bytes", len);
    cursor->scratch = scratch;
    cursor->scratch_size = len;
    return TAMIS_OK;
}

/* Gathers a piece that does not lie in one block. */
static tamis_status read_across(tamis_cursor *cursor, size_t len, const unsigned char **out, tamis_error *err)
{
    tamis_status status = len > cursor->scratch_size ? grow_scratch(cursor, len, err) : TAMIS_OK;
    size_t have = 0;
    while (status == TAMIS_OK && have < len) {
        size_t part = cursor->here < len - have ? cursor->here : len - have;
        if (part > 0)
            memcpy(cursor->scratch + have, cursor->at, part);
        have += part;
        cursor->at += part;
        cursor->here -= part;
        cursor->left -= part;
        if (have < len)
            status = load_block(cursor, err);
    }
    *out = cursor->scratch;
    return status;
}

tamis_status tamis_cursor_read(tamis_cursor *cursor, size_t len, const unsigned char **out, tamis_error *err)
{
    if (len > cursor->left)
        return tamis_fail(err, TAMIS_E_IO, "temporary data ended early");
    if (len > 0 && cursor->here == 0) {
        tamis_status status = load_block(cursor, err);
        if (status != TAMIS_OK)
            return status;
    }
    if (len > cursor->here)
        return read_across(cursor, len, out, err);
    *out = cursor->at;
    cursor->at += len;
    cursor->here -= len;
    cursor->left -= len;
    return TAMIS_OK;
}
