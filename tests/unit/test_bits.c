/* Bits and bytes: products, little-endian access, the hash for integers. */
#include "support/support.h"

#include "base/bits.h"
#include "hash/mix.h"
#include "hash/xxh3.h"

/* The 128-bit product by adding shifted copies, one bit of b at a time. */
static uint64_t slow_mulhi(uint64_t a, uint64_t b, uint64_t *low)
{
    uint64_t high = 0, sum = 0;
    for (unsigned i = 0; i < 64; i++) {
        if ((b >> i & 1) == 0)
            continue;
        uint64_t before = sum;
        sum += a << i;
        high += (i == 0 ? 0 : a >> (64 - i)) + (sum < before);
    }
    *low = sum;
    return high;
}

static void check_product(uint64_t a, uint64_t b)
{
    uint64_t low, slow_low;
    uint64_t high = tamis_mulhi64(a, b, &low);
    assert_int_equal(high, slow_mulhi(a, b, &slow_low));
    assert_int_equal(low, slow_low);
}

static void test_product_of_edges(void **state)
{
    (void)state;
    static const uint64_t edges[] = {0,
                                     1,
                                     2,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     0x100000000,
                                     0x100000001,
                                     0x7fffffffffffffff,
                                     0x8000000000000000,
                                     0xffffffff00000000,
                                     UINT64_MAX};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        for (size_t j = 0; j < sizeof edges / sizeof *edges; j++)
            check_product(edges[i], edges[j]);
}

static void test_product_of_random_words(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (unsigned i = 0; i < 20000; i++)
        check_product(next_random(&random), next_random(&random) >> random_below(&random, 64));
}

static void test_loads_and_stores_are_little_endian(void **state)
{
    (void)state;
    unsigned char bytes[9] = {0xff, 0x01, 0x02, 0x83, 0x04,
                              0x05, 0x06, 0x07, 0x88}; /* read at an odd place */
    assert_int_equal(tamis_load16(bytes + 1), 0x0201);
    assert_int_equal(tamis_load32(bytes + 1), 0x04830201);
    assert_int_equal(tamis_load64(bytes + 1), UINT64_C(0x8807060504830201));
    unsigned char out[8];
    tamis_store64(out, UINT64_C(0x8807060504830201));
    assert_memory_equal(out, bytes + 1, 8);
    tamis_store32(out, 0x04830201);
    assert_memory_equal(out, bytes + 1, 4);
    tamis_store16(out, 0x0201);
    assert_memory_equal(out, bytes + 1, 2);
}

static void test_doubles_have_a_known_image(void **state)
{
    (void)state;
    assert_int_equal(tamis_double_bits(1.0), UINT64_C(0x3ff0000000000000));
    assert_int_equal(tamis_double_bits(-0.0), UINT64_C(0x8000000000000000));
    assert_int_equal(tamis_double_bits(0.01), UINT64_C(0x3f847ae147ae147b));
    assert_int_equal(tamis_double_bits(tamis_bits_double(UINT64_C(0x7ff8000000000001))),
                     UINT64_C(0x7ff8000000000001));
}

static void test_popcount(void **state)
{
    (void)state;
    assert_int_equal(tamis_popcount64(0), 0);
    assert_int_equal(tamis_popcount64(UINT64_MAX), 64);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(tamis_popcount64(UINT64_C(1) << i), 1);
}

static void test_checked_product_tells_overflow(void **state)
{
    (void)state;
    int overflow = 0;
    assert_int_equal(tamis_checked_mul(UINT64_C(1) << 32, UINT32_MAX, &overflow),
                     UINT64_C(0xffffffff00000000));
    assert_int_equal(overflow, 0);
    assert_int_equal(tamis_checked_mul(UINT64_C(1) << 32, UINT64_C(1) << 32, &overflow), 0);
    assert_int_equal(overflow, 1);
    assert_int_equal(tamis_checked_mul(1, 1, &overflow), 1);
    assert_int_equal(overflow, 1); /* it stays */
}

/* Values of the published algorithms: the fixed point 0, and XXH3 of nothing with
 * seed 0 as its specification's test vectors give it. */
static void test_hashes_are_the_published_ones(void **state)
{
    (void)state;
    assert_int_equal(tamis_fmix64(0), 0);
    assert_int_equal(tamis_fmix64(1), UINT64_C(0xb456bcfc34c2cb2c));
    assert_int_equal(tamis_xxh3("", 0, 0), UINT64_C(0x2d06800538d394c2));
    assert_int_equal(tamis_xxh3(NULL, 0, 0), UINT64_C(0x2d06800538d394c2));
}

/* Each input bit flips each output bit about half the time, for two seeds. */
static void test_hash_of_integers_mixes_well(void **state)
{
    (void)state;
    enum { ROUNDS = 2000 };
    static unsigned flips[64][64];
    memset(flips, 0, sizeof flips);
    for (uint64_t round = 0; round < ROUNDS; round++)
        for (unsigned in = 0; in < 64; in++) {
            uint64_t seed = round % 2 * 77;
            uint64_t change = tamis_hash_u64(round, seed) ^ tamis_hash_u64(round ^ UINT64_C(1) << in, seed);
            for (unsigned out = 0; out < 64; out++)
                flips[in][out] += (unsigned)(change >> out & 1);
        }
    for (unsigned in = 0; in < 64; in++)
        for (unsigned out = 0; out < 64; out++) /* six standard deviations of 22.4 */
            assert_in_range(flips[in][out], ROUNDS / 2 - 135, ROUNDS / 2 + 135);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_product_of_edges),
        cmocka_unit_test(test_product_of_random_words),
        cmocka_unit_test(test_loads_and_stores_are_little_endian),
        cmocka_unit_test(test_doubles_have_a_known_image),
        cmocka_unit_test(test_popcount),
        cmocka_unit_test(test_checked_product_tells_overflow),
        cmocka_unit_test(test_hashes_are_the_published_ones),
        cmocka_unit_test(test_hash_of_integers_mixes_well),
    };
    return cmocka_run_group_tests_name("bits", tests, NULL, NULL);
}
