/* Tools of the pointer on particles: velocities (push, pull, drag), pouring and erasing, and the speed limits of what was
 * poured. */
#include "core/math.h"
#include "core/memory.h"
#include "scene/schema.h"
#include "sim/particles/near.h"
#include "sim/tools/stroke.h"
#include "sim/world.h"

#include <stdlib.h>
#include <string.h>

/* Acceleration of a push, in units of gravity: 350/35 in the article's source. */
static const float PUSH_GRAVITIES = 10;
static const float DRAG_RATE = 40; /* 1/s: a drag leaves exp(-DRAG_RATE t) of the velocity difference after t seconds */
static const float PULL_RATE = 15; /* 1/s: a pull leaves exp(-PULL_RATE t) of the velocity difference after t seconds */
static const float PULL_SPEED = 3; /* speed of a pull at the tool's radius, in units of sqrt(g L) (pd_resolution) */
/* Limit of both components of a drag's velocity, m/s, as of all speeds in a scene. A pointer that jumps may be faster. */
static const float FASTEST = (float)PD_FASTEST;

pd_tool_field pd_tool_field_compute(const pd_world *world, float dt) {
    const pd_tool *tool = &world->tool;
    pd_tool_field field = {
        .kind = tool->kind,
        .x = world->tool_now.x,
        .y = world->tool_now.y,
        .radius = tool->radius,
        .inverse_radius = 1 / tool->radius,
        .strength = PUSH_GRAVITIES * world->resolution.gravity,
        .target_vx = fminf(fmaxf(tool->velocity.x, -FASTEST), FASTEST),
        .target_vy = fminf(fmaxf(tool->velocity.y, -FASTEST), FASTEST),
    };
    if (tool->kind == PD_TOOL_PAINT) field.kind = PD_TOOL_DRAG;
    if (tool->kind == PD_TOOL_POUR || tool->kind == PD_TOOL_ERASE) field.kind = PD_TOOL_NONE;
    if (field.kind == PD_TOOL_DRAG) field.blend = 1 - pd_expf(-DRAG_RATE * dt);
    if (tool->kind == PD_TOOL_PULL) {
        field.blend = 1 - pd_expf(-PULL_RATE * dt);
        field.strength = PULL_SPEED * sqrtf(world->resolution.gravity * world->resolution.length);
    }
    return field;
}

void pd_tool_field_use_accelerations(const pd_world *world, pd_tool_field *field, float strength) {
    field->uses_accelerations = true;
    field->strength = field->kind == PD_TOOL_PULL ? -strength : strength;
    if (field->kind == PD_TOOL_PULL) field->gravity = world->scene.gravity;
}

void pd_tool_field_change_velocity(const pd_tool_field *field, float dt, float inverse_mass, float x, float y,
                                   float *vx, float *vy) {
    float dx = x - field->x, dy = y - field->y;
    float distance2 = dx * dx + dy * dy;
    if (!(distance2 < field->radius * field->radius)) return;
    if (field->uses_accelerations && field->kind != PD_TOOL_DRAG) {
        float distance = sqrtf(dx * dx + dy * dy), nearness = 1 - distance * field->inverse_radius;
        float scale = distance > 0 ? field->strength * inverse_mass / distance : 0, damping = fminf(dt, 1);
        *vx += nearness * (dt * (scale * dx - field->gravity.x) - damping * *vx);
        *vy += nearness * (dt * (scale * dy - field->gravity.y) - damping * *vy);
        return;
    }
    float distance = sqrtf(distance2) * field->inverse_radius; /* 0 at the pointer, 1 at the tool's radius */
    float weight = (1 - distance * distance) * (1 - distance * distance);
    if (field->kind == PD_TOOL_PUSH) {
        float scale = distance2 > 0 ? field->strength * (1 - distance) * dt * inverse_mass / sqrtf(distance2) : 0;
        *vx += scale * dx;
        *vy += scale * dy;
        return;
    }
    float target_vx = field->target_vx, target_vy = field->target_vy;
    if (field->kind ==
        PD_TOOL_PULL) { /* speed proportional to the distance: fluid gathers at the pointer and rests there */
        target_vx -= field->strength * field->inverse_radius * dx;
        target_vy -= field->strength * field->inverse_radius * dy;
    }
    float blend = fminf(field->blend * weight * inverse_mass, 1);
    *vx += blend * (target_vx - *vx);
    *vy += blend * (target_vy - *vy);
}

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

static const float LEAST_LIMIT = 0.12f; /* lowest speed limit, in units of sqrt(g L) (pd_resolution) */
/* Distance from a stroke within which speeds are limited, in units of the rest spacing: the default kernel radius. */
static const float REACH = 2.75f;

typedef struct pd_calm_particle {
    uint32_t id;   /* id of the particle */
    float fastest; /* speed limit, m/s */
} pd_calm_particle;

int pd_calm_steps_to_oldest_stroke(const pd_world *world) {
    int steps = PD_POURED_STEPS;
    while (steps > 0 && !(world->poured[steps - 1].radius > 0)) steps--;
    return steps;
}

static bool append_limited_particle(pd_calm *calm, pd_calm_particle particle) {
    if (calm->count == calm->capacity) {
        int capacity = 2 * calm->capacity + 256;
        pd_calm_particle *larger = pd_allocate((size_t)capacity, sizeof *larger);
        if (!larger) return false;
        for (int k = 0; k < calm->count; k++) larger[k] = calm->particle[k];
        pd_free(calm->particle);
        calm->particle = larger;
        calm->capacity = capacity;
    }
    calm->particle[calm->count++] = particle;
    return true;
}

static void compute_strokes_box(pd_world *world, int stroke_count) {
    pd_calm *calm = &world->calm;
    calm->low = (pd_vec2){INFINITY, INFINITY};
    calm->high = (pd_vec2){-INFINITY, -INFINITY};
    for (int k = 0; k < stroke_count; k++) {
        const pd_poured *poured = &world->poured[k];
        float reach = poured->radius + REACH * world->resolution.spacing;
        if (!(poured->radius > 0)) continue;
        calm->low.x = fminf(calm->low.x, fminf(poured->from.x, poured->to.x) - reach);
        calm->low.y = fminf(calm->low.y, fminf(poured->from.y, poured->to.y) - reach);
        calm->high.x = fmaxf(calm->high.x, fmaxf(poured->from.x, poured->to.x) + reach);
        calm->high.y = fmaxf(calm->high.y, fmaxf(poured->from.y, poured->to.y) + reach);
    }
}

static bool is_in_strokes_box(const pd_calm *calm, float x, float y) {
    return x >= calm->low.x && x <= calm->high.x && y >= calm->low.y && y <= calm->high.y;
}

static bool is_near_stroke(const pd_world *world, int stroke_count, pd_vec2 point) {
    float reach = REACH * world->resolution.spacing;
    if (!is_in_strokes_box(&world->calm, point.x, point.y)) return false;
    for (int k = 0; k < stroke_count; k++) {
        const pd_poured *poured = &world->poured[k];
        const pd_stroke stroke = {.from = poured->from, .to = poured->to};
        if (poured->radius > 0 && pd_stroke_distance(&stroke, point) < poured->radius + reach) return true;
    }
    return false;
}

static int compare_ids(const void *a, const void *b) {
    const pd_calm_particle *p = a, *q = b;
    return p->id < q->id ? -1 : p->id > q->id;
}

void pd_calm_list_limited_particles(pd_world *world) {
    const pd_particles *p = &world->particles;
    pd_calm *calm = &world->calm;
    int steps = pd_calm_steps_to_oldest_stroke(world);
    calm->count = 0;
    if (steps == 0 || !world->method->law || world->method->cell)
        return; /* particles that are moved by a grid need no speed limit */
    pd_vec2 g = world->scene.gravity;
    float least = LEAST_LIMIT * sqrtf(world->resolution.gravity * world->resolution.length);
    float fall = pd_hypotf(g.x, g.y) * world->scene.dt;
    compute_strokes_box(world, steps);
    for (int i = 0; i < p->count; i++) {
        if (!is_near_stroke(world, steps, (pd_vec2){p->x[i], p->y[i]})) continue;
        float fastest = fmaxf(pd_hypotf(p->vx[i], p->vy[i]) + fall, least);
        if (!append_limited_particle(calm, (pd_calm_particle){p->id[i], fastest})) break;
    }
    if (calm->count > 0) qsort(calm->particle, (size_t)calm->count, sizeof *calm->particle, compare_ids);
}

static void limit_speed(const pd_world *world, int i, float speed_limit, float dt) {
    const pd_particles *p = &world->particles;
    pd_vec2 from = {p->old_x[i], p->old_y[i]};
    float dx = p->x[i] - from.x, dy = p->y[i] - from.y, way = pd_hypotf(dx, dy), part = speed_limit * dt / way;
    if (part < 1) {
        pd_vec2 to = {from.x + part * dx, from.y + part * dy};
        pd_contact contact;
        pd_boundary_stop_at_walls(world->boundary, from, &to, &contact);
        p->x[i] = to.x;
        p->y[i] = to.y;
    }
    float speed = pd_hypotf(p->vx[i], p->vy[i]);
    if (!(speed > speed_limit)) return;
    p->vx[i] *= speed_limit / speed;
    p->vy[i] *= speed_limit / speed;
}

void pd_calm_limit_speeds(pd_world *world, float dt) {
    const pd_particles *p = &world->particles;
    const pd_calm *calm = &world->calm;
    if (calm->count == 0) return;
    for (int i = 0; i < p->count; i++) {
        if (!is_in_strokes_box(calm, p->old_x[i], p->old_y[i]))
            continue; /* the particle has no limit, or was outside the strokes' box */
        const pd_calm_particle key = {.id = p->id[i]}, *listed;
        listed = bsearch(&key, calm->particle, (size_t)calm->count, sizeof key, compare_ids);
        if (listed) limit_speed(world, i, listed->fastest, dt);
    }
}
