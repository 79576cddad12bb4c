/* Inertia of the fluid around rigid bodies, by conjugate gradients on the bodies' velocities. */
#include "mac/coupling.h"

#include "bodies/bodies.h"
#include "core/math.h"
#include "mac/wall_cells.h"
#include "sim/units.h"
#include "sim/walls/impulses.h"
#include "sim/world.h"
#include "sim/world_bodies.h"

#include <string.h>

typedef struct coupling {
    pd_mac *mac;
    const pd_world *world;
    const pd_bodies *solver;
    pd_coupled_body *bodies; /* by body: memory of the solver */
    double unit;             /* impulse of the pressure on a length of 1 m where q is 1 */
    double seconds;
    int first_wall; /* wall of the first body */
} coupling;

static double dot(const pd_coordinates *a, const pd_coordinates *b) {
    return a->x * b->x + a->y * b->y + a->angle * b->angle;
}

/* Returns the velocity normal to a face of a wall cell, outwards, of a body's motion. */
static double outward_velocity(const coupling *c, const pd_mac_wall_cell *cell, int face, int body,
                               const pd_coordinates *motion) {
    const double *out = pd_mac_cell_positions[face];
    const pd_coordinates *pose = &c->solver->bodies[body].state.pose;
    pd_vec2 at = pd_mac_place_of_cell_position(c->mac, cell, face);
    return out[0] * (motion->x - motion->angle * ((double)at.y - pose->y)) +
           out[1] * (motion->y + motion->angle * ((double)at.x - pose->x));
}

/* Calls for each face of a wall cell that a body covers. Returns the body's index, or -1. */
static int find_body_of_face(const coupling *c, pd_mac_wall_cell *cell, int face, double *covered) {
    *covered = pd_mac_covered_fraction_of_face(c->mac, cell, face);
    if (!(*covered > 0)) return -1;
    int wall = pd_mac_find_wall_of_cell(c->mac, c->world->boundary, cell, face);
    return wall >= c->first_wall ? wall - c->first_wall : -1;
}

/* Sets the right-hand side of the pressure equation to the inflow by the bodies' motions `direction`. Returns its sum of
 * squares. */
static double set_inflow_of_bodies(const coupling *c) {
    pd_mac *mac = c->mac;
    double squares = 0;
    memset(mac->poisson->rhs, 0, mac->layout.count * sizeof(float));
    memset(mac->poisson->q, 0, mac->layout.count * sizeof(float));
    for (int n = 0; n < mac->wall_cell_count; n++) {
        pd_mac_wall_cell *cell = &mac->wall_cells[n];
        double inflow = 0;
        for (int face = 0; face < PD_CELL_FACES; face++) {
            double covered;
            int body = find_body_of_face(c, cell, face, &covered);
            if (body >= 0) inflow -= covered * outward_velocity(c, cell, face, body, &c->bodies[body].direction);
        }
        mac->poisson->rhs[pd_element_index(&mac->layout, cell->i, cell->j)] = (float)inflow;
        squares += inflow * inflow;
    }
    return squares;
}

/* Sets `product` to minus the impulses of the pressure, plus the inertia of the bodies. */
static void set_products(const coupling *c) {
    static const pd_coordinates units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    pd_mac *mac = c->mac;
    for (int i = 0; i < c->solver->body_count; i++) {
        pd_coupled_body *b = &c->bodies[i];
        b->product = (pd_coordinates){b->mass * b->direction.x, b->mass * b->direction.y, b->inertia * b->direction.angle};
    }
    for (int n = 0; n < mac->wall_cell_count; n++) {
        pd_mac_wall_cell *cell = &mac->wall_cells[n];
        double q = (double)mac->poisson->q[pd_element_index(&mac->layout, cell->i, cell->j)];
        if (q == 0) continue;
        for (int face = 0; face < PD_CELL_FACES; face++) {
            double covered;
            int body = find_body_of_face(c, cell, face, &covered);
            if (body < 0) continue;
            pd_coordinates *to = &c->bodies[body].product;
            double push = c->unit * mac->grid.cell * covered * q;
            to->x -= push * outward_velocity(c, cell, face, body, &units[0]);
            to->y -= push * outward_velocity(c, cell, face, body, &units[1]);
            if (!c->solver->bodies[body].fixed_angle) to->angle -= push * outward_velocity(c, cell, face, body, &units[2]);
        }
    }
}

/* Computes product = (M + A) direction. */
static void apply_matrix(const coupling *c) {
    const pd_poisson_method method = {.solver = PD_MULTIGRID, .iterations = 8};
    const float precision = 1e-2f; /* of the pressure: errors of A are as small */
    pd_poisson_method loose = method;
    const pd_layout *l = &c->mac->layout;
    double squares = set_inflow_of_bodies(c);
    loose.tolerance = precision * (float)sqrt(squares / ((double)l->nx * l->ny));
    if (squares > 0) pd_poisson_solve(c->mac->poisson, &loose, c->world->pool, NULL);
    set_products(c);
}

/* Sets masses, and the residual J + M g dt - M dv of y = 0, about the body's centroid. */
static void begin_solve(const coupling *c) {
    const double kilograms = pd_units_particle_mass(c->world);
    const pd_vec2 g = c->world->scene.gravity;
    const double *sum = pd_boundary_impulses(c->world->boundary)->chunk + PD_IMPULSE_PARTS * (1 + c->first_wall);
    for (int i = 0; i < c->solver->body_count; i++, sum += PD_IMPULSE_PARTS) {
        const pd_body *body = &c->solver->bodies[i];
        const pd_coordinates *pose = &body->state.pose, *by = &body->state.constrained;
        const pd_coordinates change = {body->state.mean_change.x - by->x, body->state.mean_change.y - by->y,
                                       body->state.mean_change.angle - by->angle};
        pd_coupled_body *b = &c->bodies[i];
        b->mass = body->mass / kilograms;
        b->inertia = body->inertia / kilograms;
        b->residual = (pd_coordinates){sum[0] + b->mass * (c->seconds * (double)g.x - change.x),
                                       sum[1] + b->mass * (c->seconds * (double)g.y - change.y),
                                       sum[2] - (pose->x * sum[1] - pose->y * sum[0]) - b->inertia * change.angle};
        if (body->fixed_angle) b->residual.angle = 0;
        b->first = b->residual;
        b->solution = b->direction = (pd_coordinates){0, 0, 0};
        b->wet = b->perimeter = 0;
    }
}

/* Measures which part of each body's surface is wet, for the preconditioner. */
static void measure_wet_surfaces(const coupling *c) {
    pd_mac *mac = c->mac;
    const pd_poisson *p = mac->poisson;
    for (int n = 0; n < mac->wall_cell_count; n++) {
        pd_mac_wall_cell *cell = &mac->wall_cells[n];
        size_t k = pd_element_index(&mac->layout, cell->i, cell->j);
        bool wet = p->open[k] > 0 || p->face_x[k] > 0 || p->face_x[k + 1] > 0 || p->face_y[k] > 0 ||
                   p->face_y[k + (size_t)mac->layout.stride] > 0;
        for (int face = 0; face < PD_CELL_FACES; face++) {
            double covered;
            int body = find_body_of_face(c, cell, face, &covered);
            if (body < 0) continue;
            c->bodies[body].perimeter += covered;
            if (wet) c->bodies[body].wet += covered;
        }
    }
}

/* Returns the preconditioned residual of a body. The added mass of a body far from walls is about the displaced mass. */
static pd_coordinates precondition(const coupling *c, int i) {
    const pd_coupled_body *b = &c->bodies[i];
    double displaced = c->unit / c->mac->grid.cell * c->solver->bodies[i].shape.area;
    double added = b->perimeter > 0 ? b->wet / b->perimeter * displaced : 0;
    return (pd_coordinates){b->residual.x / (b->mass + added), b->residual.y / (b->mass + added),
                            b->residual.angle / (b->inertia * (1 + 0.5 * added / b->mass))};
}

/* Returns the scalar product of the residuals and the preconditioned residuals, which become `next`. */
static double precondition_all(const coupling *c) {
    double sum = 0;
    for (int i = 0; i < c->solver->body_count; i++) {
        c->bodies[i].next = precondition(c, i);
        sum += dot(&c->bodies[i].residual, &c->bodies[i].next);
    }
    return sum;
}

static void add_to(pd_coordinates *to, double factor, const pd_coordinates *from) {
    to->x += factor * from->x;
    to->y += factor * from->y;
    to->angle += factor * from->angle;
}

/* Returns the square of the greatest error: a part of what gravity does in the substep. */
static double greatest_error(const coupling *c) {
    const double part = 0.02;
    double speed = part * (double)c->world->resolution.gravity * c->seconds, sum = 0;
    for (int i = 0; i < c->solver->body_count; i++) sum += c->bodies[i].mass * speed * speed;
    return sum;
}

/* Sets the corrections to M y - (J + M g dt - M dv). */
static void set_corrections(const coupling *c) {
    for (int i = 0; i < c->solver->body_count; i++) {
        pd_coupled_body *b = &c->bodies[i];
        b->correction = (pd_coordinates){b->mass * b->solution.x - b->first.x, b->mass * b->solution.y - b->first.y,
                                         b->inertia * b->solution.angle - b->first.angle};
    }
}

/* Conjugate gradients (Hestenes, Stiefel 1952). */
static void solve(const coupling *c, double most_error) {
    enum { MOST = 8 };
    int count = c->solver->body_count;
    double before = 0, now = precondition_all(c);
    for (int n = 0; n < MOST && now > (n > 0 ? most_error : 0); n++) {
        double beta = n > 0 ? now / before : 0, curvature = 0;
        for (int i = 0; i < count; i++) {
            pd_coordinates *direction = &c->bodies[i].direction;
            const pd_coordinates *next = &c->bodies[i].next;
            *direction = (pd_coordinates){next->x + beta * direction->x, next->y + beta * direction->y,
                                          next->angle + beta * direction->angle};
        }
        apply_matrix(c);
        for (int i = 0; i < count; i++) curvature += dot(&c->bodies[i].direction, &c->bodies[i].product);
        if (!(curvature > 0)) return;
        for (int i = 0; i < count; i++) {
            add_to(&c->bodies[i].solution, now / curvature, &c->bodies[i].direction);
            add_to(&c->bodies[i].residual, -now / curvature, &c->bodies[i].product);
        }
        before = now;
        now = precondition_all(c);
    }
}

void pd_mac_add_inertia_of_fluid(pd_mac *mac, const pd_world *world, double unit, float dt) {
    if (!world->bodies) return;
    const coupling c = {.mac = mac,
                        .world = world,
                        .solver = pd_world_solver(world),
                        .bodies = pd_world_coupled_bodies(world),
                        .unit = unit,
                        .seconds = (double)dt,
                        .first_wall = world->scene.obstacle_count};
    pd_mac_list_wall_cells(mac);
    begin_solve(&c);
    measure_wet_surfaces(&c);
    solve(&c, greatest_error(&c));
    set_corrections(&c);
}

/* Returns the greatest speed of fluid beside bodies, m/s. */
static float greatest_speed_beside_bodies(const pd_world *world) {
    const float factor = 4;
    const pd_scene *scene = &world->scene;
    float speed = fmaxf(pd_world_max_wall_speed(world), sqrtf(world->resolution.gravity * world->resolution.length));
    for (int e = 0; e < scene->emitter_count; e++) speed = fmaxf(speed, scene->emitters[e].speed);
    return factor * speed;
}

void pd_mac_limit_velocities_beside_bodies(pd_mac *mac, const pd_world *world) {
    if (!world->bodies) return;
    const float limit = greatest_speed_beside_bodies(world);
    const coupling c = {.mac = mac, .world = world, .first_wall = world->scene.obstacle_count};
    pd_mac_list_wall_cells(mac);
    for (int n = 0; n < mac->wall_cell_count; n++) {
        pd_mac_wall_cell *cell = &mac->wall_cells[n];
        size_t k = pd_element_index(&mac->layout, cell->i, cell->j);
        float *faces[PD_CELL_FACES] = {&mac->u[k], &mac->u[k + 1], &mac->v[k], &mac->v[k + (size_t)mac->layout.stride]};
        bool beside = false;
        double covered;
        for (int face = 0; face < PD_CELL_FACES && !beside; face++)
            beside = find_body_of_face(&c, cell, face, &covered) >= 0;
        for (int face = 0; face < PD_CELL_FACES && beside; face++)
            *faces[face] = fminf(fmaxf(*faces[face], -limit), limit);
    }
}
