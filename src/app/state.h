/* The inside of the window: what its parts share. Each part is a file; the functions here are their doors. */
#ifndef PUDDLE_APP_STATE_H
#define PUDDLE_APP_STATE_H

#include "app/app.h"
#include "app/history.h"
#include "app/keys.h"
#include "app/pace.h"
#include "app/step_start.h"
#include "app/ui.h"
#include "core/file.h"
#include "record/frame_clock.h"
#include "record/frames.h"
#include "render/camera.h"
#include "render/canvas.h"
#include "render/renderer.h"

typedef union SDL_Event SDL_Event;
typedef struct SDL_Window SDL_Window;

/* The window and its pixels: display.c */
typedef struct pd_display {
    SDL_Window *window;
    void *context;
    int width, height; /* pixels */
    float ratio;       /* pixels per unit of the window system */
    float scale;       /* pixels per interface unit */
    double period;     /* s between two frames of the screen */
    bool fullscreen, hidden;
} pd_display;

/* The mouse as a tool in the world: pointer.c */
typedef struct pd_pointer {
    pd_tool_kind held;       /* what the pressed button means */
    int button;              /* SDL's number of it */
    unsigned buttons;        /* a bit for each that is down, by the events so far */
    bool owned_by_panel;     /* a press began on the panel and has not ended */
    bool inside;             /* over the picture */
    bool released;           /* let go, but no step has seen the press yet */
    float pixel_x, pixel_y;  /* now */
    pd_vec2 position, drawn; /* m: now, and in the frame before */
    pd_vec2 velocity;        /* m/s of wall time, smoothed */
    float size;              /* of the tool, relative to half the smaller side of what is shown */
    float unit;              /* m: that half */
} pd_pointer;

/* Gravity as two dials and a switch: it must come back as it was: gravity.c */
typedef struct pd_gravity_dial {
    float strength; /* m/s^2 */
    float angle;    /* degrees from straight down, to the right */
    bool on;
    float notch; /* m/s^2 per press */
} pd_gravity_dial;

/* What was changed in the middle of a step: pending.c */
typedef enum pd_pending_kind { PD_PENDING_NOTHING, PD_PENDING_VALUE, PD_PENDING_RESET } pd_pending_kind;
typedef struct pd_pending_parameter {
    pd_pending_kind kind;
    float value;
} pd_pending_parameter;
typedef struct pd_pending {
    pd_pending_parameter parameter[PD_MAX_PARAMETERS];
    pd_pending_parameter property[PD_MAX_MATERIALS][PD_PROPERTIES]; /* reset: the material says nothing about it */
    bool gravity;                                                   /* to become what the dials say */
    bool save;
} pd_pending;

/* What is written on the picture for a while: announce.c */
typedef struct pd_announcement {
    char text[640];
    double since, until; /* s of pd_now() */
    bool alarm;
} pd_announcement;

/* F9: recorder.c */
typedef struct pd_recorder {
    pd_frames *frames; /* NULL: not recording */
    pd_canvas canvas;
    char folder[PD_MAX_PATH];
    bool asked; /* with --record: its failure is that of the run */
    pd_frame_clock clock;
    struct shot *shot; /* a screenshot that is being written */
} pd_recorder;

/* Where the time of the last frames went: meter.c */
enum { PD_METER_FRAMES = 100, PD_METER_STAGES = PD_MAX_STAGES + 1, PD_METER_ERRORS = 32 };
typedef struct pd_meter {
    float ms[PD_METER_FRAMES][PD_METER_STAGES];
    const char *names[PD_METER_STAGES];
    int stages, next, count;
    double frame_sum, wall_sum; /* decaying: frames per second */
    /* The density error before each iteration and after the last, smoothed until it can be read; 0: none. */
    float error[PD_METER_ERRORS], error_top; /* top: of its scale */
    int errors;
} pd_meter;

enum { PD_HUD_LINES = 5, PD_HUD_TEXT = 48, PD_MAX_BUNDLED = 64 };

typedef struct pd_app {
    pd_app_options options;
    pd_world *world;
    pd_scene
        opened; /* the world's scene as it came, before anything was turned; all zero: there was no memory for it */
    pd_view view;
    pd_renderer *renderer;
    ui *ui;
    pd_display display;
    pd_pointer pointer;
    pd_gravity_dial gravity;
    pd_pending pending;
    pd_pace pace;
    pd_history history;
    pd_step_start step_start;
    pd_recorder recorder;
    pd_meter meter;
    pd_announcement announcement;

    bool running, paused, help, panel, touched; /* touched: the fluid has been dragged, no hint is needed */
    bool key_repeats;                           /* the last key press came from holding the key */
    const pd_view_mode *mode;                   /* one of the running method's */
    const char
        *wanted_view; /* the name of the one that was chosen, which the running method may not have; NULL: none was */
    int palette;
    int single_steps; /* asked for with '.' */
    int redraw;       /* frames to draw even when nothing moves */
    long long frames;
    double now, started; /* s of pd_now(): this frame, the first frame */
    pd_result result;    /* of the run: its first failure */
    pd_error *error;

    struct {
        char value[PD_HUD_LINES][PD_HUD_TEXT], label[PD_HUD_LINES][PD_HUD_TEXT];
        int lines;
        char slowness[200]; /* "": there is none */
        double due;
    } hud;
    struct {
        char names[PD_MAX_BUNDLED][64];
        char words[PD_MAX_BUNDLED * 64]; /* the names with '|' between them, behind one for a scene from elsewhere */
        int count;
    } bundled;
} pd_app;

/* display.c. Errors: DISPLAY_UNAVAILABLE, GRAPHICS_UNAVAILABLE. */
pd_result pd_display_open(pd_display *display, const pd_app_options *options, const char *title, pd_error *error);
void pd_display_close(pd_display *display);
/* Reads size and scale again. */
void pd_display_measure(pd_display *display);
void pd_display_toggle_fullscreen(pd_display *display);

/* input.c */
void pd_app_event(pd_app *app, const SDL_Event *event);
/* Whether the program ends, by a signal or by an event that waits behind others: what takes long is not begun then. The
 * events are still to be taken in their order. In doubt (Escape may close a menu) false. */
bool pd_app_leaving(pd_app *app);

/* app.c */
/* Makes the step whole that is begun, at once, or takes a long one back when the program is being left. */
void pd_app_finish_step(pd_app *app);
/* What to draw now; the tool's circle when tool is true. alpha: between the last two steps. Looks at the world afresh, and so may be
 * called whatever has become of it since. */
pd_picture pd_app_picture(pd_app *app, int width, int height, float alpha, bool tool);
/* Where the picture stands between the last two steps, 0..1. */
float pd_app_alpha(const pd_app *app);

/* pending.c */
/* Parameters by their index in the running method's table; fallback (may be NULL): the default here. */
float pd_app_parameter(const pd_app *app, int index, float *fallback);
void pd_app_set_parameter(pd_app *app, int index, float value);
/* Back to the default, which follows the resolution again. */
void pd_app_reset_parameter(pd_app *app, int index);
/* The index in the running method's table of the parameter that a property stands in for; -1: that method has none. */
int pd_app_property_parameter(const pd_app *app, pd_property property);
/* What holds for a material; own: whether it is the material's own, else the parameter's. */
float pd_app_property(const pd_app *app, int material, pd_property property, bool *own);
/* Only where the running method has the parameter. */
void pd_app_set_property(pd_app *app, int material, pd_property property, float value);
/* The parameter holds again. */
void pd_app_reset_property(pd_app *app, int material, pd_property property);
/* Hands the world what waits, unless a step is unfinished: call when one has become whole. */
void pd_app_flush(pd_app *app);

/* gravity.c */
/* Makes gravity what the dials say, and says so. */
void pd_app_apply_gravity(pd_app *app);
/* After anything that may have changed gravity behind the dials' back. */
void pd_app_read_gravity(pd_app *app);
/* m/s^2 */
pd_vec2 pd_gravity_vector(const pd_gravity_dial *dial);

/* replace.c */
/* The world has been put into another state, or is another: after every reset, rewind, rebuild and replacement.
 * begins_anew: what was before cannot be rewound to. */
void pd_app_world_changed(pd_app *app, bool begins_anew);
/* Takes another world in place of the one before. */
void pd_app_replace_world(pd_app *app, pd_world *world);
/* The world anew from the scene as it came: what was turned since is forgotten. */
void pd_app_reopen(pd_app *app);

/* save.c */
/* Ctrl+S. */
void pd_app_save(pd_app *app);
/* A snapshot that was asked for and waits is taken before its world is given up. */
void pd_app_save_first(pd_app *app);
/* Writes a snapshot of the world, between two steps, and says where or why not. */
void pd_app_write_snapshot(pd_app *app);
/* A path that does not exist yet: folder/stem-N suffix; folder may be "". */
void pd_app_fresh_path(char *path, size_t size, const char *folder, const char *stem, int digits, const char *suffix);
/* The scene's name as part of a file name. */
void pd_app_slug(const pd_app *app, char *slug, size_t size);

/* actions.c */
void pd_app_act(pd_app *app, pd_action action, int argument);
/* Another method for the fluid, or a word about why not. */
void pd_app_set_method(pd_app *app, const pd_method_info *method);
/* One of the running method's views, by its place in their list. */
void pd_app_set_view(pd_app *app, int index);
/* After a change of method: the view that was chosen, or the first where the method has none of that name. */
void pd_app_find_view(pd_app *app);
void pd_app_set_palette(pd_app *app, int palette);

/* open.c */
/* Any scene or snapshot file becomes a world. Errors: those of pd_scene_read, pd_world_create, pd_world_load. */
pd_result pd_app_load(const char *path, int threads, pd_world **world, pd_error *error);
/* Opens a file in the window; a broken one is reported on the screen and changes nothing. */
void pd_app_open(pd_app *app, const char *path);
void pd_app_open_bundled(pd_app *app, int index);
void pd_app_find_bundled(pd_app *app);

/* pointer.c */
void pd_pointer_reset(pd_app *app);
void pd_pointer_press(pd_app *app, int button, bool shift);
void pd_pointer_release(pd_app *app, int button);
/* Once a frame, after the events. */
void pd_pointer_update(pd_app *app, double elapsed);
/* Sets the world's tool for step `step` (from 0) of `steps` in this frame. */
void pd_pointer_apply(pd_app *app, int step, int steps);
bool pd_pointer_over_panel(const pd_app *app);
float pd_pointer_radius(const pd_app *app);

/* announce.c: what the person is told, on the screen and on standard output. */
void pd_app_change(pd_app *app, const char *name, double value, const char *unit);
/* A whole number that the world began anew for. */
void pd_app_change_restarted(pd_app *app, const char *name, int count);
void pd_app_change_word(pd_app *app, const char *name, const char *word);
void pd_app_change_parameter(pd_app *app, const pd_parameter *parameter, float value);
/* The same of one material: "Yield (jelly) 0.05". */
void pd_app_change_property(pd_app *app, const pd_parameter *parameter, const char *material, float value);
void pd_app_say(pd_app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A message about a file. */
void pd_app_say_path(pd_app *app, const char *what, const char *path);
void pd_app_alarm(pd_app *app, const pd_error *error);
/* What the run itself fails with: on the screen now, on standard error once, when it ends. */
void pd_app_fail(pd_app *app, pd_result result, const pd_error *error);
void pd_app_ready(const pd_app *app);
void pd_app_tell_size(const pd_app *app);
/* Three significant digits, no exponent where a person would not write one. */
char *pd_app_number(double value, char *text, size_t size);
/* "12,500" */
char *pd_app_count(long long count, char *text, size_t size);
char *pd_app_parameter_text(const pd_parameter *parameter, float value, char *text, size_t size);

/* recorder.c */
pd_result pd_recorder_start(pd_app *app, const char *folder, bool force, pd_error *error);
void pd_recorder_toggle(pd_app *app);
/* After every step: the frames that it completes. */
void pd_recorder_step(pd_app *app);
/* False while its queue is full: the fluid then waits a frame. */
bool pd_recorder_ready(const pd_app *app);
/* Finishes the recording, if there is one, and says how it went. */
void pd_recorder_stop(pd_app *app);
/* F12. The file is written on another thread; pd_screenshot_poll says where once it is there. */
void pd_screenshot_take(pd_app *app);
void pd_screenshot_poll(pd_app *app, bool wait);

/* meter.c */
void pd_meter_frame(pd_app *app, double elapsed, double drawing);
double pd_meter_fps(const pd_meter *meter);
/* What was measured is not what will be: another world or method. The speed of drawing stays known. */
void pd_meter_restart(pd_meter *meter);
/* The top of a scale that shows a value: 1, 2 or 5 times a power of ten. It stays where it was as long as that will do. */
float pd_meter_top(float top, float value);

/* slow.c */
/* "0.4× real time: stiffness 1200 m/s² costs 38 substeps a step", or "" where time keeps up. Returns text. */
char *pd_app_slowness(const pd_app *app, char *text, size_t size);

/* hud.c, help.c, panel.c: drawn between ui_begin and ui_end */
void pd_app_draw_hud(pd_app *app);
void pd_app_draw_announcement(pd_app *app);
/* True while something on the picture fades: frames are due even when the world rests. */
bool pd_app_fading(const pd_app *app);
void pd_app_draw_help(pd_app *app);
void pd_app_draw_panel(pd_app *app);
/* panel.c */
/* The row of a number: slider names what is shown beside range and value (see ui_slider). fallback: around which the
 * slider's range lies. */
ui_change pd_panel_number(pd_app *app, const pd_parameter *parameter, ui_slider *slider, float fallback, float *value);
/* materials.c: part of the panel. */
void pd_panel_materials(pd_app *app);
/* Interface units the panel takes from the picture (0: closed, or it lies over the picture). */
float pd_app_panel_dock(const pd_app *app);
/* Interface units at the right that the panel covers. */
float pd_app_panel_cover(const pd_app *app);
/* The picture's size in pixels: the window without the docked panel. */
void pd_app_picture_size(const pd_app *app, int *width, int *height);

#endif
