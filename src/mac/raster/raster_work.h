/* The inside of a raster: what raster.c computes the fractions from, and raster_follow.c keeps up with the walls. */
#ifndef PUDDLE_MAC_RASTER_RASTER_WORK_H
#define PUDDLE_MAC_RASTER_RASTER_WORK_H

#include "mac/raster/cuts.h"
#include "mac/raster/raster.h"

/* Cells: an obstacle closes the skin where the gap between both is narrower. */
#define NARROWEST 0.0625

/* In units of cells, but m/s: the wall's velocity at (x, y) is (vx - turn (y - center.y), vy + turn (x - center.x)). */
typedef struct motion {
    pd_double2 center;
    double cosine, sine;
    double vx, vy, turn;
} motion;

typedef struct region {
    int low_x, high_x, low_y, high_y; /* cells; high: one behind the last */
} region;

/* A solid, as it was rastered last. */
typedef struct track {
    motion now;
    int first_part, part_count;
    region before, covers; /* the cells that it may touch, at the last update and now */
    bool moved;
} track;

/* Sums over a face. inside: length inside the container; covered: length of that covered by the union of the obstacles;
 * weight and flux: covered length, and its product with the normal velocity, summed over the obstacles, which may
 * overlap. */
typedef struct face {
    double inside, covered, weight, flux;
} face;

struct pd_raster_work {
    bool contained;
    pd_part container;
    pd_part reach;    /* the container without the skin */
    double thickness; /* m: of the skin; 0: none */
    double skin;      /* cells: of the container's skin; 0: none */
    double spread;    /* cells: how far from a part the skin behind it may be */
    pd_part *parts;
    pd_box *boxes;
    int part_count;
    pd_boxtree tree;
    track *tracks;
    int solid_count;
    cut *cuts; /* of one line; allocated for part_count */
    int *near; /* indices of the parts near one cell; allocated for part_count */
    face *faces;
    uint8_t *marks;
};

typedef struct pd_raster_work work;

/* The cells that intervals in units of cells touch, within the grid; all zero: none. */
region raster_around(const pd_grid *grid, pd_interval x, pd_interval y);
/* A box in units of cells, a little larger. */
pd_box raster_box(double low_x, double low_y, double high_x, double high_y);
/* Computes the cells of a region, and the faces in it and on its edges, from the parts and the tree. */
void raster_region(pd_raster *raster, const pd_boundary *boundary, region r);

#endif
