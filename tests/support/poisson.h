/* Pressure equations for tests, and their residuals in double precision. */
#ifndef PUDDLE_TESTS_POISSON_H
#define PUDDLE_TESTS_POISSON_H

#include "rasters.h"

#include "mac/poisson/poisson.h"

#include <float.h>

static inline pd_pool *pool_of(int threads) {
    pd_pool *pool;
    pd_error error;
    assert_int_equal(pd_pool_create(&pool, threads, &error), PD_OK);
    return pool;
}

static inline pd_poisson *poisson_of(int nx, int ny) {
    pd_poisson *p;
    pd_error error;
    assert_int_equal(pd_poisson_create(&p, nx, ny, &error), PD_OK);
    return p;
}

#define EACH_CELL(p, i, j)                                                                                             \
    for (int j = 0; j < (p)->layout.ny; j++)                                                                           \
        for (int i = 0; i < (p)->layout.nx; i++)

static inline float *at(const pd_poisson *p, float *array, int i, int j) {
    return array + pd_element_index(&p->layout, i, j);
}

/* ---- Problems ---- */

typedef enum kind { BOX, DISC, OBSTACLES, THIN_WALLS, OPEN_SIDE, SURFACE, KINDS } kind;
static const char *const kind_names[] = {"closed box", "circle",    "disc and bar",
                                         "thin walls", "open side", "free surface"};
static const int most_cycles[] = {5, 6, 8, 11, 8, 7}; /* cycles that reduce the residual to a thousandth, by kind */

/* Opens all faces between cells. */
static inline void open_faces(pd_poisson *p) {
    EACH_CELL(p, i, j) {
        *at(p, p->face_x, i, j) = i ? 1.0f : 0.0f;
        *at(p, p->face_y, i, j) = j ? 1.0f : 0.0f;
        *at(p, p->open, i, j) = 0.0f;
    }
}

/* Returns the height of the cell's centre above a wavy surface, cells. */
static inline double height(const pd_poisson *p, int i, int j) {
    double x = (i + 0.5) / p->layout.ny, ny = p->layout.ny;
    return j + 0.5 - ny * (0.55 + 0.13 * sin(6.3 * x + 0.3) + 0.03 * sin(31 * x));
}

/* Closes the cells above the surface, which are air. The others get d = 1/distance to the surface, which is at least
 * 0.01 cells. */
static inline void add_surface(pd_poisson *p) {
    static const int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    EACH_CELL(p, i, j) {
        double own = height(p, i, j), d = 0.0;
        if (own >= 0) continue;
        for (int k = 0; k < 4; k++) {
            double other = height(p, i + steps[k][0], j + steps[k][1]);
            if (other >= 0) d += 1 / fmax(own / (own - other), 0.01);
        }
        *at(p, p->open, i, j) = (float)d;
    }
    EACH_CELL(p, i, j) {
        bool air = height(p, i, j) >= 0;
        if (air || height(p, i - 1, j) >= 0) *at(p, p->face_x, i, j) = 0.0f;
        if (air || height(p, i, j - 1) >= 0) *at(p, p->face_y, i, j) = 0.0f;
    }
}

/* Returns a container of height 1 m with nx by ny cells. Its coefficients are the open fractions of faces. */
static inline pd_poisson *problem_of(kind k, int nx, int ny) {
    pd_poisson *p = poisson_of(nx, ny);
    double cell = 1.0 / ny, width = nx * cell;
    pd_obstacle obstacles[] = {
        {.area.shape = PD_SHAPE_CIRCLE, .area.center = {-0.2f, 0.11f}, .area.radius = 0.13f},
        {.area.shape = PD_SHAPE_BOX, .area.center = {0.13f, -0.07f}, .area.size = {0.4f, 0.06f}, .area.angle = 33},
        {.area.shape = PD_SHAPE_BOX,
         .area.center = {0.2f, 0.3f},
         .area.size = {0.003f, 0.3f},
         .area.angle = 70}, /* one cell thick */
        {.area.shape = PD_SHAPE_BOX, .area.center = {-0.25f, -0.3f}, .area.size = {0.003f, 0.3f}},
        {.area.shape = PD_SHAPE_BOX, .area.center = {0.1f, -0.3f}, .area.size = {0.3f, 0.003f}}};
    pd_scene scene = {.container = {.radius = 0.5f, .width = (float)width, .height = 1}};
    scene.container.shape = k == DISC ? PD_CONTAINER_CIRCLE : PD_CONTAINER_BOX;
    scene.obstacles = obstacles;
    scene.obstacle_count = k == THIN_WALLS ? COUNT(obstacles) : k == OBSTACLES ? 2 : 0;
    pd_boundary *boundary;
    pd_error error;
    assert_int_equal(pd_boundary_create(&boundary, &scene, &error), PD_OK);
    pd_grid grid = {nx, ny, {-0.5 * width, -0.5}, cell};
    pd_raster *raster = raster_of(boundary, &grid);
    EACH_CELL(p, i, j) {
        *at(p, p->face_x, i, j) = i ? face_x_at(raster, i, j) : 0.0f;
        *at(p, p->face_y, i, j) = j ? face_y_at(raster, i, j) : 0.0f;
        *at(p, p->open, i, j) = k == OPEN_SIDE && i == nx - 1 ? 2.0f : 0.0f;
    }
    if (k == SURFACE) add_surface(p);
    pd_raster_destroy(raster);
    pd_boundary_destroy(boundary);
    return p;
}

static inline void random_values(pd_poisson *p, float *array, uint64_t seed, float size) {
    pd_random random = {seed};
    EACH_CELL(p, i, j) * at(p, array, i, j) = size * between(&random, -1, 1);
}

static inline double diagonal(const pd_poisson *p, size_t k) {
    return (double)p->face_x[k] + (double)p->face_x[k + 1] + (double)p->face_y[k] +
           (double)p->face_y[k + (size_t)p->layout.stride] + (double)p->open[k];
}

/* Returns A q in a cell, in double precision. */
static inline double product(const pd_poisson *p, size_t k) {
    size_t up = (size_t)p->layout.stride;
    double q = p->q[k], sum = (double)p->open[k] * q;
    sum += (double)p->face_x[k] * (q - (double)p->q[k - 1]) + (double)p->face_x[k + 1] * (q - (double)p->q[k + 1]);
    return sum + (double)p->face_y[k] * (q - (double)p->q[k - up]) +
           (double)p->face_y[k + up] * (q - (double)p->q[k + up]);
}

/* Returns the rms of rhs - A q over the cells with a coefficient. */
static inline double residual(const pd_poisson *p) {
    double sum = 0.0;
    int cells = 0;
    EACH_CELL(p, i, j) {
        size_t k = pd_element_index(&p->layout, i, j);
        if (diagonal(p, k) <= 0) continue;
        double r = (double)p->rhs[k] - product(p, k);
        sum += r * r;
        cells++;
    }
    return sqrt(sum / (cells ? cells : 1));
}

static inline pd_poisson_report multigrid(pd_poisson *p, pd_pool *pool, int cycles, double tolerance) {
    pd_poisson_method method = {.solver = PD_MULTIGRID, .iterations = cycles, .tolerance = (float)tolerance};
    pd_poisson_report report;
    pd_poisson_solve(p, &method, pool, &report);
    return report;
}

static inline pd_poisson_report gauss_seidel(pd_poisson *p, pd_pool *pool, int sweeps, double over_relaxation) {
    pd_poisson_method method = {PD_GAUSS_SEIDEL, sweeps, (float)over_relaxation, 0};
    pd_poisson_report report;
    pd_poisson_solve(p, &method, pool, &report);
    return report;
}

#endif
