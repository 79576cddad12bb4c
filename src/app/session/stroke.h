/* Freehand strokes as few points. Geometry alone. */
#ifndef PUDDLE_APP_SESSION_STROKE_H
#define PUDDLE_APP_SESSION_STROKE_H

#include <puddle/scene.h>

/* The length of a line through points, m. */
float pd_stroke_length(const pd_vec2 *points, int count);
/* Puts at most `most` points, `spacing` (m) apart or more, on the line through `count` points, and moves each towards the middle of
 * its neighbours: what a hand's tremor and the grid of pixels leave is smoothed over about 1.2 spacings. The ends stay. Returns how
 * many; smooth: room for `most`, at least 2. */
int pd_stroke_smooth(const pd_vec2 *points, int count, float spacing, pd_vec2 *smooth, int most);
/* Keeps, in place, as few of the points as Ramer, Douglas and Peucker do: none of those left out is farther than `tolerance` (m)
 * from the line through those that stay. count: at most PD_MAX_POINTS. Returns how many stay. (Ramer 1972, "An iterative procedure
 * for the polygonal approximation of plane curves".) Cost: O(count log count), at worst its square. */
int pd_stroke_simplify(pd_vec2 *points, int count, float tolerance);
/* Makes a polygon of a closed outline, in place: where two sides cross it keeps the loop of the larger area. Returns how many
 * points stay; 0: none is left, or there are more crossings than a hand makes (256). count: at most PD_MAX_POINTS. */
int pd_stroke_loop(pd_vec2 *points, int count);

#endif
