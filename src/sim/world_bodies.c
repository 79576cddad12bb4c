/* The rigid bodies of a world: created from the scene, moved in a substep, saved. */
#include "sim/world_bodies.h"

#include "bodies/bodies.h"
#include "bodies/contacts.h"
#include "bodies/joints.h"
#include "core/error.h"
#include "core/math.h"
#include "core/memory.h"
#include "scene/geometry.h"
#include "scene/items.h"
#include "sim/world.h"

#include <math.h>
#include <string.h>

struct pd_world_bodies {
    pd_bodies *solver;
    pd_coordinates *impulses;    /* by body: impulse of the fluid in the last substep */
    pd_coordinates *constraints; /* by body: impulse of contacts, joints and the drag in the step, about the centroid */
    pd_solid_motion *motions;    /* by body: motion of its wall in the last substep */
    pd_coupled_body *coupled;    /* by body: memory of the coupling with a grid */
    pd_archive start;            /* state at time 0 */
    pd_view_body *views;         /* by body: what pd_view shows */
    pd_view_joint *joints;       /* by joint: what pd_view shows */
};

static const double degrees = 0.017453292519943295;
/* Inertia of a body is at least that of this many particles. Bodies that are lighter than some particles would be thrown out
 * by the impulses of single particles: from 2.3 particles down under sph (docs/notes/bodies.md). */
static const double LEAST_PARTICLES = 5;

/* Greatest force of a drag, in units of mass x pd_resolution.gravity. */
static const double STRONGEST_DRAG = 50;

/* ---- Creation ---- */

static pd_result add_body(pd_bodies *solver, const pd_scene_body *body, pd_error *error) {
    pd_body_def def = {
        .area = body->area,
        .density = (float)((double)body->density * PD_DENSITY_OF_MASS_1),
        .friction = body->friction,
        .restitution = body->restitution,
        .velocity = body->velocity,
        .spin = body->spin,
        .fixed_angle = body->fixed_angle,
    };
    if (def.area.shape == PD_SHAPE_POLYLINE) def.area.angle = 0;
    return pd_bodies_add_body(solver, &def, error);
}

static pd_result add_joint(pd_bodies *solver, const pd_scene *scene, const pd_scene_joint *joint, pd_error *error) {
    bool limited = joint->type == PD_JOINT_HINGE || joint->type == PD_JOINT_MOTOR || joint->type == PD_JOINT_SLIDER;
    pd_joint_def def = {
        .type = joint->type,
        .at = {joint->at, joint->to},
        .axis = joint->axis,
        .limited = limited && !isnan(joint->limits.x),
        .lower = joint->limits.x,
        .upper = joint->limits.y,
        .speed = joint->speed,
        .greatest_torque = joint->greatest_torque,
        .length = joint->length,
        .stiffness = joint->stiffness,
        .damping = joint->damping,
        .breaks_at = joint->breaks_at,
    };
    for (int k = 0; k < 2; k++) def.bodies[k] = pd_scene_find_body(scene, joint->bodies[k]);
    return pd_bodies_add_joint(solver, &def, error);
}

static pd_result add_items(pd_world_bodies *bodies, const pd_scene *scene, pd_error *error) {
    pd_result result = PD_OK;
    bodies->solver = pd_bodies_create(&scene->container);
    for (int i = 0; i < scene->obstacle_count && result == PD_OK; i++)
        result = pd_bodies_add_wall(bodies->solver, &scene->obstacles[i].area, error);
    for (int i = 0; i < scene->body_count && result == PD_OK; i++)
        result = add_body(bodies->solver, &scene->bodies[i], error);
    for (int i = 0; i < scene->joint_count && result == PD_OK; i++)
        result = add_joint(bodies->solver, scene, &scene->joints[i], error);
    return result;
}

pd_result pd_world_bodies_create(pd_world_bodies **created, const pd_scene *scene, pd_error *error) {
    *created = NULL;
    if (scene->body_count == 0) return PD_OK;
    pd_world_bodies *bodies = pd_memory_require(1, sizeof *bodies);
    size_t count = (size_t)scene->body_count;
    bodies->impulses = pd_memory_require(count, sizeof *bodies->impulses);
    bodies->constraints = pd_memory_require(count, sizeof *bodies->constraints);
    bodies->motions = pd_memory_require(count, sizeof *bodies->motions);
    bodies->coupled = pd_memory_require(count, sizeof *bodies->coupled);
    bodies->views = pd_memory_require(count, sizeof *bodies->views);
    bodies->joints = pd_memory_require((size_t)scene->joint_count, sizeof *bodies->joints);
    pd_result result = add_items(bodies, scene, error);
    if (result == PD_OK) {
        pd_bodies_save_or_load(bodies->solver, &bodies->start);
        if (bodies->start.failed) result = pd_fail_memory(error, "bodies");
    }
    if (result == PD_OK)
        *created = bodies;
    else
        pd_world_bodies_destroy(bodies);
    return result;
}

void pd_world_bodies_destroy(pd_world_bodies *bodies) {
    if (!bodies) return;
    pd_bodies_destroy(bodies->solver);
    pd_memory_free(bodies->impulses);
    pd_memory_free(bodies->constraints);
    pd_memory_free(bodies->motions);
    pd_memory_free(bodies->coupled);
    pd_memory_free(bodies->views);
    pd_memory_free(bodies->joints);
    pd_memory_free(bodies->start.bytes);
    pd_memory_free(bodies);
}

/* Returns whether an edit left the place of a body unchanged. */
static bool is_same_place(const pd_area *a, const pd_area *b) {
    return a->center.x == b->center.x && a->center.y == b->center.y && a->angle == b->angle;
}

/* Copies the state of the bodies and joints that remain. Contacts are found anew. */
static void copy_state(pd_bodies *to, const pd_world *world, const pd_edited *edit) {
    const pd_bodies *from = world->bodies->solver;
    for (int i = 0; i < to->body_count; i++) {
        int old = edit->from[PD_LIST_BODIES][i];
        if (old < 0 || !is_same_place(&edit->scene.bodies[i].area, &world->scene.bodies[old].area)) continue;
        to->bodies[i].state = from->bodies[old].state;
        if (to->bodies[i].fixed_angle) to->bodies[i].state.velocity.angle = 0;
    }
    for (int i = 0; i < to->joint_count; i++) {
        int old = edit->from[PD_LIST_JOINTS][i];
        const pd_joint *joint = old >= 0 ? &from->joints[old] : NULL;
        bool same = joint && memcmp(&edit->scene.joints[i], &world->scene.joints[old], sizeof(pd_scene_joint)) == 0;
        for (int k = 0; k < 2 && same; k++) {
            int body = to->joints[i].def.bodies[k];
            if (body >= 0) same = edit->from[PD_LIST_BODIES][body] == joint->def.bodies[k];
        }
        if (same) to->joints[i].state = joint->state;
    }
    to->solver_seconds = from->solver_seconds;
}

pd_result pd_world_bodies_create_after_edit(pd_world_bodies **bodies, const pd_world *world, const pd_edited *edit,
                                            pd_error *error) {
    pd_result result = pd_world_bodies_create(bodies, &edit->scene, error);
    if (result == PD_OK && *bodies && world->bodies) copy_state((*bodies)->solver, world, edit);
    return result;
}

void pd_world_reset_bodies(pd_world *world) {
    if (!world->bodies) return;
    const pd_archive *start = &world->bodies->start;
    pd_archive reader = {.bytes = start->bytes, .capacity = start->size, .reading = true};
    pd_bodies_save_or_load(world->bodies->solver, &reader);
    PD_ASSERT(!reader.failed);
    pd_world_clear_constraint_impulses(world);
}

/* ---- Substeps ---- */

void pd_world_bodies_set_walls(const pd_world_bodies *bodies, pd_boundary *boundary, bool rests) {
    if (!bodies) return;
    for (int i = 0; i < bodies->solver->body_count; i++) {
        const pd_body *body = &bodies->solver->bodies[i];
        const pd_coordinates *before = rests ? &body->state.pose : &body->state.before, *now = &body->state.pose;
        bodies->motions[i] = (pd_solid_motion){pd_body_area_pose(body, before), pd_body_area_pose(body, now),
                                               now->angle - before->angle, now->angle};
    }
    pd_boundary_move_bodies(boundary, bodies->motions);
}

void pd_world_clear_constraint_impulses(pd_world *world) {
    for (int i = 0; i < world->scene.body_count; i++) world->bodies->constraints[i] = (pd_coordinates){0, 0, 0};
}

/* Drags a body by the tool, or ends the drag. */
static void drag_body_with_tool(pd_world *world) {
    pd_bodies *solver = world->bodies->solver;
    int body = world->tool.kind == PD_TOOL_MOVE ? world->tool.obstacle - world->scene.obstacle_count : -1;
    if (solver->drag.body >= 0 && solver->drag.body != body) pd_bodies_end_drag(solver);
    if (body < 0) return;
    if (solver->drag.body != body)
        pd_bodies_begin_drag(solver, body, world->tool_from,
                             STRONGEST_DRAG * solver->bodies[body].mass * (double)world->resolution.gravity);
    pd_bodies_move_drag(solver, world->tool_now);
}

void pd_world_begin_bodies(pd_world *world, double seconds) {
    int count;
    const pd_solid *solids = pd_boundary_solids(world->boundary, &count);
    if (!world->bodies) return;
    for (int i = 0; i < world->scene.obstacle_count; i++)
        pd_bodies_set_wall_motion(world->bodies->solver, i, &solids[i].begin, &solids[i].end, solids[i].rotation);
    drag_body_with_tool(world);
    /* Restoring a world computes corrections too, with its pressure. They are not of this substep. */
    for (int i = 0; i < world->scene.body_count; i++) world->bodies->coupled[i] = (pd_coupled_body){0};
    pd_bodies_begin_substep(world->bodies->solver, seconds);
    for (int i = 0; i < world->bodies->solver->body_count; i++) {
        const pd_body *body = &world->bodies->solver->bodies[i];
        pd_coordinates *sum = &world->bodies->constraints[i];
        sum->x += body->mass * body->state.contact_change.x;
        sum->y += body->mass * body->state.contact_change.y;
        sum->angle += body->inertia * body->state.contact_change.angle;
    }
    pd_world_bodies_set_walls(world->bodies, world->boundary, false);
}

double pd_world_characteristic_speed(const pd_world *world) {
    double speed = sqrt((double)world->resolution.gravity * (double)world->resolution.length);
    speed = fmax(speed, (double)pd_boundary_max_obstacle_speed(world->boundary));
    for (int e = 0; e < world->scene.emitter_count; e++) speed = fmax(speed, (double)world->scene.emitters[e].speed);
    return speed;
}

double pd_world_limit_push(const pd_world *world, int body, const pd_coordinates *change) {
    const double factor = 2;
    const pd_coordinates *v = &world->bodies->solver->bodies[body].state.velocity;
    double limit = factor * pd_world_characteristic_speed(world), now = sqrt(v->x * v->x + v->y * v->y);
    double x = v->x + change->x, y = v->y + change->y, next = sqrt(x * x + y * y);
    return next > limit && next > now ? fmax(limit - now, 0) / (next - now) : 1;
}

/* Limits the impulse of particles on a body. least: least mass of the body's inertia. */
static void limit_impulse_of_particles(const pd_world *world, int body, double least, pd_coordinates *impulse) {
    double mass = fmax(world->bodies->solver->bodies[body].mass, least);
    pd_coordinates change = {impulse->x / mass, impulse->y / mass, 0};
    double kept = pd_world_limit_push(world, body, &change);
    *impulse = (pd_coordinates){kept * impulse->x, kept * impulse->y, kept * impulse->angle};
}

void pd_world_end_bodies(pd_world *world, double seconds) {
    if (!world->bodies) return;
    bool pushed = world->method->info.features & PD_FEATURE_BODIES;
    bool particles = pushed && !world->method->cell; /* without a grid, single particles push */
    double kilograms = pd_units_particle_mass(world), least = particles ? LEAST_PARTICLES * kilograms : 0;
    const double *sum =
        pd_boundary_impulses(world->boundary)->last + PD_IMPULSE_PARTS * (1 + world->scene.obstacle_count);
    pd_coordinates *impulses = world->bodies->impulses;
    for (int i = 0; i < world->scene.body_count; i++, sum += PD_IMPULSE_PARTS) {
        pd_coordinates more = world->bodies->coupled[i].correction, pose = world->bodies->solver->bodies[i].state.pose;
        impulses[i] = (pd_coordinates){kilograms * (sum[0] + more.x), kilograms * (sum[1] + more.y),
                                       kilograms * (sum[2] + more.angle + pose.x * more.y - pose.y * more.x)};
        if (particles) limit_impulse_of_particles(world, i, least, &impulses[i]);
        memcpy(world->bodies->solver->bodies[i].state.withheld, world->bodies->coupled[i].withheld,
               sizeof world->bodies->coupled[i].withheld);
    }
    pd_bodies_end_substep(world->bodies->solver, seconds, world->scene.gravity, pushed ? impulses : NULL, least);
}

double pd_world_max_body_speed(const pd_world *world) {
    return world->bodies ? pd_bodies_max_speed(world->bodies->solver) : 0;
}

/* ---- State ---- */

void pd_world_save_or_load_bodies(pd_world *world, pd_archive *archive) {
    if (world->bodies) pd_bodies_save_or_load(world->bodies->solver, archive);
}

pd_coupled_body *pd_world_coupled_bodies(const pd_world *world) { return world->bodies->coupled; }

const struct pd_bodies *pd_world_solver(const pd_world *world) { return world->bodies ? world->bodies->solver : NULL; }

int pd_world_body_count(const pd_world *world) { return world->scene.body_count; }

void pd_world_fill_body(const pd_world *world, int index, pd_world_body *values, size_t size) {
    PD_ASSERT_INDEX("body", index, world->scene.body_count);
    const pd_body *body = &world->bodies->solver->bodies[index];
    const pd_body_state *s = &body->state;
    const double *total =
        pd_boundary_impulses(world->boundary)->total + PD_IMPULSE_PARTS * (1 + world->scene.obstacle_count + index);
    bool pushed = world->method->info.features & PD_FEATURE_BODIES;
    double per_second = pushed ? pd_units_particle_mass(world) / (double)world->scene.dt : 0;
    const pd_coordinates *constraint = &world->bodies->constraints[index];
    pd_world_body own = {
        .x = s->pose.x,
        .y = s->pose.y,
        .angle = s->pose.angle / degrees,
        .vx = s->velocity.x,
        .vy = s->velocity.y,
        .spin = s->velocity.angle / degrees,
        .mass = body->mass,
        .inertia = body->inertia,
        .force_x = per_second * total[0],
        .force_y = per_second * total[1],
        .torque = per_second * (total[2] - s->pose.x * total[1] + s->pose.y * total[0]),
        .contact_force_x = constraint->x / (double)world->scene.dt,
        .contact_force_y = constraint->y / (double)world->scene.dt,
        .contact_torque = constraint->angle / (double)world->scene.dt,
    };
    pd_copy_struct(values, size, &own, sizeof own);
}

bool pd_world_is_joint_broken(const pd_world *world, int index) {
    PD_ASSERT_INDEX("joint", index, world->scene.joint_count);
    return world->bodies && world->bodies->solver->joints[index].state.broken;
}

/* Returns the present place of a joint's point of attachment to body k. */
static pd_vec2 get_anchor(const pd_bodies *solver, const pd_joint *joint, int k) {
    int body = joint->def.bodies[k];
    pd_double2 at = joint->state.anchor[k];
    if (body >= 0) {
        pd_pose pose = pd_pose_of(&solver->bodies[body].state.pose);
        at = pd_pose_to_world(&pose, at);
    }
    return (pd_vec2){(float)at.x, (float)at.y};
}

void pd_world_view_bodies(const pd_world *world, pd_view *view) {
    const pd_world_bodies *bodies = world->bodies;
    if (!bodies) return;
    int count, shown = 0;
    const pd_area *areas = pd_boundary_body_areas(world->boundary, &count);
    for (int i = 0; i < count; i++) {
        const pd_coordinates *pose = &bodies->solver->bodies[i].state.pose;
        bodies->views[i] = (pd_view_body){areas[i], {(float)pose->x, (float)pose->y}};
    }
    for (int i = 0; i < bodies->solver->joint_count; i++) {
        const pd_joint *joint = &bodies->solver->joints[i];
        if (joint->state.broken) continue;
        bodies->joints[shown++] = (pd_view_joint){
            .type = joint->def.type,
            .at = get_anchor(bodies->solver, joint, 0),
            .to = get_anchor(bodies->solver, joint, 1),
            .length = (float)joint->state.length,
            .bodies = {joint->def.bodies[0], joint->def.bodies[1]},
            .speed = joint->def.type == PD_JOINT_MOTOR ? joint->def.speed : 0,
        };
    }
    view->bodies = bodies->views;
    view->body_count = count;
    view->joints = bodies->joints;
    view->joint_count = shown;
}

/* ---- Scenes of the present state ---- */

static void set_present_joint(const pd_bodies *solver, const pd_joint *joint, pd_scene_joint *item) {
    pd_coordinates c[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++)
        if (joint->def.bodies[k] >= 0) c[k] = solver->bodies[joint->def.bodies[k]].state.pose;
    pd_pose pose = pd_pose_of(&c[0]);
    pd_double2 axis = pd_pose_rotate(&pose, joint->state.axis);
    pd_vec2 second = get_anchor(solver, joint, 1);
    item->at = get_anchor(solver, joint, 0);
    double moved = (c[1].angle - c[0].angle - joint->state.angle) / degrees; /* of the second body */
    if (item->type == PD_JOINT_SLIDER) {
        moved = axis.x * ((double)second.x - item->at.x) + axis.y * ((double)second.y - item->at.y);
        item->at = second;
        item->axis = (pd_vec2){(float)axis.x, (float)axis.y};
    }
    if (item->type == PD_JOINT_SPRING || item->type == PD_JOINT_ROPE) {
        item->to = second;
        item->length = (float)joint->state.length;
    }
    item->limits = (pd_vec2){(float)(item->limits.x + moved), (float)(item->limits.y + moved)};
}

void pd_world_set_present_bodies(const pd_world *world, pd_scene *scene) {
    if (!world->bodies) return;
    const pd_bodies *solver = world->bodies->solver;
    int kept = 0;
    for (int i = 0; i < scene->body_count; i++) {
        const pd_body_state *s = &solver->bodies[i].state;
        pd_pose area = pd_body_area_pose(&solver->bodies[i], &s->pose);
        pd_area_rotate(&scene->bodies[i].area, s->pose.angle / degrees);
        if (scene->bodies[i].area.shape == PD_SHAPE_CIRCLE)
            scene->bodies[i].area.angle = (float)(s->pose.angle / degrees); /* turns its mark */
        scene->bodies[i].area.center = (pd_vec2){(float)area.center.x, (float)area.center.y};
        scene->bodies[i].velocity = (pd_vec2){(float)s->velocity.x, (float)s->velocity.y};
        scene->bodies[i].spin = (float)(s->velocity.angle / degrees);
    }
    for (int i = 0; i < scene->joint_count; i++) {
        if (solver->joints[i].state.broken) continue;
        scene->joints[kept] = scene->joints[i];
        set_present_joint(solver, &solver->joints[i], &scene->joints[kept++]);
    }
    scene->joint_count = kept;
}

/* Search for narrow gaps, by the contact manifolds of convex parts with a wide margin. */

/* Least cosine of the angle between the normals at both ends of a gap. */
static const double PARALLEL = 0.99;

typedef struct gap_search {
    const pd_world *world;
    const pd_bodies *solver;
    double widest;
    void (*visit)(void *context, const pd_narrow_gap *gap);
    void *context;
    int body; /* index of the present body */
} gap_search;

static void visit_gap(const gap_search *s, int wall, pd_double2 a, pd_double2 b, pd_double2 normal) {
    pd_double2 way = pd_minus(b, a);
    if (pd_dot(way, way) > 0.0) s->visit(s->context, &(pd_narrow_gap){s->body, wall, {a, b}, normal});
}

/* Visits the gaps between the outline of a part and one side of the container. */
static void search_container_side(const gap_search *s, const pd_placed_part *part, int side) {
    const int count = part->part->count;
    const double radius = part->part->radius;
    double separation[PD_PART_POINTS];
    pd_double2 normal[PD_PART_POINTS], place[PD_PART_POINTS];
    for (int k = 0; k < count; k++) {
        separation[k] = pd_distance_to_side(&s->solver->container, side, part->point[k], &normal[k]) - radius;
        place[k] = pd_add_scaled(part->point[k], radius + 0.5 * separation[k], normal[k]);
    }
    for (int k = 0; k < count && count > 1; k++) {
        int next = k + 1 < count ? k + 1 : 0;
        bool outline = !(part->part->inner >> k & 1), near = separation[k] < s->widest && separation[next] < s->widest;
        if (outline && near && pd_dot(part->normal[k], normal[k]) > PARALLEL)
            visit_gap(s, PD_CONTAINER_WALL, place[k], place[next], normal[k]);
    }
}

/* Returns false if another shape is too far away from the present body for a narrow gap. */
static bool may_be_near(const gap_search *s, const pd_rigid_shape *other, const pd_pose *pose) {
    const pd_body *body = &s->solver->bodies[s->body];
    pd_double2 way = pd_minus(pose->center, body->now.center);
    double reach = body->shape.extent + other->extent + s->widest;
    return pd_dot(way, way) <= reach * reach;
}

/* Visits the gaps between the present body and another shape. */
static void search_shape(const gap_search *s, const pd_rigid_shape *other, const pd_pose *pose, int wall) {
    const pd_body *body = &s->solver->bodies[s->body];
    const pd_pose own = body->now;
    for (int i = 0; i < body->shape.part_count; i++) {
        pd_placed_part a, b;
        pd_double2 local[PD_PART_POINTS];
        pd_part_place(&body->shape.parts[i], &own, &a);
        for (int k = 0; k < a.part->count; k++) local[k] = pd_pose_to_local(pose, a.point[k]);
        pd_box box = pd_box_around(local, a.part->count, a.part->radius + s->widest);
        for (int n = pd_boxtree_first_overlap(&other->tree, &box); n >= 0;
             n = pd_boxtree_next_overlap(&other->tree, &box, n)) {
            pd_part_place(&other->parts[other->tree.nodes[n].item], pose, &b);
            pd_manifold m;
            pd_manifold_of_parts(&a, &b, s->widest, &m);
            if (m.count == 2 && pd_dot(m.points[0].normal, m.points[1].normal) > PARALLEL)
                visit_gap(s, wall, m.points[0].point, m.points[1].point, m.points[0].normal);
        }
    }
}

static void search_container(const gap_search *s) {
    const pd_body *body = &s->solver->bodies[s->body];
    const pd_container *c = &s->solver->container;
    const pd_pose pose = body->now;
    double reach = body->shape.extent + s->widest;
    for (int side = 0; side < pd_container_side_count(c); side++) {
        pd_double2 normal;
        if (pd_distance_to_side(c, side, pose.center, &normal) > reach) continue;
        for (int i = 0; i < body->shape.part_count; i++) {
            pd_placed_part part;
            pd_part_place(&body->shape.parts[i], &pose, &part);
            search_container_side(s, &part, side);
        }
    }
}

void pd_world_visit_narrow_gaps(const pd_world *world, double widest,
                                void (*visit)(void *context, const pd_narrow_gap *gap), void *context) {
    gap_search s = {
        .world = world, .solver = pd_world_solver(world), .widest = widest, .visit = visit, .context = context};
    if (!s.solver) return;
    for (s.body = 0; s.body < s.solver->body_count; s.body++) {
        search_container(&s);
        for (int w = 0; w < s.solver->wall_count; w++) {
            const pd_body_wall *wall = &s.solver->walls[w];
            pd_pose pose = wall->end;
            pose.center = pd_pose_to_world(&pose, wall->shape.centroid);
            if (may_be_near(&s, &wall->shape, &pose)) search_shape(&s, &wall->shape, &pose, w);
        }
        for (int b = s.body + 1; b < s.solver->body_count; b++) {
            const pd_body *other = &s.solver->bodies[b];
            if (may_be_near(&s, &other->shape, &other->now) && !pd_bodies_are_joined(s.solver, s.body, b))
                search_shape(&s, &other->shape, &other->now, world->scene.obstacle_count + b);
        }
    }
}
