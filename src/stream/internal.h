/* What the parts of the stream layer know of each other; never installed. */
#ifndef TAMIS_STREAM_INTERNAL_H
#define TAMIS_STREAM_INTERNAL_H

#include <tamis/stream.h>

/* Most records of one batch. */
#define TAMIS_BATCH_RECORDS ((size_t)8192)

/* True for a record that has no key (header, kept bad record). */
static inline bool tamis_has_no_key(const tamis_item *key)
{
    return key->len == TAMIS_NO_KEY && key->data == NULL;
}

/* A reader of an open descriptor, which stays the caller's, from its current
 * position; `name` is for messages. `block` is the size of a read, 0 = the usual. */
tamis_status tamis_reader_open_fd(int fd, const char *name, const tamis_record_format *format, size_t block,
                                  tamis_reader **out, tamis_error *err);

/* Memory of a batch that outlives the reader's next step. Zero-filled: empty. */
typedef struct tamis_block {
    char *buffer;
    size_t capacity;
    tamis_item *records;
    tamis_item *keys;
} tamis_block;

void tamis_block_free(tamis_block *block);

/* The next batch, in memory that the block owns from then on; the block's own goes
 * to the reader instead. (Keys that `key` made stay in the format's memory.) */
tamis_status tamis_reader_next_block(tamis_reader *reader, tamis_block *block, tamis_records *out,
                                     tamis_error *err);

/* True when keys live in memory of the format's, until the next batch. */
bool tamis_reader_makes_keys(const tamis_reader *reader);

/* Number of records of a regular file, estimated from sampled blocks. */
tamis_status tamis_estimate_fd(int fd, const char *name, unsigned char delimiter, uint64_t *out,
                               tamis_error *err);

/* Bytes that the control groups of a process leave, which a file such as
 * /proc/self/cgroup names, below the folder where groups are mounted. UINT64_MAX: no
 * limit. */
uint64_t tamis_memory_of_groups(const char *root, const char *groups);

/* One record and the delimiter. */
tamis_status tamis_writer_record(tamis_writer *writer, const void *data, size_t len, tamis_error *err);

#endif
