#include "commas.h"
#include "core/error.h"
#include "core/text.h"

#include <math.h>
#include <puddle/method.h>
#include <stdlib.h>
#include <string.h>

static void test_floats(void **state) {
    (void)state;
    static const struct {
        float value;
        const char *text;
    } table[] = {
        {0.1f, "0.1"},          {-1.6f, "-1.6"},     {0, "0"},
        {-0.0f, "-0"},          {1e6f, "1000000"},   {1e7f, "10000000"},
        {1e9f, "1e+09"},        {1e-6f, "1e-06"},    {1.0f / 60, "0.016666668"},
        {16777216, "16777216"}, {NAN, "nan"},        {-NAN, "nan"},
        {INFINITY, "inf"},      {-INFINITY, "-inf"},
    };
    char text[PD_FLOAT_TEXT];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_string_equal(pd_text_write_float(table[i].value, text), table[i].text);
}

/* Floats of all magnitudes are restored bit for bit. */
static void test_floats_come_back(void **state) {
    (void)state;
    char text[PD_FLOAT_TEXT];
    for (uint32_t bits = 0; bits < 0x7f800000; bits += 65521) {
        float value, again;
        memcpy(&value, &bits, sizeof value);
        again = strtof(pd_text_write_float(value, text), NULL);
        assert_memory_equal(&value, &again, sizeof value);
        again = strtof(pd_text_write_float(-value, text), NULL);
        assert_true(again == -value);
    }
}

static void test_doubles_come_back_short(void **state) {
    (void)state;
    char text[PD_FLOAT_TEXT];
    assert_string_equal(pd_text_write_double(0.1, text), "0.1");
    assert_string_equal(pd_text_write_double(1.0 / 3, text), "0.3333333333333333");
    assert_string_equal(pd_text_write_double(0.1 + 0.2, text), "0.30000000000000004"); /* 17 digits */
    assert_string_equal(pd_text_write_double(-1e6, text), "-1000000");
    assert_string_equal(pd_text_write_double(5e-324, text), "4.94066e-324");
    assert_string_equal(pd_text_write_double(NAN, text), "nan");
    for (uint64_t bits = 0; bits < 0x7ff0000000000000; bits += 1125899906842597 * 7) {
        double value;
        memcpy(&value, &bits, sizeof value);
        assert_true(strtod(pd_text_write_double(-value, text), NULL) == -value);
    }
}

/* As in --set, scene files and tooltips: no exponents where digits do. */
static void test_ranges(void **state) {
    (void)state;
    char text[PD_RANGE_TEXT];
    int method, index;
    pd_error error = {0};
    assert_string_equal(pd_text_write_range(0, 1e6, text), "0 to 1000000");
    assert_string_equal(pd_text_write_range(-0.5, 1e-6, text), "-0.5 to 1e-06");
    assert_int_equal(pd_parameter_find("vortex.tracers", &method, &index, &error), PD_OK);
    const pd_parameter *tracers = pd_method_parameter_at(pd_method_at(method), index);
    assert_int_equal(pd_parameter_check(tracers, 3e6f, &error), PD_BAD_INPUT);
    assert_string_equal(error.message, "tracers is 3000000 (use 0 to 1000000)");
    float value;
    assert_int_equal(pd_parameter_parse(tracers, "many", &value, &error), PD_BAD_INPUT);
    assert_string_equal(error.message, "tracers is 'many' (use a number from 0 to 1000000)");
}

static void test_parameters(void **state) {
    (void)state;
    char text[64];
    const pd_parameter *stiffness = pd_method_parameter_at(pd_method_at(0), 1);
    assert_string_equal(pd_parameter_format(stiffness, 0.1f, text, sizeof text), "0.1");
}

/* In a locale with decimal commas numbers are written and read with points. */
static void test_locale(void **state) {
    (void)state;
    enter_commas();
    char text[PD_FLOAT_TEXT];
    double number;
    assert_string_equal(pd_text_write_float(0.1f, text), "0.1");
    assert_true(pd_text_read_number("0.1", &number));
    assert_true(number == 0.1);
    assert_false(pd_text_read_number("0,1", &number));
}

/* Short numbers, which are read without strtod, are the doubles that strtod gives. */
static void test_short_numbers(void **state) {
    (void)state;
    static const char *const bad[] = {"", "-", ".", "+.", "1.2.3", "--1", "1-", " 1", "1 ", "1e", "0x1", "e1"};
    double number;
    char text[40];
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(pd_text_read_number(bad[i], &number));
    for (int i = 0; i < 20000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        int digits = 1 + (int)(random >> 33) % 18, point = (int)(random >> 40) % (digits + 2);
        snprintf(text, sizeof text, "%s%0*llu", random >> 63 ? "-" : "", digits,
                 (unsigned long long)(random >> (4 + 3 * (random >> 60))));
        size_t length = strlen(text), from = text[0] == '-';
        if ((size_t)point <= length - from) {
            memmove(text + from + point + 1, text + from + point, length - from - (size_t)point + 1);
            text[from + (size_t)point] = '.';
        }
        double expected = strtod(text, NULL);
        assert_true(pd_text_read_number(text, &number));
        if (memcmp(&number, &expected, sizeof number) != 0) fail_msg("%s is %.17g", text, number);
    }
    assert_true(pd_text_read_number("-0", &number) && signbit(number));
}

/* The codes of the program go on where the public header says; those of other programs are no fault of the input. */
static void test_error_codes(void **state) {
    (void)state;
    assert_int_equal(pd_error_result(PD_ERROR_NONE), PD_OK);
    assert_int_equal(pd_error_result(PD_ERROR_USAGE), PD_BAD_INPUT);
    assert_string_equal(pd_error_name(PD_ERROR_USAGE), "USAGE");
    assert_int_equal(PD_ERROR_GRAPHICS_UNAVAILABLE, PD_ERROR_PROGRAM);
    assert_int_equal(pd_error_result(PD_ERROR_GRAPHICS_UNAVAILABLE), PD_FAILED);
    assert_int_equal(pd_error_result(PD_ERROR_RECORDING_EXISTS), PD_BAD_INPUT);
    assert_string_equal(pd_error_name(PD_ERROR_RECORDING_EXISTS), "RECORDING_EXISTS");
    static const int unknown[] = {-1, PD_ERROR_USAGE + 1, PD_ERROR_PROGRAM - 1, PD_ERROR_RECORDING_EXISTS + 1};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pd_error_result(unknown[i]), PD_FAILED);
        assert_string_equal(pd_error_name(unknown[i]), "");
    }
}

/* Text behind the end of a buffer is cut between characters, and never written. */
static void test_append(void **state) {
    (void)state;
    char text[12] = "a", expected[] = "a m\u00b2 \u20ac";
    text[11] = '#';
    assert_true(pd_text_append(text, 11, " %s", "m\u00b2"));
    assert_true(pd_text_append(text, 11, " %s", "\u20ac"));
    assert_string_equal(text, expected);
    assert_false(pd_text_append(text, 11, "%s", "b\u00e9"));
    assert_string_equal(text, "a m\u00b2 \u20acb");
    assert_false(pd_text_append(text, 11, "%d", 1));
    assert_int_equal(text[11], '#');
    static const struct {
        size_t size;
        const char *text;
    } cuts[] = {{1, ""}, {2, "x"}, {3, "x"}, {4, "x"}, {5, "x\u20ac"}, {6, "x\u20ac"}, {7, "x\u20ac\u00e9"}};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        char shortened[] = "x\u20ac\u00e9y";
        *text = '\0';
        assert_false(pd_text_append(text, cuts[i].size, "%s", shortened));
        assert_string_equal(text, cuts[i].text);
        pd_text_shorten(shortened, cuts[i].size);
        assert_string_equal(shortened, cuts[i].text);
    }
}

/* A word that does not fit is left out as a whole. */
static void test_append_words(void **state) {
    (void)state;
    char text[10] = "";
    assert_true(pd_text_append_word(text, sizeof text, ", ", "one"));
    assert_false(pd_text_append_word(text, sizeof text, ", ", "three"));
    assert_true(pd_text_append_word(text, sizeof text, " or ", "2"));
    assert_string_equal(text, "one or 2");
    assert_false(pd_text_append_word(text, sizeof text, "", "34"));
    assert_true(pd_text_append_word(text, sizeof text, "", "3"));
    assert_false(pd_text_append_word(text, sizeof text, "", "4"));
    assert_string_equal(text, "one or 23");
}

TEST_GROUP(text) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_codes),      cmocka_unit_test(test_floats),
        cmocka_unit_test(test_floats_come_back), cmocka_unit_test(test_doubles_come_back_short),
        cmocka_unit_test(test_ranges),           cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_short_numbers),    cmocka_unit_test(test_append),
        cmocka_unit_test(test_append_words),     cmocka_unit_test_teardown(test_locale, leave_commas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
