/* Forged files, their checksums made right, are refused without memory for what they
 * claim. The names of some tests are those of field reports (B19 and so on). */
#define _GNU_SOURCE
#include "unit/file_samples.h"

#include <inttypes.h>
#include <math.h>

/* --- forgery --------------------------------------------------------------------- */

typedef struct forgery {
    const char *what;
    tamis_kind kind;
    size_t at;
    unsigned width; /* bytes */
    uint64_t value;
    tamis_status status;
} forgery;

#define ENTRY(section, field) (TAMIS_AT_SECTIONS + (section)*TAMIS_SECTION_BYTES + (field))
#define FIRST(field) ENTRY(0, TAMIS_SECTION_AT_##field)

#define DOUBLE_NAN UINT64_C(0x7ff8000000000000)
#define DOUBLE_INFINITY UINT64_C(0x7ff0000000000000)
#define DOUBLE_MINUS UINT64_C(0xbfb999999999999a)
#define DOUBLE_1 UINT64_C(0x3ff0000000000000)
#define DOUBLE_2 UINT64_C(0x4000000000000000)

static const forgery forgeries[] = {
    {"version 0", TAMIS_BLOOM, TAMIS_AT_VERSION, 2, 0, TAMIS_E_VERSION},
    {"version 2", TAMIS_BLOOM, TAMIS_AT_VERSION, 2, 2, TAMIS_E_VERSION},
    {"kind 0", TAMIS_BLOOM, TAMIS_AT_KIND, 2, 0, TAMIS_E_VERSION},
    {"kind 5", TAMIS_BLOOM, TAMIS_AT_KIND, 2, 5, TAMIS_E_VERSION},
    {"another kind", TAMIS_BLOOM, TAMIS_AT_KIND, 2, TAMIS_COUNTING, TAMIS_E_CORRUPT},
    {"another kind", TAMIS_COUNTING, TAMIS_AT_KIND, 2, TAMIS_BLOOM, TAMIS_E_CORRUPT},
    {"another kind", TAMIS_ROTATING, TAMIS_AT_KIND, 2, TAMIS_SCALABLE, TAMIS_E_CORRUPT},
    {"dialect", TAMIS_BLOOM, TAMIS_AT_DIALECT, 2, 1, TAMIS_E_VERSION},
    {"hash 0", TAMIS_BLOOM, TAMIS_AT_HASH, 2, 0, TAMIS_E_VERSION},
    {"hash 2", TAMIS_BLOOM, TAMIS_AT_HASH, 2, 2, TAMIS_E_VERSION},
    {"feature", TAMIS_BLOOM, TAMIS_AT_INCOMPATIBLE, 4, 1, TAMIS_E_VERSION},
    {"feature", TAMIS_BLOOM, TAMIS_AT_INCOMPATIBLE, 4, 0x80000000u, TAMIS_E_VERSION},
    {"flag", TAMIS_BLOOM, TAMIS_AT_FLAGS, 4, 8, TAMIS_E_VERSION},
    {"refresh", TAMIS_BLOOM, TAMIS_AT_FLAGS, 4, TAMIS_REFRESH, TAMIS_E_CORRUPT},
    {"dirty", TAMIS_ROTATING, TAMIS_AT_FLAGS, 4, TAMIS_FILE_DIRTY, TAMIS_E_CORRUPT},
    {"dirty", TAMIS_SCALABLE, TAMIS_AT_FLAGS, 4, TAMIS_FILE_DIRTY, TAMIS_E_CORRUPT},
    {"key", TAMIS_BLOOM, TAMIS_AT_KEY + 8, 8, 1, TAMIS_E_CORRUPT},
    {"n = 0", TAMIS_BLOOM, TAMIS_AT_CAPACITY, 8, 0, TAMIS_E_CORRUPT},
    {"n = 2^48 + 1", TAMIS_BLOOM, TAMIS_AT_CAPACITY, 8, (UINT64_C(1) << 48) + 1, TAMIS_E_CORRUPT},
    {"n = 2^63", TAMIS_BLOOM, TAMIS_AT_CAPACITY, 8, UINT64_C(1) << 63, TAMIS_E_CORRUPT},
    {"p = 0", TAMIS_BLOOM, TAMIS_AT_ERROR_RATE, 8, 0, TAMIS_E_CORRUPT},
    {"p = 1", TAMIS_BLOOM, TAMIS_AT_ERROR_RATE, 8, DOUBLE_1, TAMIS_E_CORRUPT},
    {"p = 2", TAMIS_BLOOM, TAMIS_AT_ERROR_RATE, 8, DOUBLE_2, TAMIS_E_CORRUPT},
    {"p = -0.1", TAMIS_BLOOM, TAMIS_AT_ERROR_RATE, 8, DOUBLE_MINUS, TAMIS_E_CORRUPT},
    {"p = NaN", TAMIS_BLOOM, TAMIS_AT_ERROR_RATE, 8, DOUBLE_NAN, TAMIS_E_CORRUPT},
    {"p = inf", TAMIS_BLOOM, TAMIS_AT_ERROR_RATE, 8, DOUBLE_INFINITY, TAMIS_E_CORRUPT},
    {"bits set", TAMIS_BLOOM, TAMIS_AT_BITS_SET, 8, 3, TAMIS_E_CORRUPT},
    {"L asked 0", TAMIS_BLOOM, TAMIS_AT_REGION_LINES, 4, 0, TAMIS_E_CORRUPT},
    {"L asked 65,537", TAMIS_BLOOM, TAMIS_AT_REGION_LINES, 4, 65537, TAMIS_E_CORRUPT},
    {"tightening", TAMIS_BLOOM, TAMIS_AT_TIGHTENING, 4, 1, TAMIS_E_CORRUPT},
    {"tightening", TAMIS_SCALABLE, TAMIS_AT_TIGHTENING, 4, 0, TAMIS_E_CORRUPT},
    {"tightening", TAMIS_SCALABLE, TAMIS_AT_TIGHTENING, 4, 9, TAMIS_E_CORRUPT},
    {"window", TAMIS_BLOOM, TAMIS_AT_WINDOW_MS, 8, 8, TAMIS_E_CORRUPT},
    {"window", TAMIS_ROTATING, TAMIS_AT_WINDOW_MS, 8, 0, TAMIS_E_CORRUPT},
    {"window", TAMIS_ROTATING, TAMIS_AT_WINDOW_MS, 8, 7, TAMIS_E_CORRUPT},
    {"now", TAMIS_BLOOM, TAMIS_AT_NOW_MS, 8, 1, TAMIS_E_CORRUPT},
    {"no sections", TAMIS_BLOOM, TAMIS_AT_SECTION_COUNT, 4, 0, TAMIS_E_CORRUPT},
    {"2 sections", TAMIS_BLOOM, TAMIS_AT_SECTION_COUNT, 4, 2, TAMIS_E_VERSION}, /* the second has type 0 */
    {"1 section", TAMIS_COUNTING, TAMIS_AT_SECTION_COUNT, 4, 1, TAMIS_E_CORRUPT},
    {"8 sections", TAMIS_ROTATING, TAMIS_AT_SECTION_COUNT, 4, 8, TAMIS_E_CORRUPT},
    {"zero", TAMIS_BLOOM, TAMIS_AT_SECTION_COUNT + 4, 4, 1, TAMIS_E_CORRUPT},
    {"behind the table", TAMIS_BLOOM, TAMIS_AT_SECTIONS + TAMIS_SECTION_BYTES, 1, 1, TAMIS_E_CORRUPT},
    {"end of the header", TAMIS_BLOOM, TAMIS_AT_FIXED_CHECKSUM - 1, 1, 1, TAMIS_E_CORRUPT},
    {"exceptions", TAMIS_BLOOM, FIRST(TYPE), 4, 3, TAMIS_E_VERSION},
    {"section type", TAMIS_BLOOM, FIRST(TYPE), 4, 77, TAMIS_E_VERSION},
    {"counters for lines", TAMIS_BLOOM, FIRST(TYPE), 4, TAMIS_SECTION_COUNTERS, TAMIS_E_CORRUPT},
    {"two layers", TAMIS_COUNTING, ENTRY(1, TAMIS_SECTION_AT_TYPE), 4, TAMIS_SECTION_LINES, TAMIS_E_CORRUPT},
    {"index", TAMIS_BLOOM, FIRST(INDEX), 4, 1, TAMIS_E_CORRUPT},
    {"index", TAMIS_ROTATING, ENTRY(3, TAMIS_SECTION_AT_INDEX), 4, 2, TAMIS_E_CORRUPT},
    {"offset 0", TAMIS_BLOOM, FIRST(OFFSET), 8, 0, TAMIS_E_CORRUPT},
    {"overlap", TAMIS_ROTATING, ENTRY(1, TAMIS_SECTION_AT_OFFSET), 8, 4096, TAMIS_E_CORRUPT},
    {"overlap", TAMIS_COUNTING, ENTRY(1, TAMIS_SECTION_AT_OFFSET), 8, 4096, TAMIS_E_CORRUPT},
    {"length 0", TAMIS_BLOOM, FIRST(LENGTH), 8, 0, TAMIS_E_CORRUPT},
    {"R = 0", TAMIS_BLOOM, FIRST(REGIONS), 8, 0, TAMIS_E_CORRUPT},
    {"R = 2", TAMIS_BLOOM, FIRST(REGIONS), 8, 2, TAMIS_E_CORRUPT},
    {"L = 0", TAMIS_BLOOM, FIRST(REGION_LINES), 4, 0, TAMIS_E_CORRUPT},
    {"L = 65,537", TAMIS_BLOOM, FIRST(REGION_LINES), 4, 65537, TAMIS_E_CORRUPT},
    {"g = 0", TAMIS_BLOOM, FIRST(G), 4, 0, TAMIS_E_CORRUPT},
    {"g = 9", TAMIS_BLOOM, FIRST(G), 4, 9, TAMIS_E_CORRUPT},
    {"k = 0", TAMIS_BLOOM, FIRST(K), 4, 0, TAMIS_E_CORRUPT},
    {"k = 9", TAMIS_BLOOM, FIRST(K), 4, 9, TAMIS_E_CORRUPT},
    {"k = 2^32 - 1", TAMIS_BLOOM, FIRST(K), 4, UINT32_MAX, TAMIS_E_CORRUPT},
    {"zero of a section", TAMIS_BLOOM, FIRST(K) + 4, 4, 1, TAMIS_E_CORRUPT},
    {"layer n = 0", TAMIS_BLOOM, FIRST(CAPACITY), 8, 0, TAMIS_E_CORRUPT},
    {"layer n = 2^63", TAMIS_BLOOM, FIRST(CAPACITY), 8, UINT64_C(1) << 63, TAMIS_E_CORRUPT},
    {"layer p = 0", TAMIS_BLOOM, FIRST(ERROR_RATE), 8, 0, TAMIS_E_CORRUPT},
    {"layer p = 1", TAMIS_BLOOM, FIRST(ERROR_RATE), 8, DOUBLE_1, TAMIS_E_CORRUPT},
    {"layer p = NaN", TAMIS_SCALABLE, FIRST(ERROR_RATE), 8, DOUBLE_NAN, TAMIS_E_CORRUPT},
    {"new items", TAMIS_BLOOM, FIRST(ITEMS_NEW), 8, 1, TAMIS_E_CORRUPT},
    {"new items", TAMIS_SCALABLE, FIRST(ITEMS_NEW), 8, 21, TAMIS_E_CORRUPT},
    {"layer bits set", TAMIS_BLOOM, FIRST(BITS_SET), 8, 3, TAMIS_E_CORRUPT},
    {"layer bits set", TAMIS_BLOOM, FIRST(BITS_SET), 8, UINT64_MAX, TAMIS_E_CORRUPT},
    {"zeros of a section", TAMIS_BLOOM, FIRST(BITS_SET) + 8, 8, 1, TAMIS_E_CORRUPT},
    {"zeros of a section", TAMIS_BLOOM, FIRST(BITS_SET) + 16, 8, 1, TAMIS_E_CORRUPT},
    {"counters with a rate", TAMIS_COUNTING, ENTRY(1, TAMIS_SECTION_AT_ERROR_RATE), 8, 1, TAMIS_E_CORRUPT},
};

static void put(file_bytes bytes, size_t at, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++)
        bytes.data[at + i] = (unsigned char)(value >> (8 * i));
}

static void test_forged_fields(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        const forgery *forged = &forgeries[i];
        tamis_filter *filter = NULL;
        tamis_error err = {.status = TAMIS_OK};
        file_bytes bytes = small_file(forged->kind);
        put(bytes, forged->at, forged->width, forged->value);
        reseal_bytes(bytes);
        tamis_status status = decode(bytes, &filter, &err);
        if (status != forged->status || filter != NULL || err.status != status)
            fail_msg("%s: status %d (%s)", forged->what, (int)status, err.message);
        free(bytes.data);
    }
}

/* The bits in the header and in a section may agree with each other, and still
 * not with the payload. */
static void test_forged_bits_set(void **state)
{
    (void)state;
    tamis_filter *filter = NULL;
    file_bytes bytes = small_file(TAMIS_BLOOM);
    put(bytes, TAMIS_AT_BITS_SET, 8, 3);
    put(bytes, FIRST(BITS_SET), 8, 3);
    reseal_bytes(bytes);
    assert_int_equal(decode(bytes, &filter, NULL), TAMIS_E_CORRUPT);
    assert_null(filter);
    free(bytes.data);
}

static void test_set_bit_without_counter(void **state)
{
    (void)state;
    tamis_filter *filter = NULL;
    tamis_error err;
    file_bytes bytes = small_file(TAMIS_COUNTING);
    size_t counters = (bytes.len - TAMIS_FILE_HEADER_BYTES) / 5 * 4;
    memset(bytes.data + bytes.len - counters, 0, counters);
    reseal_bytes(bytes);
    assert_int_equal(decode(bytes, &filter, &err), TAMIS_E_CORRUPT);
    assert_non_null(strstr(err.message, "counter"));
    assert_null(filter);
    free(bytes.data);
}

static void test_metadata_padding(void **state)
{
    (void)state;
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 20, 20), *loaded = NULL;
    assert_int_equal(tamis_filter_set_metadata(filter, "abc", 3), TAMIS_OK);
    file_bytes bytes = file_of(filter);
    bytes.data[bytes.len - 1] = 1;
    reseal_bytes(bytes);
    assert_int_equal(decode(bytes, &loaded, NULL), TAMIS_E_CORRUPT);
    bytes.data[bytes.len - 1] = 0;
    put(bytes, ENTRY(1, TAMIS_SECTION_AT_LENGTH), 8, (uint64_t)1 << 20 | 1);
    reseal_bytes(bytes);
    assert_int_equal(decode(bytes, &loaded, NULL), TAMIS_E_CORRUPT);
    put(bytes, ENTRY(1, TAMIS_SECTION_AT_LENGTH), 8, 0);
    reseal_bytes(bytes);
    assert_int_equal(decode(bytes, &loaded, NULL), TAMIS_E_CORRUPT);
    assert_null(loaded);
    tamis_filter_free(filter);
    free(bytes.data);
}

/* Features that may be ignored are, with what they put behind the table. */
static void test_compatible_feature(void **state)
{
    (void)state;
    tamis_filter *filter = NULL;
    file_bytes bytes = small_file(TAMIS_BLOOM);
    put(bytes, TAMIS_AT_COMPATIBLE, 4, 4);
    put(bytes, TAMIS_AT_FIXED_CHECKSUM - 8, 8, 12345);
    reseal_bytes(bytes);
    assert_int_equal(decode(bytes, &filter, NULL), TAMIS_OK);
    assert_has_numbers(filter, 0, 20);
    tamis_filter_free(filter);
    free(bytes.data);
}

static void test_B62_layer_counts(void **state)
{
    (void)state;
    tamis_filter *filter = NULL;
    for (uint32_t layers = 2; layers < 43; layers++) {
        file_bytes bytes = small_file(TAMIS_SCALABLE);
        if (layers < 42)
            for (uint32_t i = 1; i < layers && i < 41; i++) {
                memcpy(bytes.data + ENTRY(i, 0), bytes.data + FIRST(TYPE), TAMIS_SECTION_BYTES);
                put(bytes, ENTRY(i, TAMIS_SECTION_AT_INDEX), 4, i);
            }
        put(bytes, TAMIS_AT_SECTION_COUNT, 4, layers < 42 ? layers : UINT32_MAX);
        reseal_bytes(bytes);
        assert_int_equal(decode(bytes, &filter, NULL), TAMIS_E_CORRUPT);
        free(bytes.data);
    }
    assert_null(filter);
}

/* --- memory ------------------------------------------------------------------------ */

typedef struct purse {
    size_t now;
    size_t most;
    size_t calls;
    size_t fail_at; /* this call fails; 0: none */
} purse;

static void *purse_allocate(void *ctx, size_t nbytes, size_t alignment)
{
    purse *own = ctx;
    void *block = NULL;
    if (++own->calls == own->fail_at || nbytes > ((size_t)1 << 30) ||
        posix_memalign(&block, alignment, nbytes) != 0)
        return NULL;
    memset(block, 0, nbytes);
    own->now += nbytes;
    if (own->now > own->most)
        own->most = own->now;
    return block;
}

static void purse_release(void *ctx, void *ptr, size_t nbytes)
{
    purse *own = ctx;
    own->now -= nbytes;
    free(ptr);
}

static tamis_allocator purse_allocator(purse *own)
{
    tamis_allocator allocator = {own, purse_allocate, purse_release};
    return allocator;
}

typedef struct place {
    size_t at;
    unsigned width;
} place;

/* Sizes that the file does not have; -1 among them. */
static void test_B19_forged_sizes(void **state)
{
    (void)state;
    const uint64_t sizes[] = {INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX, UINT64_C(1) << 40, 65536};
    const place places[] = {
        {TAMIS_AT_PAYLOAD_LENGTH, 8}, {FIRST(LENGTH), 8}, {FIRST(OFFSET), 8}, {FIRST(REGIONS), 8},
        {FIRST(REGION_LINES), 4},     {FIRST(G), 4},      {FIRST(K), 4},      {TAMIS_AT_SECTION_COUNT, 4}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t j = 0; j < sizeof places / sizeof places[0]; j++) {
            purse own = {0, 0, 0, 0};
            tamis_allocator allocator = purse_allocator(&own);
            tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
            options.allocator = &allocator;
            tamis_filter *filter = NULL;
            file_bytes bytes = small_file(TAMIS_BLOOM);
            put(bytes, places[j].at, places[j].width, sizes[i]);
            reseal_bytes(bytes);
            tamis_status status = tamis_filter_decode(bytes.data, bytes.len, &options, &filter, NULL);
            assert_int_equal(status, TAMIS_E_CORRUPT);
            assert_int_equal(own.now, 0);
            assert_true(own.most < 16384); /* the struct of a filter */
            free(bytes.data);
        }
}

/* A header that is consistent in itself and claims 2^38 lines. */
static file_bytes forged_giant(void)
{
    file_bytes bytes = small_file(TAMIS_BLOOM);
    uint64_t regions = UINT64_C(1) << 22, lines = regions * 65536;
    put(bytes, FIRST(REGIONS), 8, regions);
    put(bytes, FIRST(REGION_LINES), 4, 65536);
    put(bytes, FIRST(LENGTH), 8, lines * 64);
    put(bytes, TAMIS_AT_PAYLOAD_LENGTH, 8, lines * 64);
    reseal_bytes(bytes);
    return bytes;
}

static tamis_status read_forged(int fd, purse *own, tamis_error *err)
{
    tamis_filter *filter = NULL;
    tamis_allocator allocator = purse_allocator(own);
    tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
    options.allocator = &allocator;
    tamis_status status = tamis_filter_read(fd, &options, &filter, err);
    assert_int_equal(own->now, 0);
    return status;
}

static void test_B19_forged_giant(void **state)
{
    (void)state;
    tamis_error err;
    int ends[2];
    file_bytes bytes = forged_giant();
    FILE *file = tmpfile();
    purse for_file = {0, 0, 0, 0}, for_pipe = {0, 0, 0, 0};
    assert_int_equal(pipe(ends), 0);
    assert_non_null(file);
    assert_int_equal(write(ends[1], bytes.data, bytes.len), bytes.len);
    assert_int_equal(write(fileno(file), bytes.data, bytes.len), bytes.len);
    assert_int_equal(lseek(fileno(file), 0, SEEK_SET), 0);
    (void)close(ends[1]);
    assert_int_equal(read_forged(fileno(file), &for_file, &err), TAMIS_E_CORRUPT);
    assert_int_equal(read_forged(ends[0], &for_pipe, &err), TAMIS_E_CORRUPT);
    assert_true(for_file.most < 16384);
    assert_true(for_pipe.most < 2 * bytes.len + (1 << 20));
    assert_int_equal(fclose(file), 0);
    (void)close(ends[0]);
    free(bytes.data);
}

/* The six bytes of the report, whose length field claims 2^31 - 1 words. */
static void test_B19_six_bytes(void **state)
{
    (void)state;
    const unsigned char six[] = {0x01, 0x01, 0x7f, 0xff, 0xff, 0xff};
    tamis_error err;
    int ends[2];
    purse own = {0, 0, 0, 0};
    tamis_allocator allocator = purse_allocator(&own);
    tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
    tamis_filter *filter = NULL;
    options.allocator = &allocator;
    assert_int_equal(tamis_filter_decode(six, sizeof six, &options, &filter, &err), TAMIS_E_FORMAT);
    assert_non_null(strstr(err.message, "not a tamis file"));
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], six, sizeof six), sizeof six);
    (void)close(ends[1]);
    assert_int_equal(read_forged(ends[0], &own, &err), TAMIS_E_FORMAT);
    (void)close(ends[0]);
    assert_null(filter);
    assert_true(own.most < 16384);
}

/* Through memory, a file and both mappings. */
static void assert_refused_everywhere(const char *what, const char *path, file_bytes bytes)
{
    const unsigned maps[] = {0, TAMIS_OPEN_MAP, TAMIS_OPEN_MAP_WRITE};
    tamis_filter *filter = NULL;
    tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
    if (decode(bytes, &filter, NULL) != TAMIS_E_CORRUPT)
        fail_msg("%s is decoded", what);
    write_file(path, bytes.data, bytes.len);
    for (size_t i = 0; i < 3; i++) {
        options.flags = maps[i];
        if (tamis_filter_open(path, &options, &filter, NULL) != TAMIS_E_CORRUPT)
            fail_msg("%s is opened", what);
    }
    assert_int_equal(tamis_file_verify(path, NULL), TAMIS_E_CORRUPT);
    assert_null(filter);
}

/* A filter of no bits at all, everything else in agreement with that. */
static file_bytes without_lines(file_bytes bytes, size_t zero_at, unsigned width)
{
    put(bytes, zero_at, width, 0);
    put(bytes, FIRST(LENGTH), 8, 0);
    put(bytes, FIRST(BITS_SET), 8, 0);
    put(bytes, TAMIS_AT_BITS_SET, 8, 0);
    put(bytes, TAMIS_AT_PAYLOAD_LENGTH, 8, 0);
    bytes.len = TAMIS_FILE_HEADER_BYTES;
    return bytes;
}

static void test_B59_zeros(void **state)
{
    char path[MAX_PATH];
    const tamis_kind kinds[] = {TAMIS_BLOOM, TAMIS_COUNTING, TAMIS_SCALABLE, TAMIS_ROTATING};
    const place places[] = {{FIRST(REGIONS), 8}, {FIRST(REGION_LINES), 4},    {FIRST(G), 4},
                            {FIRST(K), 4},       {TAMIS_AT_SECTION_COUNT, 4}, {FIRST(LENGTH), 8}};
    path_in(state, "x", path);
    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            file_bytes bytes = small_file(kinds[kind]);
            put(bytes, places[i].at, places[i].width, 0);
            reseal_bytes(bytes);
            assert_refused_everywhere("a zero", path, bytes);
            bytes = without_lines(bytes, places[i].at, places[i].width);
            reseal_bytes(bytes);
            assert_refused_everywhere("m = 0", path, bytes);
            free(bytes.data);
        }
}

/* Products that come to the right size only because they wrap around; a chain
 * without a layer; more bits than bytes. */
static void test_B62_products(void **state)
{
    char path[MAX_PATH];
    path_in(state, "x", path);
    const uint64_t regions[] = {(UINT64_C(1) << 58) + 1, UINT64_C(1) << 58, (UINT64_C(1) << 63) + 1,
                                UINT64_MAX};
    for (size_t i = 0; i < sizeof regions / sizeof regions[0]; i++) {
        file_bytes bytes = small_file(TAMIS_COUNTING);
        put(bytes, FIRST(REGIONS), 8, regions[i]);
        reseal_bytes(bytes);
        assert_refused_everywhere("a product that wraps", path, bytes);
        put(bytes, FIRST(REGIONS), 8, 1);
        put(bytes, FIRST(LENGTH), 8, regions[i]);
        reseal_bytes(bytes);
        assert_refused_everywhere("a length", path, bytes);
        free(bytes.data);
    }
    file_bytes bytes = small_file(TAMIS_SCALABLE);
    put(bytes, FIRST(TYPE), 4, TAMIS_SECTION_METADATA); /* no layer */
    memset(bytes.data + FIRST(REGIONS), 0, TAMIS_SECTION_BYTES - TAMIS_SECTION_AT_REGIONS);
    put(bytes, TAMIS_AT_BITS_SET, 8, 0);
    reseal_bytes(bytes);
    assert_refused_everywhere("an empty chain", path, bytes);
    free(bytes.data);
}

/* Many changes at once under right checksums: refused, or a filter that works. */
static void test_B62_mutations(void **state)
{
    (void)state;
    const tamis_kind kinds[] = {TAMIS_BLOOM, TAMIS_COUNTING, TAMIS_SCALABLE, TAMIS_ROTATING};
    uint64_t random = 62;
    unsigned accepted = 0;
    for (unsigned i = 0; i < 10000; i++) {
        tamis_filter *filter = NULL;
        file_bytes bytes = small_file(kinds[i % KINDS]);
        for (unsigned change = 0; change <= i % 3; change++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            bytes.data[8 + (random >> 33) % 316] = (unsigned char)(random >> 25);
        }
        reseal_bytes(bytes);
        if (decode(bytes, &filter, NULL) == TAMIS_OK) {
            accepted++;
            (void)tamis_filter_contains(filter, "item", 4);
            file_bytes again = file_of(filter);
            free(again.data);
        }
        tamis_filter_free(filter);
        free(bytes.data);
    }
    assert_true(accepted > 100 && accepted < 9000);
}

/* Whichever allocation fails: E_NOMEM, and nothing is left. */
static void test_allocation_failures(void **state)
{
    (void)state;
    const tamis_kind kinds[] = {TAMIS_BLOOM, TAMIS_COUNTING, TAMIS_SCALABLE, TAMIS_ROTATING};
    for (size_t kind = 0; kind < KINDS; kind++) {
        tamis_filter *filter = make_filter(kinds[kind], 20, kinds[kind] == TAMIS_SCALABLE ? 200 : 20);
        assert_int_equal(tamis_filter_set_metadata(filter, "abc", 3), TAMIS_OK);
        file_bytes bytes = file_of(filter);
        tamis_status status = TAMIS_E_NOMEM;
        size_t fail_at = 0;
        while (status != TAMIS_OK) {
            purse own = {0, 0, 0, ++fail_at};
            tamis_allocator allocator = purse_allocator(&own);
            tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
            tamis_filter *loaded = NULL;
            options.allocator = &allocator;
            status = tamis_filter_decode(bytes.data, bytes.len, &options, &loaded, NULL);
            assert_true(status == TAMIS_OK || status == TAMIS_E_NOMEM);
            assert_true((status == TAMIS_OK) == (loaded != NULL));
            tamis_filter_free(loaded);
            assert_int_equal(own.now, 0);
        }
        assert_true(fail_at >= 4); /* filter, lines, metadata twice, and then none fails */
        tamis_filter_free(filter);
        free(bytes.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forged_fields),
        cmocka_unit_test(test_forged_bits_set),
        cmocka_unit_test(test_set_bit_without_counter),
        cmocka_unit_test(test_metadata_padding),
        cmocka_unit_test(test_compatible_feature),
        cmocka_unit_test(test_B62_layer_counts),
        cmocka_unit_test(test_B19_forged_sizes),
        cmocka_unit_test(test_B19_forged_giant),
        cmocka_unit_test(test_B19_six_bytes),
        cmocka_unit_test_setup_teardown(test_B59_zeros, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_B62_products, make_folder, remove_folder),
        cmocka_unit_test(test_B62_mutations),
        cmocka_unit_test(test_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
