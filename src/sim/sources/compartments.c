/* Compartments of emitters (compartments.h): a raster of the obstacles, flood fill, and counts of particles. */
#include "sim/sources/compartments.h"

#include "core/memory.h"
#include "sim/raster/raster.h"
#include "sim/world.h"
#include "sim/world_bodies.h"

#include <math.h>
#include <stdio.h>

enum { MOST_CELLS = 1 << 13 };       /* greatest number of cells, about */
static const double CELL_SIDE = 0.5; /* least side of a cell, in units of the rest spacing */

struct pd_compartments {
    pd_boundary *walls; /* the container and the obstacles, at rest in their present poses */
    pd_raster *raster;  /* open fractions of cells and faces */
    int *compartment;   /* by cell: number of its compartment, the least index of the emitters in it; -1: no emitter */
    int *queue;         /* cells in the order in which the flood fill reaches them */
    int *of_emitter;    /* by emitter: number of its compartment; -1: obstacles cover the mouth */
    double *area;       /* by number of a compartment: open area, m^2 */
};

/* ---- The raster ---- */

static pd_grid choose_grid(const pd_world *world) {
    const pd_container *c = &world->scene.container;
    bool box = c->shape == PD_CONTAINER_BOX;
    double width = box ? (double)c->width : 2 * (double)c->radius, height = box ? (double)c->height : width;
    double side = CELL_SIDE * (double)world->resolution.spacing;
    side = fmax(side, fmax(sqrt(width * height / MOST_CELLS), fmax(width, height) / PD_MAX_CELLS));
    pd_grid grid = {
        .nx = (int)fmax(ceil(width / side - 1e-3), 1), .ny = (int)fmax(ceil(height / side - 1e-3), 1), .cell = side};
    grid.origin = (pd_double2){-0.5 * grid.nx * side, -0.5 * grid.ny * side};
    return grid;
}

static void place_obstacles(const pd_world *world, pd_boundary *walls) {
    double now = pd_world_time(world);
    for (int i = 0; i < world->scene.obstacle_count; i++)
        pd_boundary_set_obstacle_offsets(walls, i, world->obstacle_offset[i], world->obstacle_offset[i]);
    pd_boundary_move_obstacles(walls, now, now);
}

static bool init_compartments(const pd_world *world, pd_compartments *c) {
    pd_scene scene = world->scene; /* a shallow copy with the lists of the world's scene */
    scene.body_count = scene.joint_count = 0;
    pd_grid grid = choose_grid(world);
    size_t cells = (size_t)grid.nx * (size_t)grid.ny, emitters = (size_t)scene.emitter_count;
    if (pd_boundary_create(&c->walls, &scene, NULL) != PD_OK) return false;
    place_obstacles(world, c->walls);
    c->compartment = pd_allocate(cells, sizeof *c->compartment);
    c->queue = pd_allocate(cells, sizeof *c->queue);
    c->of_emitter = pd_memory_require(emitters, sizeof *c->of_emitter);
    c->area = pd_memory_require(emitters, sizeof *c->area);
    return c->compartment && c->queue && pd_raster_create(&c->raster, &grid, c->walls, 0, NULL) == PD_OK;
}

void pd_compartments_free(pd_world *world) {
    pd_compartments *c = world->compartments;
    if (!c) return;
    pd_boundary_destroy(c->walls);
    pd_raster_destroy(c->raster);
    pd_free(c->compartment);
    pd_free(c->queue);
    pd_memory_free(c->of_emitter);
    pd_memory_free(c->area);
    pd_memory_free(c);
    world->compartments = NULL;
}

/* ---- Flood fill ---- */

/* Returns the index of the cell that contains a point. If obstacles cover this cell, returns the nearest open one of the
 * eight cells around it. -1: there is none. */
static int find_open_cell(const pd_compartments *c, float x, float y) {
    const pd_grid *g = &c->raster->grid;
    double u = ((double)x - g->origin.x) / g->cell, v = ((double)y - g->origin.y) / g->cell, least = INFINITY;
    int i = (int)fmin(fmax(u, 0), g->nx - 1), j = (int)fmin(fmax(v, 0), g->ny - 1), nearest = -1;
    if (c->raster->cell[i + g->nx * j] > 0) return i + g->nx * j;
    for (int k = 0; k < 9; k++) {
        int a = i + k % 3 - 1, b = j + k / 3 - 1;
        if (a < 0 || a >= g->nx || b < 0 || b >= g->ny || !(c->raster->cell[a + g->nx * b] > 0)) continue;
        double dx = a + 0.5 - u, dy = b + 0.5 - v;
        if (dx * dx + dy * dy >= least) continue;
        least = dx * dx + dy * dy;
        nearest = a + g->nx * b;
    }
    return nearest;
}

/* Adds a cell to a compartment if the face through which the fill reaches it and the cell itself are open. Returns the new
 * length of the queue. */
static int queue_cell(pd_compartments *c, int cell, float open_face, int compartment, int queued) {
    if (!(open_face > 0) || !(c->raster->cell[cell] > 0) || c->compartment[cell] >= 0) return queued;
    c->compartment[cell] = compartment;
    c->queue[queued] = cell;
    return queued + 1;
}

/* Assigns all cells that are connected with `first` to a compartment. Returns their open area, m^2. */
static double fill_compartment(pd_compartments *c, int first, int compartment) {
    const pd_raster *r = c->raster;
    const int nx = r->grid.nx, ny = r->grid.ny;
    int queued = queue_cell(c, first, 1, compartment, 0);
    double open = 0;
    for (int k = 0; k < queued; k++) {
        int cell = c->queue[k], i = cell % nx, j = cell / nx;
        const float *left = r->face_x + i + (size_t)(nx + 1) * (size_t)j, *below = r->face_y + cell;
        open += (double)r->cell[cell];
        if (i > 0) queued = queue_cell(c, cell - 1, left[0], compartment, queued);
        if (i + 1 < nx) queued = queue_cell(c, cell + 1, left[1], compartment, queued);
        if (j > 0) queued = queue_cell(c, cell - nx, below[0], compartment, queued);
        if (j + 1 < ny) queued = queue_cell(c, cell + nx, below[nx], compartment, queued);
    }
    return open * r->grid.cell * r->grid.cell;
}

static void find_compartments_of_emitters(const pd_world *world, pd_compartments *c) {
    for (int k = 0; k < c->raster->grid.nx * c->raster->grid.ny; k++) c->compartment[k] = -1;
    for (int e = 0; e < world->scene.emitter_count; e++) {
        pd_vec2 mouth = world->scene.emitters[e].position;
        pd_boundary_push_out_of_walls(c->walls, &mouth);
        int cell = find_open_cell(c, mouth.x, mouth.y);
        if (cell >= 0 && c->compartment[cell] < 0) c->area[e] = fill_compartment(c, cell, e);
        c->of_emitter[e] = cell >= 0 ? c->compartment[cell] : -1;
    }
}

/* Creates the compartments, or updates them if obstacles have moved. Returns NULL if memory runs out. */
static const pd_compartments *update_compartments(pd_world *world) {
    pd_compartments *c = world->compartments;
    if (c) {
        place_obstacles(world, c->walls);
        if (pd_raster_update(c->raster, c->walls)) find_compartments_of_emitters(world, c);
        return c;
    }
    c = world->compartments = pd_memory_require(1, sizeof *c);
    if (init_compartments(world, c))
        find_compartments_of_emitters(world, c);
    else
        pd_compartments_free(world);
    return world->compartments;
}

/* ---- Counts ---- */

static bool is_in_compartment(const pd_compartments *c, int compartment, float x, float y) {
    int cell = find_open_cell(c, x, y);
    return cell >= 0 && c->compartment[cell] == compartment;
}

/* Returns the area of the bodies in a compartment, m^2: fluid around bodies that float or sink fills the rest. */
static double sum_body_areas(const pd_world *world, const pd_compartments *c, int compartment) {
    double area = 0;
    for (int i = 0; i < world->scene.body_count; i++) {
        pd_world_body body;
        pd_world_fill_body(world, i, &body, sizeof body);
        if (is_in_compartment(c, compartment, (float)body.x, (float)body.y))
            area += body.mass / ((double)world->scene.bodies[i].density * PD_DENSITY_OF_MASS_1);
    }
    return area;
}

/* Returns whether an obstacle or a body covers the place half a spacing before an emitter's mouth. */
static bool is_mouth_covered(const pd_world *world, const pd_emitter *e) {
    float ahead = 0.5f * world->resolution.spacing;
    pd_vec2 along = pd_emitter_direction(e), point = {e->position.x + ahead * along.x, e->position.y + ahead * along.y};
    return !pd_boundary_allows_position(world->boundary, point, 0.1f * ahead);
}

bool pd_emitter_write_warning(const pd_world *asked, int emitter, char *text, size_t size) {
    pd_world *world = (pd_world *)(uintptr_t)asked; /* computes the compartments, which no result depends on */
    const pd_emitter *e = &world->scene.emitters[emitter];
    double now = pd_world_time(world);
    if (world->emitted_now[emitter] > 0 || !(now > e->from && now < e->until) || !world->method->law) return false;
    if (is_mouth_covered(world, e))
        snprintf(text, size, "emitter %d is blocked: an obstacle or body covers its mouth (move one of them)",
                 emitter + 1);
    else if (pd_compartments_limit_emission(world, emitter, 1) == 0)
        snprintf(text, size,
                 "emitter %d is blocked: its container is full (add a drain, or end the emitter with `until`)",
                 emitter + 1);
    else
        return false;
    return true;
}

int pd_compartments_limit_emission(pd_world *world, int emitter, int count) {
    const pd_particles *p = &world->particles;
    double spacing = (double)world->resolution.spacing;
    if (world->scene.container.shape == PD_CONTAINER_NONE || !world->method->law) return count;
    const pd_compartments *c = update_compartments(world);
    int compartment = c ? c->of_emitter[emitter] : -1;
    if (compartment < 0) return count;
    double area = c->area[compartment] - sum_body_areas(world, c, compartment);
    double capacity = floor(area / (spacing * spacing) + 0.5);
    if (p->count + (double)count <= capacity) return count;
    for (int i = 0; i < p->count; i++) capacity -= is_in_compartment(c, compartment, p->x[i], p->y[i]);
    return (int)fmin(fmax(capacity, 0), count);
}
