/* The viewport: how the world is shown (view, lines, palette), measured frame times, and the state of the layers over the
 * picture. The viewport reads the session and never changes it. */
#ifndef PUDDLE_APP_VIEW_VIEWPORT_H
#define PUDDLE_APP_VIEW_VIEWPORT_H

#include "app/io/gallery.h"
#include "app/session/session.h"
#include "app/tables/keys.h"
#include "render/picture.h"

/* Wall time of the last frames for each stage of a step, and convergence of the pressure solver. */
enum { PD_METER_FRAMES = 100, PD_METER_STAGES = PD_MAX_STAGES + 1, PD_METER_ERRORS = 32 };
typedef struct pd_meter {
    float ms[PD_METER_FRAMES][PD_METER_STAGES]; /* ring buffer of wall times by frame and stage */
    const char *names[PD_METER_STAGES];         /* names of the stages of a step; the last one is "drawing" */
    int stages;                                 /* number of stages, including drawing */
    int count;                                  /* number of frames in the ring buffer */
    int next;                                   /* index in the ring buffer of the frame to write next */
    /* Sums of frames and of wall time (s), decaying exponentially. Their ratio is the frame rate. */
    double frame_sum, wall_sum;
    /* Relative density error before each iteration and after the last one, smoothed over 0.5 s. */
    float error[PD_METER_ERRORS];
    float error_top; /* top of the axis in the chart of `error` */
    int errors;      /* number of entries of `error`; 0: the method has no iterative solver */
} pd_meter;

/* Rectangle in the window, interface units. */
typedef struct pd_plate {
    float x, y, width, height;
} pd_plate;

/* Numbers in the strip at the bottom of the window (hud.c). */
enum { PD_HUD_LINES = 5, PD_HUD_TEXT = 48 };
typedef struct pd_hud {
    /* Numbers in the strip, and their labels. */
    char value[PD_HUD_LINES][PD_HUD_TEXT], label[PD_HUD_LINES][PD_HUD_TEXT];
    int lines; /* Number of used elements of `value` and `label`. */
    float end; /* Right edge of the texts in the strip, interface units. */
    /* Why simulated time is slow (pd_viewport_explain_slowness). "": not slow, or shown long enough. */
    char slowness[120];
    double slow_from, slow_until; /* Times when time became slow and when it was slow last, s of pd_now(). 0: never. */
    const char *hint;             /* Hint that is shown while the fluid does not move (pd_hint_find). NULL: none. */
    double next_update;           /* Time at which the numbers are updated next, s of pd_now(). */
} pd_hud;

/* Zoom: part of the container that all panes, recordings and screenshots show (hud.c). It does not change the world. */
typedef struct pd_zoom {
    float factor;    /* Magnification, 1 to 40. 0 counts as 1. */
    pd_vec2 shift;   /* Vector from the centre of the container's view to the centre of the picture, m. */
    bool space_down; /* Space is held down, so that a drag moves the picture. */
    bool moved;      /* A drag has moved the picture since Space was pressed, so the release of Space does not pause. */
    bool dragged;    /* A drag moves the picture now. */
    pd_vec2 held;    /* Point of the world that stays at the pointer during the drag, m. */
} pd_zoom;

/* Parts of the picture that the user has switched off or on, in the window, in recordings and in screenshots (panel.c). */
typedef struct pd_picture_switches {
    bool no_outline;       /* The outline of the container is not drawn. */
    bool no_sources;       /* Emitters and drains are not drawn. */
    bool no_legend;        /* The legend of the colours is not drawn. */
    bool ruler;            /* A scale bar is drawn. */
    bool values;           /* The window shows the values of the fields at a pointer that rests (probe.c). */
    bool plain;            /* The background has one colour. */
    uint8_t background[3]; /* Colour of a plain background, sRGB. */
} pd_picture_switches;

/* The time line at the bottom of the window (timeline.c). */
typedef struct pd_timeline {
    pd_plate plate;     /* Rectangle of the time line in the last frame. */
    float from, length; /* Left end and length of the line that stands for time, interface units. */
    float opacity;      /* Present opacity, 0 to 1. */
    double shown_until; /* Time at which the time line begins to fade out, s of pd_now(). */
} pd_timeline;

/* Two panes side by side, one for each world of a comparison (panes.c). */
typedef struct pd_panes {
    pd_view view;             /* View of the second world, which the right pane shows. */
    const pd_view_mode *mode; /* View mode of the right pane. */
    pd_measure measure;       /* Quantity in the graph that compares both worlds. */
} pd_panes;

/* Probe: position and values of fields at the pointer, shown beside a pointer that does not move (probe.c). */
enum { PD_PROBE_ROWS = 8 };
typedef struct pd_probe_row {
    const char *name, *title, *unit; /* Texts of static tables. name NULL: the row shows the pointer's position. */
    float value;                     /* Value at the pointer. */
    char text[32];                   /* `value` as text. */
} pd_probe_row;
typedef struct pd_probe {
    double motion_time; /* Time of the pointer's last motion in the window, s of pd_now(). INFINITY: no motion yet. */
    /* Times when the values are read next, and when the values appeared, s of pd_now(). */
    double next_update, shown_since;
    const pd_method_info *method;    /* Method of the world that the values were read from. */
    bool read;                       /* The values were read after the pointer's last motion. */
    int rows;                        /* Number of rows shown. 0: no values are shown. */
    pd_probe_row row[PD_PROBE_ROWS]; /* Fields whose values are shown. */
} pd_probe;

/* Name of the selected body in the panel's text field (panel.c). */
typedef struct pd_body_name {
    char text[PD_MAX_NAME];   /* text of the field */
    char before[PD_MAX_NAME]; /* name of the body when the field received the keyboard focus */
    bool active;              /* the field had the keyboard focus in the last frame */
} pd_body_name;

/* Slider that sets its parameter only when the user releases the slider (panel.c). */
typedef struct pd_held_slider {
    const pd_parameter *parameter; /* Parameter of the slider that the user drags. NULL: none. */
    float value;                   /* Value of the parameter if the user releases the slider now. */
} pd_held_slider;

/* The open dialog (dialogs.c). */
typedef enum pd_dialog_kind {
    PD_DIALOG_NONE,
    PD_DIALOG_NEW_SCENE,
    PD_DIALOG_SAVE,
    PD_DIALOG_EXPORT,
    PD_DIALOGS
} pd_dialog_kind;
typedef struct pd_dialog {
    pd_dialog_kind kind; /* PD_DIALOG_NONE: no dialog is open. */
    pd_plate plate;      /* Place of the dialog in the last frame. */
} pd_dialog;

/* First steps of a new user, which hints suggest one after the other (message.c). */
typedef enum pd_hint { PD_HINT_DRAG, PD_HINT_TOOL, PD_HINT_SCENES, PD_HINT_METHODS, PD_HINTS } pd_hint;
typedef struct pd_hints {
    bool enabled;        /* Hints are shown, because a person and not a script uses the window. */
    bool done[PD_HINTS]; /* done[hint]: the user has done the suggested step, in this or an earlier run. */
    double since;        /* Time from which the delay before the next hint counts, s of pd_now(). */
    bool told_pause;     /* A press with a tool while time is paused was explained, since time ran last. */
    const char *shown;   /* Text of the hint that was shown last. NULL: none. */
    char line[80];       /* `shown` as one line. */
    bool in_strip;       /* The hint has no room beside the container: the strip shows `line`. */
} pd_hints;

/* The opening card, which lists ways to begin, and the offer to continue the last session (opening.c). */
typedef struct pd_opening {
    bool open;            /* The opening card is shown. */
    bool accepted;        /* Enter was pressed, so the next frame performs the action of the highlighted row. */
    int row;              /* Index of the highlighted row. */
    char last[96];        /* Name and age of the last session: "Dam break, 2 min ago". "": there is no last session. */
    double offered_until; /* Time until which the window offers to continue the last session, s of pd_now(). */
    pd_plate plate;       /* Rectangle of the card in the last frame. */
} pd_opening;

/* The dialog that begins a scene with an empty container (dialogs.c). */
typedef struct pd_new_scene {
    pd_empty_scene scene; /* Chosen container, water and resolution. Radius 0: the dialog was never opened. */
    int row;              /* Index of the highlighted row, whose value the arrow keys change. */
} pd_new_scene;

/* Text fields for the name and the folder of a file to write (dialogs.c). */
typedef struct pd_file_fields {
    char name[PD_MAX_PATH], folder[PD_MAX_PATH];  /* Texts of the fields. */
    char path[PD_MAX_PATH];                       /* Whole path of the file. */
    char problem[sizeof((pd_error *)0)->message]; /* Reason why the file was not written. "": none. */
    bool exists;                                  /* A file exists at the path. */
    bool warned; /* Enter was pressed while the file existed. The next Enter replaces the file. */
} pd_file_fields;

/* The dialog that saves a snapshot, a scene or a log (dialogs.c). */
typedef struct pd_save_dialog {
    pd_file_kind kind;   /* Kind of file that the dialog saves. */
    pd_file_fields file; /* Text fields for name and folder. */
} pd_save_dialog;

/* The dialog that exports the log as a video (dialogs.c). */
typedef struct pd_export_dialog {
    uint64_t from, to; /* First and last tick of the log that the video shows. */
    int size, rate, speed, view, camera, palette, background, format; /* Index of the selected item of each menu. */
    int quality;                                                      /* a pd_quality */
    char own_size[32];   /* Text of the field for a size that is not in the menu: "800x600". */
    pd_file_fields file; /* Text fields for name and folder. */
} pd_export_dialog;

/* The browser of scenes (browser.c). */
typedef struct pd_browser {
    bool open;              /* The browser is shown. */
    pd_gallery gallery;     /* List of scene files. */
    char search[64];        /* Searched words: only scenes that contain them are shown. */
    int chosen;             /* Index of the highlighted scene. -1: no scene is shown. */
    bool scrolls_to_chosen; /* The next frame scrolls to the highlighted scene. */
    const char *top_group;  /* Group whose heading the next frame scrolls to the top. NULL: none. */
    int columns;            /* Number of columns of tiles. */
    int page;               /* Number of rows of tiles that fit into the window. */
    int first, last;        /* Indices of the first and last visible scene in the gallery. */
    float head;             /* Height of the area above the tiles, interface units. */
} pd_browser;

/* The help (help.c). */
typedef struct pd_help_sheet {
    pd_plate plate;   /* Rectangle of the dialog in the last frame. */
    int tab;          /* Index of the shown tab. */
    bool selects_tab; /* The next frame shows `tab`. */
    char search[32];  /* Searched words: only keys whose row contains them are listed. "": all keys. */
} pd_help_sheet;

/* The palette of materials: a window that selects or adds a material (material_palette.c). */
typedef struct pd_material_palette {
    bool open;                /* The palette is shown. */
    int chosen;               /* Index of the button that the arrow keys highlight. -1: none. */
    int columns;              /* Number of columns of ready materials. */
    pd_plate plate;           /* Rectangle in the last frame, interface units. */
    char newest[PD_MAX_NAME]; /* Name of the material added last. Its section in the panel opens. */
    bool scrolls_to_newest;   /* The next frame scrolls the panel to the section of `newest`. */
} pd_material_palette;

typedef struct pd_viewport {
    pd_view view;             /* view of the first world */
    const pd_view_mode *mode; /* shown view mode of the running method */
    const char *chosen_view; /* name of the view mode that the user chose last; other methods may lack it; NULL: none */
    bool lines_chosen;       /* the user has chosen lines; false: the lines of `mode` are drawn */
    pd_view_lines chosen_lines; /* lines that the user chose; drawn only if the view has the data */
    bool view_chosen_last; /* the user chose the view after the lines: the view's own streamlines or arrows are drawn */
    int palette;           /* index of the palette in render/palette.h */
    pd_meter meter;        /* measured frame times */
    pd_announcer announcer;               /* the last message */
    bool help;                            /* the help is shown */
    bool panel;                           /* the panel is shown */
    bool advanced;                        /* the panel shows the rows under "Advanced" */
    bool bars;                            /* the bar at the top, the tool bar and the strip at the bottom are shown */
    float bar_opacity;                    /* opacity of the bars, lower during a drag in the picture */
    pd_help_sheet help_sheet;             /* tabs and search of the help */
    pd_dialog dialog;                     /* the open dialog */
    pd_new_scene new_scene;               /* dialog for an empty container */
    pd_save_dialog save;                  /* dialog that saves a file */
    pd_export_dialog export;              /* dialog that exports a video */
    pd_browser browser;                   /* browser of scene files */
    pd_material_palette material_palette; /* dialog that selects or adds a material */
    pd_hints hints;                       /* hints for a new user */
    pd_opening opening;                   /* opening card */
    double now;                           /* time of this frame, s of pd_now() */
    pd_hud hud;                           /* numbers in the strip at the bottom */
    pd_picture_switches switches;         /* parts of the picture that are switched off */
    pd_zoom zoom;                         /* part of the container that is shown */
    pd_timeline timeline;                 /* time line of the log */
    pd_panes panes;                       /* second pane of a comparison */
    pd_body_name body_name;               /* text field of the selected body's name */
    pd_probe probe;                       /* field values at the pointer */
    pd_held_slider slider;                /* slider that the user drags */
} pd_viewport;

/* ---- viewport.c ---- */

/* Updates the views and view modes from the session's worlds. Call before drawing if a world may have changed. */
void pd_viewport_update(pd_viewport *viewport, const pd_session *session);
/* Updates the viewport for an event of the session. */
void pd_viewport_handle_event(pd_viewport *viewport, const pd_session *session, pd_session_event event);
/* Selects a view mode of the running method, and shows its name in a message. */
void pd_viewport_set_mode(pd_viewport *viewport, const pd_view_mode *mode);
/* Returns the lines to draw over the view: the user's choice, or the lines of the view mode. */
pd_view_lines pd_viewport_lines(const pd_viewport *viewport);
/* Selects the lines over the view, and shows their name in a message. */
void pd_viewport_set_lines(pd_viewport *viewport, pd_view_lines lines);
/* Returns the name of a measure: "kinetic energy". */
const char *pd_viewport_measure_name(pd_measure measure);
/* Selects a palette, and shows its name in a message. palette: index in render/palette.h. */
void pd_viewport_set_palette(pd_viewport *viewport, int palette);
/* Returns the description of a pane's picture, without the circle of the tool. pane: 0, or 1 for the second world; width, height:
 * pixels; scale: pixels per interface unit; alpha: time of the picture between the previous step (0) and the current step (1). */
pd_picture pd_viewport_describe_picture(const pd_viewport *viewport, int pane, int width, int height, float scale,
                                        float alpha);
/* Computes the colour in which the view draws a material. rgb: 0 to 1. */
void pd_viewport_compute_material_colour(const pd_viewport *viewport, int material, float rgb[3]);
/* Read the switches of earlier runs, and save them for later runs if they differ. Errors: FILE_UNWRITABLE. */
void pd_switches_read(pd_picture_switches *switches);
pd_result pd_switches_save(const pd_picture_switches *switches, pd_error *error);
/* Performs an action of the table of keys. False: the viewport does not perform this action. */
bool pd_viewport_perform_action(pd_viewport *viewport, const pd_session *session, pd_action action);

/* ---- Meter ---- */

/* Adds a frame to the measurements, and resets the world's profile, which has the wall times of the stages. */
void pd_meter_add_frame(pd_meter *meter, pd_world *world, double frame_seconds, double drawing_seconds);
/* Returns the mean frame rate, 1/s. */
double pd_meter_fps(const pd_meter *meter);
/* Discards all measurements except the frame rate. Call after a change of world or method. */
void pd_meter_restart(pd_meter *meter);
/* Returns the value at the top of a chart's axis: 1, 2 or 5 times a power of ten. value: greatest value in the chart.
 * Returns present_top if `value` lies between present_top / 5 and present_top. */
float pd_chart_choose_axis_maximum(float present_top, float value);

/* Writes why simulated time is slow: "Running at 40 % speed: the fluid is stiff (38 substeps)", or "" if time is not slow.
 * recording: whether a recording runs. Returns `text`. */
char *pd_viewport_explain_slowness(const pd_viewport *viewport, const pd_session *session, bool recording, char *text,
                                   size_t size);
/* Writes the number of cells ("256 × 128") or vortons ("1,234") of a method whose particles are only tracers. Returns "cells"
 * or "vortons", or NULL if the particles are the fluid. */
const char *pd_viewport_describe_cells_or_vortons(const pd_viewport *viewport, char *text, size_t size);

#endif
