#include "bodies/manifold.h"

/* Greatest overlap of two cores, m, that counts as rounding error. */
static const double ROUNDING = 1e-12;
/* A side of the second part is the reference only if its separation is greater by this fraction of the first part's half
 * width. So the reference does not alternate between parallel sides. */
static const double PREFERENCE = 1e-4;
static const double DEEP = 0.25; /* depth of a deep overlap in half widths of the narrower part */

static void add_point(pd_manifold *manifold, pd_double2 point, pd_double2 normal, double separation, int feature_a,
                      int feature_b) {
    if (manifold->count == PD_MANIFOLD_POINTS) return;
    manifold->points[manifold->count++] = (pd_manifold_point){point, normal, separation, {feature_a, feature_b}};
}

/* ---- Separating axes ---- */

/* Side of a part, and the distance of the other part's core from it, m. */
typedef struct axis {
    int side; /* -1: there is no such side */
    double separation;
} axis;

/* Sides of greatest separation of two parts. Inner sides of a shape separate parts too, but are no surface. */
typedef struct axes {
    axis outline[2], any[2]; /* by part: among the sides on the outline of its shape, and among all its sides */
    bool apart;              /* the cores do not overlap */
} axes;

static void find_axes_of_part(const pd_placed_part *a, const pd_placed_part *b, axis *outline, axis *any) {
    *outline = *any = (axis){-1, -INFINITY};
    for (int k = 0; k < a->part->count && a->part->count > 1; k++) {
        pd_double2 n = a->normal[k];
        double offset = pd_dot(n, a->point[k]), least = INFINITY;
        for (int i = 0; i < b->part->count; i++) least = pd_smaller(least, pd_dot(n, b->point[i]) - offset);
        if (least > any->separation) *any = (axis){k, least};
        if (least > outline->separation && !(a->part->inner >> k & 1)) *outline = (axis){k, least};
    }
}

static axes find_axes(const pd_placed_part *a, const pd_placed_part *b) {
    axes x;
    find_axes_of_part(a, b, &x.outline[0], &x.any[0]);
    find_axes_of_part(b, a, &x.outline[1], &x.any[1]);
    x.apart = pd_greater(x.any[0].separation, x.any[1].separation) >= -ROUNDING ||
              (a->part->count == 1 && b->part->count == 1);
    return x;
}

/* ---- Clipping ---- */

/* Adds the points of the incident part's side that lies most against side k of the reference part, clipped to the width of
 * side k. Features are pairs of corners that do not depend on which part is the reference. */
static void clip_incident_side(const pd_placed_part *reference, int k, const pd_placed_part *incident, bool swapped,
                               double margin, pd_manifold *manifold) {
    pd_double2 n = reference->normal[k], along = {-n.y, n.x}, from = reference->point[k];
    int next = (k + 1) % reference->part->count, i = 0;
    double width = pd_dot(along, pd_minus(reference->point[next], from));
    for (int m = 1; m < incident->part->count; m++)
        if (pd_dot(incident->normal[m], n) < pd_dot(incident->normal[i], n)) i = m;
    if (incident->part->inner >> i & 1) return;
    int last = (i + 1) % incident->part->count;
    pd_double2 high = incident->point[i], low = incident->point[last], way = pd_minus(high, low);
    double at_low = pd_dot(along, pd_minus(low, from)), at_high = pd_dot(along, pd_minus(high, from));
    if (at_high < 0.0 || at_low > width) return;
    pd_double2 ends[2] = {low, high};
    if (at_low < 0.0) ends[0] = pd_add_scaled(low, -at_low / (at_high - at_low), way);
    if (at_high > width) ends[1] = pd_add_scaled(low, (width - at_low) / (at_high - at_low), way);
    for (int end = 0; end < (incident->part->count > 1 ? 2 : 1); end++) {
        double gap = pd_dot(n, pd_minus(ends[end], from)),
               separation = gap - reference->part->radius - incident->part->radius;
        int own = end == 0 ? k : next, other = end == 0 ? last : i;
        if (separation >= margin) continue;
        pd_double2 middle = pd_add_scaled(ends[end], 0.5 * (reference->part->radius - gap - incident->part->radius), n);
        add_point(manifold, middle, swapped ? (pd_double2){-n.x, -n.y} : n, separation, swapped ? other : own,
                  swapped ? own : other);
    }
}

/* ---- Rounded parts ---- */

/* Nearest point of a core. */
typedef struct nearest {
    pd_double2 point;
    double distance; /* m */
    int feature;     /* the corner or the side (pd_manifold_point.feature) */
} nearest;

static nearest find_nearest_point(const pd_placed_part *part, pd_double2 p) {
    int count = part->part->count, sides = count > 2 ? count : count - 1; /* both sides of a segment are the same */
    pd_double2 from = pd_minus(p, part->point[0]);
    nearest best = {part->point[0], pd_dot(from, from), 0}; /* the distance is squared until the end */
    for (int k = 0; k < sides; k++) {
        int next = k + 1 < count ? k + 1 : 0;
        pd_double2 along = pd_minus(part->point[next], part->point[k]);
        from = pd_minus(p, part->point[k]);
        double at = pd_dot(from, along), length2 = pd_dot(along, along);
        int corner = at <= 0.0 ? k : at >= length2 ? next : -1;
        pd_double2 point = corner < 0 ? pd_add_scaled(part->point[k], at / length2, along) : part->point[corner];
        pd_double2 way = pd_minus(p, point);
        double distance2 = pd_dot(way, way);
        if (distance2 < best.distance) best = (nearest){point, distance2, corner < 0 ? PD_PART_POINTS + k : corner};
    }
    best.distance = sqrt(best.distance);
    return best;
}

/* Returns whether a corner is the nearest point of its outline in this direction. Where outlines continue straight on,
 * corners of the parts are no corners of the surface. */
static bool is_nearest_of_outline(const pd_placed_part *placed, int corner, pd_double2 direction) {
    const pd_part *part = placed->part;
    pd_double2 p = part->point[corner];
    pd_double2 before = pd_pose_rotate(&placed->pose, pd_minus(part->before[corner], p)),
               after = pd_pose_rotate(&placed->pose, pd_minus(part->after[corner], p));
    return pd_dot(direction, before) <= 0.0 && pd_dot(direction, after) <= 0.0;
}

/* Adds the contacts of each corner of part a's core with part b. second: pass with the parts exchanged, in which pairs of
 * corners are not added again. */
static void add_corner_contacts(const pd_placed_part *a, const pd_placed_part *b, bool second, double margin,
                                pd_manifold *manifold) {
    for (int i = 0; i < a->part->count; i++) {
        nearest to = find_nearest_point(b, a->point[i]);
        double separation = to.distance - a->part->radius - b->part->radius;
        bool corner = to.feature < PD_PART_POINTS;
        if (separation >= margin || (corner && second)) continue;
        pd_double2 n = {0.0, 1.0}, back;
        if (to.distance > 0.0)
            n = (pd_double2){(to.point.x - a->point[i].x) / to.distance, (to.point.y - a->point[i].y) / to.distance};
        back = (pd_double2){-n.x, -n.y};
        if (corner ? !is_nearest_of_outline(a, i, n) || !is_nearest_of_outline(b, to.feature, back)
                   : b->part->inner >> (to.feature - PD_PART_POINTS) & 1)
            continue;
        pd_double2 middle = pd_add_scaled(a->point[i], a->part->radius + 0.5 * separation, n);
        add_point(manifold, middle, second ? back : n, separation, second ? to.feature : i, second ? i : to.feature);
    }
}

/* Adds the deepest corner of the incident part behind side k of the reference part. */
static void add_deepest_corner(const pd_placed_part *reference, int k, const pd_placed_part *incident, bool swapped,
                               pd_manifold *manifold) {
    pd_double2 n = reference->normal[k];
    int deepest = 0;
    for (int i = 1; i < incident->part->count; i++)
        if (pd_dot(n, incident->point[i]) < pd_dot(n, incident->point[deepest])) deepest = i;
    double gap = pd_dot(n, pd_minus(incident->point[deepest], reference->point[k]));
    double separation = gap - reference->part->radius - incident->part->radius;
    int feature[2] = {PD_PART_POINTS + k, deepest};
    add_point(manifold, incident->point[deepest], swapped ? (pd_double2){-n.x, -n.y} : n, separation, feature[swapped],
              feature[!swapped]);
}

void pd_manifold_of_parts(const pd_placed_part *a, const pd_placed_part *b, double margin, pd_manifold *manifold) {
    axes x = find_axes(a, b);
    double radii = a->part->radius + b->part->radius, separation = pd_greater(x.any[0].separation, x.any[1].separation);
    manifold->count = 0;
    if (separation - radii >= margin) return;
    if (x.apart && radii > 0.0) {
        add_corner_contacts(a, b, false, margin, manifold);
        add_corner_contacts(b, a, true, margin, manifold);
        return;
    }
    bool swapped =
        x.outline[1].side >= 0 && x.outline[1].separation > x.outline[0].separation + PREFERENCE * a->part->half_width;
    const pd_placed_part *reference = swapped ? b : a, *incident = swapped ? a : b;
    int side = x.outline[swapped].side;
    if (side < 0) return;
    clip_incident_side(reference, side, incident, swapped, margin, manifold);
    /* A part deep inside another one is pushed out. Shallow overlaps without points are those of a neighbouring part. */
    if (manifold->count == 0 && separation < -DEEP * pd_smaller(a->part->half_width, b->part->half_width))
        add_deepest_corner(reference, side, incident, swapped, manifold);
}

/* Returns the distance of the nearest points of two parts whose cores are apart. */
static pd_separation compute_distance(const pd_placed_part *a, const pd_placed_part *b) {
    pd_separation found = {INFINITY, {0.0, 1.0}, true};
    for (int pass = 0; pass < 2; pass++) {
        const pd_placed_part *from = pass ? b : a, *to = pass ? a : b;
        for (int i = 0; i < from->part->count; i++) {
            nearest at = find_nearest_point(to, from->point[i]);
            if (at.distance >= found.distance) continue;
            found.distance = at.distance;
            found.outline = at.feature < PD_PART_POINTS || !(to->part->inner >> (at.feature - PD_PART_POINTS) & 1);
            pd_double2 way = pd_minus(at.point, from->point[i]);
            double scale = (pass ? -1.0 : 1.0) / at.distance;
            if (at.distance > 0.0) found.normal = (pd_double2){scale * way.x, scale * way.y};
        }
    }
    return found;
}

pd_separation pd_separation_of_parts(const pd_placed_part *a, const pd_placed_part *b) {
    axes x = find_axes(a, b);
    double radii = a->part->radius + b->part->radius;
    pd_separation found;
    if (x.apart && radii > 0.0) {
        found = compute_distance(a, b);
    } else {
        bool second = x.any[1].separation > x.any[0].separation;
        const pd_placed_part *part = second ? b : a;
        int side = x.any[second].side;
        double sign = second ? -1.0 : 1.0;
        found.distance = x.any[second].separation;
        found.normal = (pd_double2){sign * part->normal[side].x, sign * part->normal[side].y};
        found.outline = !(part->part->inner >> side & 1);
    }
    found.distance -= radii;
    return found;
}

/* ---- Container ---- */

double pd_distance_to_side(const pd_container *container, int side, pd_double2 p, pd_double2 *normal) {
    if (container->shape == PD_CONTAINER_CIRCLE) {
        double length = pd_length(p);
        *normal = length > 0.0 ? (pd_double2){p.x / length, p.y / length} : (pd_double2){0.0, -1.0};
        return container->radius - length;
    }
    double sign = side == PD_WALL_LEFT || side == PD_WALL_BOTTOM ? -1.0 : 1.0;
    bool vertical = side == PD_WALL_LEFT || side == PD_WALL_RIGHT;
    *normal = vertical ? (pd_double2){sign, 0.0} : (pd_double2){0.0, sign};
    return 0.5 * (vertical ? container->width : container->height) - pd_dot(*normal, p);
}

int pd_container_side_count(const pd_container *container) {
    if (container->shape == PD_CONTAINER_BOX) return PD_WALLS;
    return container->shape == PD_CONTAINER_CIRCLE ? 1 : 0;
}

void pd_manifold_of_container(const pd_placed_part *part, const pd_container *container, double margin,
                              pd_manifold *manifold) {
    manifold->count = 0;
    for (int i = 0; i < part->part->count; i++)
        for (int side = 0; side < pd_container_side_count(container); side++) {
            pd_double2 n;
            double separation = pd_distance_to_side(container, side, part->point[i], &n) - part->part->radius;
            if (separation >= margin) continue;
            add_point(manifold, pd_add_scaled(part->point[i], part->part->radius + 0.5 * separation, n), n, separation,
                      i, side);
        }
}
