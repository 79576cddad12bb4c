#include "bodies/bodies.h"

#include "bodies/contacts.h"
#include "bodies/joints.h"
#include "core/array.h"
#include "core/error.h"
#include "core/math.h"
#include "core/memory.h"
#include "scene/geometry.h"

#include <string.h>

static const double degrees = 0.017453292519943295;
/* Lengths and speeds relative to the size of the container (radius or half the longer side; 1 m without a container). */
static const double SLOP = 1e-4, PUSH_SPEED = 1.0, GREATEST_SPEED = 100.0;

pd_bodies *pd_bodies_create(const pd_container *container) {
    pd_bodies *bodies = pd_memory_require(1, sizeof *bodies);
    double size = 1.0;
    if (container->shape == PD_CONTAINER_CIRCLE) size = container->radius;
    if (container->shape == PD_CONTAINER_BOX) size = 0.5 * pd_greater(container->width, container->height);
    bodies->container = *container;
    bodies->slop = SLOP * size;
    bodies->push_speed = PUSH_SPEED * size;
    bodies->greatest_speed = GREATEST_SPEED * pd_greater(size, 1.0);
    bodies->drag.body = -1;
    return bodies;
}

void pd_bodies_destroy(pd_bodies *bodies) {
    if (!bodies) return;
    for (int i = 0; i < bodies->body_count; i++) pd_rigid_shape_free(&bodies->bodies[i].shape);
    for (int i = 0; i < bodies->wall_count; i++) pd_rigid_shape_free(&bodies->walls[i].shape);
    pd_arrays_free(
        PD_ARRAYS(PD_ARRAY(bodies->bodies, 0, 0), PD_ARRAY(bodies->joints, 0, 0), PD_ARRAY(bodies->walls, 0, 0),
                  PD_ARRAY(bodies->contacts, 0, 0), PD_ARRAY(bodies->movers, 0, 0), PD_ARRAY(bodies->parts, 0, 0),
                  PD_ARRAY(bodies->rows, 0, 0), PD_ARRAY(bodies->old_contacts, 0, 0), PD_ARRAY(bodies->pairs, 0, 0),
                  PD_ARRAY(bodies->order, 0, 0), PD_ARRAY(bodies->direct, 0, 0), PD_ARRAY(bodies->envelope, 0, 0)));
    pd_memory_free(bodies);
}

/* ---- Lists ---- */

/* Grows the arrays that have an element for each mover. */
static bool reserve_movers(pd_bodies *bodies) {
    int count = bodies->body_count + bodies->wall_count + 2;
    return PD_ARRAY_RESERVE(bodies->movers, bodies->mover_capacity, 0, count) &&
           PD_ARRAY_RESERVE(bodies->order, bodies->order_capacity, bodies->body_count, count);
}

/* Grows the array of the parts of all bodies by `more` elements. */
static bool reserve_parts(pd_bodies *bodies, int more) {
    int count = more;
    for (int i = 0; i < bodies->body_count; i++) count += bodies->bodies[i].shape.part_count;
    return PD_ARRAY_RESERVE(bodies->parts, bodies->part_capacity, 0, count);
}

pd_pose pd_pose_of(const pd_coordinates *c) { return (pd_pose){{c->x, c->y}, pd_cos(c->angle), pd_sin(c->angle)}; }

pd_result pd_bodies_add_body(pd_bodies *bodies, const pd_body_def *def, pd_error *error) {
    int count = bodies->body_count;
    double least = bodies->slop * bodies->slop; /* m^2 */
    pd_rigid_shape shape;
    PD_ASSERT(def->density > 0);
    pd_rigid_shape_init(&shape, &def->area, 2.0 * bodies->slop);
    if (!PD_ARRAY_RESERVE(bodies->bodies, bodies->body_capacity, count, count + 1) || !reserve_movers(bodies) ||
        !reserve_parts(bodies, shape.part_count)) {
        pd_rigid_shape_free(&shape);
        return pd_fail_memory(error, "a body");
    }
    pd_body body = {.shape = shape,
                    .mass = def->density * pd_greater(shape.area, least),
                    .inertia = def->density * pd_greater(shape.second_moment, least * least),
                    .friction = def->friction,
                    .restitution = pd_smaller(def->restitution, 1.0),
                    .fixed_angle = def->fixed_angle};
    pd_coordinates pose = {def->area.center.x, def->area.center.y, fmod(def->area.angle, 360.0) * degrees};
    pd_pose area = pd_pose_of(&pose);
    pd_double2 centroid = pd_pose_to_world(&area, body.shape.centroid);
    pose = (pd_coordinates){centroid.x, centroid.y, pose.angle};
    body.state = (pd_body_state){.pose = pose, .before = pose};
    body.state.velocity =
        (pd_coordinates){def->velocity.x, def->velocity.y, def->fixed_angle ? 0.0 : def->spin * degrees};
    body.state.mean_velocity = body.state.velocity;
    bodies->bodies[count] = body;
    bodies->order[count] = count;
    bodies->body_count++;
    return PD_OK;
}

pd_result pd_bodies_add_joint(pd_bodies *bodies, const pd_joint_def *def, pd_error *error) {
    int count = bodies->joint_count;
    for (int k = 0; k < 2; k++) PD_ASSERT(def->bodies[k] >= PD_WORLD_BODY && def->bodies[k] < bodies->body_count);
    PD_ASSERT(def->bodies[0] != def->bodies[1]);
    if (!PD_ARRAY_RESERVE(bodies->joints, bodies->joint_capacity, count, count + 1))
        return pd_fail_memory(error, "a joint");
    pd_bodies_attach_joint(bodies, def);
    return PD_OK;
}

pd_result pd_bodies_add_wall(pd_bodies *bodies, const pd_area *area, pd_error *error) {
    int count = bodies->wall_count;
    pd_body_wall wall = {.rotation = 0.0};
    if (!PD_ARRAY_RESERVE(bodies->walls, bodies->wall_capacity, count, count + 1) || !reserve_movers(bodies))
        return pd_fail_memory(error, "a wall");
    pd_rigid_shape_init(&wall.shape, area, 2.0 * bodies->slop);
    pd_coordinates pose = {area->center.x, area->center.y, fmod(area->angle, 360.0) * degrees};
    wall.begin = wall.end = pd_pose_of(&pose);
    bodies->walls[count] = wall;
    bodies->wall_count++;
    return PD_OK;
}

void pd_bodies_set_wall_motion(pd_bodies *bodies, int wall, const pd_pose *begin, const pd_pose *end, double rotation) {
    PD_ASSERT_INDEX("wall", wall, bodies->wall_count);
    bodies->walls[wall].begin = *begin;
    bodies->walls[wall].end = *end;
    bodies->walls[wall].rotation = rotation;
}

/* ---- Drag ---- */

void pd_bodies_begin_drag(pd_bodies *bodies, int body, pd_vec2 point, double greatest_force) {
    PD_ASSERT_INDEX("body", body, bodies->body_count);
    pd_double2 at = {point.x, point.y};
    pd_pose pose = pd_pose_of(&bodies->bodies[body].state.pose);
    bodies->drag = (pd_body_drag){body, pd_pose_to_local(&pose, at), at, greatest_force, {0.0, 0.0}};
}

void pd_bodies_move_drag(pd_bodies *bodies, pd_vec2 target) { bodies->drag.target = (pd_double2){target.x, target.y}; }

void pd_bodies_end_drag(pd_bodies *bodies) { bodies->drag = (pd_body_drag){.body = -1}; }

/* ---- Queries ---- */

double pd_bodies_max_speed(const pd_bodies *bodies) {
    double greatest = 0.0;
    for (int i = 0; i < bodies->body_count; i++) {
        const pd_body_state *s = &bodies->bodies[i].state;
        pd_double2 now = {s->velocity.x, s->velocity.y}, then = {now.x + s->change.x, now.y + s->change.y};
        double speed = pd_greater(pd_length(now), pd_length(then));
        double spin = pd_greater(fabs(s->velocity.angle), fabs(s->velocity.angle + s->change.angle));
        greatest = pd_greater(greatest, speed + spin * bodies->bodies[i].shape.extent);
    }
    return greatest;
}

pd_pose pd_body_area_pose(const pd_body *body, const pd_coordinates *pose) {
    pd_pose area = pd_pose_of(pose);
    area.center = pd_pose_to_world(&area, (pd_double2){-body->shape.centroid.x, -body->shape.centroid.y});
    return area;
}

/* ---- Saved state ---- */

/* No padding: equal states have equal bytes. */
_Static_assert(sizeof(pd_body_state) == 30 * sizeof(double), "pd_body_state has padding");
_Static_assert(sizeof(pd_joint_state) == (10 + PD_JOINT_IMPULSES) * sizeof(double), "pd_joint_state has padding");
_Static_assert(sizeof(pd_body_contact) == 6 * sizeof(int32_t) + 9 * sizeof(double), "pd_body_contact has padding");
_Static_assert(sizeof(pd_body_drag) == 8 * sizeof(double), "pd_body_drag has padding");

static bool are_finite(const double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

static bool is_state_valid(const pd_bodies *bodies) {
    for (int i = 0; i < bodies->body_count; i++)
        if (!are_finite(&bodies->bodies[i].state.pose.x, 30)) return false;
    for (int i = 0; i < bodies->joint_count; i++)
        if (!are_finite(&bodies->joints[i].state.anchor[0].x, 9 + PD_JOINT_IMPULSES)) return false;
    for (int i = 0; i < bodies->contact_count; i++) {
        const pd_body_contact *contact = &bodies->contacts[i];
        if (contact->body < 0 || contact->body >= bodies->body_count || contact->other < 0) return false;
        if (contact->other < PD_FIRST_WALL && contact->other >= bodies->body_count) return false;
        if (!are_finite(&contact->point.x, 9)) return false;
    }
    return bodies->drag.body >= -1 && bodies->drag.body < bodies->body_count && are_finite(&bodies->drag.anchor.x, 7) &&
           bodies->solver_seconds >= 0.0;
}

/* Reads, writes or hashes the length of a list. Sets archive->failed if a list that is read has another length. */
static void save_or_load_count(pd_archive *archive, int32_t count) {
    int32_t saved = count;
    pd_archive_transfer(archive, &saved, sizeof saved);
    if (saved != count) archive->failed = true;
}

static void save_or_load_contacts(pd_bodies *bodies, pd_archive *archive) {
    int32_t count = bodies->contact_count;
    pd_archive_transfer(archive, &count, sizeof count);
    if (archive->failed) return;
    if (archive->reading) {
        size_t size = sizeof *bodies->contacts;
        bool fits = count >= 0 && (size_t)count <= (archive->capacity - archive->size) / size;
        if (!fits || !PD_ARRAY_RESERVE(bodies->contacts, bodies->contact_capacity, 0, count)) {
            archive->failed = true;
            return;
        }
        bodies->contact_count = count;
    }
    pd_archive_transfer(archive, bodies->contacts, (size_t)count * sizeof *bodies->contacts);
}

void pd_bodies_save_or_load(pd_bodies *bodies, pd_archive *archive) {
    save_or_load_count(archive, bodies->body_count);
    save_or_load_count(archive, bodies->joint_count);
    for (int i = 0; i < bodies->body_count; i++)
        pd_archive_transfer(archive, &bodies->bodies[i].state, sizeof bodies->bodies[i].state);
    for (int i = 0; i < bodies->joint_count; i++)
        pd_archive_transfer(archive, &bodies->joints[i].state, sizeof bodies->joints[i].state);
    pd_archive_transfer(archive, &bodies->drag, sizeof bodies->drag);
    pd_archive_transfer(archive, &bodies->solver_seconds, sizeof bodies->solver_seconds);
    save_or_load_contacts(bodies, archive);
    if (pd_archive_validates(archive) && !archive->failed && !is_state_valid(bodies)) archive->failed = true;
}
