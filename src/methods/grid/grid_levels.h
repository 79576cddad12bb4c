/* Loops of the grid fluid, compiled for each SIMD level (grid_wide.c). */
#ifndef PUDDLE_METHODS_GRID_GRID_LEVELS_H
#define PUDDLE_METHODS_GRID_GRID_LEVELS_H

#include "mac/mac.h"

/* Arguments of the loops that diffuse one component of the velocity. The arrays closed_neighbours and those of
 * `equation` have the layout equation->layout. The arrays `open` and `velocity` have the layout `layout`. */
typedef struct grid_diffusion {
    const pd_layout *layout; /* layout of the grid */
    pd_poisson *equation;    /* diffusion equation, whose cells are the component's faces */
    const float *open;       /* open fractions of the faces */
    float *velocity;         /* velocities at the faces, m/s */
    /* by open face, bits 0 to 3: the face at the left, right, below, above is closed or outside */
    uint8_t *closed_neighbours;
    float *fastest; /* by row: greatest speed, m/s */
    float inverse;  /* 1/(viscosity dt/cell^2) */
} grid_diffusion;

#define GRID_DECLARE(level)                                                                                            \
    void pd_grid_compute_curl_##level(const pd_mac *mac, float *curl, int begin, int end);                             \
    void pd_grid_compute_confinement_##level(const pd_mac *mac, const float *curl, float strength, float *force_x,     \
                                             float *force_y, int begin, int end);                                      \
    void pd_grid_add_force_##level(pd_mac *mac, const float *force_x, const float *force_y, float factor_x,            \
                                   float factor_y, int begin, int end);                                                \
    void pd_grid_add_dye_weight_##level(const pd_layout *layout, const float *dye, float factor, float *weight,        \
                                        int begin, int end);                                                           \
    void pd_grid_correct_dye_##level(const pd_layout *layout, float *dye, float gain, int begin, int end);             \
    float pd_grid_greatest_magnitude_##level(const float *values, int count);                                          \
    void pd_grid_limit_velocities_##level(pd_mac *mac, float fastest, int begin, int end);                             \
    void pd_grid_set_diffusion_matrix_##level(const grid_diffusion *d, int begin, int end);                            \
    void pd_grid_set_diffusion_rhs_##level(const grid_diffusion *d, int begin, int end);                               \
    void pd_grid_store_diffused_velocities_##level(const grid_diffusion *d, int begin, int end);
GRID_DECLARE(baseline)
GRID_DECLARE(avx2)
GRID_DECLARE(avx512)

#endif
