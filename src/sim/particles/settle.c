/* Finds fluid at rest on a raster, and moves it into equilibrium: see settle.h. */
#include "sim/particles/settle.h"

#include "core/math.h"
#include "core/memory.h"
#include "sim/method.h"
#include "sim/step.h"
#include "sim/walls/boundary.h"
#include "sim/walls/impulses.h"
#include "sim/world.h"

#include <math.h>
#include <string.h>

static const float CELL = 2; /* side of a cell, in units of the rest spacing: each cell in a fluid has particles */
static const float NEAR_WALL = 0.7f; /* an empty cell is no air if its centre is nearer to a wall, in units of a cell */
static const double MOST_CROWDING =
    1.5;                           /* greatest ratio of a component's particles per area to those at rest, or inverse */
static const float DAMPING = 0.9f; /* factor on the velocities after each substep of the relaxation */
enum {
    LEAST_ROWS = 3,       /* fluid of fewer rows of cells is not compressed noticeably */
    MOST_CELLS = 1 << 24, /* greatest number of cells of the raster */
    MOST_SUBSTEPS = 80,   /* greatest number of substeps of the relaxation */
    LEAST_SUBSTEPS = 12,  /* least number of substeps of the relaxation */
    MOST_MOVES = 3000000, /* limit of (number of particles) x (number of substeps), down to LEAST_SUBSTEPS */
    CORRECTIONS = 4,      /* number of corrections of a deep column */
    FREE_SUBSTEPS = 4,    /* number of substeps in which the acceleration of a deep column is measured */
};

/* State of a cell. A visited cell of fluid has the number of its component, at least FIRST_COMPONENT. */
enum { AIR, WALL, FLUID, MOVING_FLUID, FIRST_COMPONENT };

/* Values of one row of a component. */
typedef struct row {
    double cells;           /* number of the component's cells */
    double particles, mass; /* number of the particles, sum of their masses */
    double ratio;           /* area in equilibrium / present area */
    double bottom;          /* height of the lower edge in equilibrium, in units of a cell above the raster's bottom */
} row;

/* The lowest row of fluid at rest. */
typedef struct floor_row {
    double particles; /* number of particles of the fluid */
    double mass;      /* mean mass of its particles */
    double pressure;  /* pressure at the lower edge, in the unit of pd_density_law.at_rest */
} floor_row;

/* Raster in the frame of gravity: rows are level, row 0 is the lowest. */
typedef struct raster {
    pd_vec2 up;         /* unit vector against gravity */
    float left, bottom; /* edges, m along the rows and along `up` */
    float cell;         /* side of a cell, m */
    int columns, rows;
    int32_t *state;  /* by cell */
    int32_t *stack;  /* cells of a component whose neighbours are not visited yet */
    row *row;        /* by row, and one more: values of the present component */
    floor_row floor; /* of the component that was moved last */
    bool *moves;     /* by id of a particle: whether it belongs to fluid at rest */
} raster;

/* A connected component of the fluid. */
typedef struct component {
    int32_t number;
    int lowest, highest; /* rows */
    bool is_moving;      /* some particle has a velocity */
} component;

static float compute_place_along_row(const raster *r, float x, float y) { return x * r->up.y - y * r->up.x; }
static float compute_height(const raster *r, float x, float y) { return x * r->up.x + y * r->up.y; }

static size_t find_cell(const raster *r, float x, float y) {
    int column = (int)((compute_place_along_row(r, x, y) - r->left) / r->cell);
    int row = (int)((compute_height(r, x, y) - r->bottom) / r->cell);
    return (size_t)row * (size_t)r->columns + (size_t)column;
}

/* Sets the size of the raster, with an empty cell around the particles, and allocates it. Particles at walls are a quarter
 * of a cell away from the edge of their row. Returns false if the raster is too large or memory runs out. */
static bool allocate_raster(const pd_world *world, raster *r) {
    const pd_particles *p = &world->particles;
    float right = -INFINITY, top = -INFINITY;
    r->left = r->bottom = INFINITY;
    for (int i = 0; i < p->count; i++) {
        float place = compute_place_along_row(r, p->x[i], p->y[i]), height = compute_height(r, p->x[i], p->y[i]);
        r->left = fminf(r->left, place), right = fmaxf(right, place);
        r->bottom = fminf(r->bottom, height), top = fmaxf(top, height);
    }
    r->left -= 1.25f * r->cell, r->bottom -= 1.25f * r->cell;
    float columns = ceilf((right - r->left) / r->cell) + 2, rows = ceilf((top - r->bottom) / r->cell) + 2;
    if (!(columns * rows < MOST_CELLS)) return false;
    r->columns = (int)columns, r->rows = (int)rows;
    size_t cells = (size_t)r->columns * (size_t)r->rows;
    r->state = pd_allocate(cells, sizeof *r->state);
    r->stack = pd_allocate(cells, sizeof *r->stack);
    r->row = pd_allocate((size_t)r->rows + 1, sizeof *r->row);
    r->moves = pd_allocate((size_t)p->count, sizeof *r->moves);
    return r->state && r->stack && r->row && r->moves;
}

/* Sets the states of all cells to AIR, WALL, FLUID or MOVING_FLUID. */
static void set_cell_states(const pd_world *world, raster *r) {
    const pd_particles *p = &world->particles;
    for (int i = 0; i < p->count; i++) {
        int32_t *state = &r->state[find_cell(r, p->x[i], p->y[i])];
        if (*state != MOVING_FLUID) *state = p->vx[i] == 0 && p->vy[i] == 0 ? FLUID : MOVING_FLUID;
    }
    for (int k = 0; k < r->columns * r->rows; k++) {
        if (r->state[k] != AIR) continue;
        float place = r->left + ((float)(k % r->columns) + 0.5f) * r->cell;
        float height = r->bottom + ((float)(k / r->columns) + 0.5f) * r->cell;
        pd_vec2 normal, centre = {place * r->up.y + height * r->up.x, height * r->up.y - place * r->up.x};
        if (pd_boundary_wall_distance(world->boundary, centre, &normal) < NEAR_WALL * r->cell) r->state[k] = WALL;
    }
}

/* Finds the component of a cell: gives its cells the number, and counts them by row. */
static component find_component(raster *r, int32_t cell, int32_t number) {
    const int32_t step[4] = {-1, 1, -r->columns, r->columns};
    component component = {.number = number, .lowest = cell / r->columns, .highest = cell / r->columns};
    int depth = 0;
    component.is_moving = r->state[cell] == MOVING_FLUID;
    r->state[cell] = number;
    r->stack[depth++] = cell;
    while (depth > 0) {
        int32_t at = r->stack[--depth];
        int row = at / r->columns;
        r->row[row].cells++;
        if (row < component.lowest) component.lowest = row;
        if (row > component.highest) component.highest = row;
        for (int k = 0; k < 4; k++) { /* the cells at the edges are empty, so that all neighbours exist */
            int32_t next = at + step[k];
            if (r->state[next] != FLUID && r->state[next] != MOVING_FLUID) continue;
            component.is_moving |= r->state[next] == MOVING_FLUID;
            r->state[next] = number;
            r->stack[depth++] = next;
        }
    }
    return component;
}

/* Returns whether no particle of the component can fall: air is neither below the component, nor beside or above it more than a row
 * below its surface. */
static bool is_at_rest(const raster *r, const component *component) {
    if (component->is_moving || component->highest - component->lowest + 1 < LEAST_ROWS) return false;
    for (int k = component->lowest * r->columns; k < (component->highest + 1) * r->columns; k++) {
        if (r->state[k] != component->number) continue;
        if (r->state[k - r->columns] == AIR) return false;
        bool touches_air = r->state[k - 1] == AIR || r->state[k + 1] == AIR || r->state[k + r->columns] == AIR;
        if (touches_air && k / r->columns < component->highest - 1) return false;
    }
    return true;
}

/* Sums the particles of a component by row. Returns whether they have about the rest spacing, unlike those of regions that
 * overlap. */
static bool sum_particles(const pd_world *world, raster *r, const component *component) {
    const pd_particles *p = &world->particles;
    double particles = 0, cells = 0;
    for (int i = 0; i < p->count; i++) {
        size_t cell = find_cell(r, p->x[i], p->y[i]);
        if (r->state[cell] != component->number) continue;
        row *row = &r->row[cell / (size_t)r->columns];
        row->mass += (double)world->scene.materials[p->material[i]].mass;
        row->particles++;
    }
    for (int k = component->lowest; k <= component->highest; k++) {
        particles += r->row[k].particles;
        cells += r->row[k].cells;
    }
    double crowding = particles / (cells * (double)(CELL * CELL));
    return crowding > 1 / MOST_CROWDING && crowding < MOST_CROWDING;
}

/* Sets the heights of a component's rows in equilibrium. The row with the pressure p in its middle then takes the area 1 /
 * (spacing^2 n(p)) x its present area, n: particles per area. The rows lie on each other from the lowest one, in the component's
 * shape. */
static void compute_equilibrium(const pd_world *world, raster *r, const component *component) {
    const double gravity = pd_hypot(world->scene.gravity.x, world->scene.gravity.y);
    const double spacing = (double)world->resolution.spacing;
    double pressure = 0;
    for (int k = component->highest; k >= component->lowest; k--) {
        row *row = &r->row[k];
        double weight = gravity * row->mass / (row->cells * (double)r->cell);
        double mass = row->mass / row->particles;
        pd_fluid_at_rest rest = pd_method_find_fluid_at_rest(world, (float)mass, (float)(pressure + 0.5 * weight));
        row->ratio = 1 / (spacing * spacing * (double)rest.particles_per_area);
        pressure += weight;
    }
    double particles = 0, mass = 0;
    for (int k = component->lowest; k <= component->highest; k++)
        particles += r->row[k].particles, mass += r->row[k].mass;
    r->floor = (floor_row){particles, mass / particles, pressure};
    int reached = component->lowest; /* row in which the upper edge of the present row lies in equilibrium */
    double area = 0, passed = 0;     /* up to this edge, in equilibrium; of the rows below `reached` */
    r->row[reached].bottom = reached;
    for (int k = component->lowest; k <= component->highest; k++) {
        area += r->row[k].ratio * r->row[k].cells;
        while (reached < component->highest && passed + r->row[reached].cells < area) passed += r->row[reached++].cells;
        r->row[k + 1].bottom = reached + (area - passed) / r->row[reached].cells;
    }
}

/* Moves the particles of a component along gravity to the heights of their rows in equilibrium. */
static void move_particles_to_equilibrium(pd_world *world, raster *r, const component *component) {
    pd_particles *p = &world->particles;
    for (int i = 0; i < p->count; i++) {
        size_t cell = find_cell(r, p->x[i], p->y[i]);
        if (r->state[cell] != component->number) continue;
        const row *row = &r->row[cell / (size_t)r->columns];
        float height = (compute_height(r, p->x[i], p->y[i]) - r->bottom) / r->cell;
        double within = (double)height - floor((double)height);
        float rise = r->cell * (float)(row->bottom + within * (row[1].bottom - row->bottom) - (double)height);
        p->old_x[i] = p->x[i] + rise * r->up.x;
        p->old_y[i] = p->y[i] + rise * r->up.y;
        r->moves[p->id[i]] = true;
    }
}

/* Moves all fluid at rest to its equilibrium. Returns whether there is any. The new places are in old_x and old_y until all
 * components are moved, since components are found by the present places. */
static bool move_fluid_to_equilibrium(pd_world *world, raster *r) {
    pd_particles *p = &world->particles;
    bool any = false;
    set_cell_states(world, r);
    memcpy(p->old_x, p->x, (size_t)p->count * sizeof *p->x);
    memcpy(p->old_y, p->y, (size_t)p->count * sizeof *p->y);
    int32_t number = FIRST_COMPONENT;
    for (int32_t cell = 0; cell < r->columns * r->rows; cell++) {
        if (r->state[cell] != FLUID && r->state[cell] != MOVING_FLUID) continue;
        component component = find_component(r, cell, number++);
        if (is_at_rest(r, &component) && sum_particles(world, r, &component)) {
            any = true;
            compute_equilibrium(world, r, &component);
            move_particles_to_equilibrium(world, r, &component);
        }
        memset(r->row + component.lowest, 0, (size_t)(component.highest - component.lowest + 2) * sizeof *r->row);
    }
    for (int i = 0; any && i < p->count; i++) {
        pd_vec2 place = {p->old_x[i], p->old_y[i]};
        if (r->moves[p->id[i]]) pd_boundary_push_out_of_walls(world->boundary, &place);
        p->x[i] = place.x;
        p->y[i] = place.y;
    }
    return any;
}

/* Positions and velocities of the particles by id. At the beginning they are those of the scene. */
typedef struct start {
    float *x, *y, *vx, *vy;
    uint8_t *material;
} start;

static int choose_relaxation_substeps(const pd_world *world) {
    const int substeps = MOST_MOVES / world->particles.count;
    return substeps < LEAST_SUBSTEPS ? LEAST_SUBSTEPS : substeps > MOST_SUBSTEPS ? MOST_SUBSTEPS : substeps;
}

/* Damps the velocities of the particles that move after each substep, and returns the others to their places. */
static void compute_damped_substeps(pd_world *world, const start *s, const bool *moves, int substeps) {
    pd_particles *p = &world->particles;
    for (int k = 0; k < substeps; k++) {
        pd_method_step(world, world->scene.dt / (float)world->substeps);
        world->substep_total++;
        for (int i = 0; i < p->count; i++) {
            uint32_t id = p->id[i];
            p->vx[i] = moves[id] ? DAMPING * p->vx[i] : s->vx[id];
            p->vy[i] = moves[id] ? DAMPING * p->vy[i] : s->vy[id];
            if (moves[id]) continue;
            p->x[i] = s->x[id];
            p->y[i] = s->y[id];
        }
    }
}

static void stop_particles(pd_particles *p) {
    memset(p->vx, 0, (size_t)p->count * sizeof *p->vx);
    memset(p->vy, 0, (size_t)p->count * sizeof *p->vy);
}

/* Returns the acceleration of the centre of mass against gravity, m/s^2, in free substeps that begin at rest. */
static double measure_acceleration(pd_world *world, const raster *r) {
    pd_particles *p = &world->particles;
    const float dt = world->scene.dt / (float)world->substeps;
    double momentum = 0, mass = 0;
    stop_particles(p);
    for (int k = 0; k < FREE_SUBSTEPS; k++, world->substep_total++) pd_method_step(world, dt);
    for (int i = 0; i < p->count; i++) {
        double m = (double)world->scene.materials[p->material[i]].mass;
        momentum += m * (double)compute_height(r, p->vx[i], p->vy[i]);
        mass += m;
    }
    return momentum / (mass * FREE_SUBSTEPS * (double)dt);
}

/* Corrects the height of a deep column. Pairs of particles conserve momentum, so the acceleration a of the centre of mass
 * tells that the pressure at the floor is 1 + a/g of the weight. Scales all heights by the ratio of the densities at these
 * two pressures. Otherwise the column would swing for seconds: its walls hide a part of the kernels, and the law of fluid
 * at rest is of a regular lattice. */
static void correct_deep_column(pd_world *world, const raster *r, const start *s) {
    pd_particles *p = &world->particles;
    const double gravity = pd_hypot(world->scene.gravity.x, world->scene.gravity.y);
    for (int n = 0; n < CORRECTIONS; n++) {
        const double pressure_ratio = fmax(1 + measure_acceleration(world, r) / gravity, 0);
        const float mass = (float)r->floor.mass;
        const float present =
            pd_method_find_fluid_at_rest(world, mass, (float)(pressure_ratio * r->floor.pressure)).particles_per_area;
        const float wanted = pd_method_find_fluid_at_rest(world, mass, (float)r->floor.pressure).particles_per_area;
        float lowest = INFINITY;
        for (int i = 0; i < p->count; i++) lowest = fminf(lowest, compute_height(r, p->x[i], p->y[i]));
        for (int i = 0; i < p->count; i++) {
            const float rise = (present / wanted - 1) * (compute_height(r, p->x[i], p->y[i]) - lowest);
            pd_vec2 place = {p->x[i] + rise * r->up.x, p->y[i] + rise * r->up.y};
            pd_boundary_push_out_of_walls(world->boundary, &place);
            p->x[i] = place.x;
            p->y[i] = place.y;
        }
        stop_particles(p);
        compute_damped_substeps(world, s, r->moves, choose_relaxation_substeps(world) / CORRECTIONS);
    }
}

static void relax(pd_world *world, start *s, const raster *r) {
    const pd_tool tool = world->tool;
    pd_particles *p = &world->particles;
    world->tool = (pd_tool){.kind = PD_TOOL_NONE};
    world->substeps = pd_step_count_substeps(world);
    compute_damped_substeps(world, s, r->moves, choose_relaxation_substeps(world));
    const bool is_one_column = r->floor.particles == p->count, is_compressed = world->method->law->at_rest;
    if (is_one_column && is_compressed && pd_resolution_compute_load(&world->resolution) > 1)
        correct_deep_column(world, r, s);
    /* the particles by id again, with the velocities of the scene */
    for (int i = 0; i < p->count; i++) s->x[p->id[i]] = p->x[i], s->y[p->id[i]] = p->y[i];
    size_t bytes = (size_t)p->count * sizeof(float);
    memcpy(p->x, s->x, bytes);
    memcpy(p->y, s->y, bytes);
    memcpy(p->vx, s->vx, bytes);
    memcpy(p->vy, s->vy, bytes);
    memcpy(p->material, s->material, (size_t)p->count);
    for (int i = 0; i < p->count; i++) p->id[i] = (uint32_t)i;
    world->tool = tool;
    world->substep_total = 0;
    world->substeps = 0;
    world->profile = (pd_profile){0};
    pd_impulses_clear(pd_boundary_impulses(world->boundary));
    for (int k = 0; k < p->method_column_count; k++) pd_particles_reset_column(p, k);
    pd_method_reset(world);
}

static bool can_have_fluid_at_rest(const pd_world *world) {
    const pd_scene *scene = &world->scene;
    const pd_density_law *law = world->method->law;
    for (int i = 0; i < scene->region_count; i++)
        if (scene->regions[i].area.shape == PD_SHAPE_PARTICLES) return false;
    bool has_weight = scene->gravity.x != 0 || scene->gravity.y != 0;
    return law && has_weight && world->ramp == 0 && world->particles.count > 0;
}

void pd_world_settle(pd_world *world) {
    if (!can_have_fluid_at_rest(world)) return;
    size_t refusals = pd_memory_refused_request_count();
    pd_particles *p = &world->particles;
    const double gx = world->scene.gravity.x, gy = world->scene.gravity.y, gravity = pd_hypot(gx, gy);
    raster r = {.up = {(float)(-gx / gravity), (float)(-gy / gravity)}, .cell = CELL * world->resolution.spacing};
    const size_t count = (size_t)p->count;
    start s = {.x = pd_allocate(4 * count, sizeof(float)), .material = pd_allocate(count, 1)};
    if (s.x && s.material && allocate_raster(world, &r)) {
        s.y = s.x + count, s.vx = s.y + count, s.vy = s.vx + count;
        const float *from[] = {p->x, p->y, p->vx, p->vy};
        for (int k = 0; k < 4; k++) memcpy(s.x + (size_t)k * count, from[k], count * sizeof(float));
        memcpy(s.material, p->material, count);
        if (move_fluid_to_equilibrium(world, &r)) relax(world, &s, &r);
        memcpy(p->previous_x, p->x, count * sizeof(float));
        memcpy(p->previous_y, p->y, count * sizeof(float));
        memset(p->density, 0, count * sizeof(float));
    }
    pd_free(r.state);
    pd_free(r.stack);
    pd_free(r.row);
    pd_free(r.moves);
    pd_free(s.x);
    pd_free(s.material);
    if (pd_memory_refused_request_count() != refusals) world->memory_refused = true;
}
