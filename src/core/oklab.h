/* OKLab colours (Ottosson 2020), a perceptually uniform space: equal distances look about equal. */
#ifndef PUDDLE_CORE_OKLAB_H
#define PUDDLE_CORE_OKLAB_H

/* Convert a component of sRGB, 0..1, to linear light and back. */
double pd_srgb_to_linear(double value);
double pd_linear_to_srgb(double linear);

/* Convert linear light (red, green, blue) to OKLab (lightness 0..1, two colour axes) and back. For colours that no
 * screen can show, rgb is outside of 0..1. */
void pd_linear_to_oklab(const double rgb[3], double lab[3]);
void pd_oklab_to_linear(const double lab[3], double rgb[3]);

#endif
