/* The mouse as a tool in the world. */
#ifndef PUDDLE_APP_POINTER_H
#define PUDDLE_APP_POINTER_H

#include <puddle/puddle.h>

typedef struct pd_pointer {
    pd_tool_kind held;       /* tool of the pressed button */
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
    int obstacle;            /* that a press on it has taken hold of */
    float size;              /* radius of the tool over unit */
    float unit;              /* m: half the smaller side of the visible region */
} pd_pointer;

#endif
