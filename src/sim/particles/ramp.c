/* The rest-density ramp: gradual transition to a method's rest density (ramp.h). */
#include "sim/particles/ramp.h"

#include "core/math.h"
#include "scene/geometry.h"
#include "sim/world.h"

static const float DECAY_SECONDS = 0.6f;    /* time constant of the decay of world->ramp, s */
static const float END = 1e-3f;             /* value of world->ramp below which the ramp ends */
static const float LEAST = 0.25f, MOST = 4; /* bounds of the factor on the rest density */
static const float NOT_COMPUTED = -1;       /* value of a particle's factor until the next substep computes it */
/* A region would burst apart if its number of particles exceeds this factor x the number that fits at rest. */
static const double BURSTING = 1.05;

/* Returns the factors on the rest density by particle (PD_RAMP_COLUMN). NULL: the method has no such column, or it is
 * not allocated. */
static float *get_density_factors(const pd_world *world) {
    const pd_density_law *law = world->method->law;
    return law && !law->compressible ? world->particles.method[law->ramp_column] : NULL;
}

/* Allocates the density factors. Returns false if the method has no such column or memory runs out: there is then no
 * ramp. */
static bool allocate_density_factors(pd_world *world) {
    const pd_density_law *law = world->method->law;
    return law && !law->compressible && pd_particles_require_column(&world->particles, law->ramp_column);
}

/* Returns whether some region has more particles than fit at rest. The density at rest is the lower one of the method's
 * rest density and one particle per spacing^2 (pd_resolution.spacing). Returns false if all particles together are too
 * many for the container: the fluid then remains compressed, without a ramp. */
static bool has_overfilled_region(const pd_world *world) {
    const pd_scene *scene = &world->scene;
    double spacing = (double)world->resolution.spacing;
    pd_view view = {0};
    pd_method_describe_view(world, &view);
    double rest = pd_method_compute_particles_per_area(world->method, world->parameter, view.rest_density);
    rest = fmin(rest, 1 / (spacing * spacing));
    bool full = false;
    for (int i = 0; i < scene->region_count && rest > 0; i++) {
        if (scene->regions[i].area.shape == PD_SHAPE_PARTICLES) continue; /* listed particles remain at their places */
        double at_rest = rest * pd_area_square_metres(&scene->regions[i].area), count = world->region_counts[i];
        /* With more than MOST times the number at rest the ramp cannot help. */
        full |= count > 1 + BURSTING * at_rest && count < (double)MOST * at_rest;
    }
    return full && world->region_total < rest * pd_container_square_metres(&scene->container);
}

void pd_density_ramp_begin(pd_world *world, const pd_method *previous_method, bool particles_squeezed) {
    if (!previous_method) {
        world->ramp = (particles_squeezed || has_overfilled_region(world)) && allocate_density_factors(world) ? 1 : 0;
        world->ramp_from_compressible = false;
        return;
    }
    bool compressible = pd_method_is_compressible(world->method);
    bool returning = compressible && world->ramp_from_compressible;
    bool moved = world->substep_total > 0; /* false: the scene has just begun, and particles have no densities yet */
    if (!previous_method->law &&
        compressible) /* tracers are not compressed, and the higher stiffness in a ramp would drive them apart */
        world->ramp = 0;
    else if (!moved || !world->method->law || !(compressible || allocate_density_factors(world)))
        world->ramp = 0;
    else if (returning)
        /* The method returns to a compressible one during a ramp. The new ramp begins with the completed share of the
         * old ramp, 1 - ramp. */
        world->ramp = 1 - world->ramp;
    else
        world->ramp = 1;
    world->ramp_from_compressible = world->ramp > 0 && pd_method_is_compressible(previous_method);
}

void pd_density_ramp_begin_for_flagged(pd_world *world) {
    /* First value of world->ramp. The value 1 would begin a new ramp for all particles. */
    static const float BEGIN = 0.999f;
    if (world->method->cell || world->ramp == 1 || !allocate_density_factors(world)) return;
    float *factor = get_density_factors(world);
    for (int i = 0; i < world->particles.count; i++) {
        if (factor[i] >= 0) factor[i] = 1 + (factor[i] - 1) * world->ramp / BEGIN;
        if (world->flags[i]) factor[i] = NOT_COMPUTED;
    }
    world->ramp = BEGIN;
}

void pd_density_ramp_decay(pd_world *world, float dt) {
    if (world->ramp == 0) return;
    world->ramp *= pd_expf(-dt / DECAY_SECONDS);
    if (world->ramp >= END) return;
    world->ramp = 0;
    world->ramp_from_compressible = false;
}

float pd_density_ramp_factor(const pd_world *world, int i, float equilibrium_factor) {
    float *factor = get_density_factors(world) + i;
    if (world->ramp == 1) *factor = fminf(fmaxf(equilibrium_factor, LEAST), MOST);
    if (*factor < 0) *factor = fminf(fmaxf(equilibrium_factor, 1), MOST);
    return 1 + (*factor - 1) * world->ramp;
}

bool pd_density_ramp_is_valid(const pd_world *world) {
    const float *factor = get_density_factors(world);
    if (!(world->ramp >= 0 && world->ramp <= 1)) return false;
    if (world->ramp == 0 || pd_method_is_compressible(world->method)) return true;
    for (int i = 0; factor && i < world->particles.count; i++)
        if (!(factor[i] >= LEAST && factor[i] <= MOST) && factor[i] != NOT_COMPUTED) return false;
    return factor != NULL;
}
