/* The loop of the window, which owns session, viewport and device. */
#ifndef PUDDLE_APP_LOOP_H
#define PUDDLE_APP_LOOP_H

#include "app/app.h"
#include "app/device.h"
#include "app/overlay/interface.h"

typedef union SDL_Event SDL_Event;

typedef struct pd_app {
    pd_app_options options;
    pd_session session;
    pd_viewport viewport;
    pd_device device;
    bool running;
    int redraw; /* Frames to draw although the world rests. */
    int layout; /* Frames until the layout is printed. 0: none is requested. */
    long long frames;
    pd_result result; /* First failure of the run. */
    pd_error *error;
} pd_app;

/* app.c */
/* Sets up an app without a world and without a window. */
void pd_app_init(pd_app *app, const pd_app_options *options);
/* Returns what the layers of the screen read and change. */
pd_screen pd_app_screen(pd_app *app);
/* Performs an action of a key or a button on the part that the action changes. */
void pd_app_act(pd_app *app, pd_action action, int argument);
/* Fails the run with an error; the first one counts. It is shown now, and printed on standard error when the run ends. */
void pd_app_fail(pd_app *app, pd_result result, const pd_error *error);
/* Updates where the pointer is in the world. */
void pd_app_locate(pd_app *app);
/* While the time line is dragged: sets its goal to the place of the pointer. */
void pd_app_aim_seek(pd_app *app);

/* input.c */
void pd_app_event(pd_app *app, const SDL_Event *event);
/* Returns whether the program is about to quit, by a signal or an event still in the queue: no long work begins then.
 * The events stay in the queue. False in doubt, as when Escape may close a menu. */
bool pd_app_quitting(pd_app *app);

#endif
