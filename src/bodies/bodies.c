/* Lists of bodies, joints and walls; queries; saved state. */
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

pd_result pd_bodies_create(pd_bodies **created, const pd_container *container, pd_error *error) {
    pd_bodies *bodies = pd_memory_new_zeroed(1, sizeof *bodies);
    double size = 1.0;
    if (!bodies) return pd_fail_memory(error, "bodies");
    if (container->shape == PD_CONTAINER_CIRCLE) size = container->radius;
    if (container->shape == PD_CONTAINER_BOX) size = 0.5 * pd_greater(container->width, container->height);
    bodies->container = *container;
    bodies->slop = SLOP * size;
    bodies->push_speed = PUSH_SPEED * size;
    bodies->greatest_speed = GREATEST_SPEED * pd_greater(size, 1.0);
    bodies->drag.body = -1;
    *created = bodies;
    return PD_OK;
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

/* Sets shape, mass and surface of a body. Returns false if memory runs out; the body is then unchanged. */
static bool set_definition(pd_bodies *bodies, pd_body *body, const pd_body_def *def) {
    pd_rigid_shape shape;
    if (!pd_rigid_shape_init(&shape, &def->area, 2.0 * bodies->slop) || !reserve_parts(bodies, shape.part_count)) {
        pd_rigid_shape_free(&shape);
        return false;
    }
    pd_rigid_shape_free(&body->shape);
    body->shape = shape;
    double least = bodies->slop * bodies->slop; /* m^2 */
    body->mass = def->density * pd_greater(shape.area, least);
    body->inertia = def->density * pd_greater(shape.second_moment, least * least);
    body->friction = def->friction;
    body->restitution = pd_smaller(def->restitution, 1.0);
    body->fixed_angle = def->fixed_angle;
    return true;
}

pd_pose pd_pose_of(const pd_coordinates *c) { return (pd_pose){{c->x, c->y}, pd_cos(c->angle), pd_sin(c->angle)}; }

pd_result pd_bodies_add_body(pd_bodies *bodies, const pd_body_def *def, pd_error *error) {
    int count = bodies->body_count;
    pd_body body = {.mass = 0.0};
    PD_ASSERT(def->density > 0);
    if (!PD_ARRAY_RESERVE(bodies->bodies, bodies->body_capacity, count, count + 1) || !reserve_movers(bodies) ||
        !set_definition(bodies, &body, def))
        return pd_fail_memory(error, "a body");
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

pd_result pd_bodies_set_body(pd_bodies *bodies, int body, const pd_body_def *def, pd_error *error) {
    PD_ASSERT_INDEX("body", body, bodies->body_count);
    if (!set_definition(bodies, &bodies->bodies[body], def)) return pd_fail_memory(error, "a body");
    if (def->fixed_angle) bodies->bodies[body].state.velocity.angle = 0.0;
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

void pd_bodies_set_joint(pd_bodies *bodies, int joint, const pd_joint_def *def) {
    PD_ASSERT_INDEX("joint", joint, bodies->joint_count);
    pd_joint *own = &bodies->joints[joint];
    pd_joint_def before = own->def;
    own->def = *def;
    own->def.type = before.type;
    memcpy(own->def.bodies, before.bodies, sizeof before.bodies);
    memcpy(own->def.at, before.at, sizeof before.at);
    own->def.axis = before.axis;
    if (!isnan(def->length)) own->state.length = def->length;
}

pd_result pd_bodies_add_wall(pd_bodies *bodies, const pd_area *area, pd_error *error) {
    int count = bodies->wall_count;
    pd_body_wall wall = {.turned = 0.0};
    if (!PD_ARRAY_RESERVE(bodies->walls, bodies->wall_capacity, count, count + 1) || !reserve_movers(bodies) ||
        !pd_rigid_shape_init(&wall.shape, area, 2.0 * bodies->slop)) {
        pd_rigid_shape_free(&wall.shape);
        return pd_fail_memory(error, "a wall");
    }
    pd_coordinates pose = {area->center.x, area->center.y, fmod(area->angle, 360.0) * degrees};
    wall.begin = wall.end = pd_pose_of(&pose);
    bodies->walls[count] = wall;
    bodies->wall_count++;
    return PD_OK;
}

void pd_bodies_set_wall_motion(pd_bodies *bodies, int wall, const pd_pose *begin, const pd_pose *end, double turned) {
    PD_ASSERT_INDEX("wall", wall, bodies->wall_count);
    bodies->walls[wall].begin = *begin;
    bodies->walls[wall].end = *end;
    bodies->walls[wall].turned = turned;
}

/* Removes the contacts of a body or wall, and lowers the greater indices of its list by one. index: as in
 * pd_body_contact.other. limit: end of the indices of the list. */
static void remove_from_contacts(pd_bodies *bodies, int index, int limit) {
    int kept = 0;
    for (int i = 0; i < bodies->contact_count; i++) {
        pd_body_contact contact = bodies->contacts[i];
        if (contact.body == index || contact.other == index) continue;
        if (contact.body > index && contact.body < limit) contact.body--;
        if (contact.other > index && contact.other < limit) contact.other--;
        bodies->contacts[kept++] = contact;
    }
    bodies->contact_count = kept;
}

void pd_bodies_remove_body(pd_bodies *bodies, int body) {
    PD_ASSERT_INDEX("body", body, bodies->body_count);
    for (int i = bodies->joint_count - 1; i >= 0; i--) {
        int *ends = bodies->joints[i].def.bodies;
        if (ends[0] == body || ends[1] == body) {
            pd_bodies_remove_joint(bodies, i);
            continue;
        }
        for (int k = 0; k < 2; k++)
            if (ends[k] > body) ends[k]--;
    }
    if (bodies->drag.body == body) pd_bodies_end_drag(bodies);
    if (bodies->drag.body > body) bodies->drag.body--;
    remove_from_contacts(bodies, body, PD_FIRST_WALL);
    pd_rigid_shape_free(&bodies->bodies[body].shape);
    bodies->body_count--;
    memmove(&bodies->bodies[body], &bodies->bodies[body + 1],
            (size_t)(bodies->body_count - body) * sizeof *bodies->bodies);
    for (int i = 0; i < bodies->body_count; i++) bodies->order[i] = i;
}

void pd_bodies_remove_joint(pd_bodies *bodies, int joint) {
    PD_ASSERT_INDEX("joint", joint, bodies->joint_count);
    bodies->joint_count--;
    memmove(&bodies->joints[joint], &bodies->joints[joint + 1],
            (size_t)(bodies->joint_count - joint) * sizeof *bodies->joints);
}

void pd_bodies_remove_wall(pd_bodies *bodies, int wall) {
    PD_ASSERT_INDEX("wall", wall, bodies->wall_count);
    remove_from_contacts(bodies, PD_FIRST_WALL + wall, PD_CONTAINER_OTHER);
    pd_rigid_shape_free(&bodies->walls[wall].shape);
    bodies->wall_count--;
    memmove(&bodies->walls[wall], &bodies->walls[wall + 1],
            (size_t)(bodies->wall_count - wall) * sizeof *bodies->walls);
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

int pd_bodies_find_body_at(const pd_bodies *bodies, pd_vec2 point) {
    for (int i = bodies->body_count - 1; i >= 0; i--) {
        const pd_rigid_shape *shape = &bodies->bodies[i].shape;
        pd_pose pose = pd_pose_of(&bodies->bodies[i].state.pose);
        pd_double2 p = pd_pose_to_local(&pose, (pd_double2){point.x, point.y});
        for (int k = 0; k < shape->part_count; k++)
            if (pd_part_contains(&shape->parts[k], p)) return i;
    }
    return -1;
}

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

pd_coordinates pd_bodies_contact_force(const pd_bodies *bodies, int body) {
    pd_coordinates sum = {0.0, 0.0, 0.0};
    PD_ASSERT_INDEX("body", body, bodies->body_count);
    const pd_coordinates *c = &bodies->bodies[body].state.pose;
    for (int i = 0; i < bodies->contact_count; i++) {
        const pd_body_contact *contact = &bodies->contacts[i];
        if (contact->body != body && contact->other != body) continue;
        double sign = (contact->body == body ? -1.0 : 1.0) / bodies->solver_seconds;
        double normal = sign * (contact->normal_impulse + contact->impact[0]);
        double friction = sign * (contact->friction_impulse + contact->impact[1]);
        double x = normal * contact->normal.x - friction * contact->normal.y;
        double y = normal * contact->normal.y + friction * contact->normal.x;
        sum.x += x;
        sum.y += y;
        sum.angle += (contact->point.x - c->x) * y - (contact->point.y - c->y) * x;
    }
    return sum;
}

pd_pose pd_body_area_pose(const pd_body *body, const pd_coordinates *pose) {
    pd_pose area = pd_pose_of(pose);
    area.center = pd_pose_to_world(&area, (pd_double2){-body->shape.centroid.x, -body->shape.centroid.y});
    return area;
}
