/* Canonical URLs, version 1. What stands here is frozen: lists were built with it. */
#include "cli_test.h"

#include "record/url.h"

static arena memory;

static const struct {
    const char *url, *canonical; /* NULL: not an absolute URL */
} cases[] = {
    /* case of scheme and host, not of the rest */
    {"HTTP://User@EXAMPLE.com/A?B", "http://User@example.com/A?B"},
    {"http://[2001:DB8::1]/", "http://[2001:db8::1]/"},
    /* percent encoding */
    {"http://a/%7euser", "http://a/~user"},
    {"http://a/%41%2d%2E%5f", "http://a/A-._"},
    {"http://a/%2f%3a%c3%a9", "http://a/%2F%3A%C3%A9"},
    {"http://%41b/", "http://ab/"},
    {"http://a%c3%A9/", "http://a%C3%A9/"},
    {"http://u%7e@a/", "http://u~@a/"},
    /* the query is left alone */
    {"http://a/?%7e%c3", "http://a/?%7e%c3"},
    {"http://a/?", "http://a/?"},
    {"http://a?b", "http://a/?b"},
    /* dot segments */
    {"http://a/b/../c", "http://a/c"},
    {"http://a/b/./c/.", "http://a/b/c/"},
    {"http://a/b/c/..", "http://a/b/"},
    {"http://a/../../b", "http://a/b"},
    {"http://a/..", "http://a/"},
    {"http://a/%2e%2E/b", "http://a/b"},
    {"http://a/b//../c", "http://a/b/c"},
    {"http://a/.b/..c/...", "http://a/.b/..c/..."},
    {"http://a/%2f../b", "http://a/%2F../b"},
    /* ports */
    {"http://a:80/", "http://a/"},
    {"https://a:443/", "https://a/"},
    {"https://a:80/", "https://a:80/"},
    {"ftp://a:21/", "ftp://a/"},
    {"ws://a:80/", "ws://a/"},
    {"wss://a:443/", "wss://a/"},
    {"http://a:/", "http://a/"},
    {"http://[::1]:80/", "http://[::1]/"},
    {"http://[::1]:8080/", "http://[::1]:8080/"},
    {"other://a:80/", "other://a:80/"},
    /* empty paths and fragments */
    {"http://a", "http://a/"},
    {"http://a#f", "http://a/"},
    {"http://a/b#f?g", "http://a/b"},
    {"http://a/b?c#d", "http://a/b?c"},
    {"file:///etc/passwd", "file:///etc/passwd"},
    /* without a host */
    {"MAILTO:A@b.c", "mailto:A@b.c"},
    {"urn:a:%62", "urn:a:b"},
    {"a:/b/../c", "a:/c"},
    {"a:b/../c", "a:b/../c"},
    {"a:/..//x", "a:/..//x"}, /* "a://x" would have a host */
    {"a:", "a:"},
    /* not absolute, or not by the grammar */
    {"", NULL},
    {"example.com/a", NULL},
    {"/a/b", NULL},
    {"//a/b", NULL},
    {"?a", NULL},
    {"http://a b/", NULL},
    {"http://a/ ", NULL},
    {" http://a/", NULL},
    {"http://a/%zz", NULL},
    {"http://a/%2", NULL},
    {"http://a/\xc3\xa9", NULL},
    {"http://a:b/", NULL},
    {"http://[::1/", NULL},
    {"1http://a/", NULL},
    {"http://a/<", NULL},
};

static void canonical(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tamis_item url = {cases[i].url, strlen(cases[i].url)}, out = {NULL, 0};
        tamis_status status = url_canonical(&memory, url, &out);
        if (cases[i].canonical == NULL) {
            if (status != TAMIS_E_RECORD)
                fail_msg("%s is taken", cases[i].url);
            continue;
        }
        if (status != TAMIS_OK)
            fail_msg("%s is refused", cases[i].url);
        if (out.len != strlen(cases[i].canonical) || memcmp(out.data, cases[i].canonical, out.len) != 0)
            fail_msg("%s gives %.*s, not %s", cases[i].url, (int)out.len, (const char *)out.data,
                     cases[i].canonical);
    }
}

/* What is canonical stays as it is. */
static void twice(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].canonical == NULL)
            continue;
        tamis_item url = {cases[i].canonical, strlen(cases[i].canonical)}, out = {NULL, 0};
        assert_int_equal(url_canonical(&memory, url, &out), TAMIS_OK);
        if (out.len != url.len || memcmp(out.data, url.data, out.len) != 0)
            fail_msg("%s gives %.*s", cases[i].canonical, (int)out.len, (const char *)out.data);
    }
}

static void nul(void **state)
{
    (void)state;
    tamis_item url = {"http://a/\0b", 11}, out = {NULL, 0};
    assert_int_equal(url_canonical(&memory, url, &out), TAMIS_E_RECORD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(canonical), cmocka_unit_test(twice),
                                       cmocka_unit_test(nul)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&memory);
    return failed;
}
