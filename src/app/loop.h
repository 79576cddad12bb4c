/* State of the running window: session, viewport and device. app.c has the main loop, input.c the events. */
#ifndef PUDDLE_APP_LOOP_H
#define PUDDLE_APP_LOOP_H

#include "app/app.h"
#include "app/device/desktop.h"
#include "app/device/display.h"
#include "app/device/pointer.h"
#include "app/device/recorder.h"
#include "app/device/thumbnails.h"
#include "app/overlay/interface.h"
#include "app/ui/ui.h"
#include "render/renderer.h"

typedef union SDL_Event SDL_Event;
typedef struct SDL_Keysym SDL_Keysym;

/* The device: window, user interface, renderer, pointer, recorder and thumbnails of the running program. */
typedef struct pd_device {
    pd_display display;    /* window with its OpenGL context */
    ui *ui;                /* widgets of the interface */
    pd_renderer *renderer; /* draws the worlds */
    pd_pointer pointer;    /* mouse as a tool in the world */
    bool key_repeats;      /* whether the last key event was an automatic repetition, because the key is held down */
    pd_recorder recorder;  /* recording and screenshot in progress */
    pd_exporter exporter;  /* export in progress */
    pd_opener opener;      /* browser that opens the manual */
    pd_thumbnailer thumbnailer; /* simulation of the scene whose thumbnail is drawn next */
    pd_portal *portal;          /* the desktop's dialogs; NULL: not searched yet, or none */
    bool portal_searched;       /* whether the session was searched for a portal */
    int portal_action;          /* pd_action that opened the desktop's dialog */
} pd_device;

struct pd_app {
    pd_app_options options; /* Options of the command line. */
    pd_session session;     /* World with its log, and the state of time and tools. */
    pd_viewport viewport;   /* How the world is shown, and the state of the layers over the picture. */
    pd_device device;       /* Window, renderer, pointer and recorder. */
    pd_screen screen;       /* context that the layers over the picture read */
    bool running;           /* False: the main loop ends. */
    int redraw;             /* Number of frames to draw even if nothing changes. */
    int layout;             /* Frames until the rectangles of the widgets are printed (F10). 0: not requested. */
    long long frames;       /* Number of frames made so far. */
    pd_result result;       /* First error that makes the run fail. PD_OK: none. */
    pd_error error;         /* The error of `result`. */
};

/* app.c */
/* Initialises an app that has neither world nor window yet. */
void pd_app_init(pd_app *app, const pd_app_options *options);
/* Updates app->screen: the places of bars and panes, the pointer's place and the layer there. Called in each frame and for each
 * event. Returns app->screen. */
pd_screen *pd_app_update_screen(pd_app *app);
/* Performs an action of the table of keys. argument: pd_key_stroke.argument. */
void pd_app_perform_action(pd_app *app, pd_action action, int argument);
/* Performs the action that a key or a layer has requested (pd_screen_request). */
void pd_app_perform_request(pd_app *app);
/* Computes the pointer's position in the world that the pane below the pointer shows. */
void pd_app_update_pointer_position(pd_app *app);
/* Sets the goal of the seek to the tick at the pointer if the user drags the time line. */
void pd_app_seek_to_pointer(pd_app *app);

/* Describes the pictures that the window shows, one per world, for a screenshot. Returns their number. */
int pd_app_describe_shown_pictures(pd_app *app, pd_picture pictures[2]);

/* desktop.c */
/* Performs an action on the clipboard, in a dialog of the desktop or in its browser. False: the action is another one, or puddle's own
 * dialog is to be opened, because the session has no portal. */
bool pd_app_perform_desktop_action(pd_app *app, pd_action action, int argument);
/* Opens a file as pd_session_open_file does. as_body: a picture becomes a body at the pointer, or in the middle of the world if
 * the pointer is elsewhere. */
void pd_app_open_dropped_file(pd_app *app, const char *path, bool as_body);
/* Answers other programs that paste, applies the answer of the desktop's dialog, and reports an opened manual. Call at least a few times a
 * second. */
void pd_app_poll_desktop(pd_app *app);

/* input.c */
void pd_app_handle_event(pd_app *app, const SDL_Event *event);
/* Returns whether a signal or an event in the queue will make the program quit, so that long work should not begin. The
 * events stay in the queue. An Escape that may close a menu or dialog does not count. */
bool pd_app_is_quitting(pd_app *app);
/* Returns the code of a key in the table of keys (pd_key_stroke.code), on any keyboard layout. 0: none. *modifiers: receives the sum of PD_SHIFT and PD_CONTROL,
 * without a Shift that selects the sign or digit.
 *
 * The rule: keys of the digit row are digits by position; other keys go by their label, which is their character without Shift; a
 * letter or sign that is no key's label goes by its position on a US keyboard.
 *
 * Text events are not used: an input method would receive the keys, and return them late or as other characters. SDL reports no
 * labels but those without Shift. Some layouts have a sign only with Shift or AltGr. The function finds these signs where common
 * layouts have them. */
int pd_keyboard_find_code(const SDL_Keysym *key, int *modifiers);

#endif
