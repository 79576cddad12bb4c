/* What a drag draws, until its end makes it: a wall, a shape, an emitter or a drain. Knows neither session nor window. */
#ifndef PUDDLE_APP_SESSION_DRAFT_H
#define PUDDLE_APP_SESSION_DRAFT_H

#include "app/tables/tools.h"

typedef struct pd_draft {
    bool active;
    pd_bar_tool tool;
    int shape;        /* a circle, a box or a polygon (PD_CHOICE_CIRCLE, ...) */
    bool straight;    /* the wall goes straight from its first point to its last; of a polygon, the last side */
    pd_vec2 from, to; /* m: of the drag */
    float size;       /* m: that the wheel sets, the radius of the other tools */
    float angle;      /* degrees counterclockwise: of a box */
    float unit;       /* m: half the smaller side of the visible region */
    float speed;      /* m/s: the scale of speeds, pd_view.speed_scale */
    pd_vec2 down;     /* the direction of gravity */
    pd_vec2 points[PD_MAX_POINTS]; /* m: of a wall or polygon, as drawn; the last one is `to` */
    int count;
} pd_draft;

/* Sets tool, size, unit and the like before; the drag begins here. */
void pd_draft_begin(pd_draft *draft, pd_vec2 at);
void pd_draft_move(pd_draft *draft, pd_vec2 at, bool straight);
/* The wall has as many points as it can: it must be made, and a new one begin at its end. */
bool pd_draft_is_full(const pd_draft *draft);
/* m: of a wall, with a tool of this size (m). */
float pd_draft_thickness(float size);
/* m: the arrow of an emitter. speed_scale: pd_view.speed_scale, m/s; unit: as of a draft. */
float pd_draft_arrow(float speed, float speed_scale, float unit);
/* m: of an emitter's mouth. */
float pd_draft_width(float size);
/* For people to read, as in what is saved: to a ten-thousandth of `scale` or less. */
pd_vec2 pd_draft_rounded_point(pd_vec2 point, float scale);
/* Moves points so that the middle of the box around them is at the origin. Returns where that was. */
pd_vec2 pd_draft_center_points(pd_vec2 *points, int count);
/* The drag has been too short to be more than a click. */
bool pd_draft_is_click(const pd_draft *draft);
/* It is drawn freehand: a wall, or a polygon. */
bool pd_draft_is_freehand(const pd_draft *draft);
/* What the drag makes. False: it is too small. An obstacle's points are in `points`, which has room for PD_MAX_POINTS (of circles
 * and boxes it may be NULL); an emitter comes without rate and material. The last point of a polygon is joined to the first, and of
 * an outline that crosses itself the larger loop is kept: a hand that closes one nearly always overshoots. */
bool pd_draft_obstacle(const pd_draft *draft, pd_obstacle *obstacle, pd_vec2 *points);
bool pd_draft_drain(const pd_draft *draft, pd_drain *drain);
void pd_draft_emitter(const pd_draft *draft, pd_emitter *emitter);

/* ---- Strokes ---- */

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
