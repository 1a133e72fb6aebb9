/* Damaged files are refused: every prefix, every flipped bit, of every kind, from
 * memory and by name. The names of some tests are those of field reports. */
#define _GNU_SOURCE
#include "unit/file_samples.h"

#include <fcntl.h>

#define LAYERS 3u

static const tamis_kind kinds[KINDS] = {TAMIS_BLOOM, TAMIS_COUNTING, TAMIS_SCALABLE, TAMIS_ROTATING};

/* A scalable file of three layers of a line each: small, which no writer here makes,
 * and right. */
static file_bytes scalable_file(void)
{
    file_bytes one = small_file(TAMIS_SCALABLE);
    size_t line = one.len - TAMIS_FILE_HEADER_BYTES;
    file_bytes bytes = {malloc(one.len + (LAYERS - 1) * line), one.len + (LAYERS - 1) * line};
    assert_non_null(bytes.data);
    memcpy(bytes.data, one.data, one.len);
    unsigned char *first = bytes.data + TAMIS_AT_SECTIONS;
    for (uint32_t i = 1; i < LAYERS; i++) {
        unsigned char *entry = first + i * TAMIS_SECTION_BYTES;
        memcpy(entry, first, TAMIS_SECTION_BYTES);
        tamis_store32(entry + TAMIS_SECTION_AT_INDEX, i);
        tamis_store64(entry + TAMIS_SECTION_AT_OFFSET, TAMIS_FILE_HEADER_BYTES + i * line);
        memcpy(bytes.data + TAMIS_FILE_HEADER_BYTES + i * line, one.data + TAMIS_FILE_HEADER_BYTES, line);
    }
    tamis_store32(bytes.data + TAMIS_AT_SECTION_COUNT, LAYERS);
    tamis_store64(bytes.data + TAMIS_AT_PAYLOAD_LENGTH, LAYERS * line);
    tamis_store64(bytes.data + TAMIS_AT_BITS_SET, LAYERS * tamis_load64(one.data + TAMIS_AT_BITS_SET));
    reseal_bytes(bytes);
    free(one.data);
    return bytes;
}

static file_bytes file_of_kind(tamis_kind kind)
{
    tamis_filter *filter = NULL;
    file_bytes bytes = kind == TAMIS_SCALABLE ? scalable_file() : small_file(kind);
    assert_int_equal(decode(bytes, &filter, NULL), TAMIS_OK);
    assert_has_numbers(filter, 0, 20);
    tamis_filter_free(filter);
    return bytes;
}

static int open_copy(const char *path, file_bytes bytes)
{
    write_file(path, bytes.data, bytes.len);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static void assert_status(const char *path, tamis_status wanted, size_t at)
{
    tamis_filter *filter = NULL;
    tamis_status status = tamis_filter_open(path, NULL, &filter, NULL);
    if (status != wanted)
        fail_msg("at %zu: status %d, not %d", at, (int)status, (int)wanted);
    tamis_filter_free(filter);
}

static void test_B23_every_prefix(void **state)
{
    char path[MAX_PATH];
    path_in(state, "x", path);
    for (size_t kind = 0; kind < KINDS; kind++) {
        tamis_filter *filter = NULL;
        file_bytes bytes = file_of_kind(kinds[kind]);
        int fd = open_copy(path, bytes);
        for (size_t len = bytes.len; len-- > 0;) {
            tamis_status wanted = len < TAMIS_FILE_MAGIC_BYTES ? TAMIS_E_FORMAT : TAMIS_E_CORRUPT;
            unsigned char *exact = malloc(len > 0 ? len : 1); /* so that a sanitizer sees one byte too many */
            assert_non_null(exact);
            memcpy(exact, bytes.data, len);
            assert_int_equal(tamis_filter_decode(exact, len, NULL, &filter, NULL), wanted);
            free(exact);
            assert_int_equal(ftruncate(fd, (off_t)len), 0);
            assert_status(path, wanted, len);
        }
        assert_null(filter);
        (void)close(fd);
        free(bytes.data);
    }
}

/* The dirty mark alone may be there or not: it makes a file that the kind can have
 * be taken for one that was not closed, and never for a clean one. */
static tamis_status wanted_without(tamis_kind kind, size_t bit)
{
    if (bit / 8 == TAMIS_AT_DIRTY && bit % 8 == 7 && (kind == TAMIS_BLOOM || kind == TAMIS_COUNTING))
        return TAMIS_OK;
    return bit / 8 < TAMIS_FILE_MAGIC_BYTES ? TAMIS_E_FORMAT : TAMIS_E_CORRUPT;
}

static void test_B21_every_flipped_bit(void **state)
{
    char path[MAX_PATH];
    path_in(state, "x", path);
    for (size_t kind = 0; kind < KINDS; kind++) {
        file_bytes bytes = file_of_kind(kinds[kind]);
        int fd = open_copy(path, bytes);
        for (size_t bit = 0; bit < bytes.len * 8; bit++) {
            tamis_filter *filter = NULL;
            unsigned char *byte = bytes.data + bit / 8;
            tamis_status wanted = wanted_without(kinds[kind], bit);
            *byte ^= (unsigned char)(1u << bit % 8);
            assert_int_equal(decode(bytes, &filter, NULL), wanted);
            tamis_filter_free(filter);
            assert_int_equal(pwrite(fd, byte, 1, (off_t)(bit / 8)), 1);
            assert_status(path, wanted, bit);
            if (wanted == TAMIS_OK)
                assert_int_equal(tamis_file_verify(path, NULL), TAMIS_E_DIRTY);
            *byte ^= (unsigned char)(1u << bit % 8);
            assert_int_equal(pwrite(fd, byte, 1, (off_t)(bit / 8)), 1);
        }
        assert_status(path, TAMIS_OK, 0);
        (void)close(fd);
        free(bytes.data);
    }
}

/* Layers as the library makes them: 2,000 bits of a payload of a megabyte, and 2,000
 * prefixes. */
static void test_B21_large_scalable(void **state)
{
    (void)state;
    tamis_filter *filter = make_filter(TAMIS_SCALABLE, 100, 1000), *loaded = NULL;
    tamis_info info = {.struct_size = sizeof info};
    assert_int_equal(tamis_filter_info(filter, &info), TAMIS_OK);
    assert_true(info.layers >= 2);
    file_bytes bytes = file_of(filter);
    size_t bits = (bytes.len - TAMIS_FILE_HEADER_BYTES) * 8;
    for (size_t i = 0; i < 2000; i++) {
        size_t bit = TAMIS_FILE_HEADER_BYTES * 8 + (size_t)(i * UINT64_C(2654435761) % bits);
        bytes.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_int_equal(decode(bytes, &loaded, NULL), TAMIS_E_CORRUPT);
        bytes.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        file_bytes prefix = {bytes.data, bytes.len - 1 - i * (bytes.len / 2000)};
        assert_int_equal(decode(prefix, &loaded, NULL), TAMIS_E_CORRUPT);
    }
    assert_null(loaded);
    tamis_filter_free(filter);
    free(bytes.data);
}

static void test_trailing_bytes(void **state)
{
    (void)state;
    tamis_filter *filter = NULL;
    file_bytes bytes = small_file(TAMIS_BLOOM);
    bytes.data = realloc(bytes.data, bytes.len + 64);
    assert_non_null(bytes.data);
    memset(bytes.data + bytes.len, 0, 64);
    bytes.len += 64;
    assert_int_equal(decode(bytes, &filter, NULL), TAMIS_E_CORRUPT);
    reseal_bytes(bytes);
    assert_int_equal(decode(bytes, &filter, NULL), TAMIS_E_CORRUPT);
    bytes.len -= 63;
    reseal_bytes(bytes);
    assert_int_equal(decode(bytes, &filter, NULL), TAMIS_E_CORRUPT);
    assert_null(filter);
    free(bytes.data);
}

static void test_other_files(void **state)
{
    (void)state;
    tamis_filter *filter = NULL;
    unsigned char bytes[8192];
    memset(bytes, 'a', sizeof bytes);
    assert_int_equal(tamis_filter_decode(bytes, sizeof bytes, NULL, &filter, NULL), TAMIS_E_FORMAT);
    assert_int_equal(tamis_filter_decode(bytes, 5000, NULL, &filter, NULL), TAMIS_E_FORMAT);
    assert_int_equal(tamis_filter_decode(NULL, 0, NULL, &filter, NULL), TAMIS_E_FORMAT);
    /* What a transfer in text mode makes of the first bytes. */
    memcpy(bytes, "\x89TMS\n\x1a\n", 7);
    assert_int_equal(tamis_filter_decode(bytes, sizeof bytes, NULL, &filter, NULL), TAMIS_E_FORMAT);
    assert_null(filter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_B23_every_prefix, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_B21_every_flipped_bit, make_folder, remove_folder),
        cmocka_unit_test(test_B21_large_scalable),
        cmocka_unit_test(test_trailing_bytes),
        cmocka_unit_test(test_other_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
