/* Elementary functions in double-double arithmetic.
 *
 * A double_double is the sum of two doubles; the second is at most half a unit in the last place of the first. This
 * gives 106 bits (Dekker, "A floating-point technique for extending the available precision", 1971; Knuth, The Art of
 * Computer Programming 2, 4.2.2). Each function has a relative error of about 2^-74 before it is rounded once.
 *
 * exp: the argument is reduced by a multiple of ln 2 and divided by 64; the Taylor series is squared six times (Brent,
 * "Fast multiple-precision evaluation of elementary functions", 1976).
 * log and atan: the value at the nearest multiple of 1/16 is tabulated; a series gives the difference from it.
 * sin and cos: the Taylor series, after reduction by quarter turns (Payne and Hanek, "Radian reduction for trigonometric
 * functions", 1983). */
#include "core/math.h"

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#if FLT_EVAL_METHOD != 0 || defined(__FAST_MATH__)
#error "puddle needs doubles that are rounded after each operation (no x87, no -ffast-math)"
#endif

/* The number hi + lo, with about twice the precision of a double. */
typedef struct double_double {
    double hi, lo;
} double_double;

static const double_double pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const double_double half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
/* ln 2 in three parts. The first two have 40 bits, so that their products with an exponent are exact. */
static const double ln2[3] = {0x1.62e42fefa2p-1, 0x1.9ef35793c6p-41, 0x1.673007e5ed5e8p-81};
static const double log2_e = 0x1.71547652b82fep+0;
/* inverse_factorial[n] = 1/n! */
static const double inverse_factorial[] = {
    0x1.0000000000000p+0,  0x1.0000000000000p+0,  0x1.0000000000000p-1,  0x1.5555555555555p-3,  0x1.5555555555555p-5,
    0x1.1111111111111p-7,  0x1.6c16c16c16c17p-10, 0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-16, 0x1.71de3a556c734p-19,
    0x1.27e4fb7789f5cp-22, 0x1.ae64567f544e4p-26, 0x1.1eed8eff8d898p-29, 0x1.6124613a86d09p-33, 0x1.93974a8c07c9dp-37,
    0x1.ae7f3e733b81fp-41, 0x1.ae7f3e733b81fp-45, 0x1.952c77030ad4ap-49, 0x1.6827863b97d97p-53, 0x1.2f49b46814157p-57,
    0x1.e542ba4020225p-62, 0x1.71b8ef6dcf572p-66, 0x1.0ce396db7f853p-70, 0x1.761b41316381ap-75, 0x1.f2cf01972f578p-80,
    0x1.3f3ccdd165fa9p-84};
static const double_double log10_e = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};

/* Returns a + b without rounding, for |a| >= |b| or a = 0. */
static inline double_double exact_sum_larger_first(double a, double b) {
    double sum = a + b;
    return (double_double){sum, b - (sum - a)};
}

static inline double_double exact_sum(double a, double b) {
    double sum = a + b, of_b = sum - a;
    return (double_double){sum, (a - (sum - of_b)) + (b - of_b)};
}

/* Returns a b without rounding, for |a| and |b| from 2^-480 to 2^480. */
static inline double_double exact_product(double a, double b) {
    static const double splitter = 0x1p27 + 1;
    double p = a * b, at = splitter * a, bt = splitter * b;
    double a1 = at - (at - a), b1 = bt - (bt - b), a2 = a - a1, b2 = b - b1;
    return (double_double){p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

static inline double_double add_pairs(double_double a, double_double b) {
    double_double s = exact_sum(a.hi, b.hi), t = exact_sum(a.lo, b.lo);
    s = exact_sum_larger_first(s.hi, s.lo + t.hi);
    return exact_sum_larger_first(s.hi, s.lo + t.lo);
}

/* Returns a + b with half as many operations as add_pairs(). Accurate if |a| >= |b| and little cancels, or if a = 0. */
static inline double_double add_pairs_larger_first(double_double a, double_double b) {
    double_double s = exact_sum_larger_first(a.hi, b.hi);
    return exact_sum_larger_first(s.hi, s.lo + (a.lo + b.lo));
}

static inline double_double multiply_pairs(double_double a, double_double b) {
    double_double p = exact_product(a.hi, b.hi);
    return exact_sum_larger_first(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline double_double negate_pair(double_double a) { return (double_double){-a.hi, -a.lo}; }

static inline double_double divide_pairs(double_double a, double_double b) {
    double q = a.hi / b.hi;
    double_double back = exact_product(q, b.hi);
    return exact_sum_larger_first(q, ((a.hi - back.hi) - back.lo + a.lo - q * b.lo) / b.hi);
}

/* Returns the power series c[0] + x (c[1] + ... + x (c[count - 1] + x rest)); c: coefficients, rest: value of the terms
 * from c[count] on, in double precision. Each term must be smaller than the previous one. */
static inline double_double evaluate_power_series(double_double x, const double_double *coefficients, int count,
                                                  double rest) {
    double_double s = add_pairs_larger_first(coefficients[count - 1], (double_double){x.hi * rest, 0});
    for (int k = count - 2; k >= 0; k--) s = add_pairs_larger_first(coefficients[k], multiply_pairs(x, s));
    return s;
}

/* ---- exp and log ---- */

/* Returns exp(x) - 1 for |x| < 0.35, with a relative error of 2^-78. */
static double_double compute_expm1_near_zero(double_double x) {
    enum { HALVINGS = 6 };
    static const double_double c[] = {{1, 0}, {0.5, 0}, {0x1.5555555555555p-3, 0x1.5555555555555p-57}};
    x = (double_double){x.hi * 0x1p-6, x.lo * 0x1p-6};
    double r = x.hi;
    double rest = 0;
    for (int n = 9; n > 3; n--) rest = inverse_factorial[n] + r * rest;
    double_double e = multiply_pairs(x, evaluate_power_series(x, c, 3, rest));
    for (int k = 0; k < HALVINGS; k++)
        e = add_pairs_larger_first((double_double){2 * e.hi, 2 * e.lo},
                                   multiply_pairs(e, e)); /* exp(2 x) - 1 = 2 e + e^2 */
    return e;
}

/* Computes f and *exponent such that exp(x) = 2^*exponent (1 + f), for |x| < 800. Returns f. */
static double_double compute_expm1_and_exponent(double_double x, int *exponent) {
    double k = floor(x.hi * log2_e + 0.5);
    *exponent = (int)k;
    double_double r = add_pairs(exact_sum(x.hi, -k * ln2[0]), exact_sum(-k * ln2[1], x.lo - k * ln2[2]));
    return compute_expm1_near_zero(r);
}

static double compute_exp_of_pair(double_double x) {
    if (x.hi > 710) return INFINITY;
    if (x.hi < -746) return 0;
    int exponent;
    double_double e = compute_expm1_and_exponent(x, &exponent);
    return ldexp(add_pairs_larger_first((double_double){1, 0}, e).hi, exponent);
}

double pd_exp(double x) { return isnan(x) ? x : compute_exp_of_pair((double_double){x, 0}); }

double pd_expm1(double x) {
    if (isnan(x) || fabs(x) < 0x1p-54) return x;
    if (x < -40) return -1;
    if (x > 80) return pd_exp(x);
    int exponent;
    double_double e = compute_expm1_and_exponent((double_double){x, 0}, &exponent);
    if (exponent == 0) return e.hi;
    double scale = ldexp(1, exponent);
    return add_pairs_larger_first(exact_sum(scale, -1), (double_double){scale * e.hi, scale * e.lo}).hi;
}

/* Returns artanh x = x + x^3/3 + x^5/5 + ... for sign 1, arctan x = x - x^3/3 + x^5/5 - ... for sign -1; |x| < 1/30. */
static double_double compute_artanh_or_arctan(double_double x, double sign) {
    static const double_double c[] = {{1, 0}, {0x1.5555555555555p-2, 0x1.5555555555555p-56}};
    double_double z = multiply_pairs(x, (double_double){sign * x.hi, sign * x.lo});
    double rest = 0;
    for (int n = 17; n > 4; n -= 2) rest = 1.0 / n + z.hi * rest;
    return multiply_pairs(x, evaluate_power_series(z, c, 2, rest));
}

/* Returns the logarithm of a positive finite number m 2^exponent by log m = log c + 2 artanh((m - c) / (m + c)), where
 * c is the multiple of 1/16 nearest to m. */
static double_double compute_log_of_positive(double x) {
    enum { FIRST = 11 };
    static const double_double table[] = {
        {-0x1.7fafa3bd8151cp-2, 0x1.219024acd3b77p-58},  {-0x1.269621134db92p-2, -0x1.e0efadd9db02bp-56},
        {-0x1.a93ed3c8ad9e3p-3, -0x1.bcafa9de97203p-57}, {-0x1.1178e8227e47cp-3, 0x1.0e63a5f01c691p-58},
        {-0x1.08598b59e3a07p-4, 0x1.dd7009902bf32p-58},  {0, 0},
        {0x1.f0a30c01162a6p-5, 0x1.85f325c5bbacdp-59},   {0x1.e27076e2af2e6p-4, -0x1.61578001e0162p-60},
        {0x1.5ff3070a793d4p-3, -0x1.bc60efafc6f6ep-58},  {0x1.c8ff7c79a9a22p-3, -0x1.4f689f8434012p-57},
        {0x1.1675cababa60ep-2, 0x1.ce63eab883717p-61},   {0x1.4618bc21c5ec2p-2, 0x1.f42decdeccf1dp-56},
        {0x1.739d7f6bbd007p-2, -0x1.8c76ceb014b04p-56}}; /* table[k] = log((FIRST + k) / 16) */
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0.70710678118654752) {
        m *= 2;
        exponent--;
    }
    double sixteenths = floor(16 * m + 0.5), c = sixteenths / 16;
    double_double part = compute_artanh_or_arctan(divide_pairs((double_double){m - c, 0}, exact_sum(m, c)), 1);
    double_double whole = exact_sum_larger_first(exponent * ln2[0], exponent * ln2[1]);
    whole.lo += exponent * ln2[2];
    return add_pairs(whole,
                     add_pairs_larger_first(table[(int)sixteenths - FIRST], (double_double){2 * part.hi, 2 * part.lo}));
}

double pd_log10(double x) {
    if (!(x > 0 && x < INFINITY)) return x < 0 ? NAN : x == 0 ? -INFINITY : x;
    return multiply_pairs(compute_log_of_positive(x), log10_e).hi;
}

double pd_pow(double base, double exponent) {
    if (base == 1 || exponent == 0) return 1;
    if (isnan(exponent) || isnan(base) || base < 0) return NAN;
    if (base == 0 || isinf(base)) return (base == 0) == (exponent > 0) ? 0 : INFINITY;
    double most = 0x1p80; /* larger exponents overflow or underflow for every base: |log(base)| >= 2^-53 */
    double_double y = {fmin(fmax(exponent, -most), most), 0};
    double_double x = multiply_pairs(compute_log_of_positive(base), y);
    return compute_exp_of_pair(x);
}

/* Reduces x by a multiple k of ln 2 and sums the Taylor series, in double precision: exp(x) = 2^k exp(r). */
float pd_expf(float x) {
    if (isnan(x)) return x;
    if (x > 89) return INFINITY;
    if (x < -104) return 0;
    double k = floor((double)x * log2_e + 0.5), r = ((double)x - k * ln2[0]) - k * ln2[1], e = 0;
    for (int n = 12; n >= 0; n--) e = inverse_factorial[n] + r * e;
    return (float)ldexp(e, (int)k);
}

/* ---- sin, cos and atan2 ---- */

enum { TWO_OVER_PI_DIGITS = 48, WINDOW_DIGITS = 8, FACTOR_DIGITS = 3 };
/* Digits of 2/pi to the base 2^32, from the binary point. */
static const uint32_t two_over_pi[TWO_OVER_PI_DIGITS] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d,
    0xa9e39161, 0x5ee61b08, 0x6599855f, 0x14a06840, 0x8dffd880, 0x4d732731, 0x06061556, 0xca73a8c9,
};

/* Reduces an angle (finite, at least pi/4) to r with |r| <= pi/4: angle = *quarter_turns pi/2 + r (mod 2 pi). Returns r.
 * Bits of 2/pi whose product with the angle is a multiple of 4 are left out, as they add full turns. The next
 * WINDOW_DIGITS digits are enough: no double is closer than 2^-62 to a multiple of pi/2. */
static double_double reduce_angle(double angle, int *quarter_turns) {
    int exponent;
    uint64_t mantissa = (uint64_t)ldexp(frexp(angle, &exponent), 53);
    exponent -= 53;                                                                    /* angle = mantissa 2^exponent */
    int first = exponent > 2 ? (exponent - 2) / 32 : 0, power = exponent - 32 * first; /* -53 <= power < 34 */
    int whole = (power + 64) / 32 - 2, shift = power - 32 * whole;                     /* power = 32 whole + shift */
    uint32_t factor[FACTOR_DIGITS] = {0},
             digit[WINDOW_DIGITS + FACTOR_DIGITS] = {0}; /* digits to the base 2^32, most significant first */
    factor[0] = shift ? (uint32_t)(mantissa >> (64 - shift)) : 0;
    factor[1] = (uint32_t)(mantissa << shift >> 32);
    factor[2] = (uint32_t)(mantissa << shift);
    for (int i = WINDOW_DIGITS - 1; i >= 0; i--) {
        uint64_t carry = 0;
        for (int k = FACTOR_DIGITS - 1; k >= 0; k--) {
            uint64_t t = (uint64_t)two_over_pi[first + i] * factor[k] + digit[i + k + 1] + carry;
            digit[i + k + 1] = (uint32_t)t;
            carry = t >> 32;
        }
        digit[i] = (uint32_t)carry;
    }
    /* digit[units] has the weight 2^0 in the product angle x 2/pi. */
    int units = FACTOR_DIGITS - 1 + whole;
    bool above = digit[units + 1] >> 31;
    *quarter_turns = (int)((digit[units] + above) & 3);
    double_double part = {0, 0};
    double weight = 0x1p-192;
    for (int i = units + 6; i > units; i--, weight *= 0x1p32)
        part = add_pairs_larger_first((double_double){weight * (above ? ~digit[i] : digit[i]), 0}, part);
    part = multiply_pairs(part, half_pi);
    return above ? negate_pair(part) : part;
}

/* Returns sin(x) for |x| <= pi/4, with an error of 2^-74. */
static double_double compute_sin_near_zero(double_double x) {
    static const double_double c[] = {{1, 0},
                                      {-0x1.5555555555555p-3, -0x1.5555555555555p-57},
                                      {0x1.1111111111111p-7, 0x1.1111111111111p-63},
                                      {-0x1.a01a01a01a01ap-13, -0x1.a01a01a01a01ap-73}};
    double_double x2 = multiply_pairs(x, x);
    double rest = 0;
    for (int n = 23; n > 8; n -= 2) rest = inverse_factorial[n] - x2.hi * rest;
    return multiply_pairs(x, evaluate_power_series(x2, c, 4, rest));
}

static double_double compute_cos_near_zero(double_double x) {
    static const double_double c[] = {{1, 0},
                                      {-0.5, 0},
                                      {0x1.5555555555555p-5, 0x1.5555555555555p-59},
                                      {-0x1.6c16c16c16c17p-10, 0x1.f49f49f49f49fp-65},
                                      {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76}};
    double_double x2 = multiply_pairs(x, x);
    double rest = 0;
    for (int n = 24; n > 9; n -= 2) rest = inverse_factorial[n] - x2.hi * rest;
    return evaluate_power_series(x2, c, 5, -rest);
}

/* Returns sin(angle + quarters pi/2), angle >= 0. */
static double compute_sin_after_quarter_turns(double angle, int quarters) {
    int quarter_turns = 0;
    double_double r = angle < 0.785 ? (double_double){angle, 0} : reduce_angle(angle, &quarter_turns);
    quarter_turns += quarters;
    double value = quarter_turns & 1 ? compute_cos_near_zero(r).hi : compute_sin_near_zero(r).hi;
    return quarter_turns & 2 ? -value : value;
}

double pd_sin(double angle) {
    if (!isfinite(angle)) return NAN;
    if (fabs(angle) < 0x1p-27) return angle;
    double value = compute_sin_after_quarter_turns(fabs(angle), 0);
    return angle < 0 ? -value : value;
}

double pd_cos(double angle) { return isfinite(angle) ? compute_sin_after_quarter_turns(fabs(angle), 1) : NAN; }

/* Returns atan(y/x) = atan c + atan((y - c x) / (x + c y)) for 0 <= y <= x, 1 <= x < 2, where c is the multiple of 1/16
 * nearest to y/x. */
static double_double compute_atan_of_quotient(double y, double x) {
    static const double_double table[] = {{0, 0},
                                          {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
                                          {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                          {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
                                          {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                          {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
                                          {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                          {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
                                          {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                          {0x1.0657e94db30dp-1, -0x1.d5b495f6349e6p-56},
                                          {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                          {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
                                          {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                          {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
                                          {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                          {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
                                          {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}}; /* table[k] = atan(k / 16) */
    double sixteenths = floor(16 * (y / x) + 0.5), c = sixteenths / 16;
    double_double up = add_pairs((double_double){y, 0}, negate_pair(exact_product(c, x))),
                  down = add_pairs_larger_first((double_double){x, 0}, exact_product(c, y));
    return add_pairs_larger_first(table[(int)sixteenths], compute_artanh_or_arctan(divide_pairs(up, down), -1));
}

double pd_atan2(double y, double x) {
    if (isnan(x) || isnan(y)) return NAN;
    double most = fmax(fabs(x), fabs(y)), least = fmin(fabs(x), fabs(y));
    double_double a = {0, 0};
    if (isinf(least)) {
        a = (double_double){half_pi.hi / 2, half_pi.lo / 2};
    } else if (least > 0 && !isinf(most)) {
        int exponent;
        frexp(most, &exponent);
        /* atan(q) = q in double precision for quotients this small. */
        if (least < most * 0x1p-400 && fabs(x) == most && x > 0) return y / x;
        a = compute_atan_of_quotient(ldexp(least, 1 - exponent), ldexp(most, 1 - exponent));
    }
    if (fabs(y) > fabs(x)) a = add_pairs_larger_first(half_pi, negate_pair(a));
    if (signbit(x)) a = add_pairs_larger_first(pi, negate_pair(a));
    return copysign(a.hi, y);
}

/* ---- Roots ---- */

double pd_cbrt(double x) {
    if (x == 0 || !isfinite(x)) return x;
    int exponent;
    double m = frexp(fabs(x), &exponent);    /* |x| = m 2^exponent, 0.5 <= m < 1 */
    int third = (exponent + 1200) / 3 - 400; /* exponent / 3, rounded down */
    m = ldexp(m, exponent - 3 * third);
    double y = 0.8 + 0.2 * m; /* first estimate of the root: error below 0.11 for 0.5 <= m < 4 */
    for (int k = 0; k < 6; k++) y -= (y * y * y - m) / (3 * y * y);
    double_double cube = multiply_pairs(exact_product(y, y), (double_double){y, 0});
    y -= ((cube.hi - m) + cube.lo) / (3 * y * y);
    return copysign(ldexp(y, third), x);
}

double pd_hypot(double x, double y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    double most = fmax(fabs(x), fabs(y)), least = fmin(fabs(x), fabs(y));
    if (isnan(x) || isnan(y)) return NAN;
    if (most == 0 || least < most * 0x1p-60) return most;
    int exponent;
    frexp(most, &exponent);
    most = ldexp(most, -exponent), least = ldexp(least, -exponent);
    double_double square = add_pairs_larger_first(exact_product(most, most), exact_product(least, least));
    double root = sqrt(square.hi);
    double_double back = exact_product(root, root);
    root += ((square.hi - back.hi) - back.lo + square.lo) / (2 * root);
    return ldexp(root, exponent);
}
