/* The elementary functions: exact values, errors against long double, and the same bits on every machine. */
#include "core/math.h"
#include "core/random.h"
#include "sanitizers.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Bit for bit; every NaN is like any other. */
#define assert_same(value, expected)                                                                                   \
    do {                                                                                                               \
        double found_ = (value), expected_ = (expected);                                                               \
        if (bits_of(found_) != bits_of(expected_) && !(isnan(found_) && isnan(expected_)))                             \
            fail_msg("%s is %a (%.17g), not %a", #value, found_, found_, expected_);                                   \
    } while (0)

static const double TINY = 0x1p-1074;

static void sine_and_cosine(void **state) {
    (void)state;
    assert_same(pd_sin(0), 0);
    assert_same(pd_sin(-0.0), -0.0);
    assert_same(pd_cos(-0.0), 1);
    assert_same(pd_sin(TINY), TINY);
    assert_same(pd_sin(-0x1p-1030), -0x1p-1030);
    assert_same(pd_cos(0x1p-30), 1);
    /* What the double next to pi, and to its half, lacks. */
    assert_same(pd_sin(0x1.921fb54442d18p+1), 0x1.1a62633145c07p-53);
    assert_same(pd_cos(0x1.921fb54442d18p+1), -1);
    assert_same(pd_sin(0x1.921fb54442d18p+0), 1);
    assert_same(pd_cos(0x1.921fb54442d18p+0), 0x1.1a62633145c07p-54);
    assert_same(pd_cos(-0x1.921fb54442d18p+0), 0x1.1a62633145c07p-54);
    assert_same(pd_sin(1e22), -0.8522008497671888);
    assert_same(pd_cos(1e22), 0.52321478539513894550);
    assert_same(pd_sin(DBL_MAX), 0.004961954789184062);
    assert_same(pd_cos(DBL_MAX), -0.9999876894265599);
    /* The double that is closest to a multiple of pi/2 (Muller, Elementary Functions, 11.2). */
    assert_same(pd_cos(0x1.6ac5b262ca1ffp+849), -0x1.14ae72e6ba22fp-61);
    assert_same(pd_sin(-0x1.6ac5b262ca1ffp+849), -1);
    assert_same(pd_sin(INFINITY), NAN);
    assert_same(pd_cos(-INFINITY), NAN);
    assert_same(pd_sin(NAN), NAN);
}

/* atan2: every quadrant, axis and sign of zero, as in C17 F.10.1.4. */
static void arc_tangent(void **state) {
    (void)state;
    static const double pi = 0x1.921fb54442d18p+1, far = INFINITY;
    static const struct {
        double y, x, angle;
    } rows[] = {
        {0, 0, 0},
        {0, 1, 0},
        {0, INFINITY, 0},
        {1, INFINITY, 0},
        {TINY, 1, TINY},
        {TINY, DBL_MAX, 0},
        {0, -0.0, pi},
        {0, -1, pi},
        {0, -far, pi},
        {1, -far, pi},
        {TINY, -1, pi},
        {1, 0, pi / 2},
        {1, -0.0, pi / 2},
        {far, 1, pi / 2},
        {far, -1, pi / 2},
        {1, TINY, pi / 2},
        {1, -TINY, pi / 2},
        {1, 1, pi / 4},
        {far, far, pi / 4},
        {1, -1, 3 * pi / 4},
        {far, -far, 3 * pi / 4},
        {TINY, TINY, pi / 4},
        {DBL_MAX, DBL_MAX, pi / 4},
        {0x1p-600, 0x1p400, 0x1p-1000},
        {0x1p-1040, 0x1p-1000, 0x1p-40},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_same(pd_atan2(rows[i].y, rows[i].x), rows[i].angle);
        assert_same(pd_atan2(-rows[i].y, rows[i].x), -rows[i].angle);
    }
    assert_same(pd_atan2(NAN, 1), NAN);
    assert_same(pd_atan2(1, NAN), NAN);
    assert_same(pd_atan2(INFINITY, NAN), NAN);
}

static void exponentials(void **state) {
    (void)state;
    assert_same(pd_exp(0), 1);
    assert_same(pd_exp(-TINY), 1);
    assert_same(pd_exp(1), 0x1.5bf0a8b145769p+1);
    assert_same(pd_exp(709.782712893384), 0x1.fffffffffff2ap+1023);
    assert_same(pd_exp(709.7827128933841), INFINITY);
    assert_same(pd_exp(-745.13), TINY);
    assert_same(pd_exp(-745.14), 0);
    assert_same(pd_exp(INFINITY), INFINITY);
    assert_same(pd_exp(-INFINITY), 0);
    assert_same(pd_exp(NAN), NAN);
    assert_same(pd_expm1(-0.0), -0.0);
    assert_same(pd_expm1(TINY), TINY);
    assert_same(pd_expm1(0x1p-53), 0x1p-53);
    assert_same(pd_expm1(1), 0x1.b7e151628aed3p+0);
    assert_same(pd_expm1(-INFINITY), -1);
    assert_same(pd_expm1(-50), -1);
    assert_same(pd_expm1(1000), INFINITY);
    assert_same(pd_expm1(NAN), NAN);
    assert_same(pd_expf(0), 1);
    assert_same(pd_expf(-INFINITY), 0);
    assert_same(pd_expf(INFINITY), INFINITY);
    assert_same(pd_expf(88.72283f), 0x1.ffff080000000p+127);
    assert_same(pd_expf(88.72284f), INFINITY);
    assert_same(pd_expf(-103.9f), 0x1p-149);
    assert_same(pd_expf(NAN), NAN);
    assert_same(pd_expm1f(-INFINITY), -1);
}

static void logarithms(void **state) {
    (void)state;
    assert_same(pd_log10(-0.0), -INFINITY);
    assert_same(pd_log10(NAN), NAN);
    assert_same(pd_log10(0), -INFINITY);
    assert_same(pd_log10(-1), NAN);
    assert_same(pd_log10(INFINITY), INFINITY);
    /* Decades are exact: defaults are rounded to digits by them. */
    for (int k = -307; k <= 308; k++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", k);
        assert_same(pd_pow(10, k), strtod(text, NULL));
        assert_same(pd_log10(strtod(text, NULL)), k);
    }
}

static void powers(void **state) {
    (void)state;
    static const struct {
        double base, exponent, power;
    } rows[] = {
        {0, 2, 0},
        {0, -2, INFINITY},
        {-0.0, 1, 0},
        {INFINITY, 0.5, INFINITY},
        {INFINITY, -1, 0},
        {NAN, 0, 1},
        {1, NAN, 1},
        {1, INFINITY, 1},
        {2, INFINITY, INFINITY},
        {2, -INFINITY, 0},
        {0.5, INFINITY, 0},
        {0, INFINITY, 0},
        {NAN, 1, NAN},
        {2, NAN, NAN},
        {-1, 2, NAN},
        {2, 1024, INFINITY},
        {2, -1074, TINY},
        {2, -1076, 0},
        {3, 5, 243},
        {10, -3, 0.001},
        {1.5, 1, 1.5},
        {2, 0.5, 0x1.6a09e667f3bcdp+0},
        {TINY, 1, TINY},
        {DBL_MAX, 1, DBL_MAX},
        {7, 1e300, INFINITY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_same(pd_pow(rows[i].base, rows[i].exponent), rows[i].power);
    for (int k = -1074; k < 1024; k++) assert_same(pd_pow(2, k), ldexp(1, k));
    for (int k = 1; k <= 1000; k++) {
        double n = k;
        assert_same(pd_pow(n, 3), n * n * n);
        assert_same(pd_cbrt(-n * n * n), -n);
        assert_same(pd_cbrt(ldexp(n * n * n, -3 * (k % 300))), ldexp(n, -(k % 300)));
    }
    assert_same(pd_cbrt(-0.0), -0.0);
    assert_same(pd_cbrt(-INFINITY), -INFINITY);
    assert_same(pd_cbrt(NAN), NAN);
    assert_same(pd_cbrt(0x1p-1074), 0x1p-358);
}

static void hypotenuses(void **state) {
    (void)state;
    assert_same(pd_hypot(3, -4), 5);
    assert_same(pd_hypot(0, -0.0), 0);
    assert_same(pd_hypot(TINY, 0), TINY);
    assert_same(pd_hypot(3 * TINY, 4 * TINY), 5 * TINY);
    assert_same(pd_hypot(3e300, 4e300), 5e300);
    assert_same(pd_hypot(DBL_MAX, DBL_MAX), INFINITY);
    assert_same(pd_hypot(-INFINITY, NAN), INFINITY);
    assert_same(pd_hypot(NAN, 1), NAN);
    assert_same(pd_hypotf(3, -4), 5);
    assert_same(pd_hypotf(3e30f, 4e30f), 5e30f);
    assert_same(pd_hypotf(NAN, -INFINITY), INFINITY);
    assert_same(pd_hypotf(0x1p-149f, 0), 0x1p-149f);
}

/* ---- Errors ---- */

/* Arguments: uniform in [low, high], or +-2^u with u uniform in it. */
typedef struct range {
    double low, high;
    bool scales;
} range;

static double unit(pd_random *random) { return (double)(pd_random_next(random) >> 11) * 0x1p-53; }

/* No function of libm: the golden bits depend on the arguments. */
static double draw(const range *of, pd_random *random) {
    double u = of->low + (of->high - of->low) * unit(random);
    if (!of->scales) return u;
    double power = floor(u), value = ldexp(1 + (u - power), (int)power);
    return pd_random_next(random) & 1 ? value : -value;
}

/* In units in the last place of the exact value. */
static double error_of(double value, long double exact) {
    int exponent;
    frexpl(exact, &exponent);
    if (exponent < -1021) exponent = -1021;
    return (double)(fabsl((long double)value - exact) / ldexpl(1, exponent - 53));
}

typedef struct unary {
    const char *name;
    double (*own)(double);
    long double (*exact)(long double);
    range x;
} unary;

typedef struct binary {
    const char *name;
    double (*own)(double, double);
    long double (*exact)(long double, long double);
    range x, y;
} binary;

static double sin_float(double x) { return pd_sinf((float)x); }
static double cos_float(double x) { return pd_cosf((float)x); }
static double exp_float(double x) { return pd_expf((float)x); }
static double expm1_float(double x) { return pd_expm1f((float)x); }
static double pow_float(double x, double y) { return pd_powf((float)x, (float)y); }
static double hypot_float(double x, double y) { return pd_hypotf((float)x, (float)y); }

static const unary unaries[] = {
    {"sin", pd_sin, sinl, {-10, 10, false}},     {"sin", pd_sin, sinl, {-30, 62, true}},
    {"cos", pd_cos, cosl, {-10, 10, false}},     {"cos", pd_cos, cosl, {-30, 62, true}},
    {"exp", pd_exp, expl, {-20, 20, false}},     {"exp", pd_exp, expl, {-708, 709, false}},
    {"expm1", pd_expm1, expm1l, {-3, 3, false}}, {"expm1", pd_expm1, expm1l, {-60, 9, true}},
    {"log10", pd_log10, log10l, {0, 10, false}}, {"log10", pd_log10, log10l, {1e-300, 1e300, false}},
    {"cbrt", pd_cbrt, cbrtl, {0, 1, false}},     {"cbrt", pd_cbrt, cbrtl, {-1070, 1023, true}},
};
static const binary binaries[] = {
    {"atan2", pd_atan2, atan2l, {-10, 10, false}, {-2, 2, false}},
    {"atan2", pd_atan2, atan2l, {-60, 60, true}, {-60, 60, true}},
    {"pow", pd_pow, powl, {0, 10, false}, {-4, 4, false}},
    {"pow", pd_pow, powl, {0.99, 1.01, false}, {-20000, 20000, false}},
    {"hypot", pd_hypot, hypotl, {-2, 2, false}, {-2, 2, false}},
    {"hypot", pd_hypot, hypotl, {-1000, 1000, true}, {-1000, 1000, true}},
};
enum { UNARIES = sizeof unaries / sizeof *unaries, BINARIES = sizeof binaries / sizeof *binaries };

/* long double has to have 11 bits more than double: its own errors are below 0.0005 then. */
static const double MOST_ERROR = 0.5005;

static void errors_are_small(void **state) {
    (void)state;
    if (LDBL_MANT_DIG < 64) skip();
    int count = UNDER_ADDRESS_SANITIZER ? 20000 : 150000;
    for (int f = 0; f < UNARIES + BINARIES; f++) {
        const unary *one = f < UNARIES ? &unaries[f] : NULL;
        const binary *two = f < UNARIES ? NULL : &binaries[f - UNARIES];
        pd_random random = {(uint64_t)f + 1};
        for (int i = 0; i < count; i++) {
            double x = draw(one ? &one->x : &two->x, &random), y = one ? 0 : draw(&two->y, &random);
            double value = one ? one->own(x) : two->own(x, y);
            long double exact = one ? one->exact(x) : two->exact(x, y);
            double error = error_of(value, exact);
            if (!(error < MOST_ERROR))
                fail_msg("%s(%a, %a) is %a, off by %.4f", one ? one->name : two->name, x, y, value, error);
        }
    }
}

static void floats_are_rounded_doubles(void **state) {
    (void)state;
    pd_random random = {1};
    for (int i = 0; i < 300000; i++) {
        float x = (float)draw(&(range){-90, 90, false}, &random), y = (float)draw(&(range){0, 3, false}, &random);
        assert_same(pd_expf(x), (float)pd_exp((double)x));
        assert_same(pd_expf(-y), (float)pd_exp(-(double)y));
        assert_same(pd_hypotf(x, y), (float)pd_hypot((double)x, (double)y));
    }
}

static void identities(void **state) {
    (void)state;
    pd_random random = {7};
    for (int i = 0; i < 100000; i++) {
        double x = draw(&(range){-300, 300, true}, &random), y = draw(&(range){-300, 300, true}, &random);
        double s = pd_sin(x), c = pd_cos(x);
        assert_true(fabs(s * s + c * c - 1) < 4e-16);
        assert_same(pd_sin(-x), -s);
        assert_same(pd_cos(-x), c);
        assert_same(pd_atan2(-y, x), -pd_atan2(y, x));
        assert_same(pd_hypot(x, y), pd_hypot(-y, x));
        assert_same(pd_pow(fabs(x), 0.5), sqrt(fabs(x)));
        assert_same(pd_pow(fabs(x), -1), 1 / fabs(x));
        assert_same(pd_cbrt(-x), -pd_cbrt(x));
    }
}

/* ---- The same bits everywhere ---- */

static void add_bits(uint64_t *hash, double value) { *hash = pd_random_mix_bits(*hash ^ bits_of(value)); }

/* A million results. Every processor, compiler and C library has to give this hash: what gives another would begin scenes
 * otherwise, and replay no log of another machine. */
static void bits_are_golden(void **state) {
    (void)state;
    static const unary floats[] = {
        {"sinf", sin_float, NULL, {-10, 10, false}}, {"cosf", cos_float, NULL, {-30, 62, true}},
        {"expf", exp_float, NULL, {-90, 90, false}}, {"expm1f", expm1_float, NULL, {-3, 3, false}},
        {"exp", pd_exp, NULL, {-746, -708, false}},  {"cos", pd_cos, NULL, {62, 1023, true}}};
    static const binary pairs[] = {{"powf", pow_float, NULL, {0, 10, false}, {-4, 4, false}},
                                   {"hypotf", hypot_float, NULL, {-60, 60, true}, {-60, 60, true}}};
    enum { COUNT = 40000, FLOATS = sizeof floats / sizeof *floats, PAIRS = sizeof pairs / sizeof *pairs };
    uint64_t hash = 0;
    pd_random random = {2024};
    for (int f = 0; f < UNARIES + FLOATS; f++) {
        const unary *one = f < UNARIES ? &unaries[f] : &floats[f - UNARIES];
        for (int i = 0; i < COUNT; i++) add_bits(&hash, one->own(draw(&one->x, &random)));
    }
    for (int f = 0; f < BINARIES + PAIRS; f++) {
        const binary *two = f < BINARIES ? &binaries[f] : &pairs[f - BINARIES];
        for (int i = 0; i < COUNT; i++) {
            double x = draw(&two->x, &random), y = draw(&two->y, &random);
            add_bits(&hash, two->own(x, y));
        }
    }
    if (hash != 0xa0cc695ecac3f8b2) fail_msg("the bits have the hash 0x%016llx", (unsigned long long)hash);
}

TEST_GROUP(math) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_and_cosine),  cmocka_unit_test(arc_tangent),
        cmocka_unit_test(exponentials),     cmocka_unit_test(logarithms),
        cmocka_unit_test(powers),           cmocka_unit_test(hypotenuses),
        cmocka_unit_test(errors_are_small), cmocka_unit_test(floats_are_rounded_doubles),
        cmocka_unit_test(identities),       cmocka_unit_test(bits_are_golden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
