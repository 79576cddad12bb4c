/* Computes the wall weights (walls.h) of groups of particles, compiled once for each SIMD level (core/simd.h). The
 * compiler vectorises plain loops over a group. Each element is computed on its own, so all levels give the same bits.
 *
 * A wall near any particle of a group is evaluated for all of them, since conditional values cost less than branches. */
#include "core/simd.h"
#include "sim/walls/polygon.h"
#include "sim/walls/walls_search.h"

#include <math.h>
#include <string.h>

/* Computes the hidden shares (sim/walls/walls.h) of kernels of radius 1 near straight walls and discs. For loops that are
 * compiled once for each SIMD level (core/simd.h). */

/* Value of a function of one coordinate, and its derivative by this coordinate. */
typedef struct function_1d {
    double value, derivative;
} function_1d;

/* Shares of the far and the near kernel hidden by a wall, as functions of the particle's coordinate across the wall. */
typedef struct hidden_shares_1d {
    function_1d far, near;
} hidden_shares_1d;

/* Coefficients of a polynomial that approximates the hidden share of one kernel (compute_shares_hidden_by_half_plane). */
typedef struct kernel_polynomial {
    double a, b, c, d;
} kernel_polynomial;

/* Returns the share hidden by a half plane at the signed distance s, in units of h. a: share hidden at the distance |s|.
 *
 *     s <= -1           1
 *     -1 < s < 0        1 - a
 *     0 <= s < 1        a
 *     s >= 1            0 */
PD_INLINE function_1d extend_share_to_negative_distance(function_1d a, double s) {
    bool within = fabs(s) < 1;
    double value = within ? a.value : 0, derivative = within ? a.derivative : 0;
    return (function_1d){s < 0 ? 1 - value : value, derivative};
}

/* Returns the shares hidden by a wall that fills a half plane. s: distance of the particle from the wall's surface, in
 * units of h; below 0 the particle is in the wall. Error of a share: 3e-4. */
PD_INLINE hidden_shares_1d compute_shares_hidden_by_half_plane(double s, kernel_polynomial near) {
    const kernel_polynomial far = {0.50026, 0.20479, -0.47872, 0};
    double t = fabs(s), u = 1 - t, u2 = u * u, u3 = u2 * u;
    double sum = far.a + t * (far.b + t * far.c), rise = far.b + t * (2 * far.c);
    function_1d of_far = {u2 * u * sum, u2 * (u * rise - 3 * sum)};
    sum = near.a + t * (near.b + t * (near.c + t * near.d));
    rise = near.b + t * (2 * near.c + 3 * t * near.d);
    function_1d of_near = {u3 * u * sum, u3 * (u * rise - 4 * sum)};
    return (hidden_shares_1d){extend_share_to_negative_distance(of_far, s),
                              extend_share_to_negative_distance(of_near, s)};
}

/* Returns the shares hidden by a slab, the wall between two parallel lines. low, high: coordinates of the lines relative
 * to the particle, in units of h. The derivatives are by the particle's coordinate across the lines. */
PD_INLINE hidden_shares_1d compute_shares_hidden_by_slab(double low, double high, kernel_polynomial near) {
    hidden_shares_1d from = compute_shares_hidden_by_half_plane(low, near),
                     to = compute_shares_hidden_by_half_plane(high, near);
    bool open = low < high;
    return (hidden_shares_1d){
        {open ? from.far.value - to.far.value : 0, open ? to.far.derivative - from.far.derivative : 0},
        {open ? from.near.value - to.near.value : 0, open ? to.near.derivative - from.near.derivative : 0}};
}

/* Returns (share hidden by a disc) / (share hidden by a half plane) at the same distance s from the particle. curvature: 1
 * / (radius of the disc in units of h). Fitted to exact integrals up to a curvature of 5, with an error of 0.03. */
PD_INLINE function_1d compute_disc_to_half_plane_ratio(double s, double curvature) {
    double inside = s > 0 ? s : 0, u = 1 - inside, small = curvature * curvature * curvature / 104;
    double a = 1 + curvature * (0.3 + 0.7 * inside), b = 1 + small * u * u, value = 1 / (sqrt(a) * b);
    double relative = s > 0 ? 2 * small * u / b - 0.35 * curvature / a : 0;
    return (function_1d){value, value * relative};
}

PD_INLINE function_1d multiply_values_and_derivatives(function_1d a, function_1d b) {
    return (function_1d){a.value * b.value, a.derivative * b.value + a.value * b.derivative};
}

enum { GROUP = PD_WALLS_GROUP };
/* Loop over the particles of a group. Without the pragma GCC unrolls short loops first, and then does not vectorise. */
#define EACH(k) _Pragma("GCC unroll 1") for (int k = 0; k < GROUP; k++)

static const double MOST_HIDDEN = 0.75; /* greatest hidden share, which a corner of 90 degrees has */
/* Hidden share from which the cohesion beside a body is 0. Under sph the fluid around a box then moves at 0.015 m/s. With 0.3 it
 * moves at 0.025 m/s, and with 0.6 a film of one row remains on balls of density 0.9 (4,000 particles, measured). */
static const float RELEASING_SHARE = 0.4f;
static const double HESSIAN_STEP = 0.01; /* step of the finite differences for second derivatives, in units of h */

typedef pd_walls_search search;

/* ---- Walls ---- */

/* Share of one kernel hidden by a wall, and the gradient (x, y) of this share, 1/h. */
typedef struct share_2d {
    double value, x, y;
} share_2d;

typedef struct particle_shares {
    share_2d far, near;
} particle_shares;

/* Shares hidden by walls from each particle of a group, and their gradients (x, y), 1/h. First index: 0 far kernel, 1 near
 * kernel. */
typedef pd_polygon_shares group_shares;

PD_INLINE void set_shares_of_particle(group_shares *to, int k, particle_shares of) {
    to->value[0][k] = of.far.value;
    to->x[0][k] = of.far.x;
    to->y[0][k] = of.far.y;
    to->value[1][k] = of.near.value;
    to->x[1][k] = of.near.x;
    to->y[1][k] = of.near.y;
}

PD_INLINE void set_group_shares_to_zero(group_shares *to) {
    EACH(k) set_shares_of_particle(to, k, (particle_shares){0});
}

static void add_group_shares(group_shares *restrict to, const group_shares *restrict of) {
    for (int n = 0; n < 2; n++) {
        EACH(k) {
            to->value[n][k] += of->value[n][k];
            to->x[n][k] += of->x[n][k];
            to->y[n][k] += of->y[n][k];
        }
    }
}

PD_INLINE particle_shares get_shares_or_zero(bool condition, particle_shares of) {
    return (particle_shares){{condition ? of.far.value : 0, condition ? of.far.x : 0, condition ? of.far.y : 0},
                             {condition ? of.near.value : 0, condition ? of.near.x : 0, condition ? of.near.y : 0}};
}

/* Converts the derivatives of shares by the distance from a wall to gradients. (nx, ny): unit normal of the wall into the
 * fluid. */
PD_INLINE particle_shares compute_gradients_along_normal(hidden_shares_1d f, double nx, double ny) {
    return (particle_shares){{f.far.value, f.far.derivative * nx, f.far.derivative * ny},
                             {f.near.value, f.near.derivative * nx, f.near.derivative * ny}};
}

/* Returns the shares hidden by a rectangle: products of the shares hidden by the slabs along its two axes. */
PD_INLINE particle_shares compute_shares_hidden_by_rectangle(hidden_shares_1d across, hidden_shares_1d lengthwise) {
    return (particle_shares){{across.far.value * lengthwise.far.value, lengthwise.far.derivative * across.far.value,
                              across.far.derivative * lengthwise.far.value},
                             {across.near.value * lengthwise.near.value, lengthwise.near.derivative * across.near.value,
                              across.near.derivative * lengthwise.near.value}};
}

/* Returns the shares hidden by a disc from a particle at (x, y) relative to the disc's centre. x, y, radius > 0: in units
 * of h. */
PD_INLINE particle_shares compute_shares_hidden_by_disc(double radius, double x, double y, kernel_polynomial near) {
    double length = sqrt(x * x + y * y), s = length - radius;
    hidden_shares_1d f = compute_shares_hidden_by_half_plane(s, near);
    function_1d ratio = compute_disc_to_half_plane_ratio(s, 1 / radius);
    f = (hidden_shares_1d){multiply_values_and_derivatives(f.far, ratio),
                           multiply_values_and_derivatives(f.near, ratio)};
    return get_shares_or_zero(
        s < 1, compute_gradients_along_normal(f, length > 0 ? x / length : 0, length > 0 ? y / length : 1));
}

/* Rotates gradients from the frame of a chord with direction (c, s) to the obstacle's frame. */
PD_INLINE particle_shares rotate_gradients_of_shares(particle_shares of, double c, double s) {
    return (particle_shares){{of.far.value, of.far.x * c - of.far.y * s, of.far.x * s + of.far.y * c},
                             {of.near.value, of.near.x * c - of.near.y * s, of.near.x * s + of.near.y * c}};
}

static void rotate_gradients_of_group(group_shares *of, const pd_pose *pose) {
    for (int n = 0; n < 2; n++) {
        EACH(k) {
            pd_double2 gradient = pd_pose_rotate(pose, (pd_double2){of->x[n][k], of->y[n][k]});
            of->x[n][k] = gradient.x;
            of->y[n][k] = gradient.y;
        }
    }
}

/* Returns (share that two walls both hide) / (share of wall a x share of wall b), from the gradients of the shares: 1 for
 * walls at a right angle, 0 for walls that face each other across a gap. */
PD_INLINE double compute_overlap_factor(double ax, double ay, double bx, double by) {
    double dot = ax * bx + ay * by, a2 = ax * ax + ay * ay, b2 = bx * bx + by * by;
    return dot < 0 ? 1 + dot / sqrt(a2 * b2) : 1;
}

static bool is_any_set(const double flags[GROUP]) {
    uint64_t bits[GROUP], any = 0;
    memcpy(bits, flags, sizeof bits);
    EACH(k) any |= bits[k];
    return any != 0;
}

/* Shares hidden from a group of particles by all walls that were added so far. */
typedef struct sum_of_walls {
    group_shares all;
    group_shares part[PD_MOST_WALLS]; /* by wall: contribution to the gradients (x, y) of `all`; `value` is unused */
    double count[GROUP]; /* by particle: number of walls added; a double, since SSE2 cannot compare 64-bit integers */
    int most;            /* greatest `count` in the group */
} sum_of_walls;

static void reset_sum_of_walls(sum_of_walls *to) {
    set_group_shares_to_zero(&to->all);
    EACH(k) to->count[k] = 0;
    to->most = 0;
}

/* Updates one component of the gradient that wall number `number` contributes (pd_wall_weight.far_slope_of_wall), for a group,
 * after a new wall was added. Contributions of earlier walls are multiplied by open[k]. The new wall has the number
 * place[k], and contributes own[k]. The factors 0 and 1 replace conditional stores, which GCC does not vectorise for AVX2. */
static void update_contribution_of_wall(double *restrict part, double number, const double *restrict place,
                                        const double *restrict open, const double *restrict own) {
    EACH(k) part[k] = part[k] * open[k] + own[k] * (place[k] == number ? 1 : 0);
}

static void set_contribution_of_last_wall(double *restrict part, double number, const double *restrict place,
                                          const double *restrict own) {
    EACH(k) part[k] = own[k] * (place[k] == number ? 1 : 0);
}

/* Adds the shares hidden by a wall to the sums of the particles with added[k] = 1. For other particles the wall's shares
 * must be 0. place[k]: number of the wall among those of particle k; -1: not added. */
static void add_wall_to_sum(sum_of_walls *restrict to, const group_shares *restrict wall, const double *restrict added,
                            const double *restrict place) {
    double open[GROUP], own_x[GROUP], own_y[GROUP], more[GROUP];
    for (int n = 0; n < 2; n++) {
        double *value = to->all.value[n], *x = to->all.x[n], *y = to->all.y[n];
        const double *wall_value = wall->value[n], *wall_x = wall->x[n], *wall_y = wall->y[n];
        EACH(k) {
            double common = compute_overlap_factor(x[k], y[k], wall_x[k], wall_y[k]);
            double left = 1 - common * wall_value[k], rest = 1 - common * value[k];
            open[k] = left;
            own_x[k] = wall_x[k] * rest;
            own_y[k] = wall_y[k] * rest;
            value[k] = value[k] * left + wall_value[k];
            x[k] = x[k] * left + own_x[k];
            y[k] = y[k] * left + own_y[k];
        }
        for (int w = 0; w < to->most; w++) {
            update_contribution_of_wall(to->part[w].x[n], w, place, open, own_x);
            update_contribution_of_wall(to->part[w].y[n], w, place, open, own_y);
        }
        if (to->most == PD_MOST_WALLS) continue;
        set_contribution_of_last_wall(to->part[to->most].x[n], to->most, place, own_x);
        set_contribution_of_last_wall(to->part[to->most].y[n], to->most, place, own_y);
    }
    EACH(k) {
        to->count[k] += added[k];
        more[k] = to->count[k] > to->most ? 1 : 0;
    }
    if (is_any_set(more)) to->most++;
}

/* ---- Sums of a group of particles ---- */

typedef struct group {
    const search *s;
    kernel_polynomial near;
    double x[GROUP], y[GROUP]; /* positions, m */
    /* Square around each particle with the half side s->reach, m. */
    double low_x[GROUP], low_y[GROUP], high_x[GROUP], high_y[GROUP];
    sum_of_walls sum_of_walls;
    double wall[PD_MOST_WALLS][GROUP]; /* by number and particle: wall that was added (pd_wall_weight.wall) */
} group;

/* Adds the shares hidden by a wall to the sums of the group's particles. The shares must be 0 for particles that already have
 * PD_MOST_WALLS walls. wall_index: PD_CONTAINER_WALL, or the index of an obstacle. */
static void add_wall_to_sums(group *g, group_shares *wall, int wall_index) {
    double added[GROUP], place[GROUP];
    EACH(k) {
        bool hides = (wall->value[0][k] > 0) | (wall->value[1][k] > 0);
        added[k] = hides ? 1 : 0;
    }
    if (!is_any_set(added)) return;
    EACH(k) place[k] = (g->sum_of_walls.count[k] + 1) * added[k] - 1;
    for (int n = 0; n < 2; n++) {
        EACH(k) {
            wall->value[n][k] *= added[k];
            wall->x[n][k] *= added[k];
            wall->y[n][k] *= added[k];
        }
    }
    for (int w = 0; w < g->sum_of_walls.most; w++) {
        EACH(k) g->wall[w][k] = place[k] == w ? wall_index : g->wall[w][k];
    }
    if (g->sum_of_walls.most < PD_MOST_WALLS) {
        EACH(k) g->wall[g->sum_of_walls.most][k] = wall_index; /* particles with fewer walls do not use this element */
    }
    add_wall_to_sum(&g->sum_of_walls, wall, added, place);
}

static void add_circular_container_to_sums(group *g) {
    double h = g->s->rule->radius, outside = g->s->rule->outside, radius = g->s->container.radius;
    group_shares wall;
    EACH(k) {
        double x = g->x[k], y = g->y[k], length = sqrt(x * x + y * y);
        hidden_shares_1d f = compute_shares_hidden_by_half_plane((radius - length) / h + outside, g->near);
        set_shares_of_particle(
            &wall, k, compute_gradients_along_normal(f, length > 0 ? -x / length : 0, length > 0 ? -y / length : 0));
    }
    add_wall_to_sums(g, &wall, PD_CONTAINER_WALL);
}

/* Adds the shares hidden by one side of a box container to *all. (x, y): normal of the side into the container. half:
 * distance of the side from the container's center, m. coordinate: coordinate of each particle across the side, m. */
static void add_container_side_to_sum(const group *g, double half, const double *coordinate, double x, double y,
                                      sum_of_walls *all) {
    double h = g->s->rule->radius, outside = g->s->rule->outside, sign = x + y;
    double distance[GROUP], added[GROUP], place[GROUP];
    group_shares wall;
    EACH(k) {
        distance[k] = (half + sign * coordinate[k]) / h + outside;
        added[k] = distance[k] < 1 ? 1 : 0;
    }
    if (!is_any_set(added)) return;
    EACH(k) {
        set_shares_of_particle(
            &wall, k, compute_gradients_along_normal(compute_shares_hidden_by_half_plane(distance[k], g->near), x, y));
        place[k] = (all->count[k] + 1) * added[k] - 1;
    }
    add_wall_to_sum(all, &wall, added, place);
}

static void add_container_to_sums(group *g) {
    const pd_container *c = &g->s->container;
    if (c->shape == PD_CONTAINER_CIRCLE) add_circular_container_to_sums(g);
    if (c->shape != PD_CONTAINER_BOX) return;
    double right = (double)c->width / 2, top = (double)c->height / 2;
    sum_of_walls all;
    reset_sum_of_walls(&all);
    add_container_side_to_sum(g, right, g->x, 1, 0, &all);
    add_container_side_to_sum(g, right, g->x, -1, 0, &all);
    add_container_side_to_sum(g, top, g->y, 0, 1, &all);
    add_container_side_to_sum(g, top, g->y, 0, -1, &all);
    if (all.most > 0) add_wall_to_sums(g, &all.all, PD_CONTAINER_WALL);
}

/* Positions of a group of particles in the frame of an obstacle. */
typedef struct local_group {
    double x[GROUP], y[GROUP];
    /* 1: the obstacle may hide a share: the boxes overlap, and the particle has less than PD_MOST_WALLS walls; 0: no share */
    double near[GROUP];
    /* Only for polylines: square around each particle, with the half side reach + half the thickness of the polyline. */
    double low_x[GROUP], low_y[GROUP], high_x[GROUP], high_y[GROUP];
} local_group;

/* Transforms the positions of the group to the obstacle's frame. Returns false if the obstacle is near none of the
 * particles. */
static bool transform_to_obstacle_frame(const group *g, const pd_solid *solid, const pd_box *box, local_group *at) {
    double seconds = pd_boundary_substep_seconds(g->s->world->boundary), ahead = g->s->rule->ahead;
    double low_x = box->low_x, low_y = box->low_y, high_x = box->high_x, high_y = box->high_y;
    const pd_pose begin = solid->begin, end = solid->end;
    EACH(k) {
        bool off = (g->sum_of_walls.count[k] == PD_MOST_WALLS) | (low_x > g->high_x[k]) | (high_x < g->low_x[k]) |
                   (low_y > g->high_y[k]) | (high_y < g->low_y[k]);
        pd_double2 p = pd_pose_to_local(&end, (pd_double2){g->x[k], g->y[k]});
        at->near[k] = off ? 0 : 1;
        at->x[k] = p.x;
        at->y[k] = p.y;
    }
    if (!is_any_set(at->near)) return false;
    if (!(ahead != 0 && seconds > 0 && solid->shift > 0)) return true;
    EACH(k) {
        pd_double2 place = {g->x[k], g->y[k]}, before = pd_pose_to_world(&begin, (pd_double2){at->x[k], at->y[k]});
        pd_double2 p = pd_pose_to_local(&end, pd_add_scaled(place, -ahead / seconds, pd_minus(place, before)));
        at->x[k] = p.x;
        at->y[k] = p.y;
    }
    return true;
}

static void compute_group_shares_of_disc(const group *g, const local_group *at, double radius, pd_double2 center,
                                         group_shares *to) {
    double h = g->s->rule->radius;
    EACH(k) {
        particle_shares of =
            compute_shares_hidden_by_disc(radius, (at->x[k] - center.x) / h, (at->y[k] - center.y) / h, g->near);
        set_shares_of_particle(to, k, get_shares_or_zero(at->near[k] > 0, of));
    }
}

/* Returns the distance by which a solid is treated as smaller, in units of h. */
static float get_outside(const group *g, const pd_solid *solid) {
    return solid->is_body ? g->s->rule->body_outside : g->s->rule->outside;
}

static void compute_group_shares_of_box(const group *g, const local_group *at, const pd_solid *solid,
                                        group_shares *to) {
    double h = g->s->rule->radius, outside = (double)get_outside(g, solid);
    double a = solid->half.x / h - outside, b = solid->half.y / h - outside;
    EACH(k) {
        double x = at->x[k] / h, y = at->y[k] / h;
        particle_shares of = compute_shares_hidden_by_rectangle(compute_shares_hidden_by_slab(-b - y, b - y, g->near),
                                                                compute_shares_hidden_by_slab(-a - x, a - x, g->near));
        set_shares_of_particle(to, k, get_shares_or_zero(at->near[k] > 0, of));
    }
}

/* Computes the shares hidden by one straight piece (chord) of a polyline. At a free end of the polyline the chord is
 * longer by half the thickness. */
static void compute_group_shares_of_chord(const group *g, const local_group *at, const pd_solid *solid,
                                          const pd_boxnode *node, double thick, group_shares *to) {
    double h = g->s->rule->radius, low_x = node->box.low_x, low_y = node->box.low_y, high_x = node->box.high_x,
           high_y = node->box.high_y;
    const pd_chord chord = solid->chords[node->item];
    const pd_double2 t = chord.along;
    double begin = node->item == 0 ? thick : 0, end = node->item == solid->chord_count - 1 ? thick : 0;
    EACH(k) {
        double cx = at->x[k] - chord.begin.x, cy = at->y[k] - chord.begin.y;
        double along = (cx * t.x + cy * t.y) / h, off = (cy * t.x - cx * t.y) / h;
        double low = -begin - along, high = chord.length / h + end - along;
        bool missed = (low >= 1) | (high <= -1) | (fabs(off) >= 1 + thick) | (low_x > at->high_x[k]) |
                      (high_x < at->low_x[k]) | (low_y > at->high_y[k]) | (high_y < at->low_y[k]);
        particle_shares of =
            compute_shares_hidden_by_rectangle(compute_shares_hidden_by_slab(-thick - off, thick - off, g->near),
                                               compute_shares_hidden_by_slab(low, high, g->near));
        set_shares_of_particle(
            to, k, get_shares_or_zero(!missed & (at->near[k] > 0), rotate_gradients_of_shares(of, t.x, t.y)));
    }
}

/* Computes the squares around the particles in a polyline's frame. Returns the bounding box of those near the polyline, or
 * an infinite box if the polyline has only one chord. */
static pd_box compute_boxes_in_polyline_frame(const group *g, const pd_solid *solid, local_group *at) {
    double r = (double)g->s->reach + solid->radius;
    pd_box all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    EACH(k) {
        at->low_x[k] = (float)(at->x[k] - r);
        at->low_y[k] = (float)(at->y[k] - r);
        at->high_x[k] = (float)(at->x[k] + r);
        at->high_y[k] = (float)(at->y[k] + r);
    }
    if (solid->chord_count < 2) return (pd_box){-INFINITY, -INFINITY, INFINITY, INFINITY};
    EACH(k) {
        if (!(at->near[k] > 0)) continue;
        all.low_x = fminf(all.low_x, (float)at->low_x[k]);
        all.low_y = fminf(all.low_y, (float)at->low_y[k]);
        all.high_x = fmaxf(all.high_x, (float)at->high_x[k]);
        all.high_y = fmaxf(all.high_y, (float)at->high_y[k]);
    }
    return all;
}

static void compute_group_shares_of_polyline(const group *g, const pd_solid *solid, double thick, local_group *at,
                                             group_shares *to) {
    const pd_boxtree *tree = &solid->chord_tree;
    pd_box reach = compute_boxes_in_polyline_frame(g, solid, at);
    group_shares another;
    bool any = false;
    for (int n = pd_boxtree_first_overlap(tree, &reach); n >= 0; n = pd_boxtree_next_overlap(tree, &reach, n)) {
        const pd_chord *chord = &solid->chords[tree->nodes[n].item];
        if (chord->length > 0)
            compute_group_shares_of_chord(g, at, solid, &tree->nodes[n], thick, any ? &another : to);
        else
            compute_group_shares_of_disc(g, at, thick, chord->begin, any ? &another : to);
        if (any) add_group_shares(to, &another);
        any = true;
    }
    if (!any) set_group_shares_to_zero(to);
}

/* Turns gradients with a body to the time rule.ahead, to which transform_to_obstacle_frame extrapolates. In the pose at the end
 * of the substep the pressure on a spinning disc would have a torque that spins it faster. */
static void turn_gradients_ahead(const group *g, const pd_solid *solid, group_shares *of) {
    double seconds = pd_boundary_substep_seconds(g->s->world->boundary);
    double ahead = seconds > 0 ? (double)g->s->rule->ahead / seconds : 0;
    const pd_pose begin = solid->begin, end = solid->end;
    double c = end.cosine * begin.cosine + end.sine * begin.sine, s = end.sine * begin.cosine - end.cosine * begin.sine;
    for (int n = 0; n < 2; n++) {
        EACH(k) {
            double x = of->x[n][k], y = of->y[n][k];
            of->x[n][k] = x + ahead * (c * x - s * y - x);
            of->y[n][k] = y + ahead * (s * x + c * y - y);
        }
    }
}

static void add_obstacle_to_sums(group *g, const pd_boxnode *node) {
    const pd_solid *solid = &g->s->solids[node->item];
    double radius = solid->radius / (double)g->s->rule->radius - (double)get_outside(g, solid);
    group_shares wall;
    local_group at;
    pd_shape shape = solid->obstacle.area.shape;
    bool sided = shape == PD_SHAPE_BOX || shape == PD_SHAPE_POLYGON;
    if (!sided && !(radius > 0)) return; /* a wall without an area hides no share */
    if (!transform_to_obstacle_frame(g, solid, &node->box, &at)) return;
    switch (shape) {
    case PD_SHAPE_BOX:
        compute_group_shares_of_box(g, &at, solid, &wall);
        break;
    case PD_SHAPE_POLYLINE:
        compute_group_shares_of_polyline(g, solid, radius, &at, &wall);
        break;
    case PD_SHAPE_POLYGON:
        PD_LEVEL_NAME(pd_polygon_compute_hidden_shares)
        (solid, at.x, at.y, at.near, g->s->rule->radius, get_outside(g, solid), g->s->rule->smooth_near_kernel, &wall);
        break;
    default:
        compute_group_shares_of_disc(g, &at, radius, (pd_double2){0, 0}, &wall);
    }
    rotate_gradients_of_group(&wall, &solid->end);
    if (solid->is_body) turn_gradients_ahead(g, solid, &wall);
    add_wall_to_sums(g, &wall, node->item);
}

static void compute_particle_boxes(group *g) {
    const float reach = g->s->reach;
    EACH(k) {
        float x = (float)g->x[k], y = (float)g->y[k];
        g->low_x[k] = x - reach;
        g->low_y[k] = y - reach;
        g->high_x[k] = x + reach;
        g->high_y[k] = y + reach;
    }
}

/* Sums the shares hidden by all walls near a group to g->sum_of_walls. box: bounding box of the particles. */
static void sum_shares_hidden_by_walls(group *g, const pd_box *box) {
    const pd_boxtree *tree = g->s->tree;
    const pd_box wide = pd_walls_widen_box(g->s, box);
    reset_sum_of_walls(&g->sum_of_walls);
    compute_particle_boxes(g);
    if (pd_walls_may_container_hide_share(g->s, &wide)) add_container_to_sums(g);
    for (int n = pd_boxtree_first_overlap(tree, &wide); n >= 0; n = pd_boxtree_next_overlap(tree, &wide, n))
        if (pd_walls_may_solid_hide_share(g->s, tree->nodes[n].item, box)) add_obstacle_to_sums(g, &tree->nodes[n]);
}

/* ---- Weights ---- */

/* The members of pd_wall_weight, for each particle of a group. First index: 0 far kernel, 1 near kernel. */
typedef struct group_weights {
    float hidden[2][GROUP], gain[2][GROUP], slope[2][2][GROUP];
    float part[PD_MOST_WALLS][2][2][GROUP];
} group_weights;

static void multiply_gradients_by_weight(const group_shares *of, float weight, float to[2][2][GROUP]) {
    for (int n = 0; n < 2; n++) {
        EACH(k) {
            to[n][0][k] = weight * (float)of->x[n][k];
            to[n][1][k] = weight * (float)of->y[n][k];
        }
    }
}

static void compute_group_weights(const group *g, group_weights *to) {
    float weight = g->s->rule->weight;
    for (int n = 0; n < 2; n++) {
        EACH(k) {
            double part = (double)weight * g->sum_of_walls.all.value[n][k];
            part = part < MOST_HIDDEN ? part : MOST_HIDDEN;
            to->hidden[n][k] = (float)part;
            to->gain[n][k] = (float)(1 / (1 - part));
        }
    }
    multiply_gradients_by_weight(&g->sum_of_walls.all, weight, to->slope);
    for (int w = 0; w < g->sum_of_walls.most; w++)
        multiply_gradients_by_weight(&g->sum_of_walls.part[w], weight, to->part[w]);
}

static void write_particle_weight(const group *g, const group_weights *from, int k, pd_wall_weight *to) {
    *to = (pd_wall_weight){
        .hidden = {.far = from->hidden[0][k],
                   .near = from->hidden[1][k],
                   .far_slope = {from->slope[0][0][k], from->slope[0][1][k]},
                   .near_slope = {from->slope[1][0][k], from->slope[1][1][k]}},
        .far_gain = from->gain[0][k],
        .near_gain = from->gain[1][k],
        .cohesion = 1,
        .walls = (int)g->sum_of_walls.count[k],
    };
    for (int w = 0; w < to->walls; w++) {
        to->wall[w] = (int)g->wall[w][k];
        if (to->wall[w] >= 0 && g->s->solids[to->wall[w]].is_body)
            to->cohesion = to->hidden.far < RELEASING_SHARE ? 1 - to->hidden.far / RELEASING_SHARE : 0;
        for (int c = 0; c < 2; c++) {
            to->far_slope_of_wall[w][c] = from->part[w][0][c][k];
            to->near_slope_of_wall[w][c] = from->part[w][1][c][k];
        }
    }
}

/* Computes the second derivatives (xx, xy, yy) of the share of the near kernel at (x, y) as differences of gradients, with
 * an error of 1e-3. */
static void compute_near_hessian(group *g, const pd_box *box, const float *x, const float *y, float to[3][GROUP]) {
    const float part = (float)HESSIAN_STEP, step = part * g->s->rule->radius;
    float gradient[2][2][2][GROUP]; /* by direction of the step, sign of the step, coordinate and particle */
    for (int k = 0; k < 2; k++)
        for (int sign = 0; sign < 2; sign++) {
            group_weights w;
            float dx = k == 0 ? step : 0, dy = k == 1 ? step : 0;
            EACH(i) {
                g->x[i] = sign ? x[i] + dx : x[i] - dx;
                g->y[i] = sign ? y[i] + dy : y[i] - dy;
            }
            sum_shares_hidden_by_walls(g, box);
            compute_group_weights(g, &w);
            memcpy(gradient[k][sign], w.slope[1], sizeof w.slope[1]);
        }
    EACH(i) {
        float derivative[2][2];
        for (int k = 0; k < 2; k++)
            for (int n = 0; n < 2; n++) derivative[k][n] = (gradient[k][1][n][i] - gradient[k][0][n][i]) / (2 * part);
        to[0][i] = derivative[0][0];
        to[1][i] = (derivative[0][1] + derivative[1][0]) / 2;
        to[2][i] = derivative[1][1];
    }
}

/* Computes the weights of the particles [begin, end), at most GROUP. Writes those of particles on which walls act to
 * walls->weight, from index `next` on. Returns the index behind the last weight written. */
static uint32_t write_group_weights(const search *s, int begin, int end, uint32_t next) {
    float x[GROUP], y[GROUP], hessian[3][GROUP];
    pd_box box = pd_walls_compute_bounding_box(s, begin, end);
    group g;
    group_weights w;
    g.s = s;
    g.near = s->rule->smooth_near_kernel ? (kernel_polynomial){0.50015, 0.82030, 0.52151, -0.82972}
                                         : (kernel_polynomial){0.50020, 0.38410, -0.80131, 0.25544};
    EACH(k) {
        int i = begin + k < end ? begin + k : begin;
        g.x[k] = x[k] = s->x[i];
        g.y[k] = y[k] = s->y[i];
    }
    sum_shares_hidden_by_walls(&g, &box);
    if (g.sum_of_walls.most > 0) compute_group_weights(&g, &w);
    uint32_t first = next;
    for (int i = begin; i < end; i++) {
        bool hidden_there = g.sum_of_walls.count[i - begin] > 0;
        s->walls->index[i] = hidden_there ? next : 0;
        if (hidden_there) write_particle_weight(&g, &w, i - begin, &s->walls->weight[next++]);
    }
    if (!s->rule->needs_near_hessian || next == first) return next;
    compute_near_hessian(&g, &box, x, y, hessian);
    for (int i = begin; i < end; i++)
        for (int c = 0; s->walls->index[i] && c < 3; c++)
            s->walls->weight[s->walls->index[i]].near_hessian[c] = hessian[c][i - begin];
    return next;
}

void PD_LEVEL_NAME(pd_walls_compute_particle_weights)(void *context, int begin, int end) {
    const search *s = context;
    uint32_t next = (uint32_t)s->walls->chunk[begin / PD_WALLS_GRAIN];
    for (int i = begin; i < end; i += GROUP) /* either all or none of a group are marked */
        if (s->walls->index[i]) next = write_group_weights(s, i, i + GROUP < end ? i + GROUP : end, next);
}
