/* The mouse as a tool in the world: place, velocity and the press in progress. Independent of session and window. */
#ifndef PUDDLE_APP_DEVICE_POINTER_H
#define PUDDLE_APP_DEVICE_POINTER_H

#include "render/camera.h"
#include <puddle/puddle.h>

/* The press in the world. */
typedef enum pd_press {
    PD_PRESS_NONE,
    PD_PRESS_DRAWS,    /* The press draws a draft (draft.h); no tool is held. */
    PD_PRESS_NEW,      /* No step has applied the tool yet. */
    PD_PRESS_HELD,     /* Each step applies the tool. */
    PD_PRESS_CLICKED,  /* The button is up before a step: the next step applies the whole press. */
    PD_PRESS_RELEASED, /* The button is up: the next step applies the tool for the last time. */
} pd_press;

typedef struct pd_pointer {
    pd_press press;
    int button;              /* SDL's number of the button of the press. */
    pd_tool_kind held;       /* Tool of the press. PD_TOOL_NONE: no press, or a draft. */
    int obstacle;            /* Obstacle that the press has grabbed. -1: none. */
    bool shift;              /* Shift is down, as of the events processed so far. */
    unsigned buttons;        /* Bit n: SDL's button n is down, as of the events processed so far. */
    bool owned_by_panel;     /* A press that began on a layer has not ended. */
    bool present;            /* The pointer is in the window. */
    float pixel_x, pixel_y;  /* Present place, pixels. */
    pd_vec2 position, drawn; /* Place now and in the previous frame, m. */
    pd_vec2 pressed, ended;  /* Where the press began, and where it ended if the button is up, m. */
    pd_vec2 velocity;        /* Smoothed velocity, m/s of wall time. */
    float size;              /* Radius of the tool over `unit`. */
    float unit;              /* Half the smaller side of the visible region, m. */
} pd_pointer;

/* Updates the place in the world that the camera shows. */
void pd_pointer_locate(pd_pointer *pointer, const pd_view *view, const pd_camera *camera);
/* Ends the press without further effect. */
void pd_pointer_end(pd_pointer *pointer);
/* Ends the press, and the motion. method_size: initial pd_pointer.size. pd_pointer_locate and pd_pointer_rest follow. */
void pd_pointer_drop(pd_pointer *pointer, float method_size);
/* Sets the place of the previous frame to the present one. */
void pd_pointer_rest(pd_pointer *pointer);
/* covered: a layer owns the press until it ends. Returns whether the press is for the world. */
bool pd_pointer_press(pd_pointer *pointer, int button, bool covered);
/* Returns the tool of a press of that button; PD_TOOL_NONE: none. left: tool of the left button; Shift makes a drag pull. */
pd_tool_kind pd_pointer_kind(int button, bool shift, pd_tool_kind left);
/* Begins a press at the pointer: a draft, or a tool. obstacle: the obstacle that PD_TOOL_MOVE grabs. */
void pd_pointer_begin_draft(pd_pointer *pointer, int button);
void pd_pointer_begin_tool(pd_pointer *pointer, pd_tool_kind kind, int button, int obstacle);
void pd_pointer_release(pd_pointer *pointer, int button, const pd_view *view, const pd_camera *camera);
/* Returns whether a press in the world has not ended. */
bool pd_pointer_is_busy(const pd_pointer *pointer);
/* Returns whether the button of the press is up. */
bool pd_pointer_is_released(const pd_pointer *pointer);
/* Call once a frame, after the events and pd_pointer_locate. at_rest: no step follows. */
void pd_pointer_update(pd_pointer *pointer, double elapsed, bool at_rest);
/* Sets the tool for step `step` (from 0) of `steps` in this frame. speed: simulated over wall time; dye: material that a
 * drag paints, or -1; poured: the material that pours. True: the same tool at pointer->pressed comes first. */
bool pd_pointer_tool(pd_pointer *pointer, int step, int steps, double speed, int dye, int poured, pd_tool *tool);
/* Returns the radius of the tool, m. */
float pd_pointer_radius(const pd_pointer *pointer);

#endif
