/* Search for narrow gaps, by the contact manifolds of convex parts with a wide margin. */
#include "sim/narrow_gaps.h"

#include "bodies/contacts.h"
#include "bodies/joints.h"
#include "sim/world.h"
#include "sim/world_bodies.h"

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

static void search_parts(const gap_search *s, const pd_placed_part *own, const pd_placed_part *other, int wall) {
    pd_manifold m;
    pd_manifold_of_parts(own, other, s->widest, &m);
    if (m.count == 2 && pd_dot(m.points[0].normal, m.points[1].normal) > PARALLEL)
        visit_gap(s, wall, m.points[0].point, m.points[1].point, m.points[0].normal);
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
            search_parts(s, &a, &b, wall);
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
