/* Drafts: the shape of a drag, from which the release makes a wall, a shape, an emitter or a drain. Geometry alone. */
#ifndef PUDDLE_APP_SESSION_DRAFT_H
#define PUDDLE_APP_SESSION_DRAFT_H

#include "app/tables/tools.h"

typedef struct pd_draft {
    bool active;
    pd_bar_tool tool;
    int shape;                     /* of PD_BAR_SHAPE: PD_CHOICE_CIRCLE, ... */
    bool straight;                 /* Shift: the wall is one line; the last side of a polygon is straight */
    pd_vec2 from, to;              /* ends of the drag, m */
    float size;                    /* radius of the tool, m: the wheel sets it */
    float angle;                   /* of a box, degrees counterclockwise */
    float unit;                    /* half the smaller side of the visible region, m */
    float speed;                   /* scale of speeds, pd_view.speed_scale, m/s */
    pd_vec2 down;                  /* direction of gravity, of any length */
    pd_vec2 points[PD_MAX_POINTS]; /* of a wall or polygon as drawn, m; the last one is `to` */
    int count;
} pd_draft;

/* Begins a drag at a place. Set tool, shape, size, unit, speed and down before. */
void pd_draft_begin(pd_draft *draft, pd_vec2 at);
void pd_draft_move(pd_draft *draft, pd_vec2 at, bool straight);
/* Whether a wall has PD_MAX_POINTS: make it, and begin the next one at its end. */
bool pd_draft_is_full(const pd_draft *draft);
/* Whether the drag is too short to be more than a click. */
bool pd_draft_is_click(const pd_draft *draft);
/* Returns the thickness of a wall for a radius of the tool, m. */
float pd_draft_thickness(float size);
/* Returns the length of an emitter's arrow, m. speed_scale: pd_view.speed_scale, m/s; unit: pd_draft.unit. */
float pd_draft_arrow(float speed, float speed_scale, float unit);
/* Rounds to a ten-thousandth of `scale` or less, for scene files. */
pd_vec2 pd_draft_rounded_point(pd_vec2 point, float scale);
/* Moves points so that the middle of the box around them is at the origin. Returns the former place of the middle. */
pd_vec2 pd_draft_center_points(pd_vec2 *points, int count);
/* Makes the obstacle of a wall or shape. `points` receives its points (PD_MAX_POINTS; NULL for circles and boxes). A polygon is closed
 * from its last point to the first; if it crosses itself, the larger loop stays. False: too small. */
bool pd_draft_obstacle(const pd_draft *draft, pd_obstacle *obstacle, pd_vec2 *points);
/* Makes a drain. False: too small. */
bool pd_draft_drain(const pd_draft *draft, pd_drain *drain);
/* Makes an emitter without rate and material. */
void pd_draft_emitter(const pd_draft *draft, pd_emitter *emitter);

/* ---- Strokes: freehand lines as few points ---- */

/* Returns the length of a line through points, m. */
float pd_stroke_length(const pd_vec2 *points, int count);
/* Resamples a line at distances of at least `spacing` (m), and smooths the tremor of the hand over about 1.2 spacings. The ends stay.
 * `smooth` has room for `most` points, at least 2. Returns their number. */
int pd_stroke_smooth(const pd_vec2 *points, int count, float spacing, pd_vec2 *smooth, int most);
/* Removes points that are nearer than `tolerance` (m) to the line through the others (Ramer 1972, "An iterative procedure for the
 * polygonal approximation of plane curves"). count: at most PD_MAX_POINTS. Returns the number of points left. Cost: O(count log
 * count), at worst O(count^2). */
int pd_stroke_simplify(pd_vec2 *points, int count, float tolerance);
/* Removes the smaller loop wherever two sides of a closed outline cross. count: at most PD_MAX_POINTS. Returns the number of points
 * left; 0: none, or more than 256 crossings. */
int pd_stroke_loop(pd_vec2 *points, int count);

#endif
