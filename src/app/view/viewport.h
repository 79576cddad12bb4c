/* The viewport: how the world is shown (view, lines, palette), measured frame times, and state of the interface's layers. The
 * viewport reads the session and never changes it. */
#ifndef PUDDLE_APP_VIEW_VIEWPORT_H
#define PUDDLE_APP_VIEW_VIEWPORT_H

#include "app/io/gallery.h"
#include "app/session/files.h"
#include "app/session/session.h"
#include "app/tables/keys.h"
#include "render/camera.h"
#include "render/picture.h"

/* Measured wall time of the last frames by stage, and convergence of the pressure solver (meter.c). */
enum { PD_METER_FRAMES = 100, PD_METER_STAGES = PD_MAX_STAGES + 1, PD_METER_ERRORS = 32 };
typedef struct pd_meter {
    /* wall time of each frame and stage, a ring buffer; the last stage is drawing */
    float ms[PD_METER_FRAMES][PD_METER_STAGES];
    const char *names[PD_METER_STAGES]; /* names of the stages */
    int stages;                         /* number of timed stages of a step, with drawing */
    int count;                          /* frames in the ring buffer */
    int next;                           /* index of the next frame in the ring buffer */
    double frame_sum, wall_sum;         /* exponentially decaying sums of frames and of seconds, for the frame rate */
    float error[PD_METER_ERRORS]; /* density error before each iteration and after the last one, smoothed over 0.5 s */
    float error_top;              /* top of the chart's scale */
    int errors;                   /* entries of `error`; 0: the method has no solver */
} pd_meter;

/* Rectangle over the picture, interface units. */
typedef struct pd_plate {
    float x, y, width, height;
} pd_plate;

/* Numbers in the strip at the bottom, and rectangles that hold text in this frame (hud.c, plates.c). */
enum { PD_HUD_LINES = 5, PD_HUD_TEXT = 48, PD_HUD_PLATES = 12 };
typedef struct pd_hud {
    char value[PD_HUD_LINES][PD_HUD_TEXT], label[PD_HUD_LINES][PD_HUD_TEXT];
    int lines;          /* Lines in use. */
    float end;          /* right edge of the texts in the strip, interface units */
    char slowness[200]; /* Reason why simulated time is slower than wall time. "": it is not. */
    const char *hint;   /* Hint while the picture shows no motion (pd_hint_find). NULL: none. */
    double next_update; /* Time of the next update of the numbers, s of pd_now(). */
    pd_plate plates[PD_HUD_PLATES];
    int plate_count;
} pd_hud;

/* The time line at the bottom of the window (timeline.c). */
typedef struct pd_timeline {
    pd_plate plate;
    float from, length; /* Left end and length of the track, interface units. */
    float opacity;
    double shown_until; /* Time after which the line fades out, s of pd_now(). */
} pd_timeline;

/* The tool bar at the left of the window (toolbar.c). */
typedef struct pd_toolbar {
    pd_plate plate;
    int columns;     /* Columns of buttons. */
    int swatch_rows; /* Rows of material swatches that have room. */
    bool shown;      /* The window had room for the bar in the last frame with an open panel. */
} pd_toolbar;

/* Two worlds side by side (panes.c). */
typedef struct pd_panes {
    pd_view view;             /* View of the world in the second pane, side by side. */
    const pd_view_mode *mode; /* Shown view mode of the second world's method. */
    int hovered;          /* Index of the pane below the pointer. 1: right pane, or the panel beside a single pane. */
    pd_measure measure;   /* Quantity that the graph shows. */
    pd_plate graph, keep; /* Places of the graph and of the button "Keep this". Width 0: not drawn. */
} pd_panes;

/* Field values at a resting pointer (probe.c). */
enum { PD_PROBE_ROWS = 8 };
typedef struct pd_probe_row {
    pd_field_info info; /* Copy of the field's description, valid after the world is destroyed. */
    float value;
    char text[24]; /* The value as shown. */
} pd_probe_row;
typedef struct pd_probe {
    /* Time of the pointer's last motion, s of pd_now(). INFINITY: none since it entered the window. */
    double motion_time;
    double next_update, shown_since; /* Times when the values are read next, and when they appeared, s of pd_now(). */
    const pd_method_info *method;    /* Method of the world that the values are from. */
    bool read;                       /* The values were read since the pointer's last motion. */
    int rows;                        /* Values shown. 0: none. */
    pd_probe_row row[PD_PROBE_ROWS];
} pd_probe;

/* Slider whose parameter is set when the user releases it (panel.c). */
typedef struct pd_held_slider {
    const pd_parameter *parameter; /* Parameter of the slider. NULL: no such slider is held. */
    float value;                   /* Value to set on release. */
} pd_held_slider;

/* Menu of the bundled scenes in the panel (panel.c). */
enum { PD_MAX_BUNDLED = 64 };
typedef struct pd_bundled {
    char names[PD_MAX_BUNDLED][64];
    char words[PD_MAX_BUNDLED * 64]; /* Items of the menu for ui_choose_item: a prompt and the names. */
    int count;
} pd_bundled;

/* The open dialog (dialog.c). */
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

/* The dialog for an empty container (new_scene.c). */
typedef struct pd_new_scene {
    pd_container container; /* Chosen shape and size. Radius 0: the dialog was never opened. */
    int row;                /* Highlighted row, which the keys change. */
} pd_new_scene;

/* Text fields for the name and the folder of a file to write (file_fields.c). */
typedef struct pd_file_fields {
    char name[PD_MAX_PATH], folder[PD_MAX_PATH];  /* Texts of the fields. */
    char path[PD_MAX_PATH];                       /* Whole path of the file. */
    char problem[sizeof((pd_error *)0)->message]; /* Reason why the file was not written. "": none. */
    bool exists;                                  /* A file exists at the path. */
    bool warned; /* Enter was pressed while the file existed. The next Enter replaces the file. */
} pd_file_fields;

/* The dialog that saves a snapshot, a scene or a log (save.c). */
typedef struct pd_save_dialog {
    pd_file_kind kind;
    pd_file_fields file;
} pd_save_dialog;

/* The dialog that exports the log as a video (export.c). The choices are indices of menus. */
typedef struct pd_export_dialog {
    uint64_t from, to; /* First and last tick of the log. */
    int size, rate, view, palette, format;
    char own_size[32]; /* Text of the field for an own size: "800x600". */
    pd_file_fields file;
} pd_export_dialog;

/* The browser of scenes (browser.c). Lengths are interface units. */
typedef struct pd_browser {
    bool open;
    pd_gallery gallery;
    int chosen;             /* Index of the highlighted scene. -1: the gallery is empty. */
    bool scrolls_to_chosen; /* The next frame scrolls to the highlighted scene. */
    float scroll;           /* Distance scrolled from the top. */
    float width, height;    /* Size of the window in the last frame. */
    int columns;            /* Columns of pictures. 0: not drawn yet. */
    int first, last;        /* Indices of the first and last visible scene. */
    float left;             /* Left edge of the first column of pictures. */
    float top, bottom;      /* Upper and lower edge of the scrolling part. */
    float tile_width;       /* Width of a picture. */
    float content_height;   /* Height of the scrolling part's content. */
} pd_browser;

/* The table of keys (help.c). Lengths are interface units. */
typedef struct pd_help_sheet {
    pd_plate plate; /* Place of the table in the last frame. */
    float scroll;   /* Distance scrolled from the top. */
    float hidden;   /* Greatest `scroll`: height of the table that does not fit the window. */
} pd_help_sheet;

/* The palette of materials (material_palette.c). */
typedef struct pd_material_palette {
    bool open;
    int item;                 /* Index of the highlighted item: a ready material, or a colour for a new one. */
    pd_plate plate;           /* Place in the last frame, in units of `zoom` interface units. */
    float zoom;               /* Interface units per unit of the palette: below 1 in a small window. */
    char newest[PD_MAX_NAME]; /* Name of the material added last, whose section in the panel opens. */
    bool scrolls_to_newest;   /* The next frame scrolls the panel to that material. */
} pd_material_palette;

typedef struct pd_viewport {
    pd_view view;               /* view of the session's first world */
    const pd_view_mode *mode;   /* shown view mode, one of the running method's */
    const char *chosen_view;    /* name of the view that the user chose, which the method may lack; NULL: none */
    bool lines_chosen;          /* the user has chosen lines; false: the mode's own lines are drawn */
    pd_view_lines chosen_lines; /* lines that the user chose, drawn if the view can have them */
    bool view_chosen_last; /* the user chose the view after the lines, so its own streamlines or arrows are drawn */
    int palette;           /* index of render/palette.h */
    pd_meter meter;
    pd_announcer announcer;
    bool help, panel; /* the table of keys is open; the panel is open */
    bool bars;        /* the bar at the top and the tool bar are shown */
    pd_help_sheet help_sheet;
    pd_dialog dialog;
    pd_new_scene new_scene;
    pd_save_dialog save;
    pd_export_dialog export;
    pd_browser browser;
    pd_material_palette material_palette;
    bool fluid_dragged;  /* the user has dragged the fluid, so the first hint ends */
    double now, started; /* times of this frame and of the first frame, s of pd_now() */
    pd_hud hud;
    pd_timeline timeline;
    pd_toolbar toolbar;
    pd_panes panes;
    pd_probe probe;
    pd_held_slider slider;
    pd_bundled bundled;
} pd_viewport;

/* ---- viewport.c ---- */

/* Updates views and modes from the session's worlds. Call before drawing if a world may have changed. */
void pd_viewport_update(pd_viewport *viewport, const pd_session *session);
/* Updates the viewport after an event of the session. */
void pd_viewport_session_changed(pd_viewport *viewport, const pd_session *session, pd_session_event event);
/* Chooses one of the running method's view modes. */
void pd_viewport_set_mode(pd_viewport *viewport, const pd_view_mode *mode);
/* Returns the lines to draw over the view: the user's choice or the view's own. PD_LINES_NONE: none. */
pd_view_lines pd_viewport_lines(const pd_viewport *viewport);
void pd_viewport_set_lines(pd_viewport *viewport, pd_view_lines lines);
/* Returns the name of a measure: "kinetic energy". */
const char *pd_viewport_measure_name(pd_measure measure);
void pd_viewport_set_palette(pd_viewport *viewport, int palette);
/* Returns the description of the first world's picture, without the tool. width, height: pixels; scale: pixels per interface
 * unit; alpha: weight of the last state, 0 .. 1 (pd_pace_alpha). */
pd_picture pd_viewport_picture(const pd_viewport *viewport, int width, int height, float scale, float alpha);
/* Returns the description of the second world's picture. */
pd_picture pd_viewport_second_picture(const pd_viewport *viewport, int width, int height, float scale, float alpha);
/* Computes the colour in which the view draws a material. */
void pd_viewport_material_colour(const pd_viewport *viewport, int material, float rgb[3]);
/* Performs an action. False: the action does not belong to the viewport. */
bool pd_viewport_perform_action(pd_viewport *viewport, const pd_session *session, pd_action action);

/* ---- meter.c ---- */

/* Adds a frame to the measurements and resets the world's profile. elapsed, drawing: wall time of the frame and of its drawing,
 * s. */
void pd_meter_add_frame(pd_meter *meter, pd_world *world, double elapsed, double drawing);
/* Returns the mean frame rate, 1/s. */
double pd_meter_fps(const pd_meter *meter);
/* Discards all measurements except the frame rate. Call after a change of world or method. */
void pd_meter_restart(pd_meter *meter);
/* Returns the top of a chart's scale for a value: 1, 2 or 5 times a power of ten. top: the present top, which stays while the
 * value lies between top / 5 and top. */
float pd_chart_axis_maximum(float top, float value);

/* ---- slow.c ---- */

/* Writes why simulated time is slow: "0.4× real time: stiffness 1200 m/s² costs 38 substeps a step". "": it is not slow. records: a
 * recording runs. Returns text. */
char *pd_viewport_slowness(const pd_viewport *viewport, const pd_session *session, bool records, char *text,
                           size_t size);
/* Writes the number of elements of a method whose particles are tracers: "256 × 128" or "1,234". Returns their name: "cells" or
 * "vortons". NULL: the particles are the fluid. */
const char *pd_viewport_element_count(const pd_viewport *viewport, char *text, size_t size);

#endif
