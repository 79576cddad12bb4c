#include "sim/particles/ramp.h"

#include "core/math.h"
#include "scene/geometry.h"
#include "sim/world.h"

static const float DECAY_TIME = 0.6f, END = 1e-3f; /* s; the value of world->ramp below which it is set to 0 */
static const float LEAST = 0.25f, MOST = 4;        /* bounds of the factor on a rest density */
static const float UNKNOWN = -1;                   /* a factor that the next substep finds */
static const double TOO_FULL = 1.05; /* particles in a region for one at rest, above which it would burst */

/* The column of factors; NULL: the method needs none, or it is not allocated. */
static float *factors(const pd_world *world) {
    const pd_density_law *law = world->method->law;
    return law && !law->compressible ? world->particles.method[law->ramp_column] : NULL;
}

/* Allocates the factors; without memory for them the method starts without a ramp. */
static bool require_factors(pd_world *world) {
    const pd_density_law *law = world->method->law;
    return law && !law->compressible && pd_particles_require(&world->particles, law->ramp_column);
}

static double container_area(const pd_container *container) {
    if (container->shape == PD_CONTAINER_CIRCLE) return 3.14159265358979 * container->radius * container->radius;
    return container->shape == PD_CONTAINER_BOX ? (double)container->width * container->height : INFINITY;
}

/* Whether a region has more particles than fit into it at rest, at the rest density or, as long as that follows the
 * resolution, at the rest spacing. Where all together fill the container to more than that they stay compressed, and
 * need no time to spread. */
static bool too_full(const pd_world *world) {
    const pd_scene *scene = &world->scene;
    double spacing = (double)world->resolution.spacing;
    pd_view view = {0};
    pd_method_describe(world, &view);
    double rest = pd_method_particles_per_area(world->method, world->parameter, view.rest_density);
    rest = fmin(rest, 1 / (spacing * spacing));
    bool full = false;
    for (int i = 0; i < scene->region_count && rest > 0; i++) {
        if (scene->regions[i].area.shape == PD_SHAPE_PARTICLES) continue; /* they lie where they have been left */
        double at_rest = rest * pd_area_size(&scene->regions[i].area), count = world->region_counts[i];
        full |= count > 1 + TOO_FULL * at_rest && count < (double)MOST * at_rest; /* more cannot be held back */
    }
    return full && world->start_count < rest * container_area(&scene->container);
}

void pd_ramp_begin(pd_world *world, const pd_method *before, bool squeezed) {
    if (!before) {
        world->ramp = (squeezed || too_full(world)) && require_factors(world) ? 1 : 0;
        world->left_compressible = false;
        return;
    }
    bool compressible = pd_method_compressible(world->method);
    bool returning = compressible && world->left_compressible;
    bool moved = world->substep_total > 0; /* false: densities are unknown, and the fluid is at the scene's beginning */
    if (!before->law && compressible) /* tracers are not compressed: a raised stiffness would only throw them apart */
        world->ramp = 0;
    else if (!moved || !world->method->law || !(compressible || require_factors(world)))
        world->ramp = 0;
    else if (returning) /* the fluid has left the compressible method's state only as far as the ramp has decayed */
        world->ramp = 1 - world->ramp;
    else
        world->ramp = 1;
    world->left_compressible = world->ramp > 0 && pd_method_compressible(before);
}

void pd_ramp_begin_flagged(pd_world *world) {
    static const float BEGIN = 0.999f; /* 1 would be a new ramp for all */
    if (world->method->cell || world->ramp == 1 || !require_factors(world)) return;
    float *factor = factors(world);
    for (int i = 0; i < world->particles.count; i++) {
        if (factor[i] >= 0) factor[i] = 1 + (factor[i] - 1) * world->ramp / BEGIN;
        if (world->flags[i]) factor[i] = UNKNOWN;
    }
    world->ramp = BEGIN;
}

void pd_ramp_advance(pd_world *world, float dt) {
    if (world->ramp == 0) return;
    world->ramp *= pd_expf(-dt / DECAY_TIME);
    if (world->ramp >= END) return;
    world->ramp = 0;
    world->left_compressible = false;
}

float pd_ramp_factor(const pd_world *world, int i, float equilibrium) {
    float *factor = factors(world) + i;
    if (world->ramp == 1) *factor = fminf(fmaxf(equilibrium, LEAST), MOST);
    if (*factor < 0) *factor = fminf(fmaxf(equilibrium, 1), MOST);
    return 1 + (*factor - 1) * world->ramp;
}

bool pd_ramp_valid(const pd_world *world) {
    const float *factor = factors(world);
    if (!(world->ramp >= 0 && world->ramp <= 1)) return false;
    if (world->ramp == 0 || pd_method_compressible(world->method)) return true;
    for (int i = 0; factor && i < world->particles.count; i++)
        if (!(factor[i] >= LEAST && factor[i] <= MOST) && factor[i] != UNKNOWN) return false;
    return factor != NULL;
}
