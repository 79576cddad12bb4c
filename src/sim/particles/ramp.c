/* The rest-density ramp: gradual transition to a method's own pressure (ramp.h). */
#include "sim/particles/ramp.h"

#include "core/math.h"
#include "scene/geometry.h"
#include "sim/world.h"

#include <math.h>

/* States of fluid at rest under many pressures, interpolated in a table. */
enum { REST_TABLE_ROWS = 64 };
typedef struct rest_table {
    float step; /* difference of pressure between two rows; row 0 has pressure 0 */
    pd_fluid_at_rest row[REST_TABLE_ROWS];
} rest_table;

/* Returns the state under a pressure. The pressure is clamped to the range of the table. */
static pd_fluid_at_rest find_in_rest_table(const rest_table *table, float pressure) {
    float at = table->step > 0 ? fminf(fmaxf(pressure / table->step, 0), REST_TABLE_ROWS - 1) : 0;
    int k = at < REST_TABLE_ROWS - 2 ? (int)at : REST_TABLE_ROWS - 2;
    const pd_fluid_at_rest *a = &table->row[k], *b = a + 1;
    float part = at - (float)k;
    return (pd_fluid_at_rest){a->particles_per_area + part * (b->particles_per_area - a->particles_per_area),
                              a->density + part * (b->density - a->density)};
}

static const float DECAY_SECONDS = 0.6f;    /* time constant of the decay of world->ramp, s */
static const float END = 1e-3f;             /* value of world->ramp below which the ramp ends */
static const float AGAIN = 0.999f;          /* first value of world->ramp of a ramp that is not for all particles */
static const float LEAST = 0.25f, MOST = 4; /* bounds of the factor on the rest density */
/* A region would burst apart if its number of particles exceeds this factor x the number that fits at rest. */
static const double BURSTING = 1.05;

/* Returns the factors on the rest density by particle (PD_RAMP_COLUMN). NULL: the method has no such column, or it is
 * not allocated. */
static float *get_density_factors(const pd_world *world) {
    const pd_density_law *law = world->method->law;
    return law ? world->particles.method[law->ramp_column] : NULL;
}

/* Returns the factors, allocated if needed. Returns NULL if the method has no such column or memory runs out: there is
 * then no ramp. */
static float *allocate_density_factors(pd_world *world) {
    const pd_density_law *law = world->method->law;
    return law ? pd_particles_require_column(&world->particles, law->ramp_column) : NULL;
}

/* Returns whether some region has more particles than fit at rest. The density at rest is the lower one of the method's
 * rest density and one particle per spacing^2 (pd_resolution.spacing). Returns false if all particles together are too
 * many for the container: the fluid then remains compressed, without a ramp. */
static bool has_overfilled_region(const pd_world *world) {
    const pd_scene *scene = &world->scene;
    double spacing = (double)world->resolution.spacing;
    double rest = fmin((double)pd_method_find_fluid_at_rest(world, 1, 0).particles_per_area, 1 / (spacing * spacing));
    bool full = false;
    for (int i = 0; i < scene->region_count && rest > 0; i++) {
        if (scene->regions[i].area.shape == PD_SHAPE_PARTICLES) continue; /* listed particles remain at their places */
        double at_rest = rest * pd_area_square_metres(&scene->regions[i].area), count = world->region_counts[i];
        /* With more than MOST times the number at rest the ramp cannot help. */
        full |= count > 1 + BURSTING * at_rest && count < (double)MOST * at_rest;
    }
    return full && world->region_total < rest * pd_container_square_metres(&scene->container);
}

void pd_density_ramp_begin_scene(pd_world *world, bool particles_squeezed) {
    world->ramp = 0;
    world->ramp_kept = 1;
    world->ramp_gravity = 0;
    bool begins = particles_squeezed || has_overfilled_region(world);
    /* Snapshots tell whether the column is allocated: a world that starts again equals a new one. */
    if (!begins && world->method->law) pd_particles_free_column(&world->particles, world->method->law->ramp_column);
    float *factor = begins ? allocate_density_factors(world) : NULL;
    if (!factor) return;
    world->ramp = 1;
    for (int i = 0; i < world->particles.count; i++) factor[i] = -1;
}

/* Sets waiting factors: - density / rest density of fluid at rest under the pressures of the particles. pressure: NULL: 0. */
static void set_wanted_densities(const pd_world *world, const float *pressure, float *factor) {
    const pd_particles *p = &world->particles;
    pd_view view = {0};
    float greatest = 0;
    pd_method_describe_view(world, &view);
    for (int i = 0; pressure && i < p->count; i++) greatest = fmaxf(greatest, pressure[i]);
    for (int m = 0; m < world->scene.material_count; m++) {
        rest_table table;
        table.step = greatest / (REST_TABLE_ROWS - 1);
        for (int k = 0; k < REST_TABLE_ROWS; k++)
            table.row[k] = pd_method_find_fluid_at_rest(world, world->scene.materials[m].mass, (float)k * table.step);
        for (int i = 0; i < p->count; i++) {
            if (p->material[i] != m) continue;
            float density = find_in_rest_table(&table, pressure ? pressure[i] : 0).density / view.rest_density;
            factor[i] = -fminf(fmaxf(density, LEAST), MOST);
        }
    }
}

void pd_density_ramp_begin_method(pd_world *world, const float *pressure) {
    world->ramp = 0;
    world->ramp_kept = 1;
    float *factor = allocate_density_factors(world);
    if (!factor) return;
    world->ramp = 1;
    set_wanted_densities(world, pressure, factor);
}

/* Begins the ramp again: particles keep their present factors. Returns the factors, or NULL if there can be no ramp. */
static float *begin_again(pd_world *world) {
    if (world->method->cell || world->ramp == 1) return NULL;
    float *factor = allocate_density_factors(world);
    for (int i = 0; factor && i < world->particles.count; i++)
        if (factor[i] >= 0) factor[i] = 1 + (factor[i] - 1) * world->ramp / AGAIN;
    if (factor) world->ramp = AGAIN;
    return factor;
}

void pd_density_ramp_begin_for_flagged(pd_world *world) {
    float *factor = begin_again(world);
    if (!factor) return;
    world->ramp_kept = 0;
    for (int i = 0; i < world->particles.count; i++)
        if (world->flags[i]) factor[i] = -1;
}

void pd_density_ramp_follow_gravity(pd_world *world) {
    float before = world->ramp_gravity, now = (float)pd_hypot(world->scene.gravity.x, world->scene.gravity.y);
    world->ramp_gravity = now;
    float *factor = world->substep_total > 0 && now < before ? begin_again(world) : NULL;
    if (!factor) return;
    world->ramp_kept *= now / before;
    for (int i = 0; i < world->particles.count; i++) factor[i] = -fabsf(factor[i]);
}

void pd_density_ramp_decay(pd_world *world, float dt) {
    world->ramp_kept = 1;
    if (world->ramp == 0) return;
    world->ramp *= pd_expf(-dt / DECAY_SECONDS);
    if (world->ramp < END) world->ramp = 0;
}

static float compute_waiting_factor(const pd_world *world, float waiting, float density) {
    if (world->ramp == 1) return density - (-waiting - 1);
    return -waiting + (1 - world->ramp_kept) * fmaxf(density + waiting, 0);
}

float pd_density_ramp_factor(const pd_world *world, int i, float density) {
    float *factor = get_density_factors(world) + i;
    if (*factor < 0) *factor = fminf(fmaxf(compute_waiting_factor(world, *factor, density), LEAST), MOST);
    return 1 + (*factor - 1) * world->ramp;
}

float pd_density_ramp_present_factor(const pd_world *world, int i) {
    const float *factor = get_density_factors(world);
    return world->ramp > 0 && factor && factor[i] > 0 ? 1 + (factor[i] - 1) * world->ramp : 1;
}

bool pd_density_ramp_is_valid(const pd_world *world) {
    const float *factor = get_density_factors(world);
    if (!(world->ramp >= 0 && world->ramp <= 1) || !(world->ramp_kept >= 0 && world->ramp_kept <= 1)) return false;
    if (!(world->ramp_gravity >= 0 && world->ramp_gravity <= 2 * PD_MAX_ACCELERATION)) return false;
    if (world->ramp == 0) return true;
    for (int i = 0; factor && i < world->particles.count; i++)
        if (!(fabsf(factor[i]) >= LEAST && fabsf(factor[i]) <= MOST)) return false;
    return factor != NULL;
}
