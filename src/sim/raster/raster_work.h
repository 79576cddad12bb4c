/* Private members of a raster. raster_update.c updates them when walls move or are edited, and raster.c computes the
 * open fractions from them.
 *
 * Wall layer: layer along the container's wall that fluid fills but no particle's centre enters (pd_raster_create). */
#ifndef PUDDLE_SIM_RASTER_RASTER_WORK_H
#define PUDDLE_SIM_RASTER_RASTER_WORK_H

#include "sim/raster/cuts.h"
#include "sim/raster/raster.h"

/* Width, in cells, of the gap between an obstacle and the wall layer below which the layer beside the obstacle counts as
 * solid. */
#define WALL_LAYER_GAP 0.0625

/* Pose and motion of a solid in cells. Velocity of the wall at (x, y), m/s: (vx - turn (y - center.y), vy + turn (x -
 * center.x)). */
typedef struct motion {
    pd_double2 center;   /* position of the solid's centre, cells */
    double cosine, sine; /* cosine and sine of the solid's angle */
    double vx, vy, turn; /* velocity of the centre, m/s; angular velocity, (m/s)/cell */
} motion;

/* Rectangle of cells [low_x, high_x) x [low_y, high_y). */
typedef struct region {
    int low_x, high_x, low_y, high_y;
} region;

/* Bounding intervals of a convex part, cells. */
typedef struct part_bounds {
    pd_interval x, y;
} part_bounds;

/* Solid of the boundary, with its pose and motion of the last update. */
typedef struct raster_solid {
    motion now;                 /* pose and motion of the last update */
    int first_part, part_count; /* range of the solid's convex parts in raster_work.parts */
    region cells_before, cells; /* cells that the solid may touch, before and after the last update */
    bool moved;                 /* the solid moved in the last update */
} raster_solid;

/* Lengths of one face, in cells: its length is 1. */
typedef struct face {
    double inside;  /* length of the face inside the container */
    double covered; /* length of the face that at least one obstacle covers */
    double weight;  /* sum over the obstacles of the covered length, so that overlaps count several times */
    double flux;    /* sum over the obstacles of covered length x normal velocity, cells m/s */
} face;

struct pd_raster_work {
    bool has_container;             /* false: open space, without a container */
    pd_convex_part container;       /* inside of the container */
    pd_convex_part inner_container; /* container without the wall layer */
    double wall_layer_metres;       /* thickness of the wall layer, m; 0: none */
    double wall_layer_cells;        /* thickness of the wall layer, cells; 0: none */
    double blocking_distance;       /* an obstacle's part makes the wall layer solid up to this distance, cells */
    pd_convex_part *parts;          /* convex parts of all solids: triangles, rectangles, segments (part.h) */
    part_bounds *bounds;            /* by part: bounding intervals */
    pd_box *boxes;                  /* by part: bounding box with a margin */
    int part_count;                 /* number of convex parts of all solids */
    pd_boxtree tree;                /* bounding-box tree over `boxes` */
    raster_solid *solids;           /* all solids (obstacles) of the boundary */
    int solid_count;                /* number of `solids` */
    cut *cuts;                      /* intervals of one grid line inside solids; memory for part_count elements */
    int *parts_near_cell;           /* indices of the convex parts near one cell; memory for part_count elements */
    face *faces;                    /* by face of one grid line: its open and covered lengths */
    uint8_t *marks;                 /* by cell of one row: OPEN, MIXED or SOLID (raster.c) */
    pd_interval clear;              /* range of x in which one row's cells are inside and clear of the wall layer */
    region *regions;                /* regions of the cells to recompute; memory for 2 * solid_count elements */
};

typedef struct pd_raster_work raster_work;

/* Returns the rectangle of grid cells that the box with the sides x and y (cells) touches. If there is no such cell, all
 * members are 0. */
region pd_raster_find_touched_cells(const pd_grid *grid, pd_interval x, pd_interval y);
/* Returns a bounding box, in cells, enlarged for the slack of chords (part.h) and for rounding to float. */
pd_box pd_raster_make_box_with_margin(double low_x, double low_y, double high_x, double high_y);
/* Computes the open fractions of a region's cells, and the open fractions and wall velocities of the faces in the region
 * and on its edges. */
void pd_raster_compute_region(pd_raster *raster, const pd_boundary *boundary, region r);

#endif
