/* The mouse as a tool in the world: position, velocity and the press in progress. Needs neither session nor window. */
#ifndef PUDDLE_APP_DEVICE_POINTER_H
#define PUDDLE_APP_DEVICE_POINTER_H

#include "render/picture.h"
#include <puddle/puddle.h>

/* State of the mouse press in the world. */
typedef enum pd_press {
    PD_PRESS_NONE,
    PD_PRESS_DRAWS, /* The button is down. The drag draws a wall, shape, emitter or drain (draft.h) and applies no tool. */
    PD_PRESS_NEW,      /* The button is down. No step has applied the tool yet. */
    PD_PRESS_HELD,     /* The button is down. Each step applies the tool. */
    PD_PRESS_CLICKED,  /* The button was pressed and released between two steps. The next step applies the tool once. */
    PD_PRESS_RELEASED, /* The button is up. The next step applies the tool for the last time, at release_position. */
} pd_press;

typedef struct pd_pointer {
    pd_press press; /* State of the press in the world. */
    int button;     /* SDL's number of the pressed button. */
    /* Tool that the press applies in each step. PD_TOOL_NONE if `press` is PD_PRESS_NONE or PD_PRESS_DRAWS. */
    pd_tool_kind held_tool;
    int obstacle;                             /* Index of the obstacle that PD_TOOL_MOVE drags. -1: none. */
    bool out_of_reach;                        /* The tool has been too far from the container to act since the press. */
    bool shift, control;                      /* Shift and Ctrl were down at the last processed event. */
    unsigned buttons;                         /* Bit n: SDL's button n was down at the last processed event. */
    bool owned_by_layer;                      /* A button that was pressed on the interface is still down. */
    bool in_window;                           /* The mouse pointer is in the window. */
    float pixel_x, pixel_y;                   /* Position in the window, pixels. */
    pd_vec2 position;                         /* Present position in the world, m. */
    pd_vec2 drawn_position;                   /* Position of the tool when the last frame was drawn, m. */
    pd_vec2 press_position, release_position; /* Positions in the world where the press began and ended, m. */
    pd_vec2 velocity;                         /* Smoothed velocity of the pointer, m per second of wall time. */
    float size;                               /* Radius of the tool, in units of `unit`. */
    float unit;                               /* (Half the smaller side of the view) / zoom factor, m. */
} pd_pointer;

/* Updates `position` and `unit` from pixel_x and pixel_y, in the view that the camera shows. Tools have the same size in
 * pixels at every zoom factor. */
void pd_pointer_update_position(pd_pointer *pointer, const pd_view *view, const pd_camera *camera);
/* Cancels the press: no further step applies the tool. */
void pd_pointer_cancel_press(pd_pointer *pointer);
/* Cancels the press and zeroes the velocity after the world was replaced. Sets `size` to default_size if `size` is unset. Call
 * pd_pointer_update_position and pd_pointer_end_frame afterwards. */
void pd_pointer_reset(pd_pointer *pointer, float default_size);
/* Records a button press. over_interface: the pointer is over the interface, to which the press belongs until the release.
 * Returns whether the press is for the world. */
bool pd_pointer_record_press(pd_pointer *pointer, int button, bool over_interface);
/* Returns the tool that a press of `button` applies. PD_TOOL_NONE: none. left_tool: tool selected for the left button. With
 * Shift, PD_TOOL_DRAG becomes PD_TOOL_PULL. */
pd_tool_kind pd_pointer_tool_of_button(int button, bool shift, pd_tool_kind left_tool);
/* Begins a press that draws a new item. */
void pd_pointer_begin_draft(pd_pointer *pointer, int button);
/* Begins a press that applies a tool. obstacle: index of the obstacle that PD_TOOL_MOVE drags, or -1. */
void pd_pointer_begin_tool(pd_pointer *pointer, pd_tool_kind kind, int button, int obstacle);
/* Records the release of a button, and the position in the view where the press ended. */
void pd_pointer_record_release(pd_pointer *pointer, int button, const pd_view *view, const pd_camera *camera);
/* Returns whether a press in the world lasts: its button is down. */
bool pd_pointer_has_press(const pd_pointer *pointer);
/* Updates `velocity`. Call once a frame, after the events and pd_pointer_update_position. elapsed: s since the last frame;
 * no_step_follows: no step follows in this frame, so a released press ends now. */
void pd_pointer_update_velocity(pd_pointer *pointer, double elapsed, bool no_step_follows);
/* Ends a frame: the next frame's tool continues from here. */
void pd_pointer_end_frame(pd_pointer *pointer);
/* Sets *tool for a step, and ends a released press. The tool of step i of n is at part (i + 1) / n of the pointer's way since
 * the last frame. step: i, from 0; step_count: n, the number of steps that the frame is expected to make; speed: simulated
 * time / wall time; painted_material: index of the material that a drag paints, or -1; poured_material: index of the material
 * that pours. True: the tool must first be applied at pointer->press_position. */
bool pd_pointer_make_tool(pd_pointer *pointer, int step, int step_count, double speed, int painted_material,
                          int poured_material, pd_tool *tool);
/* Returns the radius of the tool, m. */
float pd_pointer_tool_radius(const pd_pointer *pointer);

#endif
