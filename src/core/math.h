/* Elementary functions with the same bits on every machine, for everything that a simulation's state depends on.
 *
 * libm differs in the last bit between its versions and between processors (glibc selects fused multiply-add at run
 * time). Only its exact or correctly rounded functions are used (sqrt, floor, fmod, ldexp, ...);
 * scripts/check-includes.sh lists them.
 *
 * Functions of doubles are correctly rounded for all but one argument in many thousands. Results below 2^-1022 may be
 * wrong by one unit in the last place. Functions of floats round the double result. Infinite and NaN arguments give the
 * results of C17 Annex F, except pd_pow with a base below 0. */
#ifndef PUDDLE_CORE_MATH_H
#define PUDDLE_CORE_MATH_H

#include <math.h>

/* Angles are in radians, of any size. */
double pd_sin(double angle);
double pd_cos(double angle);
double pd_atan2(double y, double x);

double pd_exp(double x);
/* Returns exp(x) - 1. */
double pd_expm1(double x);
/* Returns the decimal logarithm, NaN for x < 0. */
double pd_log10(double x);
/* Returns base^exponent, NaN for base < 0. */
double pd_pow(double base, double exponent);

double pd_cbrt(double x);
/* Returns sqrt(x^2 + y^2) without intermediate overflow. */
double pd_hypot(double x, double y);

float pd_expf(float x);
static inline float pd_sinf(float angle) { return (float)pd_sin((double)angle); }
static inline float pd_cosf(float angle) { return (float)pd_cos((double)angle); }
static inline float pd_expm1f(float x) { return (float)pd_expm1((double)x); }
static inline float pd_powf(float base, float exponent) { return (float)pd_pow((double)base, (double)exponent); }
/* Returns sqrt(x^2 + y^2), computed in double precision, where squares of floats are exact. */
static inline float pd_hypotf(float x, float y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    return (float)sqrt((double)x * (double)x + (double)y * (double)y);
}

#endif
