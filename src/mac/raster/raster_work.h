/* Private members of a raster: raster.c computes fractions from them, raster_update.c updates them with the walls. */
#ifndef PUDDLE_MAC_RASTER_RASTER_WORK_H
#define PUDDLE_MAC_RASTER_RASTER_WORK_H

#include "mac/raster/cuts.h"
#include "mac/raster/raster.h"

/* An obstacle closes the skin if the gap between both is narrower than this, cells. */
#define NARROWEST 0.0625

/* Pose and motion of a solid in cells. Velocity of the wall at (x, y), m/s: (vx - turn (y - center.y), vy + turn (x -
 * center.x)). */
typedef struct motion {
    pd_double2 center;
    double cosine, sine;
    double vx, vy, turn;
} motion;

typedef struct region {
    int low_x, high_x, low_y, high_y; /* range of cells [low, high) */
} region;

/* A solid with the pose of the last update. */
typedef struct tracked_solid {
    motion now;
    int first_part, part_count;
    region cells_before, cells; /* cells that it may touch, before and after the last update */
    bool moved;
} tracked_solid;

/* Sums over a face. inside: length inside the container. covered: length covered by the union of the obstacles. weight,
 * flux: covered length, and its product with the normal velocity, summed over obstacles that may overlap. */
typedef struct face {
    double inside, covered, weight, flux;
} face;

struct pd_raster_work {
    bool contained;
    pd_part container;
    pd_part inner_container; /* container without the skin */
    double thickness;        /* thickness of the skin, m; 0: none */
    double skin;             /* thickness of the skin, cells; 0: none */
    double spread;           /* greatest distance from a part to skin that it closes, cells */
    pd_part *parts;
    pd_box *boxes;
    int part_count;
    pd_boxtree tree;
    tracked_solid *solids;
    int solid_count;
    cut *cuts;       /* cuts of one line; part_count elements */
    int *near_parts; /* indices of parts near one cell; part_count elements */
    face *faces;
    uint8_t *marks;
};

typedef struct pd_raster_work work;

/* Returns the cells that intervals (in cells) touch, within the grid. All zero: none. */
region raster_cells_touched(const pd_grid *grid, pd_interval x, pd_interval y);
/* Returns a box in cells, a little enlarged. */
pd_box raster_slack_box(double low_x, double low_y, double high_x, double high_y);
/* Computes the cells of a region, and the faces in it and on its edges. */
void raster_compute_region(pd_raster *raster, const pd_boundary *boundary, region r);

#endif
