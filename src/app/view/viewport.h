/* The viewport: view, lines, palette, measured frames, and the state of what lies over the picture. It only reads the session. */
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

/* A place over the picture that text takes, in interface units. */
typedef struct pd_plate {
    float x, y, width, height;
} pd_plate;

/* The numbers at the upper left, and the places that are taken: hud.c */
enum { PD_HUD_LINES = 5, PD_HUD_TEXT = 48, PD_HUD_PLATES = 12 };
typedef struct pd_hud {
    char value[PD_HUD_LINES][PD_HUD_TEXT], label[PD_HUD_LINES][PD_HUD_TEXT];
    int lines;
    char slowness[200]; /* why simulated time is slow; "": it is not */
    const char *hint;   /* what to do, while there is nothing to see; NULL: there is something */
    double due;
    pd_plate plates[PD_HUD_PLATES]; /* in this frame */
    int plate_count;
} pd_hud;

/* The time line at the bottom: timeline.c */
typedef struct pd_timeline {
    pd_plate plate;
    float from, length; /* of its track, in interface units */
    float opacity;
    double until; /* s of pd_now(): it stays */
} pd_timeline;

/* The tool bar at the left: toolbar.c */
typedef struct pd_toolbar {
    pd_plate plate;
    int columns;     /* of buttons */
    int swatch_rows; /* that there is room for */
    bool shown;      /* there is room for it, as of the last frame with an open panel */
} pd_toolbar;

/* Two worlds side by side: panes.c */
typedef struct pd_panes {
    bool shown;               /* there is a second world */
    pd_view view;             /* of it */
    const pd_view_mode *mode; /* one of its method's */
    int at;                   /* 1: the pointer is in its pane, the right one, or a press began there */
    pd_measure measure;       /* that the graph shows */
    pd_plate graph, keep; /* the graph; the button that keeps the second world; in the last frame, width 0: not shown */
} pd_panes;

/* The values under a resting pointer: probe.c */
enum { PD_PROBE_ROWS = 8 };
typedef struct pd_probe_row {
    pd_field_info info; /* a copy: the world that the value is of may be gone */
    float value;
    char text[24];
} pd_probe_row;
typedef struct pd_probe {
    double moved, due, since;     /* s of pd_now(): the last motion, the next reading, when the label appeared */
    const pd_method_info *method; /* that the values are of */
    bool read;                    /* since the last motion */
    int rows;                     /* 0: no label */
    pd_probe_row row[PD_PROBE_ROWS];
} pd_probe;

/* A slider that the pointer holds, of a parameter that is set on release: panel.c */
typedef struct pd_held_slider {
    const pd_parameter *parameter; /* NULL: none */
    float value;                   /* shown, and not yet set */
} pd_held_slider;

/* The bundled scenes that the panel offers: panel.c */
enum { PD_MAX_BUNDLED = 64 };
typedef struct pd_bundled {
    char names[PD_MAX_BUNDLED][64];
    char words[PD_MAX_BUNDLED * 64]; /* a prompt and the names, separated by '|' */
    int count;
} pd_bundled;

/* What is asked before an empty scene begins: new_scene.c */
typedef struct pd_new_scene {
    bool open;
    pd_container_shape shape;
    float radius, width, height; /* m; radius 0: it has not been open yet */
    int row;                     /* that the keys change */
    float x, y, zoom;            /* of the first row, in interface units times zoom */
    pd_plate plate;              /* as drawn last, in interface units */
} pd_new_scene;

/* The scenes that can be opened, as pictures: browser.c */
typedef struct pd_browser {
    bool open;
    pd_gallery gallery;
    int chosen;                  /* a scene; -1: there is none */
    bool reveals;                /* the next frame scrolls to the chosen one */
    float scroll;                /* interface units from the top */
    float width, height;         /* of the window in the last frame, interface units */
    int columns;                 /* 0: not drawn yet */
    int first, last;             /* scenes that are in sight */
    float left, top, foot, tile; /* of the first column, of what scrolls, where that ends; width of a tile */
    float length;                /* of all that scrolls */
} pd_browser;

/* The table of keys: help.c */
typedef struct pd_help_sheet {
    pd_plate plate; /* as drawn last, in interface units */
    float scroll;   /* interface units from the top */
    float hidden;   /* of the table's height, in a window that is too small: how far it scrolls */
} pd_help_sheet;

/* The palette of materials: material_palette.c */
typedef struct pd_material_palette {
    bool open;
    int item;                 /* that is highlighted */
    float seen_x, seen_y;     /* pixels: the pointer highlights when it moves */
    pd_plate plate;           /* as drawn last */
    float zoom;               /* of its units */
    char newest[PD_MAX_NAME]; /* the material that was made last: open in the panel */
    bool reveal;              /* the panel is to scroll to it */
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
