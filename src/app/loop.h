/* State of the running window: session, viewport and device. app.c has the main loop, input.c the events. */
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
    int redraw;       /* Frames still to draw although nothing changes. */
    int layout;       /* Frames until F10's list of widgets is printed. 0: not requested. */
    long long frames; /* Frames drawn. */
    pd_result result; /* First error that makes the run fail. PD_OK: none. */
    pd_error *error;
} pd_app;

/* app.c */
/* Initialises an app that has neither world nor window yet. */
void pd_app_init(pd_app *app, const pd_app_options *options);
/* Returns the context for the functions of the layers (overlay/interface.h). */
pd_screen pd_app_screen(pd_app *app);
/* Performs the action of a key or a button. argument: pd_key_stroke.argument. */
void pd_app_perform_action(pd_app *app, pd_action action, int argument);
/* Makes the run fail and shows the error. The run returns its first error, which the caller prints on standard error. */
void pd_app_fail(pd_app *app, pd_result result, const pd_error *error);
/* Updates the pointer's place in the world, for the pane below the pointer. */
void pd_app_update_pointer_position(pd_app *app);
/* Sets the tick of the seek to the pointer's place on the time line, while the time line is dragged. */
void pd_app_seek_to_pointer(pd_app *app);

/* input.c */
void pd_app_handle_event(pd_app *app, const SDL_Event *event);
/* Returns whether a signal or an event in the queue will make the program quit, so that long work should not begin. Leaves the
 * events in the queue. Returns false if an Escape in the queue may close a menu instead. */
bool pd_app_is_quitting(pd_app *app);

#endif
