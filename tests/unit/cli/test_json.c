/* Keys out of JSON texts; where json-c is installed, its strict parser must agree on what is JSON. */
#include "cli_test.h"

#ifdef TAMIS_HAVE_JSONC
#include <json-c/json.h>
#endif

#include "record/json.h"

static tamis_error err;
static arena memory;
static tamis_item key;
static const char *why;

static tamis_status find(const char *text, const char *data, size_t len)
{
    json_pointer pointer;
    arena_free(&memory);
    assert_int_equal(json_pointer_parse(text, &pointer, &err), TAMIS_OK);
    tamis_status status = json_key(&pointer, &memory, data, len, &key, &why);
    json_pointer_free(&pointer);
    return status;
}

#define FIND(pointer, literal) find(pointer, literal, sizeof(literal) - 1)
#define KEY(pointer, literal, expected)                     \
    do {                                                    \
        assert_int_equal(FIND(pointer, literal), TAMIS_OK); \
        assert_item(key, expected);                         \
    } while (0)

static void pointers(void **state)
{
    (void)state;
    KEY("", "1", "1");
    KEY("/a", "{\"a\":1}", "1");
    KEY("/a/b", "{\"x\":{\"b\":0},\"a\":{\"b\":2}}", "2");
    KEY("/1", "[1,2,3]", "2");
    KEY("/1/0", "[1,[\"x\"]]", "x");
    KEY("/", "{\"\":5}", "5");
    KEY("/a~1b", "{\"a/b\":5}", "5");
    KEY("/a~0b", "{\"a~b\":5}", "5");
    KEY("/~01", "{\"~1\":5}", "5");
    KEY("/0", "{\"0\":5}", "5");
    KEY("/\xc3\xa9", "{\"\\u00e9\":5}", "5");
    KEY("/a", "{\"a\":1,\"a\":2}", "2"); /* the last of equal names counts */
    assert_int_equal(FIND("/01", "[1,2]"), TAMIS_E_RECORD);
    assert_int_equal(FIND("/-", "[1,2]"), TAMIS_E_RECORD);
    assert_int_equal(FIND("/2", "[1,2]"), TAMIS_E_RECORD);
    assert_int_equal(FIND("/a/b", "{\"a\":1}"), TAMIS_E_RECORD);
    assert_int_equal(FIND("/a/b", "{\"a\":{\"b\":1},\"a\":{}}"), TAMIS_E_RECORD);
    assert_int_equal(FIND("/a", "{\"a\":{}}"), TAMIS_E_RECORD);
    assert_int_equal(FIND("/a", "{\"a\":[]}"), TAMIS_E_RECORD);
}

static void pointers_refused(void **state)
{
    (void)state;
    json_pointer pointer;
    assert_int_equal(json_pointer_parse("a", &pointer, &err), TAMIS_E_ARGUMENT);
    assert_int_equal(json_pointer_parse("/a~", &pointer, &err), TAMIS_E_ARGUMENT);
    assert_int_equal(json_pointer_parse("/a~2", &pointer, &err), TAMIS_E_ARGUMENT);
}

static void source_text(void **state)
{
    (void)state;
    KEY("", "1.0", "1.0");
    KEY("", " -0 ", "-0");
    KEY("", "1E+2", "1E+2");
    KEY("", "12345678901234567890123456789", "12345678901234567890123456789");
    KEY("", "true", "true");
    KEY("", "null", "null");
}

static void strings(void **state)
{
    (void)state;
    KEY("", "\"\"", "");
    KEY("", "\"a\\n\\t\\b\\f\\r\\\"\\\\\\/b\"", "a\n\t\b\f\r\"\\/b");
    KEY("", "\"x\\u0000y\"", "x\0y");
    KEY("", "\"\\u00e9\\u20ac\"", "\xc3\xa9\xe2\x82\xac");
    KEY("", "\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80");
    KEY("", "\"\\ud83dx\"", "\xed\xa0\xbdx"); /* half a pair keeps its own three bytes */
    KEY("", "\"\\ude00\\ud83d\"", "\xed\xb8\x80\xed\xa0\xbd");
    KEY("", "\"\xff\xc3\"", "\xff\xc3"); /* bytes are bytes */
}

/* The first ones are JSON, the others are not; json-c says the same of all. */
#define VALID_TEXTS 9
static const char *const texts[] = {
    "{}",
    "[]",
    "1",
    "\"a\"",
    "{\"a\":[1,2,{\"b\":null}]}",
    " [ 1 , 2 ] ",
    "-1.5e-3",
    "false",
    "[[]]",
    "01",
    ".5",
    "+1",
    "1e",
    "--1",
    "[1,]",
    "[,1]",
    "{,}",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{a:1}",
    "tru",
    "nulll",
    "[1 2]",
    "{\"a\":1 \"b\":2}",
    "\"a",
    "\"\\x\"",
    "\"\\u12\"",
    "\"\\u12g4\"",
    "[1",
    "]",
    "}",
    "1 2",
    "\"a\" x",
    "/* c */ 1",
    "",
    "  ",
    "{\"a\":1]",
    "[1}",
    "\"\\\"",
};

#ifdef TAMIS_HAVE_JSONC
static bool json_c_takes(const char *text)
{
    size_t len = strlen(text);
    struct json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    struct json_object *value = json_tokener_parse_ex(tokener, text, (int)len + 1);
    bool good = json_tokener_get_error(tokener) == json_tokener_success;
    json_object_put(value);
    json_tokener_free(tokener);
    return good;
}
#endif

static void what_is_json(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        why = "";
        assert_int_equal(find("/no/such", texts[i], strlen(texts[i])), TAMIS_E_RECORD);
        bool valid = strstr(why, "not JSON") == NULL;
        if (valid != (i < VALID_TEXTS))
            fail_msg("%s: %s", texts[i], valid ? "taken" : "refused");
#ifdef TAMIS_HAVE_JSONC
        if (valid != json_c_takes(texts[i]))
            fail_msg("%s: json-c does not agree", texts[i]);
#endif
    }
}

static void what_others_take(void **state)
{
    (void)state;
    assert_int_equal(FIND("", "\"a\nb\""), TAMIS_E_RECORD); /* a control character */
    assert_int_equal(FIND("", "NaN"), TAMIS_E_RECORD);      /* json-c takes the next four, even strictly */
    assert_int_equal(FIND("", "-Infinity"), TAMIS_E_RECORD);
    assert_int_equal(FIND("", "1."), TAMIS_E_RECORD);
    assert_int_equal(FIND("/a", "{'a':1}"), TAMIS_E_RECORD);
    assert_int_equal(FIND("", "1\0"), TAMIS_E_RECORD);
    assert_int_equal(FIND("", "\"\\\0\""), TAMIS_E_RECORD);
    assert_int_equal(FIND("", "\xef\xbb\xbf"
                              "1"),
                     TAMIS_E_RECORD);
}

static void depth(void **state)
{
    (void)state;
    static char text[4096];
    memset(text, '[', 512);
    memset(text + 512, ']', 512);
    assert_int_equal(find("/9", text, 1024), TAMIS_E_RECORD);
    assert_non_null(strstr(why, "nothing"));
    memset(text, '[', 2000);
    memset(text + 2000, ']', 2000);
    assert_int_equal(find("/9", text, 4000), TAMIS_E_RECORD);
    assert_non_null(strstr(why, "deep"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pointers), cmocka_unit_test(pointers_refused), cmocka_unit_test(source_text),
        cmocka_unit_test(strings),  cmocka_unit_test(what_is_json),     cmocka_unit_test(what_others_take),
        cmocka_unit_test(depth),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&memory);
    return failed;
}
