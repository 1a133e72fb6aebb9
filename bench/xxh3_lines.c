/* The limit that dedup is measured against: reads a file, splits it into lines
 * with memchr and hashes each with XXH3-64. Prints the number of lines and the
 * exclusive or of the hashes.
 *
 * usage: xxh3_lines FILE */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define BLOCK ((size_t)1 << 18)

typedef struct totals {
    uint64_t lines;
    uint64_t hashes;
} totals;

/* Hashes the whole lines of a block; returns how many bytes they took. */
static size_t hash_lines(const char *block, size_t len, totals *out)
{
    size_t at = 0;
    const char *end;
    while ((end = memchr(block + at, '\n', len - at)) != NULL) {
        size_t line = (size_t)(end - (block + at));
        out->hashes ^= XXH3_64bits(block + at, line);
        out->lines++;
        at += line + 1;
    }
    return at;
}

int main(int argc, char **argv)
{
    int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    char *block = malloc(BLOCK);
    totals sum = {0, 0};
    size_t kept = 0;
    ssize_t got;
    if (fd < 0 || block == NULL)
        return 2;
    while ((got = read(fd, block + kept, BLOCK - kept)) > 0) {
        size_t used = hash_lines(block, kept + (size_t)got, &sum);
        kept = kept + (size_t)got - used;
        memmove(block, block + used, kept);
    }
    free(block);
    (void)close(fd);
    printf("%" PRIu64 " lines, %016" PRIx64 "\n", sum.lines, sum.hashes);
    return got < 0 ? 2 : 0;
}
