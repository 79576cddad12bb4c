/* Description of a picture, which the renderer draws. */
#ifndef PUDDLE_RENDER_PICTURE_H
#define PUDDLE_RENDER_PICTURE_H

#include <puddle/view.h>

/* Part of a picture: lower left corner and size, pixels from the picture's lower left corner. */
typedef struct pd_pixel_area {
    int x, y, width, height;
} pd_pixel_area;

/* Placement of the view in a picture. A zeroed struct shows the whole view, centred and as large as possible. */
typedef struct pd_framing {
    /* Margins of the picture that the view leaves free (before zoom and shift), pixels. */
    float left, top, right, bottom;
    float zoom;    /* magnification of the view; 0 means 1 */
    pd_vec2 shift; /* vector from the view's centre to the point that is shown in the middle between the margins, m */
} pd_framing;

/* Something that is drawn over the world: a preview, a selected item or one that would be erased. Widths are interface units. */
typedef enum pd_mark_kind {
    PD_MARK_AREA,    /* the rim of `area` and its inside; no inside: the rim alone; no rim: the inside alone */
    PD_MARK_OUTLINE, /* a line along a circle or box */
    PD_MARK_LINE,    /* a line from `from` to `to` */
} pd_mark_kind;
typedef struct pd_mark {
    pd_mark_kind kind;
    pd_area area;
    pd_vec2 from, to; /* ends of a line, m */
    float width;      /* width of the outline or line */
    float halo;       /* width of a translucent rim at either side, dark at light colours and light at dark ones */
    float colour[4];  /* colour of the rim or line: red, green, blue, opacity, 0 to 1 */
    float inside[4];  /* colour of the inside of an area */
} pd_mark;

/* Content and size of a picture. `area` is drawn into the lower left corner of the framebuffer. Its x and y must be
 * even, because shaders compute derivatives from pairs of pixels. */
typedef struct pd_picture {
    const pd_view *view;      /* view of the world that is drawn */
    const pd_view_mode *mode; /* view mode of the world's method */
    pd_view_lines lines;      /* lines drawn over the view: none, contours, streamlines or arrows */
    int palette;              /* index of the palette (render/palette.h) */
    float alpha;              /* time of the picture within the last step: 0 at its beginning, 1 at its end */
    int width, height;        /* size of the picture, pixels */
    pd_pixel_area area;       /* part of the picture to draw; width = 0 (only in pd_renderer_draw): the whole picture */
    pd_framing framing;       /* placement of the view in the picture */
    float scale;              /* pixels per interface unit: 1 at 100 %, 2 at 200 % */
    bool transparent;         /* draw no background; pixels are premultiplied by alpha */
    bool plain;               /* draw a background of one colour instead of the gradient */
    float background[3];      /* colour of a plain background: red, green, blue, 0 to 1 */
    bool no_outline;          /* do not draw the outline of the container */
    bool no_sources;          /* draw neither drains nor the nozzles of emitters */
    bool deep;                /* the framebuffer has 16 bits per channel, else 8 */
    bool show_tool;           /* draw the circle of a tool */
    pd_vec2 tool;             /* centre of the tool's circle, m */
    float tool_radius;        /* radius of the tool's circle, m */
    const pd_mark *marks;     /* what is drawn over the world, areas below lines */
    int mark_count;           /* number of marks */
} pd_picture;

/* Returns the view with its container enlarged by half a rest spacing on each side: walls stop the centres of particles,
 * and the drawn fluid ends half a spacing beyond the centres. */
pd_view pd_picture_move_walls_outwards(const pd_view *view);

/* Legend of a picture: a colour bar for the values from `low` to `high`. */
typedef struct pd_legend {
    const char *title; /* name of the quantity: "speed" */
    const char *unit;  /* unit of low and high: "m/s" */
    float low, high;   /* values at the ends of the colour bar */
} pd_legend;

/* Sets *legend to the legend of the field or of the vortices' circulations that a picture in this view mode shows. Returns
 * false if its colours are those of materials, which need no legend. */
bool pd_picture_find_legend(const pd_view *view, const pd_view_mode *mode, pd_legend *legend);

#define PD_LINES_COUNT (PD_LINES_ARROWS + 1)

/* Returns the name of a kind of lines: "none", "contours", "streamlines" or "arrows". */
const char *pd_lines_name(pd_view_lines lines);
/* Returns whether lines of a kind can be drawn over a view mode. Contours need a mode that shows a field of cells as an
 * image. Streamlines and arrows need velocities in cells. */
bool pd_lines_can_be_drawn(const pd_view *view, const pd_view_mode *mode, pd_view_lines lines);

/* Camera: converts between metres and pixels. The picture shows the rectangle from view->low to view->high, centred, as
 * large as possible with a margin. */
typedef struct pd_camera {
    pd_vec2 center;         /* point at the picture's centre, m */
    float pixels_per_metre; /* scale of the picture */
    int width, height;      /* size of the picture, pixels */
    float zoom;             /* magnification of the view; 1: the whole view is visible */
} pd_camera;

void pd_camera_fit_view(pd_camera *camera, const pd_view *view, int width, int height);
/* Fits the view into the picture with the margins, zoom and shift of `framing`. width, height: size of the picture,
 * pixels. */
void pd_camera_fit_framed_view(pd_camera *camera, const pd_view *view, const pd_framing *framing, int width,
                               int height);
/* Converts a position in pixels, from the picture's top left corner with y down, to metres. */
pd_vec2 pd_camera_pixels_to_world(const pd_camera *camera, float pixel_x, float pixel_y);
pd_vec2 pd_camera_world_to_pixels(const pd_camera *camera, pd_vec2 point);
/* Returns whether a rectangle of the picture meets the container. low, high: upper left and lower right corner, pixels. Without
 * a container the fluid may be anywhere. */
bool pd_camera_rectangle_meets_container(const pd_camera *camera, const pd_container *container, pd_vec2 low,
                                         pd_vec2 high);
/* Intersects a rectangle of the world with the container and with an area of the picture, and adds a margin of one pixel.
 * x, y, width, height: lower left corner and size of the rectangle, m. clip_rectangle: receives low x, low y, high x, high
 * y of the intersection in the area's clip space. Returns false if the intersection is empty. */
bool pd_camera_clip_rectangle(const pd_camera *camera, const pd_pixel_area *area, const pd_container *container,
                              double x, double y, double width, double height, float clip_rectangle[4]);
/* Computes the matrix from metres to clip space, 4x4 in column-major order (as in cglm). */
void pd_camera_compute_clip_matrix(const pd_camera *camera, float matrix[4][4]);

#endif
