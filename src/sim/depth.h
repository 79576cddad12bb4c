/* Relative depth of the fluid (pd_resolution.relative_depth): the weight of the present fluid's column, from which stiffness
 * and substeps in deep water are computed.
 *
 * The height of the fluid is H = min(sqrt(12) sd_h, A / (sqrt(12) sd_w)). sd_h, sd_w: standard deviations of the particles'
 * coordinates along gravity and across it. A: number of particles x spacing^2. A full rectangle of the height H gives H by
 * both terms, wherever it lies. The second term excludes the air between falling parts of the fluid. */
#ifndef PUDDLE_SIM_DEPTH_H
#define PUDDLE_SIM_DEPTH_H

#include <puddle/world.h>

/* Sets the relative depth to that of the present particles, and updates the parameters. */
void pd_depth_measure(pd_world *world);
/* Moves the relative depth towards that of the present particles, over the time of a step, with a time constant of 0.5 s:
 * defaults change without a jump. Updates the parameters if they change. */
void pd_depth_follow(pd_world *world);

/* Returns the height of the fluid that corresponds to the relative depth, m. 0: no gravity or no fluid. */
float pd_depth_height(const pd_world *world);

#endif
