/* Private members of a raster: raster.c computes fractions from them, raster_update.c updates them with the walls. */
#ifndef PUDDLE_MAC_RASTER_RASTER_WORK_H
#define PUDDLE_MAC_RASTER_RASTER_WORK_H

#include "mac/raster/cuts.h"
#include "mac/raster/raster.h"

/* Width of a gap, cells, below which an obstacle closes the skin beside it. */
#define NARROWEST 0.0625

/* Pose and motion of a solid in cells. Velocity of the wall at (x, y), m/s: (vx - turn (y - center.y), vy + turn (x -
 * center.x)). */
typedef struct motion {
    pd_double2 center; /* cells */
    double cosine, sine;
    double vx, vy, turn;
} motion;

/* Rectangle of cells [low, high). */
typedef struct region {
    int low_x, high_x, low_y, high_y;
} region;

/* A solid with the pose of the last update. */
typedef struct tracked_solid {
    motion now;
    int first_part, part_count;
    region cells_before, cells; /* cells that the solid may touch, before and after the last update */
    bool moved;                 /* the solid moved in the last update */
} tracked_solid;

/* Lengths of a face, cells. */
typedef struct face {
    double inside;  /* length inside the container */
    double covered; /* length that at least one obstacle covers */
    double weight;  /* sum over the obstacles of the covered length, so that overlaps count several times */
    double flux;    /* sum over the obstacles of covered length x normal velocity, cells m/s */
} face;

struct pd_raster_work {
    bool contained;                 /* the scene has a container */
    pd_convex_part container;       /* inside of the container */
    pd_convex_part inner_container; /* container without the skin */
    double thickness;               /* thickness of the skin, m; 0: none */
    double skin;                    /* thickness of the skin, cells; 0: none */
    double spread;         /* greatest distance from a part to a point of the skin that the part may close, cells */
    pd_convex_part *parts; /* convex parts of all solids */
    pd_box *boxes;         /* by part: bounding box */
    int part_count;
    pd_boxtree tree; /* bounding-box tree over `boxes` */
    tracked_solid *solids;
    int solid_count;
    cut *cuts;       /* cuts of one line; part_count elements */
    int *near_parts; /* indices of parts near one cell; part_count elements */
    face *faces;     /* faces of one line */
    uint8_t *marks;  /* by cell of one row: OPEN, MIXED or SOLID (raster.c) */
};

typedef struct pd_raster_work raster_work;

/* Returns the cells of the grid that the box x, y (cells) touches. All members 0: no cell. */
region raster_find_touched_cells(const pd_grid *grid, pd_interval x, pd_interval y);
/* Returns the box, enlarged by a margin for slack and rounding to float. Unit: cells. */
pd_box raster_make_box_with_margin(double low_x, double low_y, double high_x, double high_y);
/* Computes the cells of a region, and the faces in it and on its edges. */
void raster_compute_region(pd_raster *raster, const pd_boundary *boundary, region r);

#endif
