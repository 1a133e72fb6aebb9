/* Rules of records made into callbacks: which key, and how it is normalised. */
#include "cli_test.h"

#include "record/record.h"

static tamis_error err;

/* The key of a record under a rule, copied; TAMIS_E_RECORD where there is none. */
static tamis_status key_of(const record_rule *rule, const char *data, size_t len, char *out, size_t *out_len)
{
    record *rec = NULL;
    tamis_item key;
    const char *why = NULL;
    assert_int_equal(record_open(rule, &rec, &err), TAMIS_OK);
    tamis_record_format format = record_format(rec);
    assert_non_null(format.key);
    format.begin(format.ctx);
    tamis_status status = format.key(format.ctx, data, len, &key, &why);
    if (status == TAMIS_OK) {
        assert_non_null(key.data);
        memcpy(out, key.data, key.len);
        *out_len = key.len;
    } else {
        assert_non_null(why);
    }
    record_close(rec);
    return status;
}

#define KEY(rule, literal, expected)                                                           \
    do {                                                                                       \
        char got[256];                                                                         \
        size_t got_len = 0;                                                                    \
        assert_int_equal(key_of(rule, literal, sizeof(literal) - 1, got, &got_len), TAMIS_OK); \
        assert_item(((tamis_item){got, got_len}), expected);                                   \
    } while (0)

static void whole_lines_need_no_callback(void **state)
{
    (void)state;
    record_rule rule = {.delimiter = '\n', .crlf = true, .header = true, .keep_bad = true};
    record *rec = NULL;
    assert_int_equal(record_open(&rule, &rec, &err), TAMIS_OK);
    tamis_record_format format = record_format(rec);
    assert_null(format.key);
    assert_null(format.cut);
    assert_true(format.crlf && format.header && format.keep_bad);
    record_close(rec);
}

static void normalisation(void **state)
{
    (void)state;
    record_rule trim = {.delimiter = '\n', .normalisation = TAMIS_NORM_TRIM(1)};
    KEY(&trim, " \t\r\v\f a b \r", "a b");
    KEY(&trim, "  ", "");
    KEY(&trim, "\0 ", "\0");
    record_rule fold = {.delimiter = '\n', .normalisation = TAMIS_NORM_CASE(1)};
    KEY(&fold, "AZ@[`az\xc3\x89", "az@[`az\xc3\x89");
    KEY(&fold, "", "");
    record_rule hex = {.delimiter = '\n', .normalisation = TAMIS_NORM_HEX(1)};
    KEY(&hex, "00fF7a", "\0\xff\x7a");
    record_rule all = {.delimiter = '\n',
                       .normalisation = TAMIS_NORM_TRIM(1) | TAMIS_NORM_CASE(1) | TAMIS_NORM_URL(1)};
    KEY(&all, " HTTP://A/B%41 ", "http://a/bA"); /* -i comes before --url */
}

static void hex_refused(void **state)
{
    (void)state;
    record_rule hex = {.delimiter = '\n', .normalisation = TAMIS_NORM_HEX(1)};
    char got[16];
    size_t len = 0;
    assert_int_equal(key_of(&hex, "", 0, got, &len), TAMIS_E_RECORD);
    assert_int_equal(key_of(&hex, "abc", 3, got, &len), TAMIS_E_RECORD);
    assert_int_equal(key_of(&hex, "ag", 2, got, &len), TAMIS_E_RECORD);
    assert_int_equal(key_of(&hex, " ab ", 4, got, &len), TAMIS_E_RECORD);
}

static void urls_are_counted(void **state)
{
    (void)state;
    record_rule rule = {.delimiter = '\n', .normalisation = TAMIS_NORM_URL(1)};
    record *rec = NULL;
    tamis_item key;
    const char *why = NULL;
    assert_int_equal(record_open(&rule, &rec, &err), TAMIS_OK);
    tamis_record_format format = record_format(rec);
    assert_int_equal(format.key(format.ctx, "no url", 6, &key, &why), TAMIS_OK);
    assert_item(key, "no url");
    assert_int_equal(format.key(format.ctx, "http://A", 8, &key, &why), TAMIS_OK);
    assert_item(key, "http://a/");
    assert_int_equal(record_unparsed_urls(rec), 1);
    record_close(rec);
}

static void fields_are_normalised(void **state)
{
    (void)state;
    record_rule rule = {.delimiter = '\n',
                        .separated = true,
                        .separator = ':',
                        .fields = "1",
                        .normalisation = TAMIS_NORM_CASE(1)};
    KEY(&rule, "AB:5", "ab");
    record_rule csv = {
        .delimiter = '\n', .csv = true, .separator = ',', .fields = "2", .normalisation = TAMIS_NORM_TRIM(1)};
    KEY(&csv, "1,\" a\n \"", "a");
    record_rule json = {.delimiter = '\n', .pointer = "/k", .normalisation = TAMIS_NORM_CASE(1)};
    KEY(&json, "{\"k\":\"\\u0041B\"}", "ab");
}

/* Keys of one batch all stay until the next begins. */
static void keys_stay(void **state)
{
    (void)state;
    enum { COUNT = 3000, LEN = 100 };
    static tamis_item keys[COUNT];
    record_rule rule = {.delimiter = '\n', .normalisation = TAMIS_NORM_CASE(1)};
    record *rec = NULL;
    char text[LEN];
    const char *why = NULL;
    assert_int_equal(record_open(&rule, &rec, &err), TAMIS_OK);
    tamis_record_format format = record_format(rec);
    for (int round = 0; round < 3; round++) {
        format.begin(format.ctx);
        for (int i = 0; i < COUNT; i++) {
            memset(text, 'A' + i % 26, sizeof text);
            assert_int_equal(format.key(format.ctx, text, sizeof text, &keys[i], &why), TAMIS_OK);
        }
        for (int i = 0; i < COUNT; i++) {
            const char *data = keys[i].data;
            assert_int_equal(keys[i].len, LEN);
            assert_true(data[0] == 'a' + i % 26 && data[LEN - 1] == 'a' + i % 26);
        }
    }
    record_close(rec);
}

static void refused(void **state)
{
    (void)state;
    record *rec = NULL;
    record_rule newer = {.delimiter = '\n', .normalisation = TAMIS_NORM_URL(2)};
    assert_int_equal(record_open(&newer, &rec, &err), TAMIS_E_VERSION);
    record_rule fields = {.delimiter = '\n', .separated = true, .separator = ':', .fields = "x"};
    assert_int_equal(record_open(&fields, &rec, &err), TAMIS_E_ARGUMENT);
    record_rule pointer = {.delimiter = '\n', .pointer = "x"};
    assert_int_equal(record_open(&pointer, &rec, &err), TAMIS_E_ARGUMENT);
    assert_null(rec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_lines_need_no_callback),
        cmocka_unit_test(normalisation),
        cmocka_unit_test(hex_refused),
        cmocka_unit_test(urls_are_counted),
        cmocka_unit_test(fields_are_normalised),
        cmocka_unit_test(keys_stay),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
