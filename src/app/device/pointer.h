/* The mouse as a tool in the world: place, velocity and the press in progress. Independent of session and window. */
#ifndef PUDDLE_APP_DEVICE_POINTER_H
#define PUDDLE_APP_DEVICE_POINTER_H

#include "render/camera.h"
#include <puddle/puddle.h>

/* State of the mouse press in the world. */
typedef enum pd_press {
    PD_PRESS_NONE,
    PD_PRESS_DRAWS,    /* The drag draws a new wall, shape, emitter or drain (draft.h) and applies no tool. */
    PD_PRESS_NEW,      /* The button is down. No step has applied the tool yet. */
    PD_PRESS_HELD,     /* The button is down. Each step applies the tool. */
    PD_PRESS_CLICKED,  /* Press and release between two steps: the next step applies the tool once. */
    PD_PRESS_RELEASED, /* The button is up. The next step applies the tool for the last time. */
} pd_press;

typedef struct pd_pointer {
    pd_press press;
    int button;                       /* SDL's number of the pressed button. */
    pd_tool_kind held_tool;           /* Tool that the press applies. PD_TOOL_NONE: no press, or PD_PRESS_DRAWS. */
    int obstacle;                     /* Index of the obstacle that PD_TOOL_MOVE drags. -1: none. */
    bool out_of_reach;                /* The press has not come within reach of the container so far. */
    bool shift;                       /* Shift was down at the last processed event. */
    unsigned buttons;                 /* Bit n: SDL's button n was down at the last processed event. */
    bool owned_by_layer;              /* A button is down whose press began on the interface. */
    bool in_window;                   /* The mouse pointer is in the window. */
    float pixel_x, pixel_y;           /* Place in the window, pixels. */
    pd_vec2 position, drawn_position; /* Places now and in the last drawn frame, m. */
    pd_vec2 press_position, release_position; /* Places where the press began and, once the button is up, ended, m. */
    pd_vec2 velocity;                         /* Velocity of the pointer, smoothed, m per second of wall time. */
    float size;                               /* Radius of the tool / `unit`. */
    float unit;                               /* Half the smaller side of the visible region, m. */
} pd_pointer;

/* Updates `position` and `unit` from the pointer's pixel, in the world that the camera shows. */
void pd_pointer_update_place(pd_pointer *pointer, const pd_view *view, const pd_camera *camera);
/* Cancels the press: no further step applies the tool. */
void pd_pointer_cancel_press(pd_pointer *pointer);
/* Cancels the press and zeroes the velocity after the world was replaced. method_size: `size` if none is set yet. Call
 * pd_pointer_update_place and pd_pointer_clear_motion afterwards. */
void pd_pointer_reset(pd_pointer *pointer, float method_size);
/* Sets `drawn_position` to `position`, so that the pointer counts as unmoved since the last frame. */
void pd_pointer_clear_motion(pd_pointer *pointer);
/* Records a button press. covered: the interface is below the pointer and owns the press until the release. Returns whether
 * the press is for the world. */
bool pd_pointer_press(pd_pointer *pointer, int button, bool covered);
/* Returns the tool that a press of `button` applies. PD_TOOL_NONE: none. left: tool selected for the left button; with Shift
 * it pulls instead of drags. */
pd_tool_kind pd_pointer_tool_kind(int button, bool shift, pd_tool_kind left);
/* Begin a press that draws an item or applies a tool. obstacle: index of the obstacle that PD_TOOL_MOVE drags. */
void pd_pointer_begin_draft(pd_pointer *pointer, int button);
void pd_pointer_begin_tool(pd_pointer *pointer, pd_tool_kind kind, int button, int obstacle);
void pd_pointer_release(pd_pointer *pointer, int button, const pd_view *view, const pd_camera *camera);
/* Returns whether a press in the world has not ended. */
bool pd_pointer_has_press(const pd_pointer *pointer);
/* Returns whether the button of the press is up. */
bool pd_pointer_is_released(const pd_pointer *pointer);
/* Updates the smoothed velocity. Call once a frame, after the events and pd_pointer_update_place. elapsed: s since the last frame;
 * at_rest: no step follows in this frame. */
void pd_pointer_update_velocity(pd_pointer *pointer, double elapsed, bool at_rest);
/* Sets *tool for step number `step` (from 0) of the `steps` steps in this frame. speed: simulated time / wall time; dye: index
 * of the material that a drag paints, or -1; poured: index of the material that pours. True: apply the same tool at
 * pointer->press_position before. */
bool pd_pointer_make_tool(pd_pointer *pointer, int step, int steps, double speed, int dye, int poured, pd_tool *tool);
/* Returns the radius of the tool, m. */
float pd_pointer_tool_radius(const pd_pointer *pointer);

#endif
