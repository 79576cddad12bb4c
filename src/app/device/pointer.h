/* The mouse as a tool in the world: what is pressed, where, and how it moves. Knows neither session nor window. */
#ifndef PUDDLE_APP_DEVICE_POINTER_H
#define PUDDLE_APP_DEVICE_POINTER_H

#include "render/camera.h"
#include <puddle/puddle.h>

typedef struct pd_pointer {
    pd_tool_kind held;       /* tool of the pressed button */
    bool draws;              /* the pressed button draws what its release makes (draft.h); then no tool is held */
    bool shift;              /* it is down, as of the events taken so far */
    int button;              /* SDL's number of that button */
    unsigned buttons;        /* bit n: SDL's button n is down, from the events taken so far */
    bool owned_by_panel;     /* a press that began on the panel has not ended */
    bool present;            /* it is in the window */
    bool inside;             /* the pointer is over the picture */
    bool released;           /* the button is up, but the press has not been applied to a step yet */
    float pixel_x, pixel_y;  /* current position */
    pd_vec2 position, drawn; /* m: now, and in the previous frame */
    pd_vec2 pressed, ended;  /* m: where the press began; where the button was released, if `released` */
    bool begun;              /* the press has been applied to a step */
    pd_vec2 velocity;        /* m/s of wall time, smoothed */
    int obstacle;            /* that a press on it has taken hold of; -1: none */
    float size;              /* radius of the tool over unit */
    float unit;              /* m: half the smaller side of the visible region */
} pd_pointer;

/* Where it is in the world, which the camera shows. */
void pd_pointer_locate(pd_pointer *pointer, const pd_view *view, const pd_camera *camera);
/* Drops what it holds. method_size: pd_pointer.size to begin with, or 0. pd_pointer_locate and pd_pointer_rest follow. */
void pd_pointer_drop(pd_pointer *pointer, float method_size);
/* It has not moved since the last frame. */
void pd_pointer_rest(pd_pointer *pointer);
/* covered: by the interface, which then owns the press until it ends. True: the press is for the world. */
bool pd_pointer_press(pd_pointer *pointer, int button, bool covered);
/* What a press of that button is; PD_TOOL_NONE: nothing. left: what the left one does, with Shift only a drag differs. */
pd_tool_kind pd_pointer_kind(int button, bool shift, pd_tool_kind left);
/* The press begins where the pointer is: it draws, or it is a tool. obstacle: that it takes hold of, of PD_TOOL_MOVE. */
void pd_pointer_draw(pd_pointer *pointer, int button);
void pd_pointer_hold(pd_pointer *pointer, pd_tool_kind kind, int button, int obstacle);
void pd_pointer_release(pd_pointer *pointer, int button, const pd_view *view, const pd_camera *camera);
/* A press in the world has not ended. */
bool pd_pointer_is_busy(const pd_pointer *pointer);
/* Once a frame, after the events and pd_pointer_locate. covered: as of a press; at_rest: no step will be made. */
void pd_pointer_update(pd_pointer *pointer, double elapsed, bool covered, bool at_rest);
/* The tool for step `step` (from 0) of `steps` in this frame. speed: simulated over wall time; dye: that a drag paints,
 * or -1; poured: the material that pours. True: before it the press is to be applied, the same tool at pointer->pressed. */
bool pd_pointer_tool(pd_pointer *pointer, int step, int steps, double speed, int dye, int poured, pd_tool *tool);
/* Its radius, m. */
float pd_pointer_radius(const pd_pointer *pointer);

#endif
