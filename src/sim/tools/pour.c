/* The tools that pour and erase, which add and remove particles along the tool's stroke.
 *
 * New particles are at rest, on free sites of a hexagonal lattice at the rest density, so that no pressure drives them
 * apart. A resting tool pours more as the fluid moves away. The lattice is fixed in space, so the particles of
 * consecutive steps fit together. */
#include "core/math.h"
#include "sim/particles/near.h"
#include "sim/tools/stroke.h"

#include <string.h>

/* Least distances of a new particle from other particles and from walls, in units of the rest spacing. At the rest
 * density neighbours on the lattice are 1.07 apart, and no point is farther than 0.62 from all of them: so a fluid at
 * rest gets no new particles. */
static const float FREE_DISTANCE = 0.9f, FROM_WALL = 0.4f;
/* Greatest distance from the tool at which particles are poured, in units of the rest spacing. A tool may be too large to
 * be filled. */
static const double FARTHEST = 1000;
static const double MOST_AREA = 4; /* greatest area per poured particle, in units of the squared rest spacing */

/* Returns the spacing of the lattice of poured particles, m: the greater one of pd_resolution.spacing and the spacing at
 * the method's rest density, but the latter at most sqrt(MOST_AREA) x pd_resolution.spacing. */
static float compute_lattice_spacing(const pd_world *world) {
    double spacing = (double)world->resolution.spacing, area = spacing * spacing;
    double rest = (double)pd_method_find_fluid_at_rest(world, 1, 0).particles_per_area;
    if (rest > 0) area = fmin(fmax(area, 1 / rest), MOST_AREA * area);
    return (float)sqrt(area);
}

/* Sites of the lattice in the bounding box of a stroke. Odd rows are shifted by half a column. */
typedef struct sites {
    pd_stroke stroke;   /* the stroke */
    double column, row; /* distance between two columns, between two rows, m */
    double left, right; /* numbers of the first and the last column */
    double bottom, top; /* numbers of the first and the last row */
} sites;

/* Clamps the interval [*low, *high] to [tool_coordinate - reach, tool_coordinate + reach] and to [-half_size, half_size]. */
static void clamp_interval_to_tool_and_container(double *low, double *high, double tool_coordinate, double reach,
                                                 double half_size) {
    *low = fmax(fmax(*low, tool_coordinate - reach), -half_size);
    *high = fmin(fmin(*high, tool_coordinate + reach), half_size);
}

static sites find_lattice_sites(const pd_world *world, float spacing) {
    pd_stroke s = pd_stroke_of_step(world);
    sites sites = {.stroke = s, .row = (double)spacing * sqrt(sqrt(0.75))};
    sites.column = (double)(spacing * spacing) / sites.row;
    const pd_container *c = &world->scene.container;
    double half_x = INFINITY, half_y = INFINITY, farthest = FARTHEST * (double)spacing;
    if (c->shape == PD_CONTAINER_BOX) half_x = 0.5 * (double)c->width, half_y = 0.5 * (double)c->height;
    if (c->shape == PD_CONTAINER_CIRCLE) half_x = half_y = (double)c->radius;
    double left = (double)s.center.x - (double)s.half_x, right = (double)s.center.x + (double)s.half_x;
    double bottom = (double)s.center.y - (double)s.half_y, top = (double)s.center.y + (double)s.half_y;
    clamp_interval_to_tool_and_container(&left, &right, (double)s.to.x, farthest, half_x);
    clamp_interval_to_tool_and_container(&bottom, &top, (double)s.to.y, farthest, half_y);
    sites.left = floor(left / sites.column);
    sites.right = ceil(right / sites.column);
    sites.bottom = floor(bottom / sites.row);
    sites.top = ceil(top / sites.row);
    return sites;
}

static bool is_free_site(const pd_world *world, const sites *sites, const pd_near_particles *near, float spacing,
                         pd_vec2 point) {
    pd_vec2 normal;
    return pd_stroke_distance(&sites->stroke, point) < sites->stroke.radius &&
           !pd_near_particles_occupy_point(world, near, point) &&
           pd_boundary_allows_position(world->boundary, point, 0) &&
           pd_boundary_wall_distance(world->boundary, point, &normal) >= FROM_WALL * spacing;
}

/* Returns the number of free lattice sites along the stroke, at most `most`. If adds_particles is set, also adds a particle at
 * each of these sites, row by row from below. */
static int count_or_fill_free_sites(pd_world *world, const sites *sites, float spacing, bool adds_particles, int most) {
    float reach = pd_hypotf(sites->stroke.half_x, sites->stroke.half_y) + FREE_DISTANCE * spacing;
    pd_near_particles near = pd_near_particles_find(world, sites->stroke.center, reach, FREE_DISTANCE * spacing);
    int count = 0;
    for (double j = sites->bottom; j <= sites->top; j++)
        for (double i = sites->left; i <= sites->right && count < most; i++) {
            double shift = fmod(fabs(j), 2) > 0 ? 0.5 : 0;
            pd_vec2 point = {(float)((i + shift) * sites->column), (float)(j * sites->row)};
            if (!is_free_site(world, sites, &near, spacing, point)) continue;
            if (adds_particles) pd_particles_add(&world->particles, point, (pd_vec2){0, 0}, world->tool.material);
            count++;
        }
    return count;
}

static void pour_particles(pd_world *world) {
    float spacing = compute_lattice_spacing(world);
    sites sites = find_lattice_sites(world, spacing);
    int room = PD_MAX_PARTICLES - world->particles.count; /* one more free site makes the stroke incomplete */
    int free_sites = count_or_fill_free_sites(world, &sites, spacing, false, room + 1),
        capacity = pd_world_reserve_new_particles(world, free_sites);
    world->pour_incomplete = capacity < free_sites;
    if (capacity == 0) return;
    count_or_fill_free_sites(world, &sites, spacing, true, capacity);
    world->poured[0] = (pd_poured){sites.stroke.from, sites.stroke.to, sites.stroke.radius};
}

/* Flags the particles in the stroke. Returns whether there are any. */
static bool flag_particles_in_stroke(pd_world *world) {
    pd_stroke s = pd_stroke_of_step(world);
    const pd_particles *p = &world->particles;
    bool any = false;
    for (int i = 0; i < p->count; i++) {
        world->flags[i] = pd_stroke_distance(&s, (pd_vec2){p->x[i], p->y[i]}) < s.radius;
        any |= world->flags[i] != 0;
    }
    return any;
}

/* Sets the material of the tracers in the stroke, for methods whose fluid is everywhere. */
static void recolour_tracers(pd_world *world) {
    pd_particles *p = &world->particles;
    if (!flag_particles_in_stroke(world)) return;
    for (int i = 0; i < p->count; i++)
        if (world->flags[i]) p->material[i] = (uint8_t)world->tool.material;
}

void pd_world_pour_or_erase(pd_world *world) {
    pd_tool_kind kind = world->tool.kind;
    world->pour_incomplete = false;
    memmove(world->poured + 1, world->poured, (PD_POURED_STEPS - 1) * sizeof *world->poured);
    world->poured[0] = (pd_poured){0};
    if (kind == PD_TOOL_ERASE && flag_particles_in_stroke(world))
        pd_particles_remove_flagged(&world->particles, world->flags);
    if (kind != PD_TOOL_POUR || world->method->info.paints)
        return; /* methods that paint do all of this themselves: they add dye and tracers */
    if (!world->method->law) recolour_tracers(world);
    pour_particles(world);
}
