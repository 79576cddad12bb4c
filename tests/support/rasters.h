/* Boundaries and their rasters for tests, and checks of every raster. */
#ifndef PUDDLE_TESTS_RASTERS_H
#define PUDDLE_TESTS_RASTERS_H

#include "core/random.h"
#include "sim/raster/raster.h"
#include "sim/walls/boundary.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const double pi = 3.141592653589793;

typedef struct setup {
    pd_scene scene;
    pd_boundary *boundary;
    pd_raster *raster;
} setup;

/* Returns a square grid of n by n cells from (-half, -half) to (half, half). */
static inline pd_grid square(int n, double half) { return (pd_grid){n, n, {-half, -half}, 2 * half / n}; }

static inline pd_raster *raster_with_wall_layer(const pd_boundary *boundary, const pd_grid *grid,
                                                double wall_layer_thickness) {
    pd_raster *raster;
    pd_error error;
    assert_int_equal(pd_raster_create(&raster, grid, boundary, wall_layer_thickness, &error), PD_OK);
    return raster;
}

static inline pd_raster *raster_of(const pd_boundary *boundary, const pd_grid *grid) {
    return raster_with_wall_layer(boundary, grid, 0);
}

/* Creates a container (circle, square or none) of half size `half`, m, with obstacles, and its raster. */
static inline setup set_up(pd_container_shape shape, double half, pd_obstacle *obstacles, int count, pd_grid grid) {
    float size = (float)half;
    setup s = {.scene.container = {.shape = shape, .radius = size, .width = 2 * size, .height = 2 * size}};
    pd_error error;
    s.scene.obstacles = obstacles;
    s.scene.obstacle_count = count;
    assert_int_equal(pd_boundary_create(&s.boundary, &s.scene, &error), PD_OK);
    s.raster = raster_of(s.boundary, &grid);
    return s;
}

static inline void tear_down(setup *s) {
    pd_raster_destroy(s->raster);
    pd_boundary_destroy(s->boundary);
}

static inline float cell_at(const pd_raster *r, int i, int j) { return r->cell[i + r->grid.nx * j]; }
static inline float face_x_at(const pd_raster *r, int i, int j) { return r->face_x[i + (r->grid.nx + 1) * j]; }
static inline float face_y_at(const pd_raster *r, int i, int j) { return r->face_y[i + r->grid.nx * j]; }
static inline float wall_x_at(const pd_raster *r, int i, int j) { return r->wall_u[i + (r->grid.nx + 1) * j]; }
static inline float wall_y_at(const pd_raster *r, int i, int j) { return r->wall_v[i + r->grid.nx * j]; }

static inline double open_area(const pd_raster *r) {
    double area = 0.0;
    for (int k = 0; k < r->grid.nx * r->grid.ny; k++) area += r->cell[k];
    return area * r->grid.cell * r->grid.cell;
}

static inline double closed_area(const pd_raster *r) {
    return r->grid.nx * r->grid.ny * r->grid.cell * r->grid.cell - open_area(r);
}

static inline void check_fractions(const float *values, int count) {
    for (int k = 0; k < count; k++) assert_true(values[k] >= 0.0f && values[k] <= 1.0f); /* also fails for NAN */
}

/* Checks that fractions are in 0..1, wall velocities are finite at walls and 0 elsewhere, and closed cells have closed
 * faces. */
static inline void check_sound(const pd_raster *r) {
    int nx = r->grid.nx, ny = r->grid.ny;
    check_fractions(r->cell, nx * ny);
    check_fractions(r->face_x, (nx + 1) * ny);
    check_fractions(r->face_y, nx * (ny + 1));
    for (int k = 0; k < (nx + 1) * ny; k++) assert_true(r->face_x[k] < 1.0f ? isfinite(r->wall_u[k]) : !r->wall_u[k]);
    for (int k = 0; k < nx * (ny + 1); k++) assert_true(r->face_y[k] < 1.0f ? isfinite(r->wall_v[k]) : !r->wall_v[k]);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            if (cell_at(r, i, j) == 0.0f) {
                assert_true(face_x_at(r, i, j) == 0.0f && face_x_at(r, i + 1, j) == 0.0f);
                assert_true(face_y_at(r, i, j) == 0.0f && face_y_at(r, i, j + 1) == 0.0f);
            }
}

static inline bool same_floats(const float *a, const float *b, int count) {
    return !memcmp(a, b, (size_t)count * sizeof *a);
}

static inline void check_same(const pd_raster *a, const pd_raster *b) {
    int nx = a->grid.nx, ny = a->grid.ny;
    assert_true(same_floats(a->cell, b->cell, nx * ny));
    assert_true(same_floats(a->face_x, b->face_x, (nx + 1) * ny));
    assert_true(same_floats(a->face_y, b->face_y, nx * (ny + 1)));
    assert_true(same_floats(a->wall_u, b->wall_u, (nx + 1) * ny));
    assert_true(same_floats(a->wall_v, b->wall_v, nx * (ny + 1)));
}

static inline float between(pd_random *random, float low, float high) {
    return low + (high - low) * pd_random_below_one(random);
}

/* Makes obstacles so thick that a raster of cells of side `cell` need not widen them. */
static inline void random_obstacles(pd_random *random, float cell, pd_obstacle *obstacles, int count,
                                    pd_vec2 (*points)[4]) {
    static const pd_shape shapes[] = {PD_SHAPE_CIRCLE, PD_SHAPE_BOX, PD_SHAPE_POLYLINE};
    for (int i = 0; i < count; i++) {
        pd_obstacle *o = &obstacles[i];
        *o = (pd_obstacle){.area.shape = shapes[i % 3], .area.points = points[i], .area.point_count = 4};
        o->area.center = (pd_vec2){between(random, -1, 1), between(random, -1, 1)};
        o->area.radius = between(random, 0.05f, 0.3f);
        o->area.size = (pd_vec2){between(random, 1.5f * cell, 0.6f), between(random, 1.5f * cell, 0.6f)};
        if (o->area.shape == PD_SHAPE_BOX) o->area.angle = between(random, 0, 360);
        o->area.thickness = between(random, 1.5f * cell, 0.2f);
        for (int k = 0; k < 4; k++)
            points[i][k] = (pd_vec2){between(random, -0.4f, 0.4f), between(random, -0.4f, 0.4f)};
        o->velocity = (pd_vec2){between(random, -1, 1), between(random, -1, 1)};
        o->spin = between(random, -300, 300);
    }
}

static inline bool is_open(const pd_boundary *boundary, double x, double y) {
    pd_vec2 normal;
    return pd_boundary_wall_distance(boundary, (pd_vec2){(float)x, (float)y}, &normal) >= 0.0f;
}

#endif
