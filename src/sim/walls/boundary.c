/* Finds contacts of particles with the container and the obstacles.
 *
 * Algorithm for a particle with a start and a desired position:
 * 1. Search the first solid on the straight path from the start to the target, at first the desired position.
 * 2. Without a solid the target is accepted: the path is clear of solids, to half a contact margin.
 * 3. The contact adds a half plane, bounded by the solid's tangent in the pose at the end of the substep. The next target is
 *    the point in all half planes that is nearest to the desired position, so that particles slide along walls. Go to 1. */
#include "sim/walls/boundary.h"

#include "core/error.h"
#include "core/math.h"
#include "core/memory.h"
#include "scene/geometry.h"
#include "sim/walls/boxtree.h"
#include "sim/walls/solid.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Bounding boxes of a block of particles' paths. All loops run over a whole block, so that compilers vectorise them. */

enum { PD_MOST_PATHS = 16 }; /* number of paths in a block: four vectors of four floats */

typedef struct pd_path_boxes {
    float low_x[PD_MOST_PATHS], low_y[PD_MOST_PATHS], high_x[PD_MOST_PATHS], high_y[PD_MOST_PATHS]; /* by path, m */
} pd_path_boxes;

/* Copies the coordinates of a block's paths. Behind the last path the first one is repeated. */
static inline void pd_path_boxes_copy(int count, const float *from, float to[PD_MOST_PATHS]) {
    for (int k = 0; k < PD_MOST_PATHS; k++) to[k] = from[k < count ? k : 0];
}

/* Returns the boxes of the straight paths from (old_x, old_y) to (x, y). count: 1 to PD_MOST_PATHS. */
static inline pd_path_boxes pd_path_boxes_of(int count, const float *old_x, const float *old_y, const float *x,
                                             const float *y) {
    pd_path_boxes b;
    float copies[4][PD_MOST_PATHS];
    if (count < PD_MOST_PATHS) {
        pd_path_boxes_copy(count, old_x, copies[0]);
        pd_path_boxes_copy(count, old_y, copies[1]);
        pd_path_boxes_copy(count, x, copies[2]);
        pd_path_boxes_copy(count, y, copies[3]);
        old_x = copies[0], old_y = copies[1], x = copies[2], y = copies[3];
    }
    for (int k = 0; k < PD_MOST_PATHS; k++) {
        b.low_x[k] = old_x[k] < x[k] ? old_x[k] : x[k];
        b.high_x[k] = old_x[k] > x[k] ? old_x[k] : x[k];
    }
    for (int k = 0; k < PD_MOST_PATHS; k++) {
        b.low_y[k] = old_y[k] < y[k] ? old_y[k] : y[k];
        b.high_y[k] = old_y[k] > y[k] ? old_y[k] : y[k];
    }
    return b;
}

static inline float pd_path_boxes_least(const float values[PD_MOST_PATHS]) {
    float v[PD_MOST_PATHS / 2];
    for (int k = 0; k < 8; k++) v[k] = values[k] < values[k + 8] ? values[k] : values[k + 8];
    for (int k = 0; k < 4; k++) v[k] = v[k] < v[k + 4] ? v[k] : v[k + 4];
    float a = v[0] < v[1] ? v[0] : v[1], b = v[2] < v[3] ? v[2] : v[3];
    return a < b ? a : b;
}

static inline float pd_path_boxes_greatest(const float values[PD_MOST_PATHS]) {
    float v[PD_MOST_PATHS / 2];
    for (int k = 0; k < 8; k++) v[k] = values[k] > values[k + 8] ? values[k] : values[k + 8];
    for (int k = 0; k < 4; k++) v[k] = v[k] > v[k + 4] ? v[k] : v[k + 4];
    float a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
    return a > b ? a : b;
}

/* Returns a mask of the paths whose boxes overlap another box (pd_boxes_overlap): bit k for path k. */
static inline uint32_t pd_path_boxes_overlap(const pd_path_boxes *b, const pd_box *box) {
    static const int32_t bit[PD_MOST_PATHS] = {1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                                               1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    int32_t apart = 0;
    for (int k = 0; k < PD_MOST_PATHS; k++) {
        int32_t x = (b->low_x[k] > box->high_x ? bit[k] : 0) | (b->high_x[k] < box->low_x ? bit[k] : 0);
        int32_t y = (b->low_y[k] > box->high_y ? bit[k] : 0) | (b->high_y[k] < box->low_y ? bit[k] : 0);
        apart |= x | y;
    }
    return ~(uint32_t)apart & 0xffff;
}

enum {
    MAX_PLANES = 16,    /* greatest number of half planes in a projection */
    MAX_ITERATIONS = 8, /* greatest number of targets for a desired position */
    MAX_PUSHES = 16,    /* greatest number of pushes out of a solid, one solid after another */
    RINGS = 96,         /* number of rings of places that move_point_to_allowed_place_nearby tests */
    PLACES_PER_RING = 24,
};

/* Bound of coordinates in a world without a container, m; floats there are 6 cm apart. */
static const float WORLD_EDGE = 1e6f;
static const float LARGEST_COORDINATE = 1e12f; /* positions with larger coordinates are invalid, m */
/* Two walls form a sharp wedge (less than 60 degrees) if the cosine of the angle between their normals is less. */
static const double WEDGE_COSINE = -0.5;
/* Two lines are parallel if the sine of the angle between them is less than this. */
static const double PARALLEL_SINE = 1e-6;

/* Place of a solid in the coordinates of the scene. */
typedef struct scene_place {
    pd_double2 begin, end; /* centres of pd_solid.begin and pd_solid.end, m */
    pd_box box;            /* box that the solid covers during the substep */
} scene_place;

struct pd_boundary {
    pd_container_shape shape; /* shape of the container */
    float half_x, half_y;     /* half the sides of a box, m; WORLD_EDGE without a container */
    double radius;            /* radius of a circle, m */
    double clamp_radius;      /* slightly smaller radius to which points outside are moved, m */
    float inside_squared;     /* greatest x*x + y*y, m^2, of points that count as inside a circle, despite rounding */
    double size, seconds;     /* half the longer side, or the radius, of the container, m; duration of the substep, s */
    double shift;             /* upper bound of the displacement of any point of an obstacle in the substep, m */
    pd_solid *solids;         /* the obstacles, then the bodies */
    pd_box *boxes;            /* by solid: box that the solid covers during the substep */
    pd_area *views;           /* by solid: shape and pose at the end of the substep, for drawing */
    int solid_count;          /* number of `solids` */
    int obstacle_count;       /* number of obstacles among them */
    bool still;               /* no solid of the scene ever moves */
    pd_boxtree tree;          /* bounding-box tree over `boxes` */
    scene_place *scene_places; /* by solid: its place in the scene while pd_boundary_set_origin has moved it */
    bool origin_moved;         /* the solids are in coordinates with another origin than the scene's */
    pd_impulses impulses;
    pd_double2 ring[PLACES_PER_RING]; /* unit vectors from a point to the places of a ring around it */
};

/* Half plane: the points p (m) with normal . p >= offset. */
typedef struct half_plane {
    pd_double2 normal;
    double offset; /* distance of the edge from the origin along the normal, m */
} half_plane;

/* Projection of a particle's desired position onto the intersection of the half planes of its contacts. */
typedef struct projection {
    pd_double2 start, desired;          /* start and desired position of the particle, m */
    half_plane half_planes[MAX_PLANES]; /* half planes of the contacts so far */
    int half_plane_count;               /* number of half planes */
    double reach;  /* greatest distance of a target from the start, m: nearly parallel tangents would cross far away */
    double margin; /* contact margin of the last solid touched, m */
    bool was_inside;    /* the particle's start was inside an obstacle */
    pd_vec2 fallback;   /* point of the last contact, moved with its solid to the end of the substep, m */
    pd_contact contact; /* last contact */
} projection;

static pd_vec2 to_vec2(pd_double2 p) { return (pd_vec2){(float)p.x, (float)p.y}; }
static pd_double2 to_double2(pd_vec2 p) { return (pd_double2){p.x, p.y}; }
/* Returns whether no coordinate is NAN or too large. */
static bool is_valid_position(pd_vec2 p) {
    return fabsf(p.x) <= LARGEST_COORDINATE && fabsf(p.y) <= LARGEST_COORDINATE;
}

static inline bool is_inside_container(const pd_boundary *boundary, pd_vec2 p) {
    if (boundary->shape == PD_CONTAINER_CIRCLE) return p.x * p.x + p.y * p.y <= boundary->inside_squared;
    return fabsf(p.x) <= boundary->half_x && fabsf(p.y) <= boundary->half_y;
}

/* Moves a point with valid coordinates into the container. Returns whether the point was outside. If so, sets *normal to
 * the normal of the wall that it had passed; of two sides of a box, that from which it was farther away. */
static bool clamp_into_container(const pd_boundary *boundary, pd_vec2 *p, pd_vec2 *normal) {
    if (is_inside_container(boundary, *p)) return false;
    if (boundary->shape == PD_CONTAINER_CIRCLE) {
        double x = p->x, y = p->y, length = sqrt(x * x + y * y), scale = boundary->clamp_radius / length;
        *p = (pd_vec2){(float)(x * scale), (float)(y * scale)};
        *normal = (pd_vec2){(float)(-x / length), (float)(-y / length)};
        return true;
    }
    if (fabsf(p->x) - boundary->half_x > fabsf(p->y) - boundary->half_y)
        *normal = (pd_vec2){p->x > 0.0f ? -1.0f : 1.0f, 0.0f};
    else
        *normal = (pd_vec2){0.0f, p->y > 0.0f ? -1.0f : 1.0f};
    p->x = fminf(fmaxf(p->x, -boundary->half_x), boundary->half_x);
    p->y = fminf(fmaxf(p->y, -boundary->half_y), boundary->half_y);
    return true;
}

static void set_container_geometry(pd_boundary *boundary, const pd_container *container) {
    boundary->shape = container->shape;
    if (container->shape == PD_CONTAINER_CIRCLE) {
        /* Relative rounding errors: one epsilon in x*x + y*y, half an epsilon in x and y. So points at clamp_radius
         * pass the test with tested_radius. Points that pass this test are inside in exact arithmetic. */
        double tested_radius = container->radius * (1.0 - 2.0 * FLT_EPSILON);
        boundary->radius = boundary->size = container->radius;
        boundary->clamp_radius = container->radius * (1.0 - 4.0 * FLT_EPSILON);
        boundary->inside_squared = (float)(tested_radius * tested_radius);
    } else if (container->shape == PD_CONTAINER_BOX) {
        boundary->half_x = 0.5f * container->width;
        boundary->half_y = 0.5f * container->height;
        boundary->size = fmax(boundary->half_x, boundary->half_y);
    } else {
        boundary->half_x = boundary->half_y = WORLD_EDGE;
    }
}

static double compute_half_size(const pd_area *area) {
    double extent = area->shape == PD_SHAPE_CIRCLE ? area->radius : 0.5 * fmax(area->size.x, area->size.y);
    bool points = pd_area_has_points(area);
    if (points) extent = area->shape == PD_SHAPE_POLYLINE ? 0.5 * area->thickness : 0.0;
    for (int k = 0; points && k < area->point_count; k++) {
        double far = fmax(fabs(area->points[k].x), fabs(area->points[k].y));
        extent = far > extent ? far : extent; /* fmax here causes an internal error of GCC 12 for aarch64 */
    }
    return extent;
}

/* Returns half the size of the largest solid, m, for the contact margins of a world without a container. */
static double compute_half_size_of_largest_solid(const pd_scene *scene) {
    double size = 0.0;
    for (int i = 0; i < scene->obstacle_count; i++) size = fmax(size, compute_half_size(&scene->obstacles[i].area));
    for (int i = 0; i < scene->body_count; i++) size = fmax(size, compute_half_size(&scene->bodies[i].area));
    return size;
}

/* Returns a box around the solid's center that contains the solid at any angle. */
static pd_box compute_box_at_any_angle(const pd_solid *solid) {
    double r = solid->extent + 2.0 * solid->margin;
    pd_double2 c = solid->end.center;
    return (pd_box){(float)(c.x - r), (float)(c.y - r), (float)(c.x + r), (float)(c.y + r)};
}

/* Builds the tree of the obstacles' boxes. Wall weights are summed in the order of the tree, which therefore determines
 * the last bits of results. Up to MOST_ORDERED_BY_CENTER obstacles are ordered by their centers, for the same bits as
 * in earlier versions. More obstacles are ordered by the middles of their boxes, since the centers of polylines may all
 * be the origin. */
static void build_obstacle_tree(pd_boundary *boundary) {
    enum { MOST_ORDERED_BY_CENTER = 16 };
    for (int i = 0; i < boundary->solid_count && boundary->solid_count <= MOST_ORDERED_BY_CENTER; i++)
        if (boundary->solids[i].obstacle.area.shape == PD_SHAPE_POLYLINE)
            boundary->boxes[i] = compute_box_at_any_angle(&boundary->solids[i]);
    pd_boxtree_build(&boundary->tree, boundary->boxes, boundary->solid_count, false);
}

static bool create_solids(pd_boundary *boundary, const pd_scene *scene) {
    int obstacles = scene->obstacle_count, count = obstacles + scene->body_count;
    if (!count) return true;
    boundary->solids = pd_allocate((size_t)count, sizeof *boundary->solids);
    boundary->boxes = pd_allocate((size_t)count, sizeof *boundary->boxes);
    boundary->views = pd_allocate((size_t)count, sizeof *boundary->views);
    boundary->scene_places = pd_allocate((size_t)count, sizeof *boundary->scene_places);
    if (!boundary->solids || !boundary->boxes || !boundary->views || !boundary->scene_places) return false;
    boundary->obstacle_count = obstacles;
    double least_margin = 1e-5 * boundary->size;
    for (int i = 0; i < count; i++) {
        pd_obstacle body = {.turn = 0.0f};
        if (i >= obstacles) body.area = scene->bodies[i - obstacles].area;
        boundary->solid_count++;
        pd_solid_init(&boundary->solids[i], i < obstacles ? &scene->obstacles[i] : &body, least_margin);
        pd_solid_move(&boundary->solids[i], 0.0, 0.0, &boundary->boxes[i]);
        pd_solid_get_area(&boundary->solids[i], 0.0, &boundary->views[i]);
        boundary->solids[i].is_body = i >= obstacles;
        boundary->solids[i].angle = body.area.angle;
    }
    build_obstacle_tree(boundary);
    return true;
}

pd_result pd_boundary_create(pd_boundary **created, const pd_scene *scene, pd_error *error) {
    *created = NULL;
    pd_boundary *boundary = pd_memory_require(1, sizeof *boundary);
    set_container_geometry(boundary, &scene->container);
    /* computed once: a search in vain tests thousands of places */
    for (int i = 0; i < PLACES_PER_RING; i++) {
        double angle = 6.283185307179586 * i / PLACES_PER_RING;
        boundary->ring[i] = (pd_double2){pd_sin(angle), pd_cos(angle)};
    }
    if (boundary->size == 0.0) boundary->size = compute_half_size_of_largest_solid(scene);
    if (!pd_impulses_init(&boundary->impulses, scene->obstacle_count + scene->body_count) ||
        !create_solids(boundary, scene)) {
        pd_boundary_destroy(boundary);
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d obstacles and %d bodies (use fewer)",
                       scene->obstacle_count, scene->body_count);
    }
    pd_boundary_move_obstacles(boundary, 0.0, 0.0);
    boundary->still = scene->body_count == 0 && pd_boundary_max_obstacle_speed(boundary) == 0.0f;
    for (int i = 0; i < boundary->solid_count && boundary->still; i++)
        boundary->solids[i].velocity = (pd_double2){0, 0};
    *created = boundary;
    return PD_OK;
}

void pd_boundary_destroy(pd_boundary *boundary) {
    if (!boundary) return;
    for (int i = 0; i < boundary->solid_count; i++) pd_solid_free(&boundary->solids[i]);
    pd_boxtree_free(&boundary->tree);
    pd_impulses_free(&boundary->impulses);
    pd_free(boundary->solids);
    pd_free(boundary->boxes);
    pd_free(boundary->views);
    pd_free(boundary->scene_places);
    pd_memory_free(boundary);
}

void pd_boundary_set_obstacle_offsets(pd_boundary *boundary, int obstacle, pd_vec2 begin_offset, pd_vec2 end_offset) {
    pd_solid *solid = &boundary->solids[obstacle];
    pd_double2 from = to_double2(begin_offset), to = to_double2(end_offset);
    bool same = from.x == solid->begin_offset.x && from.y == solid->begin_offset.y && to.x == solid->end_offset.x &&
                to.y == solid->end_offset.y;
    if (same) return;
    solid->begin_offset = from;
    solid->end_offset = to;
    boundary->still = false;
}

void pd_boundary_move_obstacles(pd_boundary *boundary, double begin_time, double end_time) {
    if (boundary->still) return;
    boundary->seconds = end_time - begin_time;
    boundary->shift = 0.0;
    for (int i = 0; i < boundary->obstacle_count; i++) {
        pd_solid_move(&boundary->solids[i], begin_time, end_time, &boundary->boxes[i]);
        pd_solid_get_area(&boundary->solids[i], end_time, &boundary->views[i]);
        boundary->shift = fmax(boundary->shift, boundary->solids[i].shift);
    }
    pd_boxtree_refit(&boundary->tree, boundary->boxes);
}

void pd_boundary_move_bodies(pd_boundary *boundary, const pd_solid_motion *motion) {
    for (int i = boundary->obstacle_count; i < boundary->solid_count; i++, motion++) {
        pd_solid_move_body(&boundary->solids[i], motion, boundary->seconds, &boundary->boxes[i]);
        pd_solid_get_area(&boundary->solids[i], 0.0, &boundary->views[i]);
        boundary->shift = fmax(boundary->shift, boundary->solids[i].shift);
    }
    pd_boxtree_refit(&boundary->tree, boundary->boxes);
}

void pd_boundary_set_origin(pd_boundary *boundary, pd_vec2 origin) {
    const bool moves = origin.x != 0 || origin.y != 0;
    PD_ASSERT(!moves || !boundary->origin_moved);
    if (moves == boundary->origin_moved) return;
    for (int i = 0; i < boundary->solid_count; i++) {
        pd_solid *solid = &boundary->solids[i];
        scene_place *place = &boundary->scene_places[i];
        const pd_box *b = &place->box;
        if (moves) *place = (scene_place){solid->begin.center, solid->end.center, boundary->boxes[i]};
        solid->begin.center = pd_minus(place->begin, to_double2(origin));
        solid->end.center = pd_minus(place->end, to_double2(origin));
        boundary->boxes[i] =
            (pd_box){b->low_x - origin.x, b->low_y - origin.y, b->high_x - origin.x, b->high_y - origin.y};
    }
    boundary->origin_moved = moves;
    pd_boxtree_refit(&boundary->tree, boundary->boxes);
}

void pd_boundary_record_obstacle_velocities(pd_boundary *boundary) {
    for (int i = 0; i < boundary->solid_count; i++)
        boundary->solids[i].velocity_before_step = boundary->solids[i].velocity;
}

static pd_box compute_path_box(pd_vec2 start, pd_vec2 end) {
    return (pd_box){start.x < end.x ? start.x : end.x, start.y < end.y ? start.y : end.y,
                    start.x > end.x ? start.x : end.x, start.y > end.y ? start.y : end.y};
}

/* Returns the obstacle that a particle touches first on the path from `start` to `end`, and sets *first to this contact.
 * NULL: it touches none. */
static const pd_solid *find_first_contact(const pd_boundary *boundary, pd_double2 start, pd_vec2 end, pd_touch *first) {
    pd_box box = compute_path_box(to_vec2(start), end);
    const pd_boxtree *tree = &boundary->tree;
    const pd_solid *hit = NULL;
    for (int n = pd_boxtree_first_overlap(tree, &box); n >= 0; n = pd_boxtree_next_overlap(tree, &box, n)) {
        const pd_solid *solid = &boundary->solids[tree->nodes[n].item];
        pd_touch touch;
        if (!pd_solid_find_first_touch(solid, start, to_double2(end), &touch)) continue;
        if (hit && touch.fraction >= first->fraction) continue;
        hit = solid;
        *first = touch;
    }
    return hit;
}

static void add_half_plane(projection *projection, pd_double2 normal, double offset) {
    if (projection->half_plane_count < MAX_PLANES)
        projection->half_planes[projection->half_plane_count++] = (half_plane){normal, offset};
}

static bool is_in_all_half_planes(const projection *projection, pd_double2 p) {
    for (int i = 0; i < projection->half_plane_count; i++)
        if (pd_dot(projection->half_planes[i].normal, p) <
            projection->half_planes[i].offset - 0.01 * projection->margin)
            return false;
    return true;
}

static void replace_best_point_if_nearer(const projection *projection, pd_double2 p, pd_double2 *best,
                                         double *distance) {
    pd_double2 off = pd_minus(p, projection->desired), from_start = pd_minus(p, projection->start);
    double d = pd_dot(off, off);
    if (d >= *distance || pd_dot(from_start, from_start) > projection->reach * projection->reach ||
        !is_in_all_half_planes(projection, p))
        return;
    *distance = d;
    *best = p;
}

/* Finds the point in all half planes that is nearest to the desired position. Candidates are the desired position, its
 * projections onto the half planes' lines, and the intersections of two lines. Returns false if no candidate is allowed. */
static bool find_nearest_allowed_point(const projection *projection, pd_double2 *best) {
    double distance = INFINITY;
    if (is_in_all_half_planes(projection, projection->desired)) {
        *best = projection->desired;
        return true;
    }
    for (int i = 0; i < projection->half_plane_count; i++) {
        const half_plane *p = &projection->half_planes[i];
        replace_best_point_if_nearer(
            projection,
            pd_add_scaled(projection->desired, p->offset - pd_dot(p->normal, projection->desired), p->normal), best,
            &distance);
        for (int j = 0; j < i; j++) {
            const half_plane *q = &projection->half_planes[j];
            double cross = p->normal.x * q->normal.y - p->normal.y * q->normal.x;
            if (fabs(cross) < PARALLEL_SINE) continue;
            pd_double2 corner = {(p->offset * q->normal.y - q->offset * p->normal.y) / cross,
                                 (q->offset * p->normal.x - p->offset * q->normal.x) / cross};
            replace_best_point_if_nearer(projection, corner, best, &distance);
        }
    }
    return distance < INFINITY;
}

/* Adds the half plane of a contact. Its line is one contact margin away from the solid's surface at the end of the
 * substep. */
static void add_solid_contact(const pd_boundary *boundary, projection *projection, const pd_solid *solid,
                              const pd_touch *touch) {
    pd_double2 normal = pd_pose_rotate(&solid->end, touch->normal), point = pd_pose_to_world(&solid->end, touch->point);
    pd_double2 before = pd_pose_to_world(&solid->begin, touch->point), displacement = pd_minus(point, before);
    double per_second = boundary->seconds > 0.0 ? 1.0 / boundary->seconds : 0.0;
    add_half_plane(projection, normal, pd_dot(normal, point) + solid->margin);
    projection->contact.normal = to_vec2(normal);
    projection->contact.velocity =
        (pd_vec2){(float)(displacement.x * per_second), (float)(displacement.y * per_second)};
    projection->contact.wall = (int)(solid - boundary->solids);
    projection->fallback = to_vec2(pd_add_scaled(point, solid->margin, normal));
    projection->margin = solid->margin;
    projection->reach += 2.0 * touch->depth + 4.0 * solid->margin;
    if (touch->depth > 0.0) projection->was_inside = true;
}

/* If *p is outside the container, moves *p inside and adds the half plane of the container's wall. Returns whether *p was
 * outside. */
static bool add_container_contact(const pd_boundary *boundary, projection *projection, pd_vec2 *p) {
    pd_vec2 normal;
    if (!clamp_into_container(boundary, p, &normal)) return false;
    pd_double2 n = to_double2(normal);
    add_half_plane(projection, n, pd_dot(n, to_double2(*p)));
    projection->contact = (pd_contact){.normal = normal, .wall = PD_CONTAINER_WALL};
    return true;
}

/* Finds the point nearest to the desired position that the container and all half planes allow. Returns false if no
 * such point is within reach. */
static bool find_next_target(const pd_boundary *boundary, projection *projection, pd_vec2 *target) {
    /* At a circular wall each iteration adds a tangent nearer to the solution, like Newton's method. */
    for (int i = 0; i < 4; i++) {
        pd_double2 p = projection->start;
        if (!find_nearest_allowed_point(projection, &p)) return false;
        *target = to_vec2(p);
        if (!add_container_contact(boundary, projection, target)) return true;
    }
    return true;
}

static bool is_path_clear(const pd_boundary *boundary, pd_double2 start, pd_vec2 end) {
    pd_touch touch;
    return !find_first_contact(boundary, start, end, &touch);
}

/* Returns a position for a particle without an allowed target: the point of the last contact if the path to this point is
 * clear, else the start if no solid contains the start, else the point of the last contact. */
static pd_vec2 find_fallback_position(const pd_boundary *boundary, const projection *projection) {
    pd_vec2 normal, fallback = projection->fallback, start = to_vec2(projection->start);
    clamp_into_container(boundary, &fallback, &normal);
    if (is_path_clear(boundary, projection->start, fallback)) return fallback;
    if (is_path_clear(boundary, projection->start, start)) return start;
    if (projection->was_inside) pd_boundary_push_out_of_walls(boundary, &fallback);
    return fallback;
}

/* Returns whether two walls that the particle touches form a sharp wedge. */
static bool is_in_sharp_wedge(const projection *projection) {
    for (int i = 1; i < projection->half_plane_count; i++)
        for (int j = 0; j < i; j++)
            if (pd_dot(projection->half_planes[i].normal, projection->half_planes[j].normal) < WEDGE_COSINE)
                return true;
    return false;
}

/* In a sharp wedge, sets the contact's normal to the direction from `desired` to `allowed`, which is neither wall's normal.
 * desired: original desired position; unlike projection->desired it may be outside the container. */
static void set_contact_normal_in_wedge(projection *projection, pd_vec2 desired, pd_vec2 allowed) {
    pd_double2 back = pd_minus(to_double2(allowed), to_double2(desired));
    double length = pd_hypot(back.x, back.y);
    if (length > 0.0 && is_in_sharp_wedge(projection))
        projection->contact.normal = to_vec2((pd_double2){back.x / length, back.y / length});
}

static bool stop_at_solids_and_container(const pd_boundary *boundary, pd_vec2 start, pd_vec2 *position,
                                         pd_contact *contact) {
    pd_vec2 target = is_valid_position(*position) ? *position : start, normal;
    if (!is_valid_position(start)) start = is_valid_position(target) ? target : (pd_vec2){0.0f, 0.0f};
    if (!is_valid_position(target)) target = start;
    clamp_into_container(boundary, &start, &normal);
    projection projection = {.start = to_double2(start)};
    const pd_vec2 desired = target;
    bool touched = add_container_contact(boundary, &projection, &target);
    projection.desired = to_double2(target);
    projection.reach =
        4.0 * (pd_hypot(projection.desired.x - projection.start.x, projection.desired.y - projection.start.y) +
               boundary->shift);
    pd_touch touch;
    bool found = true;
    for (int i = 0; found; i++) {
        const pd_solid *solid = find_first_contact(boundary, projection.start, target, &touch);
        if (!solid) break;
        touched = true;
        add_solid_contact(boundary, &projection, solid, &touch);
        found = i < MAX_ITERATIONS && find_next_target(boundary, &projection, &target);
    }
    *position = found ? target : find_fallback_position(boundary, &projection);
    set_contact_normal_in_wedge(&projection, desired, *position);
    *contact = projection.contact;
    return touched;
}

bool pd_boundary_stop_at_walls(const pd_boundary *boundary, pd_vec2 start, pd_vec2 *position, pd_contact *contact) {
    pd_vec2 target = *position, normal;
    if (!is_valid_position(target)) target = is_valid_position(start) ? start : (pd_vec2){0.0f, 0.0f};
    bool outside = clamp_into_container(boundary, &target, &normal);
    if (boundary->solid_count &&
        !(is_inside_container(boundary, start) && is_path_clear(boundary, to_double2(start), target)))
        return stop_at_solids_and_container(boundary, start, position, contact);
    *position = target;
    if (outside) *contact = (pd_contact){.normal = normal, .wall = PD_CONTAINER_WALL};
    return outside;
}

/* Returns a mask of the points that are outside the container, so near its wall that rounding decides, or NAN. */
static uint32_t mask_points_outside_container(const pd_boundary *boundary, int count, const float *x, const float *y) {
    const float squared = boundary->inside_squared, half_x = boundary->half_x, half_y = boundary->half_y;
    uint32_t outside = 0; /* comparisons are negated, so that NAN is outside */
    if (boundary->shape == PD_CONTAINER_CIRCLE)
        for (int k = 0; k < count; k++) outside |= (uint32_t) !(x[k] * x[k] + y[k] * y[k] <= squared) << k;
    else
        for (int k = 0; k < count; k++) outside |= (uint32_t)(!(fabsf(x[k]) <= half_x) | !(fabsf(y[k]) <= half_y)) << k;
    return outside;
}

uint32_t pd_boundary_mask_paths_near_walls(const pd_boundary *boundary, int count, const float *old_x,
                                           const float *old_y, const float *x, const float *y) {
    PD_ASSERT(count <= PD_MOST_PATHS);
    uint32_t near = mask_points_outside_container(boundary, count, x, y), all = (uint32_t)(((uint64_t)1 << count) - 1);
    if (near == all || !boundary->solid_count) return near;
    const pd_path_boxes paths = pd_path_boxes_of(count, old_x, old_y, x, y);
    const pd_box box = {pd_path_boxes_least(paths.low_x), pd_path_boxes_least(paths.low_y),
                        pd_path_boxes_greatest(paths.high_x), pd_path_boxes_greatest(paths.high_y)};
    const pd_boxtree *tree = &boundary->tree;
    for (int n = pd_boxtree_first_overlap(tree, &box); n >= 0 && near != all;
         n = pd_boxtree_next_overlap(tree, &box, n)) {
        const pd_solid *solid = &boundary->solids[tree->nodes[n].item];
        if (!pd_solid_may_be_near_box(solid, &box, 0.0, 0.0)) continue;
        uint32_t found = pd_path_boxes_overlap(&paths, &tree->nodes[n].box) & all & ~near;
        for (int k = 0; found; k++, found >>= 1) {
            pd_vec2 start = {old_x[k], old_y[k]}, end = {x[k], y[k]};
            if (found & 1 && pd_solid_may_touch_path(solid, to_double2(start), to_double2(end)))
                near |= (uint32_t)1 << k;
        }
    }
    return near;
}

int pd_near_paths_next(pd_near_paths *paths) {
    while (!paths->near) {
        int i = paths->begin, left = paths->end - i, count = left < PD_MOST_PATHS ? left : PD_MOST_PATHS;
        if (count <= 0) return -1;
        paths->near = pd_boundary_mask_paths_near_walls(paths->boundary, count, paths->old_x + i, paths->old_y + i,
                                                        paths->x + i, paths->y + i);
        paths->first = i;
        paths->begin = i + count;
    }
    for (; !(paths->near & 1); paths->near >>= 1) paths->first++;
    paths->near >>= 1;
    return paths->first++;
}

/* Returns the solid in which a point lies deepest at the end of the substep, or NULL if the point is outside all solids.
 * Each solid counts as larger by half a contact margin. */
static const pd_solid *find_deepest_solid(const pd_boundary *boundary, pd_vec2 p, pd_touch *nearest) {
    pd_box box = compute_path_box(p, p);
    const pd_boxtree *tree = &boundary->tree;
    const pd_solid *found = NULL;
    double least = 0.0;
    for (int n = pd_boxtree_first_overlap(tree, &box); n >= 0; n = pd_boxtree_next_overlap(tree, &box, n)) {
        const pd_solid *solid = &boundary->solids[tree->nodes[n].item];
        pd_touch touch;
        double depth =
            pd_solid_distance(solid, pd_pose_to_local(&solid->end, to_double2(p)), 0.0, &touch) - 0.5 * solid->margin;
        if (depth >= least) continue;
        least = depth;
        found = solid;
        *nearest = touch;
    }
    return found;
}

/* Moves a point to the first allowed place on rings of increasing radius around the point. Used if moving it out of one
 * wall always leads into another wall. Returns false if no place is allowed. */
static bool move_point_to_allowed_place_nearby(const pd_boundary *boundary, pd_vec2 *position) {
    double radius = 2e-5 * boundary->size;
    for (int ring = 0; ring < RINGS; ring++, radius *= 1.15) {
        for (int i = 0; i < PLACES_PER_RING; i++) {
            pd_vec2 p = to_vec2(pd_add_scaled(to_double2(*position), radius, boundary->ring[i]));
            pd_touch touch;
            if (!is_inside_container(boundary, p) || find_deepest_solid(boundary, p, &touch)) continue;
            *position = p;
            return true;
        }
    }
    return false;
}

void pd_boundary_stop_tracers_at_walls(const pd_boundary *boundary, int count, const float *old_x, const float *old_y,
                                       float *x, float *y) {
    pd_near_paths near = pd_near_paths_begin(boundary, 0, count, old_x, old_y, x, y);
    for (int i; (i = pd_near_paths_next(&near)) >= 0;) {
        pd_vec2 now = {x[i], y[i]};
        pd_contact contact;
        pd_boundary_stop_at_walls(boundary, (pd_vec2){old_x[i], old_y[i]}, &now, &contact);
        x[i] = now.x;
        y[i] = now.y;
    }
}

bool pd_boundary_push_out_of_walls(const pd_boundary *boundary, pd_vec2 *position) {
    pd_vec2 normal, p = is_valid_position(*position) ? *position : (pd_vec2){0.0f, 0.0f};
    pd_touch touch;
    const pd_solid *solid = NULL;
    clamp_into_container(boundary, &p, &normal);
    pd_vec2 first = p;
    for (int i = 0; i < MAX_PUSHES; i++) {
        solid = find_deepest_solid(boundary, p, &touch);
        if (!solid) break;
        p = to_vec2(pd_pose_to_world(&solid->end, pd_add_scaled(touch.point, solid->margin, touch.normal)));
        clamp_into_container(boundary, &p, &normal);
    }
    if (solid && find_deepest_solid(boundary, p, &touch)) {
        p = first;
        move_point_to_allowed_place_nearby(boundary, &p);
    }
    bool moved = p.x != position->x || p.y != position->y;
    *position = p;
    return moved;
}

const pd_area *pd_boundary_obstacle_areas(const pd_boundary *boundary, int *count) {
    *count = boundary->obstacle_count;
    return boundary->views;
}

const pd_area *pd_boundary_body_areas(const pd_boundary *boundary, int *count) {
    *count = boundary->solid_count - boundary->obstacle_count;
    return *count > 0 ? boundary->views + boundary->obstacle_count : NULL;
}

float pd_boundary_max_obstacle_speed(const pd_boundary *boundary) {
    double speed = 0.0;
    for (int i = 0; i < boundary->obstacle_count; i++) speed = fmax(speed, pd_solid_max_speed(&boundary->solids[i]));
    return (float)speed;
}

const pd_solid *pd_boundary_solids(const pd_boundary *boundary, int *count) {
    *count = boundary->solid_count;
    return boundary->solids;
}

pd_container pd_boundary_container(const pd_boundary *boundary) {
    return (pd_container){.shape = boundary->shape,
                          .radius = (float)boundary->radius,
                          .width = 2.0f * boundary->half_x,
                          .height = 2.0f * boundary->half_y};
}

pd_impulses *pd_boundary_impulses(pd_boundary *boundary) { return &boundary->impulses; }
const pd_boxtree *pd_boundary_obstacle_tree(const pd_boundary *boundary) { return &boundary->tree; }

double pd_boundary_substep_seconds(const pd_boundary *boundary) { return boundary->seconds; }

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
    if (query.container.shape == PD_CONTAINER_NONE &&
        !(fabsf(position.x) <= 0.5f * query.container.width && fabsf(position.y) <= 0.5f * query.container.height))
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
