/* Elementary functions with the same bits on every machine, for all that a simulation's state depends on: those of libm
 * differ in the last bit between its versions and between processors (glibc picks variants with fused multiply-add at run
 * time). The functions of libm that have exact or correctly rounded results (sqrt, floor, fmod, ldexp, ...) are used as they
 * are; scripts/check-includes.sh lists them.
 *
 * The functions of doubles are correctly rounded for all but one argument in many thousands; results below 2^-1022 may be
 * wrong by one unit in the last place. Those of floats round the result in double. Arguments that are infinite or NaN have
 * the results of C17 Annex F, but for pd_pow of a base below 0. */
#ifndef PUDDLE_CORE_MATH_H
#define PUDDLE_CORE_MATH_H

#include <math.h>

/* Angles in radians, of any size. */
double pd_sin(double angle);
double pd_cos(double angle);
double pd_atan2(double y, double x);

double pd_exp(double x);
/* exp(x) - 1 */
double pd_expm1(double x);
/* NaN below 0. */
double pd_log(double x);
double pd_log10(double x);
/* base^exponent; NaN for every base below 0. */
double pd_pow(double base, double exponent);

double pd_cbrt(double x);
/* sqrt(x^2 + y^2), without overflow in between. */
double pd_hypot(double x, double y);

float pd_expf(float x);
static inline float pd_sinf(float angle) { return (float)pd_sin((double)angle); }
static inline float pd_cosf(float angle) { return (float)pd_cos((double)angle); }
static inline float pd_expm1f(float x) { return (float)pd_expm1((double)x); }
static inline float pd_powf(float base, float exponent) { return (float)pd_pow((double)base, (double)exponent); }
/* The squares of floats are exact in double. */
static inline float pd_hypotf(float x, float y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    return (float)sqrt((double)x * (double)x + (double)y * (double)y);
}

#endif
