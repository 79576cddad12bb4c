/* Internal to the window: its state, and the functions that the files of this folder share, grouped by file. */
#ifndef PUDDLE_APP_STATE_H
#define PUDDLE_APP_STATE_H

#include "app/app.h"
#include "app/device.h"
#include "app/session.h"
#include "app/viewport.h"

typedef union SDL_Event SDL_Event;

typedef struct pd_app {
    pd_app_options options;
    pd_session session;
    pd_viewport viewport;
    pd_device device;
    bool running;
    int redraw; /* frames to draw even when nothing moves */
    long long frames;
    pd_result result; /* of the run: its first failure */
    pd_error *error;
} pd_app;

/* input.c */
void pd_app_event(pd_app *app, const SDL_Event *event);
/* True when the program is about to quit, by a signal or by an event that is still in the queue: no long work is begun
 * then. The events stay in the queue. False in doubt, as when Escape may close a menu. */
bool pd_app_quitting(pd_app *app);

/* app.c */
/* Completes an unfinished step at once; when the program is about to quit, a long one is undone instead. */
void pd_app_finish_step(pd_app *app);
/* What to draw now, with the tool's circle when tool is true. alpha: position between the last two steps, 0..1. Updates
 * app->view, so it may be called after any change of the world. */
pd_picture pd_app_picture(pd_app *app, int width, int height, float alpha, bool tool);
/* Position of the picture between the last two steps, 0..1. */
float pd_app_alpha(const pd_app *app);

/* commands.c */
/* Applies a command, and writes it to the log; between two steps, but for reset and particles. */
pd_result pd_app_do(pd_app *app, const pd_command *command, pd_error *error);
/* Whether a log is being replayed: it knows of later steps than the present one. */
bool pd_app_replays(const pd_app *app);
/* Before a step: applies the logged commands that come next. */
void pd_app_play(pd_app *app);
void pd_app_queue_gravity(pd_app *app, pd_vec2 gravity); /* m/s^2 */
/* Parameters by their index in the running method's table; fallback (may be NULL): receives the default. */
float pd_app_parameter(const pd_app *app, int index, float *fallback);
void pd_app_set_parameter(pd_app *app, int index, float value);
/* Back to the default, which follows the resolution again. */
void pd_app_reset_parameter(pd_app *app, int index);
/* Index in the running method's table of the parameter that a material property overrides; -1: the method has none. */
int pd_app_property_parameter(const pd_app *app, pd_property property);
/* The value in effect for a material. *own: true when it is the material's own, false when it is the parameter's. */
float pd_app_property(const pd_app *app, int material, pd_property property, bool *own);
/* Does nothing when the running method lacks the parameter. */
void pd_app_set_property(pd_app *app, int material, pd_property property, float value);
/* Removes the material's own value: the parameter's is in effect again. */
void pd_app_reset_property(pd_app *app, int material, pd_property property);
/* Applies the queue to the world, or nothing while a step is unfinished. Call when a step is complete. */
void pd_app_flush(pd_app *app);

/* gravity.c */
/* Sets the world's gravity from app->gravity, and announces it. */
void pd_app_apply_gravity(pd_app *app);
/* Updates app->gravity from the world: call after anything else that may have changed it. */
void pd_app_read_gravity(pd_app *app);
/* m/s^2 */
pd_vec2 pd_gravity_vector(const pd_gravity_dial *dial);

/* replace.c */
/* Call whenever the world or its state has been replaced: after a reset, a rewind, an undo, a change of the method or of the
 * number of particles, another scene. */
void pd_app_world_changed(pd_app *app);
/* Shows this world and destroys the previous one. */
void pd_app_replace_world(pd_app *app, pd_world *world);
/* --log: writes the log to a file as it grows. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result pd_app_follow_log(pd_app *app, pd_error *error);
/* Puts the world back to what it was when it was opened. */
void pd_app_reopen(pd_app *app);

/* backwards.c */
/* A tap on Backspace: a second back. */
void pd_app_rewind(pd_app *app);
void pd_backwards_press(pd_app *app);
void pd_backwards_release(pd_app *app);
/* While it is held: goes on from where the world is. */
void pd_backwards_stop(pd_app *app);
/* Call when another world is shown. */
void pd_backwards_forget(pd_app *app);
/* Instead of steps, in each frame in which it is held. */
void pd_backwards_advance(pd_app *app, double elapsed);

/* timeline.c */
void pd_timeline_grab(pd_app *app);
void pd_timeline_release(pd_app *app);
/* Instead of steps, in each frame in which it seeks. */
void pd_timeline_advance(pd_app *app);
/* The world stays where it is. */
void pd_app_stop_seeking(pd_app *app);
bool pd_timeline_covers(const pd_app *app, float pixel_x, float pixel_y);
bool pd_timeline_fading(const pd_app *app);
void pd_app_draw_timeline(pd_app *app, double elapsed);

/* last_log.c */
/* Keeps the log in the user's state folder too, if that is possible. */
void pd_app_keep_last_log(pd_app *app);
/* Lets other windows use its place there. */
void pd_app_release_last_log(pd_app *app);

/* save.c */
/* Ctrl+S. */
void pd_app_save(pd_app *app);
/* Writes a pending snapshot before the world's state is replaced, and completes the step for it. */
void pd_app_flush_save(pd_app *app);
/* Ctrl+R: writes the last two minutes of the log, and announces the path or the error. */
void pd_app_keep_log(pd_app *app);
/* Writes a snapshot of the world, between two steps, and announces its path or the error. */
void pd_app_write_snapshot(pd_app *app);
/* A path that does not exist yet: folder/stem-NUMBERsuffix; folder may be "". digits: of the number, at least. */
void pd_app_fresh_path(char *path, size_t size, const char *folder, const char *stem, int digits, const char *suffix);
/* The scene's name as part of a file name. */
void pd_app_slug(const pd_app *app, char *slug, size_t size);

/* actions.c */
/* Call after the world went back or forth in its log. */
void pd_app_time_changed(pd_app *app, const pd_method_info *before);
/* Simulated time over wall time that is asked for. */
double pd_app_speed(const pd_app *app);
void pd_app_act(pd_app *app, pd_action action, int argument);
/* Switches to another method, or announces why that is not possible. */
void pd_app_set_method(pd_app *app, const pd_method_info *method);
/* One of the running method's views, by its index. */
void pd_app_set_view(pd_app *app, int index);
/* After a change of method: selects the chosen view, or the first when the method has none of that name. */
void pd_app_find_view(pd_app *app);
/* The lines over the view: the chosen ones, or the view's own; none where they are not possible. */
pd_view_lines pd_app_lines(const pd_app *app);
void pd_app_set_lines(pd_app *app, pd_view_lines lines);
void pd_app_set_palette(pd_app *app, int palette);

/* open.c */
/* Creates a world from a scene or snapshot file. Errors: those of pd_scene_read, pd_world_create, pd_world_load. */
pd_result pd_app_load(const char *path, int threads, pd_world **world, pd_error *error);
/* Opens a file in the window; an error is announced, and the world stays as it is. */
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

/* dyes.c */
/* The material that a left drag paints; -1: none, also where the method has no dyes. */
int pd_app_dye(const pd_app *app);
/* Chooses the next one, or none after the last. */
void pd_app_next_dye(pd_app *app);
/* The tool is, or on a press would be, one that paints. */
bool pd_app_paints(const pd_app *app);
/* The circle of such a tool, in the colour of the dye. */
void pd_app_draw_brush(pd_app *app);
/* Part of the panel. */
void pd_panel_dyes(pd_app *app);

/* probe.c */
/* The pointer has moved or pressed: hides the values until it has rested. */
void pd_probe_disturb(pd_app *app);
/* The pointer has come into the window, or the window under it: shows no values before it moves. */
void pd_probe_arrive(pd_app *app);
/* Seconds until the values are to be shown; infinite while there is nothing to wait for. */
double pd_probe_wait(const pd_app *app);
bool pd_probe_fading(const pd_app *app);
void pd_app_draw_probe(pd_app *app);

/* warnings.c: what the scene asks for and the method does otherwise, as a message after `first` ("": nothing before it) if
 * there is anything to say, and as notes. */
void pd_app_tell_warnings(pd_app *app, const char *first);
void pd_app_draw_warnings(const pd_app *app);
/* app.c */
/* An error that fails the run (the first one counts): shown now, printed on standard error when the run ends. */
void pd_app_fail(pd_app *app, pd_result result, const pd_error *error);

/* recorder.c */
pd_result pd_recorder_start(pd_app *app, const char *path, bool force, pd_error *error);
void pd_recorder_toggle(pd_app *app);
/* What pd_recorder_toggle records: as in the last run of the program. */
pd_sink_kind pd_recorder_kind(pd_app *app);
/* Remembers it for the next run too. */
void pd_recorder_set_kind(pd_app *app, pd_sink_kind kind);
/* Call after every step: adds the frames that fall into it. */
void pd_recorder_step(pd_app *app);
/* False while the queue of the recording is full: then no step is made in this frame. */
bool pd_recorder_ready(const pd_app *app);
/* Finishes the recording, if there is one, and announces the result. */
void pd_recorder_stop(pd_app *app);
/* F12. The file is written on another thread; pd_screenshot_poll announces it when it is complete. */
void pd_screenshot_take(pd_app *app);
void pd_screenshot_poll(pd_app *app, bool wait);

/* meter.c */
void pd_meter_frame(pd_app *app, double elapsed, double drawing);
double pd_meter_fps(const pd_meter *meter);
/* Discards the measurements, after a change of world or method; the frame rate is kept. */
void pd_meter_restart(pd_meter *meter);
/* Top of the scale of a chart that shows a value: 1, 2 or 5 times a power of ten. top: the current one, which is kept
 * while the value lies between a fifth of it and all of it. */
float pd_meter_top(float top, float value);

/* slow.c */
/* "0.4× real time: stiffness 1200 m/s² costs 38 substeps a step", or "" when simulated time keeps up. Returns text. */
char *pd_app_slowness(const pd_app *app, char *text, size_t size);
/* What a method computes whose particles are tracers: "256 × 128" and "cells", or "1,234" and "vortons". Returns the
 * latter; NULL: the particles are the fluid. */
const char *pd_app_computed(const pd_app *app, char *text, size_t size);

/* hud.c. A plate on which text lies: later ones may keep clear of it. */
void pd_app_plate(pd_app *app, float x, float y, float width, float height, float opacity);
bool pd_app_is_free(const pd_app *app, float x, float y, float width, float height);
/* hint.c. What to do where the picture is empty: of a fluid at rest, or one whose motion the view does not show, without
 * dyes and tracers; NULL: there is something to see, or to come. */
const char *pd_app_find_hint(const pd_app *app);
void pd_app_draw_hint(pd_app *app);
bool pd_app_hint_fading(const pd_app *app);

/* hud.c, help.c, panel.c: drawn between ui_begin and ui_end */
void pd_app_draw_hud(pd_app *app, double elapsed);
void pd_app_draw_announcement(pd_app *app);
/* True while something on the picture fades: frames are then drawn even when the world does not change. */
bool pd_app_fading(const pd_app *app);
void pd_app_draw_help(pd_app *app);
/* The help of a key, for the method that computes: Up and Down are "stiffness" or what takes its place. Returns text. */
char *pd_app_key_help(const pd_app *app, const pd_key *key, char *text, size_t size);
void pd_app_draw_panel(pd_app *app);
/* panel.c */
/* A row with a slider for a number; sets label, text, fraction and value of the slider. fallback: the default, around
 * which a logarithmic slider's range lies. *value: in and out. */
ui_change pd_panel_number(pd_app *app, const pd_parameter *parameter, ui_slider *slider, float fallback, float *value);
/* For parameters that rebuild the method: keeps what a slider reports as moved until it is no longer held. Returns the
 * change to apply now. *value: in and out. */
ui_change pd_panel_hold(pd_held_slider *held, const pd_parameter *parameter, const ui_slider *slider, ui_change change,
                        float *value);
/* materials.c: part of the panel. */
void pd_panel_materials(pd_app *app);
/* Interface units the panel takes from the picture (0: closed, or it lies over the picture). */
float pd_app_panel_dock(const pd_app *app);
/* Interface units at the right that the panel covers. */
float pd_app_panel_cover(const pd_app *app);
/* The picture's size in pixels: the window without the docked panel. */
void pd_app_picture_size(const pd_app *app, int *width, int *height);

#endif
