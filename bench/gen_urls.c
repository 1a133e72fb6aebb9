/* Deterministic lists of URL-like lines, about 65 bytes each.
 *
 *   gen_urls COUNT [REPEAT_PERCENT [SEED]]   COUNT lines on stdout, of which so many
 *       percent (30) repeat an earlier line, spread over the whole past
 *   gen_urls --pair COUNT COMMON PREFIX      PREFIX.a and PREFIX.b: COUNT distinct
 *       lines each, COMMON of them in both, in shuffled order */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 192u

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static char *put(char *at, const char *text)
{
    size_t len = strlen(text);
    memcpy(at, text, len);
    return at + len;
}

static char *put_number(char *at, uint64_t number)
{
    char digits[20];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    while (count > 0)
        *at++ = digits[--count];
    return at;
}

/* Writes line `id` with its newline at `at`; different ids give different lines. */
static char *put_line(char *at, uint64_t id, uint64_t seed)
{
    static const char *const hosts[] = {"shop.example.com", "www.example.org",    "news.example.net",
                                        "api.example.com",  "cdn.images.example", "forum.example.org",
                                        "en.wiki.example",  "m.example.net"};
    static const char *const words[] = {"products",  "article", "index",  "category", "images", "review",
                                        "download",  "user",    "search", "archive",  "tag",    "gallery",
                                        "catalogue", "help",    "item",   "release"};
    static const char *const tails[] = {".html", "",        "?ref=home", ".php?lang=en",
                                        "/",     "?page=2", ".jpg",      "#top"};
    uint64_t random = mix(id ^ mix(seed));
    at = put(at, (random & 1) != 0 ? "https://" : "http://");
    at = put(at, hosts[(random >> 1) % 8]);
    *at++ = '/';
    at = put(at, words[(random >> 4) % 16]);
    *at++ = '/';
    at = put(at, words[(random >> 8) % 16]);
    if ((random >> 12) % 4 == 0) {
        *at++ = '/';
        at = put_number(at, (random >> 14) % 100000);
    }
    *at++ = '-';
    at = put_number(at, id);
    *at++ = '/';
    at = put_number(at, (random >> 24) % UINT64_C(10000000000));
    at = put(at, tails[(random >> 60) % 8]);
    *at++ = '\n';
    return at;
}

typedef struct output {
    FILE *file;
    size_t used;
    char buffer[1 << 18];
} output;

static bool flush(output *out)
{
    bool good = fwrite(out->buffer, 1, out->used, out->file) == out->used;
    out->used = 0;
    return good;
}

static bool write_line(output *out, uint64_t id, uint64_t seed)
{
    if (sizeof out->buffer - out->used < LINE_MAX_BYTES && !flush(out))
        return false;
    out->used = (size_t)(put_line(out->buffer + out->used, id, seed) - out->buffer);
    return true;
}

/* Line i is new, or else a repeat of one of the ids so far. */
static bool write_list(output *out, uint64_t count, uint64_t repeat_percent, uint64_t seed)
{
    uint64_t fresh = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t random = mix(i * 2 + 1 + mix(seed + 1));
        bool repeat = fresh > 0 && random % 100 < repeat_percent;
        uint64_t id = repeat ? (random >> 8) % fresh : fresh++;
        if (!write_line(out, id, seed))
            return false;
    }
    return flush(out);
}

/* A permutation of 0 to count-1 without a table: a four-round Feistel network over
 * the next even number of bits, walked until the value lies in the range. */
static uint64_t shuffled(uint64_t i, uint64_t count, uint64_t seed)
{
    unsigned half = 1;
    while (half < 31 && (UINT64_C(1) << (2 * half)) < count)
        half++;
    uint64_t mask = (UINT64_C(1) << half) - 1;
    do {
        uint64_t left = i >> half, right = i & mask;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t next = left ^ (mix(right + (round << 56) + mix(seed)) & mask);
            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= count);
    return i;
}

/* File `which` (0, 1): ids from `first` on, in a shuffled order. */
static bool write_shuffled(const char *prefix, const char *ending, uint64_t first, uint64_t count)
{
    static output out;
    char name[4096];
    if (snprintf(name, sizeof name, "%s%s", prefix, ending) >= (int)sizeof name)
        return false;
    out.used = 0;
    out.file = fopen(name, "wb");
    if (out.file == NULL)
        return false;
    bool good = true;
    for (uint64_t i = 0; good && i < count; i++)
        good = write_line(&out, first + shuffled(i, count, first + 1), 0);
    good = flush(&out) && good;
    return fclose(out.file) == 0 && good;
}

static bool parse(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    *out = value;
    return errno == 0 && *text >= '0' && *text <= '9' && *end == '\0';
}

static int usage(void)
{
    fputs("usage: gen_urls COUNT [REPEAT_PERCENT [SEED]]\n       gen_urls --pair COUNT COMMON PREFIX\n",
          stderr);
    return 2;
}

static int finish(bool good)
{
    if (!good)
        perror("gen_urls");
    return good ? 0 : 2;
}

int main(int argc, char **argv)
{
    static output out;
    uint64_t count = 0, second = 30, seed = 1;
    if (argc == 5 && strcmp(argv[1], "--pair") == 0) {
        if (!parse(argv[2], &count) || !parse(argv[3], &second) || second > count)
            return usage();
        return finish(write_shuffled(argv[4], ".a", 0, count) &&
                      write_shuffled(argv[4], ".b", count - second, count));
    }
    if (argc < 2 || argc > 4 || !parse(argv[1], &count) ||
        (argc > 2 && (!parse(argv[2], &second) || second > 100)) || (argc > 3 && !parse(argv[3], &seed)))
        return usage();
    out.file = stdout;
    return finish(write_list(&out, count, second, seed) && fflush(stdout) == 0);
}
