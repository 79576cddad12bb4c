/* Drafts: geometry of a drag with the mouse. The release turns a draft into a wall, a shape, an emitter or a drain. */
#ifndef PUDDLE_APP_SESSION_DRAFT_H
#define PUDDLE_APP_SESSION_DRAFT_H

#include "app/tables/tools.h"

typedef struct pd_draft {
    bool active; /* a drag draws now */
    pd_bar_tool tool;
    int shape;                     /* shape drawn by PD_BAR_SHAPE: PD_CHOICE_CIRCLE, ... */
    bool straight;                 /* Shift is down: a wall is one line, the last side of a polygon is straight */
    pd_vec2 from, to;              /* begin and end of the drag, m */
    float size;                    /* radius of the tool, set by the wheel, m */
    float angle;                   /* angle of a box, degrees counterclockwise */
    float unit;                    /* half the smaller side of the visible region, m */
    float speed_scale;             /* pd_view.speed_scale of the world, m/s */
    pd_vec2 down;                  /* direction of gravity, of any length */
    pd_vec2 points[PD_MAX_POINTS]; /* points of the drawn wall or polygon, m; the last one is `to` */
    int count;                     /* points */
} pd_draft;

/* Begins a drag at the place `at`. Set tool, shape, size, unit, speed and down before. */
void pd_draft_begin(pd_draft *draft, pd_vec2 begin);
/* Moves the end of the drag to the place `at`. */
void pd_draft_move(pd_draft *draft, pd_vec2 end, bool straight);
/* Returns whether a wall has PD_MAX_POINTS. Then the caller adds the wall and begins the next draft at its end. */
bool pd_draft_is_full(const pd_draft *draft);
/* Returns whether the drag is so short that it counts as a click. */
bool pd_draft_is_click(const pd_draft *draft);
/* Returns the thickness of a drawn wall, m. size: radius of the tool, m. */
float pd_draft_wall_thickness(float tool_radius);
/* Returns the length of the arrow that shows an emitter's speed, m. speed, speed_scale: m/s; unit: pd_draft.unit. */
float pd_draft_emitter_arrow_length(float speed, float speed_scale, float unit);
/* Rounds coordinates to a ten-thousandth of `scale` or less, for readable scene files. */
pd_vec2 pd_draft_round_point(pd_vec2 point, float scale);
/* Moves points so that the middle of their bounding box is at the origin. Returns the former middle. */
pd_vec2 pd_draft_center_points(pd_vec2 *points, int count);
/* Turns a draft of a wall or shape into an obstacle. points: room for PD_MAX_POINTS, which the obstacle uses; NULL for circles
 * and boxes. A polygon that crosses itself loses its smaller loop. False: the draft is too small. */
bool pd_draft_make_obstacle(const pd_draft *draft, pd_obstacle *obstacle, pd_vec2 *points);
/* Turns a draft into a drain. False: the draft is too small. */
bool pd_draft_make_drain(const pd_draft *draft, pd_drain *drain);
/* Turns a draft into an emitter. The caller sets rate and material. */
void pd_draft_make_emitter(const pd_draft *draft, pd_emitter *emitter);

/* ---- Strokes: freehand lines ---- */

/* Returns the length of the polyline through the points, m. */
float pd_stroke_length(const pd_vec2 *points, int count);
/* Resamples a stroke at distances of at least `spacing` (m) and smooths tremor over about 1.2 spacings. Both ends stay. smooth:
 * receives the points; most: room in `smooth`, at least 2. Returns the number of points. */
int pd_stroke_smooth(const pd_vec2 *points, int count, float spacing, pd_vec2 *smoothed, int capacity);
/* Removes points that are nearer than `tolerance` (m) to the line through the remaining points (Ramer 1972, "An iterative
 * procedure for the polygonal approximation of plane curves"). count: at most PD_MAX_POINTS. Returns the number of points left.
 * Cost: O(count log count), at worst O(count^2). */
int pd_stroke_simplify(pd_vec2 *points, int count, float tolerance);
/* Removes the smaller loop at each crossing of two sides of a closed polygon. count: at most PD_MAX_POINTS. Returns the number
 * of points left. 0: no points are left, or more than 256 crossings. */
int pd_stroke_remove_loops(pd_vec2 *points, int count);

#endif
