/* Computes distances from points to the container and the obstacles in their poses at the end of the substep. */
#include "sim/walls/boundary.h"

#include "sim/walls/solid.h"

#include <math.h>

/* Container and obstacles that a search for the nearest wall visits. */
typedef struct query {
    pd_container container;
    const pd_solid *solids;
    int solid_count;
    const pd_boxtree *tree;
} query;

static query make_wall_query(const pd_boundary *boundary) {
    query query = {.container = pd_boundary_container(boundary), .tree = pd_boundary_obstacle_tree(boundary)};
    query.solids = pd_boundary_solids(boundary, &query.solid_count);
    return query;
}

static pd_vec2 to_vec2(pd_double2 p) { return (pd_vec2){(float)p.x, (float)p.y}; }
static pd_double2 to_double2(pd_vec2 p) { return (pd_double2){p.x, p.y}; }

/* Returns whether a point's coordinates are within the bounds of a world without a container. */
static bool is_within_coordinate_bounds(const pd_container *container, pd_vec2 p) {
    return fabsf(p.x) <= 0.5f * container->width && fabsf(p.y) <= 0.5f * container->height;
}

/* Returns the signed distance to the container's wall, negative outside, and the normal of the nearest wall. */
static double compute_container_distance(const pd_container *container, pd_vec2 p, pd_double2 *normal) {
    if (container->shape == PD_CONTAINER_CIRCLE) {
        double x = p.x, y = p.y, length = sqrt(x * x + y * y);
        *normal = length > 0.0 ? (pd_double2){-x / length, -y / length} : (pd_double2){0.0, 1.0};
        return (double)container->radius - length;
    }
    *normal = (pd_double2){0.0, 1.0};
    if (container->shape == PD_CONTAINER_NONE) return INFINITY;
    double x = 0.5 * (double)container->width - fabs(p.x), y = 0.5 * (double)container->height - fabs(p.y);
    if (x < y)
        *normal = (pd_double2){p.x > 0.0f ? -1.0 : 1.0, 0.0};
    else
        *normal = (pd_double2){0.0, p.y > 0.0f ? -1.0 : 1.0};
    return fmin(x, y);
}

static double compute_squared_distance_to_box(const pd_box *box, pd_vec2 p) {
    double x = fmax(fmax((double)box->low_x - p.x, (double)p.x - box->high_x), 0.0);
    double y = fmax(fmax((double)box->low_y - p.y, (double)p.y - box->high_y), 0.0);
    return x * x + y * y;
}

/* The wall nearest to a point. */
typedef struct wall {
    double distance;         /* signed distance, m; negative inside the wall */
    pd_double2 normal;       /* unit normal of the wall, into the fluid */
    pd_double2 displacement; /* displacement of the wall at this point in the substep, m */
    int index;               /* PD_CONTAINER_WALL, or the index of an obstacle */
} wall;

static void replace_if_solid_is_nearer(const query *query, int item, pd_vec2 p, wall *nearest) {
    const pd_solid *solid = &query->solids[item];
    pd_double2 local = pd_pose_to_local(&solid->end, to_double2(p));
    pd_touch touch;
    double distance = pd_solid_distance(solid, local, fmax(nearest->distance, 0.0), &touch);
    if (distance >= nearest->distance) return;
    nearest->index = item;
    nearest->distance = distance;
    nearest->normal = pd_pose_rotate(&solid->end, touch.normal);
    nearest->displacement = pd_minus(to_double2(p), pd_pose_to_world(&solid->begin, local));
}

/* Replaces *nearest by the solid nearest to p if this solid is nearer than *nearest. Visits the tree's nodes in order and
 * skips boxes farther away than *nearest. So the search is fast if *nearest is near. */
static void find_nearer_solid(const query *query, pd_vec2 p, wall *nearest) {
    const pd_boxnode *nodes = query->tree->nodes;
    for (int n = 0; n < query->tree->node_count;) {
        double limit = fmax(nearest->distance, 0.0);
        if (compute_squared_distance_to_box(&nodes[n].box, p) > limit * limit) {
            n = nodes[n].skip;
            continue;
        }
        if (nodes[n].item >= 0) replace_if_solid_is_nearer(query, nodes[n].item, p, nearest);
        n++;
    }
}

/* Replaces *nearest by the solid nearest to p if this solid is nearer than *nearest. First descends along the nearer boxes
 * to a leaf. The distance of the leaf's solid limits the search over the whole tree. */
static void find_nearest_solid(const query *query, pd_vec2 p, wall *nearest) {
    const pd_boxnode *nodes = query->tree->nodes;
    double limit = fmax(nearest->distance, 0.0);
    if (!query->solid_count || compute_squared_distance_to_box(&nodes[0].box, p) > limit * limit) return;
    int n = 0;
    while (nodes[n].item < 0) {
        int other = nodes[n + 1].skip;
        n = compute_squared_distance_to_box(&nodes[n + 1].box, p) <=
                    compute_squared_distance_to_box(&nodes[other].box, p)
                ? n + 1
                : other;
    }
    if (compute_squared_distance_to_box(&nodes[n].box, p) <= limit * limit)
        replace_if_solid_is_nearer(query, nodes[n].item, p, nearest);
    find_nearer_solid(query, p, nearest);
}

bool pd_boundary_allows_position(const pd_boundary *boundary, pd_vec2 position, float tolerance) {
    const query query = make_wall_query(boundary);
    wall nearest = {0};
    if (!isfinite(position.x) || !isfinite(position.y)) return false;
    if (query.container.shape == PD_CONTAINER_NONE && !is_within_coordinate_bounds(&query.container, position))
        return false;
    double distance = compute_container_distance(&query.container, position, &nearest.normal);
    if (distance < -(double)tolerance) return false;
    nearest.distance = fmin(distance, 0.0); /* so that only obstacles that contain the position are found */
    find_nearer_solid(&query, position, &nearest);
    return nearest.distance >= -(double)tolerance;
}

float pd_boundary_find_nearest_wall(const pd_boundary *boundary, pd_vec2 position, pd_contact *contact) {
    return pd_boundary_find_nearest_wall_within(boundary, position, INFINITY, contact);
}

float pd_boundary_find_nearest_wall_within(const pd_boundary *boundary, pd_vec2 position, float max_distance,
                                           pd_contact *contact) {
    const query query = make_wall_query(boundary);
    wall nearest = {.index = PD_CONTAINER_WALL};
    nearest.distance =
        fmin(compute_container_distance(&query.container, position, &nearest.normal), (double)max_distance);
    find_nearest_solid(&query, position, &nearest);
    double seconds = pd_boundary_substep_seconds(boundary), per_second = seconds > 0.0 ? 1.0 / seconds : 0.0;
    contact->wall = nearest.index;
    contact->normal = to_vec2(nearest.normal);
    contact->velocity =
        (pd_vec2){(float)(nearest.displacement.x * per_second), (float)(nearest.displacement.y * per_second)};
    return (float)nearest.distance;
}

int pd_boundary_find_only_wall_within(const pd_boundary *boundary, pd_vec2 position, float reach) {
    const query query = make_wall_query(boundary);
    const pd_boxtree *tree = query.tree;
    pd_box box = {position.x - reach, position.y - reach, position.x + reach, position.y + reach};
    pd_double2 normal;
    int found = PD_SEVERAL_WALLS;
    if (compute_container_distance(&query.container, position, &normal) <= (double)reach) found = PD_CONTAINER_WALL;
    for (int n = pd_boxtree_first_overlap(tree, &box); n >= 0; n = pd_boxtree_next_overlap(tree, &box, n)) {
        if (found != PD_SEVERAL_WALLS) return PD_SEVERAL_WALLS;
        found = tree->nodes[n].item;
    }
    return found;
}

float pd_boundary_wall_distance(const pd_boundary *boundary, pd_vec2 position, pd_vec2 *normal) {
    pd_contact contact;
    float distance = pd_boundary_find_nearest_wall(boundary, position, &contact);
    *normal = contact.normal;
    return distance;
}
