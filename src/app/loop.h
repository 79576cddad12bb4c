/* The loop: the one place that holds session, viewport and device, and passes to each what it needs of the others. */
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
    int redraw; /* frames to draw even when nothing moves */
    int layout; /* frames until the layout is printed; 0: it is not wanted */
    long long frames;
    pd_result result; /* of the run: its first failure */
    pd_error *error;
} pd_app;

/* app.c */
/* Without a world, and without a window. */
void pd_app_init(pd_app *app, const pd_app_options *options);
/* Performs an action of a key or a button on the part that it is about. */
void pd_app_act(pd_app *app, pd_action action, int argument);
/* An error that fails the run (the first one counts): shown now, printed on standard error when the run ends. */
void pd_app_fail(pd_app *app, pd_result result, const pd_error *error);
/* Where the pointer is in the world. */
void pd_app_locate(pd_app *app);
/* While the time line is dragged: its goal is where the pointer is. */
void pd_app_aim_seek(pd_app *app);
/* Whether the interface is under the pointer. */
bool pd_app_covered(const pd_app *app);

/* input.c */
void pd_app_event(pd_app *app, const SDL_Event *event);
/* True when the program is about to quit, by a signal or by an event that is still in the queue: no long work is begun
 * then. The events stay in the queue. False in doubt, as when Escape may close a menu. */
bool pd_app_quitting(pd_app *app);

#endif
