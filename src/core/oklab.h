/* Colours in OKLab (Ottosson 2020), which is perceptually uniform: equal distances look about equal. */
#ifndef PUDDLE_CORE_OKLAB_H
#define PUDDLE_CORE_OKLAB_H

/* A component of sRGB, 0..1, in linear light, and back. */
double pd_srgb_to_linear(double value);
double pd_linear_to_srgb(double linear);

/* rgb: red, green and blue in linear light. lab: lightness 0..1, and two axes of colour. What no screen shows has an rgb
 * outside of 0..1. */
void pd_linear_to_oklab(const double rgb[3], double lab[3]);
void pd_oklab_to_linear(const double lab[3], double rgb[3]);

#endif
