/* The session: the world and what a person has done to it. Commands, the log with undo and time that runs backwards, the
 * pace of time. Knows nothing of pictures, windows and input devices: it runs without any of them. */
#ifndef PUDDLE_APP_SESSION_SESSION_H
#define PUDDLE_APP_SESSION_SESSION_H

#include "app/io/announce.h"
#include "app/session/draft.h"
#include "app/session/pace.h"
#include "app/session/step_start.h"
#include "app/tables/keys.h"
#include "app/tables/tools.h"
#include "core/file/file.h"

/* What the session tells of itself. Without an observer (all zero) it works the same. */
typedef enum pd_session_event {
    PD_SESSION_STEP,   /* a step was taken back: views of the world are out of date */
    PD_SESSION_STATE,  /* so they are, and its values may be others: after a reset, a rewind, another method or scene */
    PD_SESSION_METHOD, /* what was measured of the method no longer applies */
    PD_SESSION_TIME,   /* the state is that of another time, and the tool was put down */
    PD_SESSION_END, /* another world is about to be shown, or this one as it was opened: a recording ends here, but goes on where
                          a command begins another scene */
    PD_SESSION_WORLD, /* another world is shown, or another scene in this one */
} pd_session_event;
typedef struct pd_observer {
    void *context;
    void (*changed)(void *context, pd_session_event event);
    void (*stepped)(void *context);  /* a step is complete; commands that wait for its end take effect after the call */
    bool (*quitting)(void *context); /* the program is about to quit: no long work is begun */
} pd_observer;

/* Gravity as strength, direction and a switch, so that switching it on again restores both: gravity.c */
typedef struct pd_gravity_dial {
    float strength; /* m/s^2 */
    float angle;    /* degrees from straight down, positive to the right */
    bool on;
    float notch; /* m/s^2 per key press */
} pd_gravity_dial;

/* Backspace: backwards.c */
typedef struct pd_backwards {
    pd_reverse *reverse; /* NULL: not needed yet */
    bool held, runs;     /* runs: held so long that it is no tap */
    bool keeps;          /* what is known of later steps */
    double pressed;      /* s of pd_now() */
    double owed;         /* ticks to go back */
    uint64_t rewound_to; /* the tick that the last rewind went to */
} pd_backwards;

/* On the way to another tick of the log: seek.c */
typedef struct pd_seek {
    bool active;
    bool dragged;         /* `tick` still moves: only the keyframes on the way are shown */
    uint64_t tick, shown; /* the goal; the keyframe that is shown while it is dragged */
} pd_seek;

/* What the pour tool has brought about: pouring.c */
typedef struct pd_poured_watch {
    int particles; /* after the last step */
    int dry;       /* steps of this stroke without a new one */
    bool full;     /* it has been told that there can be no more */
} pd_poured_watch;

/* A wall, emitter or drain of the scene: items.c */
typedef enum pd_item_list { PD_ITEM_NONE, PD_ITEM_OBSTACLE, PD_ITEM_EMITTER, PD_ITEM_DRAIN } pd_item_list;
typedef struct pd_item {
    pd_item_list list;
    int index;
} pd_item;

/* A press of a tool that moves or removes items: items.c */
typedef struct pd_grab {
    pd_item item; /* that it holds */
    bool erases;  /* removes what it meets */
    pd_vec2 at;   /* m: where it has come to */
    pd_vec2 lead; /* m: of an emitter or a drain before the press */
    float near;   /* m: how far from an item it still meets it */
} pd_grab;

/* What is measured of two worlds side by side, since both began: second.c */
typedef enum pd_measure {
    PD_MEASURE_ENERGY,  /* of motion, half the mean square of the speed, m^2/s^2 */
    PD_MEASURE_DENSITY, /* pd_statistics.density_error in per cent; NAN: the method has no density */
    PD_MEASURE_COST,    /* wall time of a step, ms */
    PD_MEASURES
} pd_measure;
enum { PD_TRACE_POINTS = 256 };
typedef struct pd_trace {
    float value[PD_MEASURES][2][PD_TRACE_POINTS]; /* means over `stride` steps, of the first and the second world */
    int count, stride;
    double sum[PD_MEASURES][2]; /* of the `steps` after the last point */
    int steps;
} pd_trace;

/* A second world beside the first: second.c */
typedef struct pd_second {
    pd_world *world; /* NULL: there is none */
    bool ahead;      /* it has made the step that the first world is making, or is about to make */
    pd_trace trace;
} pd_second;

typedef struct pd_session {
    /* Set before a world is shown. */
    pd_announcer *announcer; /* receives its messages */
    pd_observer observer;
    const char *log_path; /* --log: the log is written there as it grows; NULL: it is not */
    pd_log **replay;      /* *replay: a log of the world to be played, or NULL; receives that of the last world */
    size_t history;       /* bytes for the log's keyframes; 0: PD_LOG_BUDGET */
    bool keeps_last_log;  /* also writes the end of the log in the user's state folder */

    pd_world *world;
    pd_log *log;     /* of the world since it was opened; NULL: out of memory for its beginning */
    int logs;        /* number of the last file that was begun for --log; 0: none */
    int log_claim;   /* of that file, from the second one on (pd_file_claim) */
    int last_number; /* of the window among those of the same user, from 1 */
    int last_lock;   /* file descriptor while the log is also in the user's state folder; 0: it is not */
    bool diverged;   /* it has been told that a replay differs from its log */
    bool watching;   /* the log was given to be replayed, and nothing was changed since */
    pd_backwards backwards;
    pd_seek seek;
    pd_gravity_dial gravity;
    int dye;           /* 0: the tool stirs only; else it paints this material, counted from 1 */
    pd_bar_tool tool;  /* of the left button */
    bool tool_brought; /* by the choice of a material, not by its own key or button */
    int poured;        /* material that it pours, as far as the scene has so many */
    pd_poured_watch pouring;
    int choice[PD_BAR_TOOLS]; /* of the tools that have choices */
    pd_draft draft;
    pd_grab grab;
    bool paused;
    int single_steps; /* to be made while paused */
    int speed;        /* power of two: time runs twice as fast for each */
    pd_pace pace;
    pd_step_start step_start;
    char path[PD_MAX_PATH]; /* of the file that was opened last; "": none */
    pd_second second;
} pd_session;

/* replace.c */
/* Shows this world and destroys the previous one, if it is another. */
void pd_session_show(pd_session *session, pd_world *world);
/* --log: writes the log to a file as it grows: the first one to the file that was asked for, a later one to a file of the next
 * number that none has yet. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result pd_session_follow_log(pd_session *session, pd_error *error);
/* Puts another scene into the world, between two steps, as a command that is undone like others. False: refused, which has been
 * announced. */
bool pd_session_begin(pd_session *session, const pd_scene *scene);
/* Puts the world back to what it was when it was opened, or when another scene began in it. */
void pd_session_reopen(pd_session *session);
/* Frees all but the world; the log goes to *replay. */
void pd_session_close(pd_session *session);
/* Call whenever the world or its state has been replaced: after a reset, a rewind, an undo, a change of the method or of
 * the number of particles, another scene. */
void pd_session_state_changed(pd_session *session);
void pd_session_tell(pd_session *session, pd_session_event event);

/* open.c */
/* Creates a world from a scene or snapshot file. Errors: those of pd_scene_read, pd_world_create, pd_world_load. */
pd_result pd_app_load(const char *path, int threads, pd_world **world, pd_error *error);
/* Opens a scene (pd_session_begin), or a snapshot in a new world with a log of its own; a picture becomes the fluid of the
 * present scene (pd_session_begin). An error is announced, and the world stays as it is. */
void pd_session_open(pd_session *session, const char *path);
/* Begins an empty scene in this container (pd_session_begin), with the present method, materials and gravity; an error is
 * announced. */
void pd_session_begin_empty(pd_session *session, const pd_container *container);
void pd_session_open_bundled(pd_session *session, const char *name);

/* actions.c */
/* Performs an action on the session; false: it is about something else. repeated: by holding its key. */
bool pd_session_act(pd_session *session, pd_action action, int argument, bool repeated);
/* Switches to another method, or announces why that is not possible. */
void pd_session_set_method(pd_session *session, const pd_method_info *method);
/* Call after the world went back or forth in its log. */
void pd_session_time_changed(pd_session *session, const pd_method_info *before);
/* Simulated time over wall time that is asked for. */
double pd_session_speed(const pd_session *session);
/* The material that a left drag paints; -1: none, also where the method has no dyes. */
int pd_session_dye(const pd_session *session);
/* MiB of states to go back in time with, also for the next run. */
void pd_session_set_history(pd_session *session, int mib);
void pd_session_set_dye(pd_session *session, int material); /* -1: none */
/* Again: the next material, or the next of its choices. A tool that the choice of a material has brought is chosen by it first. */
void pd_session_choose_tool(pd_session *session, pd_bar_tool tool);
/* "Pour water", "Erase walls", "Drain": the tool with the choice that it has; material: of a tool that needs one. Returns text. */
enum { PD_TOOL_TEXT = PD_MAX_NAME + 32 };
const char *pd_session_tool_text(const pd_session *session, pd_bar_tool tool, int material, char text[PD_TOOL_TEXT]);
/* What a press of the left button is; none: it draws. */
pd_tool_kind pd_session_tool_kind(const pd_session *session);
/* The material that pours. */
int pd_session_poured(const pd_session *session);
void pd_session_choose_material(pd_session *session, int material);
/* The name of a material, or else its number in text. */
const char *pd_session_material_name(const pd_session *session, int material, char *text, size_t size);

/* commands.c */
/* Applies a command, and writes it to the log. Within a step it waits for the end (pd_world_apply). */
pd_result pd_session_do(pd_session *session, const pd_command *command, pd_error *error);
/* The tool from now on; between two steps. */
void pd_session_hold(pd_session *session, const pd_tool *tool);
/* Whether a log is being replayed: it knows of later steps than the present one. */
bool pd_session_replays(const pd_session *session);
/* Before a step: applies the logged commands that come next. */
void pd_session_play(pd_session *session);
void pd_session_set_gravity(pd_session *session, pd_vec2 gravity); /* m/s^2 */
/* Parameters by their index in the running method's table; fallback (may be NULL): receives the default. */
float pd_session_parameter(const pd_session *session, int index, float *fallback);
void pd_session_set_parameter(pd_session *session, int index, float value);
/* Back to the default, which follows the resolution again. */
void pd_session_reset_parameter(pd_session *session, int index);
/* The parameter whose unit and range a material property has; NULL: the running method does not know the property. *shared: the
 * value of a material without its own; *standard: its default. */
const pd_parameter *pd_session_property_info(const pd_session *session, pd_property property, float *shared,
                                             float *standard);
/* Index in the running method's table of the parameter that a material property overrides; -1: the method has none. */
int pd_session_property_parameter(const pd_session *session, pd_property property);
/* The value in effect for a material. *own: true when it is the material's own, false when it is the parameter's. */
float pd_session_property(const pd_session *session, int material, pd_property property, bool *own);
/* Does nothing when the running method lacks the parameter. */
void pd_session_set_property(pd_session *session, int material, pd_property property, float value);
/* Removes the material's own value: the parameter's is in effect again. */
void pd_session_reset_property(pd_session *session, int material, pd_property property);
/* Call after a step and after a reset: the second world follows the commands that waited, and their errors are announced. */
void pd_session_take_waited(pd_session *session);
/* A world in the state before the present step, with the commands that wait, to be destroyed. NULL: that state is not kept, as before
 * a short step, or out of memory. */
pd_world *pd_session_before_step(pd_session *session);

/* edits.c */
/* The scene that an edit starts from, with the commands that wait. */
const pd_scene *pd_session_scene(const pd_session *session);
/* Gives the world the obstacles, emitters, drains, materials and parameters of a changed copy of pd_session_scene. False: refused,
 * which has been announced, and nothing was changed. */
bool pd_session_edit(pd_session *session, const pd_scene *scene);

/* items.c */
/* The draft that a press there would begin. size: of the tool, m; unit: pd_draft.unit. */
void pd_session_prepare(const pd_session *session, pd_draft *draft, pd_vec2 at, float size, float unit);
/* Begins a draft with a tool that draws. size: of the tool, m; unit: pd_draft.unit. False: `at` is not in the container. */
bool pd_session_draw(pd_session *session, pd_vec2 at, float size, float unit);
void pd_session_draw_to(pd_session *session, pd_vec2 at, bool straight);
/* Makes what was drawn. False: it was too small, or refused, which has been announced. */
bool pd_session_draw_end(pd_session *session);
/* The emitter that the draft would make. False: it would emit nothing. */
bool pd_session_drafted_emitter(const pd_session *session, pd_emitter *emitter);
/* The nearest place in the container. */
pd_vec2 pd_session_clamp(const pd_session *session, pd_vec2 at);
/* What lies at a place, or nearer to it than `near` (m): an emitter before a wall before a drain. An obstacle by its index in the
 * world. */
pd_item pd_session_item_at(const pd_session *session, pd_vec2 at, float near);
/* A press with the tools erase or move begins; returns what it holds. */
pd_item pd_session_grab(pd_session *session, pd_vec2 at, float near);
/* The press goes on to a place: moves the emitter or drain that it holds (an obstacle is moved by PD_TOOL_MOVE), or removes
 * what lies on the way. Between two steps after the tool was held, so that all that the press does is undone together; or while
 * paused. */
void pd_session_drag_items(pd_session *session, pd_vec2 to);
void pd_session_let_go(pd_session *session);
/* Completes the step if commands wait, so that indices in the world are those of pd_session_scene. */
void pd_session_settle_edit(pd_session *session);

/* motions.c */
/* By an angle, in degrees; about its middle, or what it spins about. */
void pd_session_turn_obstacle(pd_session *session, int obstacle, float degrees);
/* Changes its spin, degrees/s. */
void pd_session_spin_obstacle(pd_session *session, int obstacle, float degrees);
/* It goes on with a velocity (m/s, limited), to and fro between the container's walls; slower than a crawl: it stops. */
void pd_session_throw_obstacle(pd_session *session, int obstacle, pd_vec2 velocity);

/* material_edits.c */
/* Adds the ready material of this index, unless the scene has one of its name, and chooses it: it pours and paints from now on. An
 * error is announced. */
void pd_session_add_ready_material(pd_session *session, int index);
/* The same with one that has this name, or with a number behind it, this colour, and is else like the scene's first. False: it
 * could not be added. */
bool pd_session_add_material(pd_session *session, const char *name, const uint8_t rgb[3]);
/* Replaces a material by another of the same name. */
void pd_session_change_material(pd_session *session, int index, const pd_material *material);
/* Removes a material, or announces what uses it. */
void pd_session_remove_material(pd_session *session, int index);

/* gravity.c */
/* Sets the world's gravity from session->gravity, and announces it. */
void pd_session_apply_gravity(pd_session *session);
/* Updates session->gravity from the world: call after anything else that may have changed it. */
void pd_session_read_gravity(pd_session *session);
/* m/s^2 */
pd_vec2 pd_gravity_vector(const pd_gravity_dial *dial);

/* steps.c */
/* Begins a step of the first world, unless it is within one. */
void pd_session_begin_step(pd_session *session);
/* Continues the unfinished step, or begins one, for about `seconds` of wall time; true when it is complete. */
bool pd_session_work(pd_session *session, double seconds);
/* Completes an unfinished step at once; when the program is about to quit, a long one is undone instead. */
void pd_session_finish_step(pd_session *session);
/* Position of the picture between the last two steps, 0..1. */
float pd_session_alpha(const pd_session *session);

/* pouring.c */
/* After a step: announces why nothing pours. */
void pd_session_tell_pouring(pd_session *session);

/* backwards.c */
/* A tap on Backspace: a second back. */
void pd_session_rewind(pd_session *session);
void pd_backwards_press(pd_session *session);
void pd_backwards_release(pd_session *session);
/* While it is held: goes on from where the world is. */
void pd_backwards_stop(pd_session *session);
/* Call when another world is shown. */
void pd_backwards_forget(pd_session *session);
/* Instead of steps, in each frame in which it is held. */
void pd_backwards_advance(pd_session *session, double elapsed);

/* seek.c */
/* From now on the goal is dragged: set session->seek.tick before each pd_seek_advance. */
void pd_seek_grab(pd_session *session);
void pd_seek_release(pd_session *session);
/* Instead of steps, in each frame in which the session seeks. */
void pd_seek_advance(pd_session *session);
/* The world stays where it is. */
void pd_session_stop_seeking(pd_session *session);
/* Ends what moves the world in its log, a seek or Backspace: it goes on from where it is. */
void pd_session_settle(pd_session *session);

/* last_log.c */
/* Keeps the log in the user's state folder too, if that is possible. */
void pd_session_keep_last_log(pd_session *session);
/* Lets other windows use its place there. */
void pd_session_release_last_log(pd_session *session);

/* save.c */
/* Ctrl+S: writes a snapshot, and announces its path or the error. Within a long step that is the state before the step,
 * with the commands that wait. */
void pd_session_save(pd_session *session);
/* Ctrl+Shift+S: the same of the scene as it is now, NAME-0001.yaml, with its particles beside it, NAME-0001.csv. */
void pd_session_save_scene(pd_session *session);
/* Ctrl+R: writes the last two minutes of the log, and announces the path or the error. */
void pd_session_keep_log(pd_session *session);

/* second.c */
/* Opens a second world from the same beginning under this method, in the place of one that is open; of the one that is open:
 * closes it. An error is announced, and the session stays as it is. */
void pd_session_compare(pd_session *session, const pd_method_info *method);
/* Shows the second world alone; the log begins anew. */
void pd_session_keep_second(pd_session *session);
/* Closes the second world, if there is one, and announces why. */
void pd_second_close(pd_session *session, const char *why);
/* The same without a message. */
void pd_second_drop(pd_session *session);
/* A step of the session, of either world, is incomplete. */
bool pd_session_stepping(const pd_session *session);
/* Applies a command that was applied to the first world. */
void pd_second_follow(pd_session *session, const pd_command *command);
/* Works on the second world's part of a step, if that is incomplete, for about *seconds, which receives what is left; true: the
 * first world's part may go on at once. */
bool pd_second_work(pd_session *session, double *seconds);
/* After a step of both. */
void pd_second_stepped(pd_session *session);

/* warnings.c */
/* Appends what the scene asks for and the world's method does otherwise to a text. Returns how many things that are. */
int pd_session_warnings(const pd_world *world, char *text, size_t size);
/* The same of the session's world as a message, after `first` ("": nothing before it) if there is anything to say. */
void pd_session_tell_warnings(pd_session *session, const char *first);

#endif
