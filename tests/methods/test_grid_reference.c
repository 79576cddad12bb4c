/* The grid fluid against its plain scalar form, which shares no code with it. */
#include "methods.h"
#include "methods/grid/grid.h"
#include "reference/grid_fluid.h"

/* A box 1 m wide with a light and a heavy blob, a vortex around each; linear advection is the plain form's. */
#define BLOBS                                                                                                          \
    "gravity: [0.4, -1.6]\n"                                                                                           \
    "particles: 1\n"                                                                                                   \
    "container: {shape: box, width: 1.5, height: 1}\n"                                                                 \
    "materials: {oil: {color: \"#ddaa44\", mass: 0.3}, ink: {color: \"#223366\", mass: 1}}\n"                          \
    "regions:\n"                                                                                                       \
    "  - {shape: circle, center: [-0.3, -0.2], radius: 0.2, material: oil}\n"                                          \
    "  - {shape: circle, center: [0.3, 0.2], radius: 0.2, material: ink}\n"                                            \
    "vortons:\n"                                                                                                       \
    "  - {position: [-0.3, -0.2], circulation: 0.3, core: 0.1}\n"                                                      \
    "  - {position: [0.3, 0.2], circulation: 0.2, core: 0.1}\n"                                                        \
    "parameters: {grid: {resolution: 48, advection: linear, density: 500, buoyancy: 0.8, tolerance: 1e-5}}\n"

typedef struct pair {
    pd_world *world;
    reference_grid_fluid *plain;
} pair;

static const grid_state *state_of(const pd_world *world) { return world->state; }

/* The copy of the fields has velocities of cells; here it gets those of the faces. */
static pair start(const char *text) {
    pair p = {.world = world_of_method("grid", text, 1)};
    pd_error error = {0};
    if (reference_grid_fluid_create(&p.plain, p.world, &error) != PD_OK) fail_msg("%s", error.message);
    const pd_mac *mac = state_of(p.world)->mac;
    assert_int_equal(p.plain->nx, mac->layout.nx + 2);
    for (int j = 0; j < mac->layout.ny; j++)
        for (int i = 0; i < mac->layout.nx; i++) {
            int to = i + 1 + p.plain->nx * (j + 1);
            size_t from = pd_element_index(&mac->layout, i, j);
            p.plain->u[to] = mac->open_x[from] > 0 ? (double)mac->u[from] : 0;
            p.plain->v[to] = mac->open_y[from] > 0 ? (double)mac->v[from] : 0;
        }
    return p;
}

static void finish(pair p) {
    reference_grid_fluid_destroy(p.plain);
    pd_world_destroy(p.world);
}

/* rms difference of an array over the cells, over the rms of the plain form's, both without their means. */
static double difference(const pair *p, const float *values, double unit, const double *plain) {
    const pd_layout *l = &state_of(p->world)->mac->layout;
    double apart = 0, size = 0, mean = 0, plain_mean = 0, cells = (double)l->nx * l->ny;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < l->ny; j++)
            for (int i = 0; i < l->nx; i++) {
                double a = unit * (double)values[pd_element_index(l, i, j)], b = plain[i + 1 + p->plain->nx * (j + 1)];
                if (pass == 0) {
                    mean += a / cells;
                    plain_mean += b / cells;
                    continue;
                }
                apart += (a - mean - (b - plain_mean)) * (a - mean - (b - plain_mean));
                size += (b - plain_mean) * (b - plain_mean);
            }
    return sqrt(apart / size);
}

/* What remains between them is the way back, which is straight in the plain form and bent in the other, and the
 * correction of the amount of dye. A change by a tenth of gravity, dt or buoyancy exceeds these bounds many times. */
static void flow_agrees_with_the_plain_form(void **state) {
    (void)state;
    static const struct {
        int step;
        double velocity, pressure;
    } bounds[] = {{1, 0.003, 0.005}, {15, 0.01, 0.02}, {45, 0.03, 0.05}};
    pair p = start(BLOBS);
    p.plain->sweeps = 300; /* so that its pressure is exact, too */
    for (int n = 0, step = 0; n < 3; n++) {
        for (; step < bounds[n].step; step++) {
            pd_world_step(p.world);
            assert_int_equal(pd_world_substeps(p.world), 1);
            reference_grid_fluid_step(p.plain, (double)pd_world_scene(p.world)->dt);
        }
        const grid_state *grid = state_of(p.world);
        double u = difference(&p, grid->mac->u, 1, p.plain->u), v = difference(&p, grid->mac->v, 1, p.plain->v);
        double pressure = difference(&p, grid->mac->poisson->q, grid->pressure_unit, p.plain->p);
        print_message("after %d steps: u %.4f, v %.4f, pressure %.4f apart\n", step, u, v, pressure);
        assert_true(u < bounds[n].velocity && v < bounds[n].velocity);
        assert_true(pressure < bounds[n].pressure);
    }
    finish(p);
}

/* As many sweeps in the order of the cells leave about as much divergence as red-black ones; multigrid far less. */
/* Returns the root mean square of the divergence over the fluid cells, 1/s. */
static double divergence_of(const reference_grid_fluid *f) {
    double sum = 0, cells = 0;
    for (int j = 1; j < f->ny - 1; j++)
        for (int i = 1; i < f->nx - 1; i++) {
            int k = j * f->nx + i;
            double outflow = (f->u[k + 1] - f->u[k] + f->v[k + f->nx] - f->v[k]) / f->cell;
            sum += f->fluid[k] * outflow * outflow;
            cells += f->fluid[k];
        }
    return sqrt(sum / cells);
}

static void multigrid_leaves_less_divergence_than_sweeps(void **state) {
    (void)state;
    pair p = start(BLOBS), sweeps = start(BLOBS);
    set_parameter(sweeps.world, "grid.solver", 0);
    set_parameter(sweeps.world, "grid.iterations", REFERENCE_GRID_SWEEPS);
    for (int step = 0; step < 10; step++) {
        pd_world_step(p.world);
        pd_world_step(sweeps.world);
        reference_grid_fluid_step(p.plain, (double)pd_world_scene(p.world)->dt);
    }
    pd_view view[2];
    pd_world_view(p.world, &view[0]);
    pd_world_view(sweeps.world, &view[1]);
    double multigrid = pd_view_number(&view[0], "divergence"), red_black = pd_view_number(&view[1], "divergence");
    double plain = divergence_of(p.plain);
    print_message("divergence: multigrid %.2g, 40 sweeps red-black %.2g, in order %.2g 1/s\n", multigrid, red_black,
                  plain);
    assert_true(plain > 0 && plain < 10 * red_black && red_black < 10 * plain);
    assert_true(multigrid < 0.1 * plain);
    finish(p);
    finish(sweeps);
}

/* An obstacle is a mask: the plain form keeps the fluid out of it and lets none through the sides. */
static void masks_are_closed(void **state) {
    (void)state;
    pair p = start(BLOBS "obstacles: [{shape: circle, center: [0.1, 0], radius: 0.15}]\n");
    const reference_grid_fluid *f = p.plain;
    double fastest = 0, solid = 0;
    for (int step = 0; step < 20; step++) reference_grid_fluid_step(p.plain, 1.0 / 60);
    for (int j = 1; j < f->ny - 1; j++)
        for (int i = 1; i < f->nx; i++) {
            int k = i + f->nx * j;
            fastest = fmax(fastest, fabs(f->u[k]));
            if (i < f->nx - 1) solid += (1 - f->fluid[k]) * f->cell * f->cell;
            if ((f->fluid[k] > 0) != (f->fluid[k - 1] > 0)) assert_true(f->u[k] == 0);
        }
    assert_float_equal(solid, 3.14159 * 0.15 * 0.15, 0.004);
    assert_true(fastest > 0.05);
    finish(p);
}

TEST_GROUP(grid_reference) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow_agrees_with_the_plain_form),
        cmocka_unit_test(multigrid_leaves_less_divergence_than_sweeps),
        cmocka_unit_test(masks_are_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
