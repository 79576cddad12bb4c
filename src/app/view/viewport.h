/* The viewport: view, lines, palette, measured frames, and the state of the layers. It only reads the session. */
#ifndef PUDDLE_APP_VIEW_VIEWPORT_H
#define PUDDLE_APP_VIEW_VIEWPORT_H

#include "app/io/gallery.h"
#include "app/session/session.h"
#include "app/tables/keys.h"
#include "render/camera.h"
#include "render/picture.h"

/* Wall time of the last frames by stage, and convergence of the solver: meter.c */
enum { PD_METER_FRAMES = 100, PD_METER_STAGES = PD_MAX_STAGES + 1, PD_METER_ERRORS = 32 };
typedef struct pd_meter {
    float ms[PD_METER_FRAMES][PD_METER_STAGES]; /* ring of frames; the last stage is drawing */
    const char *names[PD_METER_STAGES];
    int stages, count;
    int next;                     /* place of the next frame in the ring */
    double frame_sum, wall_sum;   /* exponentially decaying, for the frame rate */
    float error[PD_METER_ERRORS]; /* density error before each iteration and after the last, smoothed over 0.5 s */
    float error_top;              /* top of the chart's scale */
    int errors;                   /* 0: the method has no solver */
} pd_meter;

/* A rectangle over the picture, interface units. */
typedef struct pd_plate {
    float x, y, width, height;
} pd_plate;

/* The numbers at the upper left, and the places of text in this frame: hud.c, plates.c */
enum { PD_HUD_LINES = 5, PD_HUD_TEXT = 48, PD_HUD_PLATES = 12 };
typedef struct pd_hud {
    char value[PD_HUD_LINES][PD_HUD_TEXT], label[PD_HUD_LINES][PD_HUD_TEXT];
    int lines;
    char slowness[200]; /* Why simulated time is slow. "": it keeps up with wall time. */
    const char *hint;   /* What to do where the picture shows nothing (pd_hint_find). */
    double due;         /* Time of the next update, s of pd_now(). */
    pd_plate plates[PD_HUD_PLATES];
    int plate_count;
} pd_hud;

/* The time line at the bottom: timeline.c */
typedef struct pd_timeline {
    pd_plate plate;
    float from, length; /* Left end and length of the track, interface units. */
    float opacity;
    double until; /* The line fades after this time, s of pd_now(). */
} pd_timeline;

/* The tool bar at the left: toolbar.c */
typedef struct pd_toolbar {
    pd_plate plate;
    int columns;     /* Columns of buttons. */
    int swatch_rows; /* Rows of swatches that have room. */
    bool shown;      /* The window has room for the bar, as of the last frame with an open panel. */
} pd_toolbar;

/* Two worlds side by side: panes.c */
typedef struct pd_panes {
    pd_view view;             /* View of the second world. */
    const pd_view_mode *mode; /* Mode of the second world's method. */
    int at;                   /* 1: the pointer is beyond the split, in the right pane if there is one. */
    pd_measure measure;       /* Measure of the graph. */
    pd_plate graph, keep;     /* Places of the graph and of the button "Keep this". Width 0: not drawn. */
} pd_panes;

/* The values below a resting pointer: probe.c */
enum { PD_PROBE_ROWS = 8 };
typedef struct pd_probe_row {
    pd_field_info info; /* A copy: the world of the value may be gone. */
    float value;
    char text[24];
} pd_probe_row;
typedef struct pd_probe {
    double moved;      /* Time of the last motion, s of pd_now(). INFINITY: none since the pointer arrived. */
    double due, since; /* Times of the next reading, and of the label's appearance, s of pd_now(). */
    const pd_method_info *method; /* Method that computed the values. */
    bool read;                    /* The values were read since the last motion. */
    int rows;                     /* 0: no label is shown. */
    pd_probe_row row[PD_PROBE_ROWS];
} pd_probe;

/* A slider that waits for its release: panel.c */
typedef struct pd_held_slider {
    const pd_parameter *parameter; /* NULL: no slider waits. */
    float value;                   /* Value to set on release. */
} pd_held_slider;

/* The bundled scenes in the panel: panel.c */
enum { PD_MAX_BUNDLED = 64 };
typedef struct pd_bundled {
    char names[PD_MAX_BUNDLED][64];
    char words[PD_MAX_BUNDLED * 64]; /* A prompt and the names, separated by '|'. */
    int count;
} pd_bundled;

/* The dialog of a new scene: new_scene.c */
typedef struct pd_new_scene {
    bool open;
    pd_container container; /* Chosen shape, and sizes of all shapes. Radius 0: not opened yet. */
    int row;                /* Row that the keys change. */
    pd_plate plate;         /* Place in the last frame, interface units. */
} pd_new_scene;

/* The browser of scenes: browser.c. Places are interface units. */
typedef struct pd_browser {
    bool open;
    pd_gallery gallery;
    int chosen;          /* Index of the chosen scene. -1: there are no scenes. */
    bool reveals;        /* The next frame scrolls to the chosen scene. */
    float scroll;        /* Distance scrolled from the top. */
    float width, height; /* Size of the window in the last frame. */
    int columns;         /* Columns of tiles. 0: not drawn yet. */
    int first, last;     /* Range of visible scenes. */
    float left;          /* Left edge of the first column. */
    float top, foot;     /* Upper and lower edge of the scrolling part. */
    float tile;          /* Width of a tile. */
    float length;        /* Height of all that scrolls. */
} pd_browser;

/* The table of keys: help.c. Places are interface units. */
typedef struct pd_help_sheet {
    pd_plate plate; /* Place in the last frame. */
    float scroll;   /* Distance scrolled from the top. */
    float hidden;   /* Height of the table that the window hides, the limit of `scroll`. */
} pd_help_sheet;

/* The palette of materials: material_palette.c */
typedef struct pd_material_palette {
    bool open;
    int item;                 /* Highlighted item. */
    pd_plate plate;           /* Place in the last frame, in interface units / zoom. */
    float zoom;               /* Scale in a small window. 1: an interface unit. */
    char newest[PD_MAX_NAME]; /* Material made last, whose section in the panel is open. */
    bool reveal;              /* The panel scrolls to that material in the next frame. */
} pd_material_palette;

typedef struct pd_viewport {
    pd_view view;               /* of the session's world, as of the last update */
    const pd_view_mode *mode;   /* the view that is shown; one of the running method's */
    const char *chosen_view;    /* name of the chosen view, which the method may lack; NULL: the method's first */
    bool lines_chosen;          /* false: the lines of the mode */
    pd_view_lines chosen_lines; /* drawn where the view can have them */
    bool view_chosen_last;      /* after the lines: the view's own streamlines or arrows are drawn */
    int palette;
    pd_meter meter;
    pd_announcer announcer;
    bool help, panel; /* open */
    pd_help_sheet help_sheet;
    pd_new_scene new_scene;
    pd_browser browser;
    pd_material_palette material_palette;
    bool touched;        /* the fluid has been dragged: no hint is needed */
    double now, started; /* this frame and the first frame, s of pd_now() */
    pd_hud hud;
    pd_timeline timeline;
    pd_toolbar toolbar;
    pd_panes panes;
    pd_probe probe;
    pd_held_slider slider;
    pd_bundled bundled;
} pd_viewport;

/* ---- viewport.c ---- */

/* Updates view and mode from the worlds. Call before drawing, if a world may have changed. */
void pd_viewport_update(pd_viewport *viewport, const pd_session *session);
/* Refreshes what depends on an event of the session. */
void pd_viewport_session_changed(pd_viewport *viewport, const pd_session *session, pd_session_event event);
/* Shows one of the running method's views. */
void pd_viewport_set_mode(pd_viewport *viewport, const pd_view_mode *mode);
/* Returns the lines over the view: the chosen ones or the view's own. PD_LINES_NONE: the view cannot have them. */
pd_view_lines pd_viewport_lines(const pd_viewport *viewport);
void pd_viewport_set_lines(pd_viewport *viewport, pd_view_lines lines);
/* Returns "kinetic energy", ... */
const char *pd_viewport_measure_name(pd_measure measure);
void pd_viewport_set_palette(pd_viewport *viewport, int palette);
/* Returns what to draw, without the tool. Sizes are in pixels. scale: pixels per interface unit; alpha: position between the last
 * two steps, 0 .. 1. */
pd_picture pd_viewport_picture(const pd_viewport *viewport, int width, int height, float scale, float alpha);
/* Returns what to draw of the second world. */
pd_picture pd_viewport_second_picture(const pd_viewport *viewport, int width, int height, float scale, float alpha);
/* Writes the colour in which a material is drawn now. */
void pd_viewport_material_colour(const pd_viewport *viewport, int material, float rgb[3]);
/* Performs an action. False: the action is not the viewport's. */
bool pd_viewport_act(pd_viewport *viewport, const pd_session *session, pd_action action);

/* ---- meter.c ---- */

/* Records a frame. elapsed, drawing: wall time of the whole frame and of drawing, s. Resets the world's profile. */
void pd_meter_frame(pd_meter *meter, pd_world *world, double elapsed, double drawing);
double pd_meter_fps(const pd_meter *meter);
/* Discards everything except the frame rate. Call after a change of world or method. */
void pd_meter_restart(pd_meter *meter);
/* Returns the top of a chart's scale that shows a value: 1, 2 or 5 times a power of ten. top: the present one, which stays while the
 * value lies between a fifth of it and all of it. */
float pd_chart_top(float top, float value);

/* ---- slow.c ---- */

/* Writes why simulated time is slow: "0.4× real time: stiffness 1200 m/s² costs 38 substeps a step". "": it is not slow. records: a
 * recording runs. Returns text. */
char *pd_viewport_slowness(const pd_viewport *viewport, const pd_session *session, bool records, char *text,
                           size_t size);
/* Writes the number of elements of a method whose particles are tracers: "256 × 128" or "1,234". Returns their name: "cells" or
 * "vortons". NULL: the particles are the fluid. */
const char *pd_viewport_elements(const pd_viewport *viewport, char *text, size_t size);

#endif
