#include "mac/coupling.h"

#include "core/memory.h"
#include "mac/reaction.h"
#include "sim/walls/impulses.h"
#include "sim/world.h"
#include "sim/world_bodies.h"

#include <math.h>
#include <string.h>

/* Face of a fluid cell that a body covers wholly or partly. */
typedef struct pd_mac_body_face {
    size_t cell;           /* index of the cell in arrays of the layout */
    int body;              /* index of the body */
    double covered;        /* covered fraction of the face */
    pd_coordinates normal; /* outward normal of the face, and its moment about the body's centroid */
} pd_mac_body_face;

/* Least mass of a body in the equation, in masses of a cell of fluid. The grid does not resolve the fluid beside lighter bodies,
 * whose oscillations grew. Their weight is their own. */
static const double LEAST_CELLS = 1;

typedef struct coupling {
    pd_mac *mac;
    const pd_world *world;
    const pd_bodies *solver;
    pd_coupled_body *bodies; /* by body */
    double unit;             /* impulse on a length of 1 m where q = 1 */
    double seconds;          /* duration of the substep */
    double layer;            /* thickness of the viscous layer that moves along with a wall, m */
} coupling;

static double dot(const pd_coordinates *a, const pd_coordinates *b) {
    return a->x * b->x + a->y * b->y + a->angle * b->angle;
}

static void add_scaled(pd_coordinates *to, double factor, const pd_coordinates *from) {
    to->x += factor * from->x;
    to->y += factor * from->y;
    to->angle += factor * from->angle;
}

/* ---- Faces of bodies ---- */

/* Returns the body that covers a part of a face of a wall cell, or -1. Sets *covered to this part. */
static int find_body_at_face(const pd_mac *mac, const pd_world *world, pd_mac_wall_cell *cell, int face,
                             double *covered) {
    *covered = pd_mac_covered_fraction_of_face(mac, cell, face);
    if (!(*covered > 0)) return -1;
    int body = pd_mac_find_wall_of_cell(mac, world->boundary, cell, face) - world->scene.obstacle_count;
    return body >= 0 ? body : -1;
}

/* Appends a face to mac->body_faces. Returns false if memory is missing, and leaves the face out. */
static bool append_body_face(pd_mac *mac, const pd_mac_body_face *face) {
    if (mac->body_face_count == mac->body_face_capacity) {
        int capacity = 2 * mac->body_face_capacity + 256;
        pd_mac_body_face *larger = pd_allocate((size_t)capacity, sizeof *larger);
        if (!larger) return false;
        if (mac->body_faces) memcpy(larger, mac->body_faces, (size_t)mac->body_face_count * sizeof *larger);
        pd_free(mac->body_faces);
        mac->body_faces = larger;
        mac->body_face_capacity = capacity;
    }
    mac->body_faces[mac->body_face_count++] = *face;
    return true;
}

/* Lists the faces of wall cells that bodies cover. A scalar product of the normal with a motion is the velocity of the
 * body's wall out of the cell. */
static void list_body_faces(const coupling *c) {
    pd_mac *mac = c->mac;
    mac->body_face_count = 0;
    for (int i = 0; i < c->solver->body_count; i++)
        c->bodies[i].unresolved = c->solver->bodies[i].shape.half_width < mac->grid.cell;
    for (int n = 0; n < mac->wall_cell_count; n++) {
        pd_mac_wall_cell *cell = &mac->wall_cells[n];
        for (int face = 0; face < PD_CELL_FACES; face++) {
            double covered;
            int body = find_body_at_face(mac, c->world, cell, face, &covered);
            if (body < 0) continue;
            c->bodies[body].unresolved |= cell->several_walls;
            const double *out = pd_mac_cell_positions[face];
            const pd_coordinates *pose = &c->solver->bodies[body].state.pose;
            pd_vec2 at = pd_mac_place_of_cell_position(mac, cell, face);
            double moment = ((double)at.x - pose->x) * out[1] - ((double)at.y - pose->y) * out[0];
            if (c->solver->bodies[body].fixed_angle) moment = 0;
            if (!append_body_face(mac, &(pd_mac_body_face){.cell = pd_element_index(&mac->layout, cell->i, cell->j),
                                                           .body = body,
                                                           .covered = covered,
                                                           .normal = {out[0], out[1], moment}}))
                return;
        }
    }
}

static bool is_wet(const pd_mac *mac, size_t k) {
    const pd_poisson *p = mac->poisson;
    size_t above = k + (size_t)mac->layout.stride;
    return p->open[k] > 0 || p->face_x[k] > 0 || p->face_x[k + 1] > 0 || p->face_y[k] > 0 || p->face_y[above] > 0;
}

/* ---- Products with the matrix of masses ---- */

/* Sets the right-hand side of the pressure equation to the inflow by the motions pd_coupled_body.direction. Returns the sum
 * of its squares. */
static double set_inflow_by_bodies(const coupling *c) {
    const pd_mac *mac = c->mac;
    float *rhs = mac->poisson->rhs;
    double squares = 0;
    memset(rhs, 0, mac->layout.count * sizeof(float));
    for (int n = 0; n < mac->body_face_count;) {
        const size_t cell = mac->body_faces[n].cell;
        double inflow = 0;
        for (; n < mac->body_face_count && mac->body_faces[n].cell == cell; n++) {
            const pd_mac_body_face *f = &mac->body_faces[n];
            inflow -= f->covered * dot(&f->normal, &c->bodies[f->body].direction);
        }
        rhs[cell] = (float)inflow;
        squares += inflow * inflow;
    }
    return squares;
}

/* Sets product = (M + D + A) direction. */
static void multiply_by_masses(const coupling *c) {
    enum { MOST_CYCLES = 8 };
    const double precision = 0.01; /* relative error of the pressure */
    pd_mac *mac = c->mac;
    for (int i = 0; i < c->solver->body_count; i++) {
        pd_coupled_body *b = &c->bodies[i];
        double mass = b->mass + b->friction, inertia = b->inertia * mass / b->mass;
        b->product = (pd_coordinates){mass * b->direction.x, mass * b->direction.y, inertia * b->direction.angle};
    }
    double squares = set_inflow_by_bodies(c), cells = (double)mac->layout.nx * mac->layout.ny;
    if (!(squares > 0)) return;
    pd_poisson_method method = {
        .solver = PD_MULTIGRID, .iterations = MOST_CYCLES, .tolerance = (float)(precision * sqrt(squares / cells))};
    memset(mac->poisson->q, 0, mac->layout.count * sizeof(float));
    pd_poisson_solve(mac->poisson, &method, c->world->pool, NULL);
    for (int n = 0; n < mac->body_face_count; n++) {
        const pd_mac_body_face *f = &mac->body_faces[n];
        double q = (double)mac->poisson->q[f->cell];
        add_scaled(&c->bodies[f->body].product, -c->unit * mac->grid.cell * f->covered * q, &f->normal);
    }
}

/* ---- Conjugate gradients ---- */

/* Sets masses, and the impulse J + M g dt on each body about its centroid. */
static void set_masses_and_impulses(const coupling *c) {
    const double kilograms = pd_units_particle_mass(c->world);
    const pd_vec2 g = c->world->scene.gravity;
    const double *sum = pd_boundary_impulses(c->world->boundary)->chunk;
    sum += PD_IMPULSE_PARTS * (1 + c->world->scene.obstacle_count);
    for (int i = 0; i < c->solver->body_count; i++, sum += PD_IMPULSE_PARTS) {
        const pd_body *body = &c->solver->bodies[i];
        const pd_coordinates *pose = &body->state.pose;
        pd_coupled_body *b = &c->bodies[i];
        double mass = body->mass / kilograms, least = LEAST_CELLS * c->unit * c->mac->grid.cell;
        b->mass_ratio = mass < least ? mass / least : 1;
        b->mass = mass / b->mass_ratio;
        b->inertia = body->inertia / kilograms / b->mass_ratio;
        b->given = (pd_coordinates){sum[0] + mass * c->seconds * (double)g.x, sum[1] + mass * c->seconds * (double)g.y,
                                    sum[2] - (pose->x * sum[1] - pose->y * sum[0])};
    }
}

/* Estimates the added masses for the preconditioner: displaced mass x wet part of the body's surface. Sets the masses D of
 * the viscous layers. */
static void estimate_masses_of_fluid(const coupling *c) {
    pd_mac *mac = c->mac;
    for (int i = 0; i < c->solver->body_count; i++) c->bodies[i].wet = c->bodies[i].perimeter = 0;
    for (int n = 0; n < mac->body_face_count; n++) {
        const pd_mac_body_face *f = &mac->body_faces[n];
        c->bodies[f->body].perimeter += f->covered;
        if (is_wet(mac, f->cell)) c->bodies[f->body].wet += f->covered;
    }
    for (int i = 0; i < c->solver->body_count; i++) {
        pd_coupled_body *b = &c->bodies[i];
        double density = c->unit / mac->grid.cell, displaced = density * c->solver->bodies[i].shape.area;
        b->added = b->perimeter > 0 ? displaced * b->wet / b->perimeter : 0;
        b->friction = density * b->wet * mac->grid.cell * c->layer;
    }
}

/* Sets the residual of y = 0, which is the right-hand side. */
static void begin_solve(const coupling *c) {
    for (int i = 0; i < c->solver->body_count; i++) {
        const pd_body *body = &c->solver->bodies[i];
        const pd_body_state *s = &body->state;
        pd_coupled_body *b = &c->bodies[i];
        pd_coordinates sum = b->given, by = s->contact_change;
        double part = 1 + b->friction / b->mass;
        add_scaled(&sum, c->solver->mean_part, &s->withheld[0].impulse);
        add_scaled(&sum, 1, &s->withheld[1].impulse);
        add_scaled(&by, -part, &body->not_withheld);
        sum = (pd_coordinates){sum.x + b->mass * by.x, sum.y + b->mass * by.y, sum.angle + b->inertia * by.angle};
        if (body->fixed_angle) sum.angle = 0;
        b->sum = b->residual = sum;
        b->solution = b->direction = (pd_coordinates){0, 0, 0};
    }
}

/* Computes the preconditioned residuals. Returns their scalar product with the residuals. */
static double precondition(const coupling *c) {
    const double turning = 0.5; /* added moment of inertia/moment of inertia of the displaced fluid (chosen) */
    double sum = 0;
    for (int i = 0; i < c->solver->body_count; i++) {
        pd_coupled_body *b = &c->bodies[i];
        double mass = b->mass + b->friction + b->added;
        double inertia = b->inertia * (1 + (b->friction + turning * b->added) / b->mass);
        b->next = (pd_coordinates){b->residual.x / mass, b->residual.y / mass, b->residual.angle / inertia};
        sum += dot(&b->residual, &b->next);
    }
    return sum;
}

/* Solves (M + D + A) y = right side (Hestenes, Stiefel 1952). At least one iteration: a residual within the greatest error
 * would add up over the substeps. */
static void solve(const coupling *c) {
    enum { MOST_ITERATIONS = 8 };
    /* Greatest scalar product of `precondition` at which the solve ends: errors of the velocities are a small part of what
     * gravity does in the substep. */
    const double speed = 0.02 * (double)c->world->resolution.gravity * c->seconds;
    double enough = 0;
    for (int i = 0; i < c->solver->body_count; i++) enough += c->bodies[i].mass * speed * speed;
    const int count = c->solver->body_count;
    double before = 1, now = precondition(c);
    for (int n = 0; n < MOST_ITERATIONS && now > (n > 0 ? enough : 0); n++) {
        double beta = n > 0 ? now / before : 0, curvature = 0;
        for (int i = 0; i < count; i++) {
            pd_coordinates direction = c->bodies[i].next;
            add_scaled(&direction, beta, &c->bodies[i].direction);
            c->bodies[i].direction = direction;
        }
        multiply_by_masses(c);
        for (int i = 0; i < count; i++) curvature += dot(&c->bodies[i].direction, &c->bodies[i].product);
        if (!(curvature > 0)) return;
        for (int i = 0; i < count; i++) {
            add_scaled(&c->bodies[i].solution, now / curvature, &c->bodies[i].direction);
            add_scaled(&c->bodies[i].residual, -now / curvature, &c->bodies[i].product);
        }
        before = now;
        now = precondition(c);
    }
}

/* Returns the part of a velocity change for which an impulse is withheld: less than 1 for bodies lighter than 0.4 of the fluid
 * that they displace. Where their added mass shrinks, the rest would make oscillations grow. A part that varied with the added
 * mass would not keep momentum on average. */
static double find_withheld_part(const coupling *c, int i) {
    const double greatest = 2.5; /* part x (displaced mass)/mass (chosen) */
    double displaced = c->unit / c->mac->grid.cell * c->solver->bodies[i].shape.area;
    return c->bodies[i].unresolved ? 0 : fmin(greatest * c->bodies[i].mass / displaced, 1);
}

/* Sets the correction of a body, M (dv' - c - g dt) - J, the change y for which an impulse is withheld, and this impulse, A y. */
static void set_correction(const coupling *c, int i) {
    const pd_body *body = &c->solver->bodies[i];
    pd_coupled_body *b = &c->bodies[i];
    double mass = b->mass + b->friction, inertia = b->inertia * mass / b->mass;
    pd_coordinates y = b->solution, change = y;
    pd_coordinates rest = {b->sum.x - mass * y.x, b->sum.y - mass * y.y, b->sum.angle - inertia * y.angle};
    add_scaled(&change, 1, &body->not_withheld);
    add_scaled(&change, -1, &body->state.contact_change);
    double kept = pd_world_limit_push(c->world, i, &change), part = kept * find_withheld_part(c, i);
    b->withheld[0] = b->withheld[1] = (pd_withheld){0};
    add_scaled(&b->withheld[0].change, part, &y);
    add_scaled(&b->withheld[0].impulse, part, &rest);
    add_scaled(&b->withheld[1].change, 1 - c->solver->mean_part, &body->state.withheld[0].change);
    add_scaled(&b->withheld[1].impulse, 1 - c->solver->mean_part, &body->state.withheld[0].impulse);
    kept *= b->mass_ratio;
    b->correction =
        (pd_coordinates){b->mass * kept * change.x, b->mass * kept * change.y, b->inertia * kept * change.angle};
    add_scaled(&b->correction, -1, &b->given);
}

void pd_mac_set_body_corrections(pd_mac *mac, const pd_world *world, double unit, float dt, double viscosity) {
    if (!world->bodies) return;
    const coupling c = {.mac = mac,
                        .world = world,
                        .solver = pd_world_solver(world),
                        .bodies = pd_world_coupled_bodies(world),
                        .unit = unit,
                        .seconds = (double)dt,
                        .layer = mac->slip ? 0 : sqrt(viscosity * (double)dt)};
    pd_mac_list_wall_cells(mac);
    list_body_faces(&c);
    set_masses_and_impulses(&c);
    estimate_masses_of_fluid(&c);
    begin_solve(&c);
    solve(&c);
    for (int i = 0; i < c.solver->body_count; i++) set_correction(&c, i);
}

/* ---- Narrow gaps ---- */

void pd_mac_limit_velocities_beside_bodies(pd_mac *mac, const pd_world *world) {
    if (!world->bodies) return;
    const double factor = 4; /* chosen: jets out of closing gaps are real, up to a few times the speed of the walls */
    const float limit =
        (float)(factor * fmax(pd_world_characteristic_speed(world), (double)pd_world_max_wall_speed(world)));
    pd_mac_list_wall_cells(mac);
    for (int n = 0; n < mac->wall_cell_count; n++) {
        pd_mac_wall_cell *cell = &mac->wall_cells[n];
        size_t k = pd_element_index(&mac->layout, cell->i, cell->j), above = k + (size_t)mac->layout.stride;
        float *velocity[PD_CELL_FACES] = {&mac->u[k], &mac->u[k + 1], &mac->v[k], &mac->v[above]};
        bool beside = false;
        double covered;
        for (int face = 0; face < PD_CELL_FACES && !beside; face++)
            beside = find_body_at_face(mac, world, cell, face, &covered) >= 0;
        for (int face = 0; face < PD_CELL_FACES && beside; face++)
            *velocity[face] = fminf(fmaxf(*velocity[face], -limit), limit);
    }
}
