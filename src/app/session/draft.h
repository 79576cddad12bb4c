/* Drafts: geometry of a mouse drag that draws an item. The release makes a wall, a shape, a body, an emitter, a drain or a
 * joint from the draft. The header also has the other states of a mouse press. */
#ifndef PUDDLE_APP_SESSION_DRAFT_H
#define PUDDLE_APP_SESSION_DRAFT_H

#include "app/tables/tools.h"

typedef struct pd_draft {
    bool active;       /* a drag is in progress */
    pd_bar_tool tool;  /* kind of the drawn item */
    int shape;         /* choice of the tool: a shape, or the type of a joint */
    bool straight;     /* Shift is down: a wall is one straight line, and the last side of a polygon is straight */
    pd_vec2 from, to;  /* begin and present end of the drag, m */
    float size;        /* radius of the tool, which the wheel changes, m */
    float angle;       /* angle of a drawn box, degrees counterclockwise */
    float unit;        /* half the smaller side of the view, m (pd_pointer.unit) */
    float speed_scale; /* pd_view.speed_scale of the world, m/s */
    pd_vec2 down;      /* direction of an emitter made by a click: gravity, of any length */
    pd_vec2 points[PD_MAX_POINTS]; /* points of a freehand wall or polygon, m; the last point is `to` */
    int count;                     /* number of points */
} pd_draft;

/* Kind of item of the scene that the tools Move and Erase can hit. */
typedef enum pd_item_kind { PD_ITEM_NONE, PD_ITEM_OBSTACLE, PD_ITEM_BODY, PD_ITEM_EMITTER, PD_ITEM_DRAIN } pd_item_kind;
typedef struct pd_item {
    pd_item_kind kind; /* list of the scene that has the item */
    int index;         /* index in the list; -1: no item */
} pd_item;

/* Mouse press of the tool Move or Erase. All zero: no press. */
typedef struct pd_grab {
    pd_item item;       /* item that moves with the pointer */
    bool erases;        /* the press removes the items along the pointer's path (Erase) */
    pd_vec2 position;   /* last position of the pointer, m */
    pd_vec2 offset;     /* vector from the pointer to the position of the emitter or drain, m */
    float hit_distance; /* largest distance between pointer and item that counts as a hit, m */
    /* Erase has removed a joint at joint_place, m. Bodies near this place are not removed by the same press. */
    bool removed_joint;
    pd_vec2 joint_place;
} pd_grab;

/* The body whose values the panel shows. All zero: none. */
typedef struct pd_selected_body {
    int number;             /* 1 + index of the body; 0: none */
    char name[PD_MAX_NAME]; /* name of the body when it was selected; another name at this index ends the selection */
} pd_selected_body;

/* End of a joint that a drag draws: a point that moves with a body, or a place in the world. */
typedef struct pd_joint_end {
    int body;         /* index of the body; -1: the world */
    double x, y;      /* position relative to the body's centroid, m; in the world: position, m */
    double from_turn; /* angle of the body when the end was set, degrees */
} pd_joint_end;

/* Begins a drag at the point `begin`. The caller sets tool, shape, size, unit, speed_scale and down before. */
void pd_draft_begin(pd_draft *draft, pd_vec2 begin);
/* Moves the end of the drag. Adds a point to a freehand line when the end is far enough from the previous point. */
void pd_draft_move(pd_draft *draft, pd_vec2 end, bool straight);
/* Returns whether a freehand wall has PD_MAX_POINTS. The caller then adds the wall and begins a new draft at the wall's end. */
bool pd_draft_is_full(const pd_draft *draft);
/* Returns whether the drag is so short that it counts as a click. */
bool pd_draft_is_click(const pd_draft *draft);
/* Returns the thickness of a drawn wall, m. tool_radius: m. */
float pd_draft_wall_thickness(float tool_radius);
/* Returns the length of the arrow that shows an emitter's speed, m. speed, speed_scale: m/s; unit: pd_draft.unit. */
float pd_draft_emitter_arrow_length(float speed, float speed_scale, float unit);
/* Makes the area of a wall, shape or body from a draft. points: array of PD_MAX_POINTS that the area refers to; may be NULL for
 * circles and boxes. Loops of a polygon that crosses itself are removed. False: the draft is too small. */
bool pd_draft_make_area(const pd_draft *draft, pd_area *area, pd_vec2 *points);
/* Makes a circular drain from a draft. False: the draft is too small. */
bool pd_draft_make_drain(const pd_draft *draft, pd_drain *drain);
/* Makes an emitter from a draft. The caller sets the emitter's rate and material. */
void pd_draft_make_emitter(const pd_draft *draft, pd_emitter *emitter);

/* ---- Strokes: freehand lines ---- */

/* Resamples a stroke at equal distances of at least `spacing` (m), and smooths tremor over about 1.2 spacings. The end points
 * stay. smoothed: receives the points; capacity: room in `smoothed`, at least 2. Returns the number of points written. */
int pd_stroke_smooth(const pd_vec2 *points, int count, float spacing, pd_vec2 *smoothed, int capacity);
/* Removes the smaller loop at each crossing of two sides of a closed polygon. count: at most PD_MAX_POINTS. Returns the number
 * of remaining points. 0: fewer than 3 points remain, or the polygon has more than 256 crossings. */
int pd_stroke_remove_loops(pd_vec2 *points, int count);

#endif
