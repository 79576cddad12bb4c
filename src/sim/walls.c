#include "sim/walls.h"

#include "core/error.h"
#include "core/memory.h"
#include "sim/polygon.h"
#include "sim/solid.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 2048, BLOCK = 16, MOST_CANDIDATES = 64, MOST_CHORDS = 256 };

static const double MOST_HIDDEN = 0.75; /* in a corner of 90 degrees, and the bound of the gains */
static const double BEND_STEP = 0.01;   /* h: between the slopes from which second derivatives are found */

static int chunks_of(int capacity) { return capacity / GRAIN + 1; }

static pd_wall_weight open_water(void) { return (pd_wall_weight){.far_gain = 1, .near_gain = 1}; }

pd_result pd_walls_reserve(pd_walls *walls, int capacity, pd_error *error) {
    pd_walls larger = *walls;
    larger.index = pd_allocate((size_t)capacity + PD_PADDING, sizeof *larger.index);
    larger.chunk = pd_allocate((size_t)chunks_of(capacity), sizeof *larger.chunk);
    if (!walls->weight) {
        larger.capacity = 1;
        larger.weight = pd_allocate(larger.capacity, sizeof *larger.weight);
    }
    if (!larger.index || !larger.chunk || !larger.weight) {
        pd_free(larger.index);
        pd_free(larger.chunk);
        if (!walls->weight) pd_free(larger.weight);
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d particles (use fewer)", capacity);
    }
    larger.weight[0] = open_water();
    pd_free(walls->index);
    pd_free(walls->chunk);
    *walls = larger;
    return PD_OK;
}

void pd_walls_free(pd_walls *walls) {
    pd_free(walls->index);
    pd_free(walls->weight);
    pd_free(walls->chunk);
    *walls = (pd_walls){0};
}

/* ---- The hidden part of a disc of radius 1 ---- */

/* A value and its derivative. */
typedef struct slope {
    double value, derivative;
} slope;

/* Both kernels' fractions. */
typedef struct fractions {
    slope far, near;
} fractions;

/* (1 - s)^power (a + b s + c s^2 + d s^3). */
static slope fit(double s, int power, double a, double b, double c, double d) {
    double u = 1 - s, u2 = u * u * (power > 3 ? u : 1), sum = a + s * (b + s * (c + s * d));
    return (slope){u2 * u * sum, u2 * (u * (b + s * (2 * c + 3 * s * d)) - power * sum)};
}

/* The part beyond a straight line at distance s >= 0: polynomials within 3e-4 of the closed integrals. */
static fractions beyond(double s, bool smooth) {
    if (!(s < 1)) return (fractions){0};
    return (fractions){
        .far = fit(s, 3, 0.50026, 0.20479, -0.47872, 0),
        .near =
            smooth ? fit(s, 4, 0.50015, 0.82030, 0.52151, -0.82972) : fit(s, 4, 0.50020, 0.38410, -0.80131, 0.25544),
    };
}

static slope opposite(slope a) { return (slope){1 - a.value, a.derivative}; }

/* The same with s < 0 where the line is behind. */
static fractions half_plane(double s, bool smooth) {
    fractions part = beyond(fabs(s), smooth);
    return s < 0 ? (fractions){opposite(part.far), opposite(part.near)} : part;
}

/* The part between parallel lines at the coordinates low and high; derivatives are with respect to the disc's own
 * coordinate. */
static fractions slab(double low, double high, bool smooth) {
    if (!(low < high)) return (fractions){0};
    fractions from = half_plane(low, smooth), to = half_plane(high, smooth);
    return (fractions){{from.far.value - to.far.value, to.far.derivative - from.far.derivative},
                       {from.near.value - to.near.value, to.near.derivative - from.near.derivative}};
}

/* Ratio of what a disc of radius R hides to what a half-plane does at the same distance s; curvature: 1/R. Fitted to
 * quadratures for curvatures up to 5: within 0.03. */
static slope convexity(double s, double curvature) {
    double inside = s > 0 ? s : 0, u = 1 - inside, small = curvature * curvature * curvature / 104;
    double a = 1 + curvature * (0.3 + 0.7 * inside), b = 1 + small * u * u, value = 1 / (sqrt(a) * b);
    double relative = s > 0 ? 2 * small * u / b - 0.35 * curvature / a : 0;
    return (slope){value, value * relative};
}

static slope product(slope a, slope b) {
    return (slope){a.value * b.value, a.derivative * b.value + a.value * b.derivative};
}

/* ---- Walls ---- */

/* The fractions that a wall hides of the far and the near kernel, as doubles, with gradients times h. */
typedef pd_hidden_parts hidden;

/* A fraction that depends on the distance along (nx, ny), into the fluid. */
static hidden along(fractions f, double nx, double ny) {
    return (hidden){{f.far.value, f.near.value},
                    {f.far.derivative * nx, f.near.derivative * nx},
                    {f.far.derivative * ny, f.near.derivative * ny}};
}

/* What is hidden by a rectangle, from the slabs along both axes: exact for long sides and, at a corner of it, on its
 * surface. */
static hidden rectangle(fractions across, fractions lengthwise) {
    return (hidden){{across.far.value * lengthwise.far.value, across.near.value * lengthwise.near.value},
                    {lengthwise.far.derivative * across.far.value, lengthwise.near.derivative * across.near.value},
                    {across.far.derivative * lengthwise.far.value, across.near.derivative * lengthwise.near.value}};
}

/* How much two walls overlap, as a multiple of the product of what they hide. Walls at a right angle hide independent parts:
 * what one leaves open is hidden by the other in the same proportion. Opposite walls, of a gap, do not overlap. */
static double overlap(const hidden *a, const hidden *b, int kernel) {
    double dot = a->x[kernel] * b->x[kernel] + a->y[kernel] * b->y[kernel];
    double a2 = a->x[kernel] * a->x[kernel] + a->y[kernel] * a->y[kernel];
    double b2 = b->x[kernel] * b->x[kernel] + b->y[kernel] * b->y[kernel];
    return dot < 0 ? 1 + dot / sqrt(a2 * b2) : 1;
}

/* Adds a wall to what `count` walls hide; part: each one's part of the slope, of which the last is the new one's. */
static void add_wall(hidden *all, hidden part[], int count, const hidden *wall) {
    for (int k = 0; k < 2; k++) {
        double common = count > 0 ? overlap(all, wall, k) : 0;
        double open = 1 - common * wall->value[k], rest = 1 - common * all->value[k];
        all->value[k] = all->value[k] * open + wall->value[k];
        all->x[k] = all->x[k] * open + wall->x[k] * rest;
        all->y[k] = all->y[k] * open + wall->y[k] * rest;
        for (int w = 0; w < count; w++) {
            part[w].x[k] *= open;
            part[w].y[k] *= open;
        }
        part[count].x[k] = wall->x[k] * rest;
        part[count].y[k] = wall->y[k] * rest;
    }
}

static void turn(hidden *a, const pd_pose *pose) {
    for (int k = 0; k < 2; k++) {
        pd_double2 slope = pd_turned(pose, (pd_double2){a->x[k], a->y[k]});
        a->x[k] = slope.x;
        a->y[k] = slope.y;
    }
}

typedef struct search {
    pd_walls *walls;
    const pd_world *world;
    const pd_walls_rule *rule;
    pd_container container;
    const pd_solid *solids;
    const pd_boxtree *tree;
    const float *x, *y; /* of the particles, m */
    float reach;        /* m: walls farther away hide nothing */
} search;

static hidden container_hides(const search *s, double x, double y) {
    const pd_container *c = &s->container;
    bool smooth = s->rule->smooth;
    double h = s->rule->radius, outside = s->rule->outside;
    if (c->shape == PD_CONTAINER_CIRCLE) {
        double length = sqrt(x * x + y * y), nx = length > 0 ? -x / length : 0, ny = length > 0 ? -y / length : 0;
        return along(half_plane(((double)c->radius - length) / h + outside, smooth), nx, ny);
    }
    hidden all = {0}, part[4];
    int count = 0;
    if (c->shape != PD_CONTAINER_BOX) return all;
    double right = (double)c->width / 2, top = (double)c->height / 2;
    const double distance[4] = {right + x, right - x, top + y, top - y};
    for (int side = 0; side < 4; side++) {
        double d = distance[side] / h + outside, sign = side & 1 ? -1 : 1;
        if (!(d < 1)) continue;
        hidden wall = along(half_plane(d, smooth), side < 2 ? sign : 0, side < 2 ? 0 : sign);
        add_wall(&all, part, count++, &wall);
    }
    return all;
}

/* A disc of this radius (units of h) whose centre is at -(x, y) from the particle. */
static hidden disc_hides(double radius, double x, double y, bool smooth) {
    double length = sqrt(x * x + y * y), s = length - radius;
    if (!(radius > 0 && s < 1)) return (hidden){0};
    fractions f = half_plane(s, smooth);
    slope ratio = convexity(s, 1 / radius);
    f = (fractions){product(f.far, ratio), product(f.near, ratio)};
    return along(f, length > 0 ? x / length : 0, length > 0 ? y / length : 1);
}

/* Chords hide no more than their length where another one continues them; a free end is as long as it is thick. */
static hidden chord_hides(const pd_solid *solid, int number, double x, double y, double thick, const search *s) {
    double h = s->rule->radius;
    const pd_chord *chord = &solid->chords[number];
    double length = chord->length, cx = x - chord->begin.x, cy = y - chord->begin.y;
    if (!(length > 0)) return disc_hides(thick, cx / h, cy / h, s->rule->smooth);
    pd_double2 t = chord->along;
    double at = (cx * t.x + cy * t.y) / h, off = (cy * t.x - cx * t.y) / h;
    double begin = number == 0 ? thick : 0, end = number == solid->chord_count - 1 ? thick : 0;
    double low = -begin - at, high = length / h + end - at;
    if (low >= 1 || high <= -1 || fabs(off) >= 1 + thick) return (hidden){0};
    hidden part = rectangle(slab(-thick - off, thick - off, s->rule->smooth), slab(low, high, s->rule->smooth));
    for (int k = 0; k < 2; k++) {
        double along_t = part.x[k], across_t = part.y[k];
        part.x[k] = along_t * t.x - across_t * t.y;
        part.y[k] = along_t * t.y + across_t * t.x;
    }
    return part;
}

static void add_chord(hidden *sum, const hidden *part) {
    for (int k = 0; k < 2; k++) {
        sum->value[k] += part->value[k];
        sum->x[k] += part->x[k];
        sum->y[k] += part->y[k];
    }
}

/* Chords that are found for a block of particles, as nodes of their tree; NULL: the tree is asked for each particle. */
typedef struct chords {
    const int *node;
    int count;
} chords;

static hidden polyline_hides(const search *s, const pd_solid *solid, chords near, double x, double y, double thick) {
    hidden sum = {0};
    double r = (double)s->reach + solid->radius;
    pd_box box = {(float)(x - r), (float)(y - r), (float)(x + r), (float)(y + r)};
    const pd_boxtree *tree = &solid->chord_tree;
    for (int k = 0; near.node && k < near.count; k++) {
        const pd_boxnode *node = &tree->nodes[near.node[k]];
        if (!pd_box_touches(&node->box, &box)) continue;
        hidden part = chord_hides(solid, node->item, x, y, thick, s);
        add_chord(&sum, &part);
    }
    if (near.node) return sum;
    for (int n = pd_boxtree_first(tree, &box); n >= 0; n = pd_boxtree_next(tree, &box, n)) {
        hidden part = chord_hides(solid, tree->nodes[n].item, x, y, thick, s);
        add_chord(&sum, &part);
    }
    return sum;
}

static hidden solid_hides(const search *s, const pd_solid *solid, chords near, double x, double y) {
    double h = s->rule->radius, outside = s->rule->outside, seconds = pd_boundary_seconds(s->world->boundary);
    bool smooth = s->rule->smooth;
    pd_double2 p = pd_to_local(&solid->end, (pd_double2){x, y});
    if (s->rule->ahead != 0 && seconds > 0 && solid->shift > 0) {
        pd_double2 before = pd_to_world(&solid->begin, p), moved = pd_minus((pd_double2){x, y}, before);
        p = pd_to_local(&solid->end, pd_along((pd_double2){x, y}, -s->rule->ahead / seconds, moved));
    }
    hidden wall;
    switch (solid->obstacle.area.shape) {
    case PD_SHAPE_BOX: {
        double a = solid->half.x / h - outside, b = solid->half.y / h - outside;
        wall = rectangle(slab(-b - p.y / h, b - p.y / h, smooth), slab(-a - p.x / h, a - p.x / h, smooth));
        break;
    }
    case PD_SHAPE_POLYLINE:
        wall = polyline_hides(s, solid, near, p.x, p.y, solid->radius / h - outside);
        break;
    case PD_SHAPE_POLYGON:
        wall = pd_polygon_hides(solid, p, h, outside, smooth);
        break;
    default:
        wall = disc_hides(solid->radius / h - outside, p.x / h, p.y / h, smooth);
    }
    turn(&wall, &solid->end);
    return wall;
}

/* ---- Of a particle ---- */

static bool hides(const hidden *wall) { return wall->value[0] > 0 || wall->value[1] > 0; }

static void scale(const hidden *wall, float weight, float far[2], float near[2]) {
    far[0] = weight * (float)wall->x[0];
    far[1] = weight * (float)wall->y[0];
    near[0] = weight * (float)wall->x[1];
    near[1] = weight * (float)wall->y[1];
}

/* Obstacles whose boxes touch the box of some particles: nodes of the tree, in its order. With many obstacles the way down the
 * tree costs more than the few that it finds. */
typedef struct candidates {
    int count; /* MOST_CANDIDATES + 1: too many, the tree is asked for each particle */
    int node[MOST_CANDIDATES];
    chords chords[MOST_CANDIDATES]; /* of polylines that stand still */
    int chord_count, chord[MOST_CHORDS];
} candidates;

static pd_box box_of(const search *s, int begin, int end) {
    const float *x = s->x, *y = s->y;
    pd_box box = {x[begin], y[begin], x[begin], y[begin]};
    for (int i = begin + 1; i < end; i++) {
        box.low_x = x[i] < box.low_x ? x[i] : box.low_x;
        box.high_x = x[i] > box.high_x ? x[i] : box.high_x;
        box.low_y = y[i] < box.low_y ? y[i] : box.low_y;
        box.high_y = y[i] > box.high_y ? y[i] : box.high_y;
    }
    return box;
}

static pd_box widened(const search *s, pd_box box) {
    return (pd_box){box.low_x - s->reach, box.low_y - s->reach, box.high_x + s->reach, box.high_y + s->reach};
}

/* The chords of a polyline whose boxes touch the box of the particles, in the order of the tree; false: there are none. */
static bool find_chords(const search *s, const pd_solid *solid, const pd_box *box, candidates *found, chords *near) {
    *near = (chords){0};
    if (solid->obstacle.area.shape != PD_SHAPE_POLYLINE || solid->shift > 0) return true;
    pd_box local = pd_solid_local_box(solid, box, solid->radius + 2 * BEND_STEP * (double)s->rule->radius);
    const pd_boxtree *tree = &solid->chord_tree;
    int begin = found->chord_count, next = begin;
    for (int n = pd_boxtree_first(tree, &local); n >= 0; n = pd_boxtree_next(tree, &local, n)) {
        if (next == MOST_CHORDS) return true;
        found->chord[next++] = n;
    }
    *near = (chords){found->chord + begin, next - begin};
    found->chord_count = next;
    return next > begin;
}

static void find_candidates(const search *s, int begin, int end, candidates *found) {
    pd_box box = widened(s, box_of(s, begin, end));
    found->count = found->chord_count = 0;
    for (int n = pd_boxtree_first(s->tree, &box); n >= 0; n = pd_boxtree_next(s->tree, &box, n)) {
        chords near;
        if (!find_chords(s, &s->solids[s->tree->nodes[n].item], &box, found, &near)) continue;
        if (found->count < MOST_CANDIDATES) {
            found->node[found->count] = n;
            found->chords[found->count] = near;
        }
        if (++found->count > MOST_CANDIDATES) return;
    }
}

/* The next node from number *k on whose box touches a particle's, and its chords; -1: there is none. */
static int next_near(const search *s, const candidates *near, const pd_box *box, int *k, chords *of) {
    *of = (chords){0};
    if (near->count > MOST_CANDIDATES) return *k = pd_boxtree_next(s->tree, box, *k);
    while (++*k < near->count) {
        if (!pd_box_touches(&s->tree->nodes[near->node[*k]].box, box)) continue;
        *of = near->chords[*k];
        return near->node[*k];
    }
    return -1;
}

/* What the walls near a place hide; false: nothing. */
static bool find_weight(const search *s, const candidates *around, pd_vec2 p, pd_wall_weight *w) {
    hidden part[PD_MOST_WALLS], all = {0}, wall = container_hides(s, p.x, p.y);
    *w = open_water();
    if (hides(&wall)) {
        w->wall[0] = PD_CONTAINER_WALL;
        add_wall(&all, part, w->walls++, &wall);
    }
    pd_box box = {p.x - s->reach, p.y - s->reach, p.x + s->reach, p.y + s->reach};
    int at = -1;
    chords of;
    for (int n = next_near(s, around, &box, &at, &of); n >= 0 && w->walls < PD_MOST_WALLS;
         n = next_near(s, around, &box, &at, &of)) {
        int item = s->tree->nodes[n].item;
        wall = solid_hides(s, &s->solids[item], of, p.x, p.y);
        if (!hides(&wall)) continue;
        w->wall[w->walls] = item;
        add_wall(&all, part, w->walls++, &wall);
    }
    if (w->walls == 0) return false;
    float weight = s->rule->weight;
    double far = fmin((double)weight * all.value[0], MOST_HIDDEN);
    double near = fmin((double)weight * all.value[1], MOST_HIDDEN);
    w->hidden = (pd_hidden){.far = (float)far, .near = (float)near};
    w->far_gain = (float)(1 / (1 - far));
    w->near_gain = (float)(1 / (1 - near));
    scale(&all, weight, w->hidden.far_slope, w->hidden.near_slope);
    for (int k = 0; k < w->walls; k++) scale(&part[k], weight, w->far_part[k], w->near_part[k]);
    return true;
}

/* Whether the container or the box of an obstacle is within reach of any of the particles [begin, end). */
static bool walls_near(const search *s, int begin, int end) {
    pd_box all = box_of(s, begin, end), box = widened(s, all);
    const pd_container *c = &s->container;
    float most_x = fmaxf(-all.low_x, all.high_x), most_y = fmaxf(-all.low_y, all.high_y);
    float far_x = most_x + s->reach, far_y = most_y + s->reach;
    if (c->shape == PD_CONTAINER_CIRCLE) {
        float far = c->radius - s->reach;
        if (!(far > 0 && most_x * most_x + most_y * most_y < far * far)) return true;
    }
    if (c->shape == PD_CONTAINER_BOX && !(far_x < c->width / 2 && far_y < c->height / 2)) return true;
    for (int n = pd_boxtree_first(s->tree, &box); n >= 0; n = pd_boxtree_next(s->tree, &box, n))
        if (pd_solid_touches(&s->solids[s->tree->nodes[n].item], &box)) return true;
    return false;
}

/* Marks the particles in blocks with walls near, and counts them by chunk. */
static void mark_range(void *context, int begin, int end) {
    const search *s = context;
    uint32_t *index = s->walls->index;
    int marked = 0;
    for (int block = begin; block < end; block += BLOCK) {
        int last = block + BLOCK < end ? block + BLOCK : end;
        bool near = walls_near(s, block, last);
        for (int i = block; i < last; i++) index[i] = near;
        if (near) marked += last - block;
    }
    s->walls->chunk[begin / GRAIN] = marked;
}

/* Second derivatives, from the slopes around the place: they are within 1e-3. */
static void bend(const search *s, const candidates *around, pd_vec2 p, pd_wall_weight *w) {
    const float part = (float)BEND_STEP, step = part * s->rule->radius;
    pd_wall_weight low, high;
    float slope[2][2]; /* by direction of the step */
    for (int k = 0; k < 2; k++) {
        pd_vec2 d = {k == 0 ? step : 0, k == 1 ? step : 0};
        find_weight(s, around, (pd_vec2){p.x - d.x, p.y - d.y}, &low);
        find_weight(s, around, (pd_vec2){p.x + d.x, p.y + d.y}, &high);
        for (int n = 0; n < 2; n++) slope[k][n] = (high.hidden.near_slope[n] - low.hidden.near_slope[n]) / (2 * part);
    }
    w->near_bend[0] = slope[0][0];
    w->near_bend[1] = (slope[0][1] + slope[1][0]) / 2;
    w->near_bend[2] = slope[1][1];
}

static void weigh_range(void *context, int begin, int end) {
    const search *s = context;
    uint32_t next = (uint32_t)s->walls->chunk[begin / GRAIN];
    for (int block = begin; block < end; block += BLOCK) {
        int last = block + BLOCK < end ? block + BLOCK : end;
        candidates near;
        if (!s->walls->index[block]) continue; /* of a block all are marked, or none */
        find_candidates(s, block, last, &near);
        for (int i = block; i < last; i++) {
            pd_vec2 place = {s->x[i], s->y[i]};
            bool hidden_there = find_weight(s, &near, place, &s->walls->weight[next]);
            if (hidden_there && s->rule->bent) bend(s, &near, place, &s->walls->weight[next]);
            s->walls->index[i] = hidden_there ? next++ : 0;
        }
    }
}

/* Replaces the numbers of marked particles by chunk by the indices of their first weights; returns how many weights there
 * are. */
static size_t place_chunks(pd_walls *walls, int count) {
    size_t next = 1;
    for (int c = 0; c * GRAIN < count; c++) {
        int marked = walls->chunk[c];
        walls->chunk[c] = (int)next;
        next += (size_t)marked;
    }
    return next;
}

static bool grow(pd_walls *walls, size_t needed) {
    if (needed <= walls->capacity) return true;
    size_t capacity = needed + needed / 4;
    pd_wall_weight *weight = pd_allocate(capacity, sizeof *weight);
    if (!weight) return false;
    weight[0] = open_water();
    pd_free(walls->weight);
    walls->weight = weight;
    walls->capacity = capacity;
    return true;
}

void pd_walls_find(pd_walls *walls, pd_world *world, const pd_walls_rule *rule) {
    int count = world->particles.count, solids;
    search s = {
        .walls = walls,
        .world = world,
        .rule = rule,
        .container = pd_boundary_container(world->boundary),
        .solids = pd_boundary_solids(world->boundary, &solids),
        .tree = pd_boundary_tree(world->boundary),
        .x = rule->x ? rule->x : world->particles.x,
        .y = rule->y ? rule->y : world->particles.y,
        .reach = rule->radius * (1 - rule->outside),
    };
    memset(walls->index + count, 0, PD_PADDING * sizeof *walls->index); /* read in groups */
    if (rule->weight > 0) {
        pd_parallel_for(world->pool, count, GRAIN, mark_range, &s);
        if (grow(walls, place_chunks(walls, count))) {
            pd_parallel_for(world->pool, count, GRAIN, weigh_range, &s);
            return;
        }
    }
    memset(walls->index, 0, (size_t)count * sizeof *walls->index);
}

void pd_walls_react(const pd_impulses *impulses, int begin, int grain, const pd_wall_weight *weight, float mass) {
    double far = -(double)(weight->far_push * mass), near = -(double)(weight->near_push * mass);
    for (int k = 0; k < weight->walls; k++)
        pd_impulse_add(impulses, begin, grain, weight->wall[k],
                       far * weight->far_part[k][0] + near * weight->near_part[k][0],
                       far * weight->far_part[k][1] + near * weight->near_part[k][1]);
}
