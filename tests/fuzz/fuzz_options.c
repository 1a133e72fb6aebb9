/* Options: words separated by NUL; the first byte chooses the command. A refusal
 * always has a message. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { WORDS_MAX = 32 };
    char *argv[WORDS_MAX];
    int argc = 0;
    options opts;
    tamis_error err = {.status = TAMIS_OK};
    if (size == 0)
        return 0;
    char *text = malloc(size);
    if (text == NULL)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    for (size_t at = 0; at < size && argc < WORDS_MAX; at += strlen(text + at) + 1)
        argv[argc++] = text + at;
    if (options_parse((command_id)(data[0] % CMD_COUNT), argc, argv, &opts, &err) == TAMIS_OK)
        options_free(&opts);
    else if (err.message[0] == '\0')
        abort();
    free(text);
    return 0;
}
