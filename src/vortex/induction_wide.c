/* Compiled once for each SIMD level (core/simd.h): the field of the vortices at chunks of positions.
 *
 * Walls are treated by looking at the vortices from other places ("views"): the images of all vortices at a position are
 * the vortices themselves at that position's image. In a circle it is z* = R^2/conj(z), in a box the position reflected.
 * So direct sums, tree and cores need no second form for images. */
#include "core/simd.h"
#include "vortex/induction_discs.h"

#include <string.h>

enum {
    LEAF = PD_VORTEX_LEAF,
    CHUNK = PD_VORTEX_CHUNK,
    LEAVES = CHUNK / LEAF,
    LEVELS = 3,             /* of a chunk: 16 leaves, 4 nodes, 1 */
    NODES = LEAVES + 4 + 1, /* of a chunk */
    NEAR = 256,             /* nodes that are handed down, at most */
    DEEP = 4 * PD_VORTEX_DEPTH,
    RUN = 64, /* vortices whose sum is formed before it is added to the total: less rounding */
};

/* Positions of a chunk in a view, and the field there. */
typedef struct view {
    const pd_vortex_field *field;
    int count;
    float x[CHUNK], y[CHUNK];
    float k[CHUNK];                     /* cores squared seem smaller by this factor */
    float a[CHUNK], b[CHUNK], e[CHUNK]; /* sums of g dx/r^2, g dy/r^2 (with cores), g exp(-r^2/c^2) */
    float re[CHUNK], im[CHUNK];         /* the field by expansions */
    pd_vortex_node node[NODES];         /* discs around positions, level by level from the whole; reach: the greatest
                                          k^(-1/2); radius < 0: nothing to do */
} view;

/* ---- Pairs ---- */

/* 1 - exp(-16 t) for 0 <= t <= 1.1: a polynomial for 1 - exp(-t), and (1 - p^2) = (1 - p)(2 - (1 - p)) four times. Relative
 * error below 4e-7 also for small t. */
static inline pd_floatw core_factor(pd_floatw t) {
    pd_floatw p = pd_set(-0.0008780735079199076f), two = pd_set(2);
    p = pd_add(pd_mul(p, t), pd_set(0.007755898404866457f));
    p = pd_add(pd_mul(p, t), pd_set(-0.041352104395627975f));
    p = pd_add(pd_mul(p, t), pd_set(0.1665877103805542f));
    p = pd_add(pd_mul(p, t), pd_set(-0.4999926686286926f));
    p = pd_add(pd_mul(p, t), pd_set(0.9999998807907104f));
    p = pd_mul(p, t);
    for (int i = 0; i < 4; i++) p = pd_mul(p, pd_sub(two, p));
    return p;
}

typedef struct position {
    pd_floatw x, y, k;
} position;

typedef struct sums {
    pd_floatw a, b, e;
} sums;

/* The square of the smallest distance that is told from 0; its fourth power is a float. */
static const float least_r2 = 1e-18f;
static const float most_t = 17.5f / 16; /* 1 - exp(-16 t) is 1 */

/* Adds vortices begin .. end - 1, two at a time, since one division then serves both. */
PD_INLINE void add_pairs(const pd_vortex_field *f, int begin, int end, bool cores, position at, sums *total) {
    sums s = {pd_set(0), pd_set(0), pd_set(0)};
    pd_floatw least = pd_set(least_r2), one = pd_set(1), most = pd_set(most_t);
    for (int i = begin; i < end; i += 2) {
        pd_floatw dx[2], dy[2], r2[2], w[2];
        for (int j = 0; j < 2; j++) {
            dx[j] = pd_sub(at.x, pd_set(f->x[i + j]));
            dy[j] = pd_sub(at.y, pd_set(f->y[i + j]));
            r2[j] = pd_max(pd_add(pd_mul(dx[j], dx[j]), pd_mul(dy[j], dy[j])), least);
        }
        pd_floatw inverse = pd_div(one, pd_mul(r2[0], r2[1]));
        for (int j = 0; j < 2; j++) {
            pd_floatw g = pd_set(f->g[i + j]);
            if (cores) {
                pd_floatw t = pd_mul(pd_mul(r2[j], at.k), pd_set(f->k[i + j])), full = g;
                g = pd_mul(g, core_factor(pd_min(t, most)));
                s.e = pd_add(s.e, pd_sub(full, g));
            }
            w[j] = pd_mul(g, pd_mul(inverse, r2[1 - j]));
            s.a = pd_add(s.a, pd_mul(w[j], dx[j]));
            s.b = pd_add(s.b, pd_mul(w[j], dy[j]));
        }
    }
    total->a = pd_add(total->a, s.a);
    total->b = pd_add(total->b, s.b);
    total->e = pd_add(total->e, s.e);
}

static void add_vortices(const pd_vortex_field *f, int begin, int end, bool cores, position at, sums *total) {
    for (int from = begin; from < end; from += RUN) {
        int to = end - from < RUN ? end : from + RUN;
        if (cores)
            add_pairs(f, from, to, true, at, total);
        else
            add_pairs(f, from, to, false, at, total);
    }
}

/* Whether cores of a node are felt somewhere in a disc of positions. */
static inline bool feels_cores(const pd_vortex_node *s, const pd_vortex_node *t) {
    float dx = s->x - t->x, dy = s->y - t->y, reach = s->radius + t->radius + s->reach * t->reach;
    return s->reach > 0 && dx * dx + dy * dy < reach * reach;
}

/* All vortices, at the positions of a leaf. Neighbouring leaves that need the same code make one run. */
static void add_all(const pd_vortex_field *f, const pd_vortex_node *t, position at, sums *total) {
    for (int from = 0; from < f->leaves;) {
        bool cores = feels_cores(&f->node[from], t);
        int to = from + 1;
        while (to < f->leaves && feels_cores(&f->node[to], t) == cores) to++;
        add_vortices(f, from * LEAF, to * LEAF, cores, at, total);
        from = to;
    }
}

/* ---- Expansions ---- */

/* A local expansion is the sum of L_l ((z - c) / radius)^l about the centre c of a node of positions. Its lanes are summed
 * when it is complete. */
typedef struct local {
    pd_floatw re[PD_VORTEX_ORDER], im[PD_VORTEX_ORDER];
    int nodes[LEAF], waiting; /* nodes whose multipoles are yet to be added, 16 at a time */
    bool used;
} local;

typedef struct complexw {
    pd_floatw re, im;
} complexw;

static inline complexw times(complexw a, complexw b) {
    return (complexw){pd_sub(pd_mul(a.re, b.re), pd_mul(a.im, b.im)), pd_add(pd_mul(a.re, b.im), pd_mul(a.im, b.re))};
}
static inline complexw scaled(complexw a, pd_floatw b) { return (complexw){pd_mul(a.re, b), pd_mul(a.im, b)}; }

/* The multipoles of the waiting nodes, one in each lane. With t = s - c, 1/(z - s)^(k+1) = (-1)^(k+1) t^(-k-1) times the sum
 * of binomial(k + l, l) ((z - c)/t)^l (Greengard, Rokhlin 1987, lemma 2.4). With A_k = M_k (-radius/t)^k the sums over k of
 * binomial(k + l, l) A_k are the first elements after l + 1 passes of suffix sums. */
static void add_multipoles(const pd_vortex_field *f, const pd_vortex_node *target, local *to) {
    int order = f->order, count = to->waiting;
    uint32_t offsets[LEAF];
    for (int i = 0; i < LEAF; i++) offsets[i] = 4 * (uint32_t)to->nodes[i < count ? i : 0];
    pd_floatw node[4], four[4], zero = pd_set(0);
    pd_gather4(f->node, sizeof *f->node / sizeof(float), offsets, node);
    complexw t = {pd_sub(node[0], pd_set(target->x)), pd_sub(node[1], pd_set(target->y))};
    pd_floatw r2 = pd_add(pd_mul(t.re, t.re), pd_mul(t.im, t.im)), inverse = pd_div(pd_set(1), r2);
    complexw minus = {pd_sub(zero, pd_mul(t.re, inverse)), pd_mul(t.im, inverse)}; /* -1/t */
    complexw q = scaled(minus, node[2]), power = q;
    pd_floatw re[PD_VORTEX_ORDER], im[PD_VORTEX_ORDER];
    for (int k = 0; k < order; k += 2) {
        pd_gather4(f->multipole + 2 * k, 2 * (size_t)order, offsets, four);
        complexw m = {four[0], four[1]}, next = {four[2], four[3]};
        if (k > 0) {
            m = times(m, power);
            power = times(power, q);
        }
        next = times(next, power);
        power = times(power, q);
        re[k] = m.re, im[k] = m.im;
        re[k + 1] = next.re, im[k + 1] = next.im;
    }
    complexw h = {pd_mask(pd_span(0, count), minus.re), pd_mask(pd_span(0, count), minus.im)};
    complexw step = scaled(minus, pd_set(-target->radius));
    for (int l = 0; l < order; l++) {
        for (int k = order - 2; k >= 0; k--) {
            re[k] = pd_add(re[k], re[k + 1]);
            im[k] = pd_add(im[k], im[k + 1]);
        }
        complexw term = times(h, (complexw){re[0], im[0]});
        to->re[l] = to->used ? pd_add(to->re[l], term.re) : term.re;
        to->im[l] = to->used ? pd_add(to->im[l], term.im) : term.im;
        h = times(h, step);
    }
    to->used = true;
    to->waiting = 0;
}

/* Adds the expansion to the field at the positions of leaves first .. last - 1. */
static void add_local(view *v, const pd_vortex_node *target, const local *from, int first, int last) {
    int order = v->field->order;
    float re[PD_VORTEX_ORDER], im[PD_VORTEX_ORDER];
    for (int l = 0; l < order; l++) {
        re[l] = pd_sum(from->re[l]);
        im[l] = pd_sum(from->im[l]);
    }
    pd_floatw scale = pd_set(target->radius > 0 ? 1 / target->radius : 0);
    for (int i = first * LEAF; i < last * LEAF; i += LEAF) {
        complexw z = {pd_mul(pd_sub(pd_load_all(v->x + i), pd_set(target->x)), scale),
                      pd_mul(pd_sub(pd_load_all(v->y + i), pd_set(target->y)), scale)};
        complexw sum = {pd_set(re[order - 1]), pd_set(im[order - 1])};
        for (int l = order - 2; l >= 0; l--) {
            sum = times(sum, z);
            sum.re = pd_add(sum.re, pd_set(re[l]));
            sum.im = pd_add(sum.im, pd_set(im[l]));
        }
        pd_store_all(v->re + i, pd_add(pd_load_all(v->re + i), sum.re));
        pd_store_all(v->im + i, pd_add(pd_load_all(v->im + i), sum.im));
    }
}

/* ---- Both trees at once (Dehnen 2002) ---- */

/* The terms of both expansions decrease at least by 1/separation, that of the smaller disc faster. */
static inline bool separated(const pd_vortex_field *f, const pd_vortex_node *s, const pd_vortex_node *t) {
    float dx = s->x - t->x, dy = s->y - t->y, large = larger(s->radius, t->radius),
          small = lesser(s->radius, t->radius);
    float distance = larger(large * f->separation + small, large + small + s->reach * t->reach);
    return dx * dx + dy * dy > larger(distance * distance, least_r2);
}

/* Where the nodes of a level begin in view.node. */
static const int first_node[LEVELS] = {5, 1, 0};

/* Handles a node and those below it: far ones go to the local expansion. At a leaf of positions near vortices are summed;
 * above, near nodes go to `near`, those that are larger than the disc of positions split. `room`: for how many more;
 * without room nodes stay whole, and are split farther down. */
static int divide(view *v, int node, const pd_vortex_node *target, bool is_leaf, position at, sums *total, local *to,
                  int *near, int room) {
    const pd_vortex_field *f = v->field;
    int stack[DEEP], depth = 0, count = 0;
    stack[depth++] = node;
    while (depth > 0) {
        int n = stack[--depth];
        const pd_vortex_node *s = &f->node[n];
        int children = f->children[n];
        if (separated(f, s, target)) {
            to->nodes[to->waiting++] = n;
            if (to->waiting == LEAF) add_multipoles(f, target, to);
        } else if (children && (is_leaf || (s->radius > target->radius && count + depth + children <= room))) {
            for (int i = children - 1; i >= 0; i--) stack[depth++] = f->child[n] + i;
        } else if (is_leaf) {
            add_vortices(f, f->child[n], f->child[n] + LEAF, feels_cores(s, target), at, total);
        } else {
            near[count++] = n;
        }
    }
    return count;
}

static void walk(view *v, int level, int index, const int *nodes, int count) {
    const pd_vortex_node *target = &v->node[first_node[level] + index];
    if (target->radius < 0) return;
    int near[NEAR], found = 0, leaves = 1 << 2 * level, first = index * leaves;
    bool is_leaf = level == 0;
    sums total = {pd_set(0), pd_set(0), pd_set(0)};
    position at = {pd_set(0), pd_set(0), pd_set(0)};
    if (is_leaf)
        at = (position){pd_load_all(v->x + first * LEAF), pd_load_all(v->y + first * LEAF),
                        pd_load_all(v->k + first * LEAF)};
    local to;
    to.waiting = 0;
    to.used = false;
    if (is_leaf && v->field->direct)
        add_all(v->field, target, at, &total);
    else
        for (int i = 0; i < count; i++)
            found +=
                divide(v, nodes[i], target, is_leaf, at, &total, &to, near + found, NEAR - found - (count - 1 - i));
    if (to.waiting > 0) add_multipoles(v->field, target, &to);
    int last = first + leaves, all = v->count / LEAF;
    if (to.used) add_local(v, target, &to, first, last < all ? last : all);
    if (is_leaf) {
        pd_store_all(v->a + first * LEAF, total.a);
        pd_store_all(v->b + first * LEAF, total.b);
        pd_store_all(v->e + first * LEAF, total.e);
        return;
    }
    for (int i = 4 * index; i < 4 * index + 4 && i << 2 * (level - 1) < all; i++) walk(v, level - 1, i, near, found);
}

/* The field in the view, for positions whose leaves are not left out. */
static void look(view *v) {
    memset(v->re, 0, sizeof v->re);
    memset(v->im, 0, sizeof v->im);
    memset(v->a, 0, sizeof v->a);
    memset(v->b, 0, sizeof v->b);
    memset(v->e, 0, sizeof v->e);
    int root = v->field->nodes - 1;
    if (v->field->direct)
        for (int i = 0; i < v->count / LEAF; i++) walk(v, 0, i, &root, 1);
    else
        walk(v, LEVELS - 1, 0, &root, 1);
    for (int i = 0; i < v->count; i++) {
        v->re[i] += v->a[i];
        v->im[i] -= v->b[i];
    }
}

/* ---- Views ---- */

/* Discs around the positions of a view. Leaves whose positions are all `inner` are left out. */
static void set_nodes(view *v, const bool *inner) {
    for (int i = 0; i < NODES; i++) v->node[i].radius = -1;
    for (int leaf = 0; leaf < v->count / LEAF; leaf++) {
        int begin = leaf * LEAF, left_out = 0;
        for (int i = begin; i < begin + LEAF; i++) left_out += inner && inner[i];
        if (left_out == LEAF) continue;
        pd_vortex_node *node = &v->node[first_node[0] + leaf];
        *node = disc_of(v->x + begin, v->y + begin);
        float k[LEAF];
        for (int i = 0; i < LEAF; i++) k[i] = -v->k[begin + i];
        node->reach = 1 / sqrtf(larger(-greatest(k), least_r2));
    }
    for (int level = 1; level < LEVELS; level++)
        for (int i = first_node[level]; i < first_node[level - 1]; i++)
            v->node[i] = disc_around(&v->node[first_node[level - 1] + 4 * (i - first_node[level])], 4);
}

static void look_directly(view *v, const pd_vortex_reflection *r, const float *x, const float *y, float *re,
                          float *im) {
    for (int i = 0; i < v->count; i++) {
        v->x[i] = r->sx * (x[i] - r->x);
        v->y[i] = r->sy * (y[i] - r->y);
        v->k[i] = 1;
    }
    set_nodes(v, NULL);
    look(v);
    for (int i = 0; i < v->count; i++) { /* re is v, and im is u */
        re[i] += r->weight * r->sy * v->re[i];
        im[i] += r->weight * r->sx * v->im[i];
    }
}

/* ---- Circle ---- */

/* Distance from the centre of a circle, in radii, within which positions are `inner`: their images are far away, and what they
 * give is a difference of large numbers. They use the expansion about the centre, whose terms decrease by this factor. */
static const float inner_distance = 0.6f;
/* Cores whose reach is below this fraction of the radius are not felt in images at inner positions: 1 - inner_distance, and
 * a little less. */
static const float inner_reach = 0.38f;

/* Positions z* = R^2/conj(z); of inner ones some other place that is far away. */
static void invert(view *v, const float *x, const float *y, bool *inner) {
    double square = (double)v->field->radius * (double)v->field->radius,
           least = square * (double)(inner_distance * inner_distance);
    for (int i = 0; i < v->count; i++) {
        double px = (double)x[i], py = (double)y[i], r2 = px * px + py * py;
        r2 = r2 > 1e-30 ? r2 : 1e-30;
        double inverse = 1 / r2, factor = r2 < least ? sqrt(square * square / least * inverse) : square * inverse;
        inner[i] = r2 < least;
        v->x[i] = (float)(px * factor);
        v->y[i] = (float)(py * factor);
        v->k[i] = (float)((r2 < least ? least : r2) / square);
    }
}

/* The images' field, by the circle theorem: with F the field of the vortices, G their sum and E that of what their cores
 * take away at z*, (R^2/z conj(F(z*)) - G + E)/z inside, and with a vortex G at the centre, outside. */
static void add_images(const view *v, const float *x, const float *y, const bool *inner, float *re, float *im) {
    const pd_vortex_field *f = v->field;
    float square = f->radius * f->radius, total = f->kind == PD_WALLS_IN_CIRCLE ? f->total : 0;
    for (int i = 0; i < v->count; i++) {
        float r2 = larger(x[i] * x[i] + y[i] * y[i], least_r2), zx = x[i] / r2, zy = -y[i] / r2;
        float a = square * (zx * v->re[i] + zy * v->im[i]) - (total - v->e[i]);
        float b = square * (zy * v->re[i] - zx * v->im[i]);
        re[i] += inner[i] ? 0 : zx * a - zy * b;
        im[i] += inner[i] ? 0 : zx * b + zy * a;
    }
}

/* sum of c_k z^k, k < count; coefficients are pairs of real and imaginary part. */
static complexw polynomial(const float *c, int count, complexw z) {
    complexw sum = {pd_set(c[2 * (count - 1)]), pd_set(c[2 * count - 1])};
    for (int k = count - 2; k >= 0; k--) {
        sum = times(sum, z);
        sum.re = pd_add(sum.re, pd_set(c[2 * k]));
        sum.im = pd_add(sum.im, pd_set(c[2 * k + 1]));
    }
    return sum;
}

/* What cores take away from the images at 16 inner positions: g conj(a)/D exp(-|D|^2/(R c)^2), D = R^2 - conj(a) z. Only
 * cores that reach across most of the circle do. */
static complexw core_images(const pd_vortex_field *f, complexw z) {
    complexw sum = {pd_set(0), pd_set(0)};
    pd_floatw square = pd_set(f->radius * f->radius), least = pd_set(least_r2), most = pd_set(most_t);
    for (int i = 0; i < f->count; i++) {
        if (i % LEAF == 0 && f->node[i / LEAF].reach < inner_reach * f->radius) {
            i += LEAF - 1;
            continue;
        }
        pd_floatw ax = pd_set(f->x[i]), ay = pd_set(f->y[i]);
        pd_floatw dx = pd_sub(square, pd_add(pd_mul(ax, z.re), pd_mul(ay, z.im)));
        pd_floatw dy = pd_sub(pd_mul(ay, z.re), pd_mul(ax, z.im));
        pd_floatw d2 = pd_max(pd_add(pd_mul(dx, dx), pd_mul(dy, dy)), least);
        pd_floatw t = pd_mul(pd_div(d2, square), pd_set(f->k[i])), g = pd_set(f->g[i]);
        pd_floatw w = pd_div(pd_sub(g, pd_mul(g, core_factor(pd_min(t, most)))), d2);
        sum.re = pd_add(sum.re, pd_mul(w, pd_sub(pd_mul(ax, dx), pd_mul(ay, dy))));
        sum.im = pd_sub(sum.im, pd_mul(w, pd_add(pd_mul(ax, dy), pd_mul(ay, dx))));
    }
    return sum;
}

/* The images' field at inner positions: sum of g conj(a)/(R^2 - conj(a) z), expanded about the centre. */
static void add_inner(const pd_vortex_field *f, int count, const float *x, const float *y, const bool *inner, float *re,
                      float *im) {
    float c[2 * PD_VORTEX_INNER];
    for (int k = 0; k < PD_VORTEX_INNER; k++) {
        c[2 * k] = f->moment[2 * k + 2] / f->radius;
        c[2 * k + 1] = -f->moment[2 * k + 3] / f->radius;
    }
    pd_floatw scale = pd_set(1 / f->radius);
    for (int begin = 0; begin < count; begin += LEAF) {
        int some = 0;
        for (int i = begin; i < begin + LEAF; i++) some += inner[i];
        if (some == 0) continue;
        complexw z = {pd_load_all(x + begin), pd_load_all(y + begin)};
        complexw sum = polynomial(c, PD_VORTEX_INNER, scaled(z, scale)), less = core_images(f, z);
        float a[LEAF], b[LEAF];
        pd_store_all(a, pd_sub(sum.re, less.re));
        pd_store_all(b, pd_sub(sum.im, less.im));
        for (int i = 0; i < LEAF; i++) {
            re[begin + i] += inner[begin + i] ? a[i] : 0;
            im[begin + i] += inner[begin + i] ? b[i] : 0;
        }
    }
}

/* ---- Box ---- */

static void add_far_reflections(const pd_vortex_field *f, int count, const float *x, const float *y, float *re,
                                float *im) {
    pd_floatw scale = pd_set(1 / f->far_radius), one = pd_set(1);
    for (int i = 0; i < count; i += LEAF) {
        complexw z = {pd_mul(pd_load_all(x + i), scale), pd_mul(pd_load_all(y + i), scale)};
        pd_floatw r = pd_sqrt(pd_add(pd_mul(z.re, z.re), pd_mul(z.im, z.im)));
        z = scaled(z, pd_div(one, pd_max(one, r))); /* outside the walls as at them */
        complexw sum = polynomial(f->local, PD_VORTEX_FAR, z);
        pd_store_all(re + i, pd_add(pd_load_all(re + i), sum.re));
        pd_store_all(im + i, pd_add(pd_load_all(im + i), sum.im));
    }
}

void PD_LEVEL_NAME(pd_vortex_evaluate)(const pd_vortex_field *f, int count, const float *x, const float *y, float *re,
                                       float *im) {
    view v;
    v.field = f;
    v.count = count;
    for (int i = 0; i < count; i++) re[i] = im[i] = 0;
    for (int r = 0; r < f->reflections; r++) look_directly(&v, &f->reflection[r], x, y, re, im);
    if (f->kind == PD_WALLS_IN_BOX) add_far_reflections(f, count, x, y, re, im);
    if (f->kind != PD_WALLS_IN_CIRCLE && f->kind != PD_WALLS_OUT_OF_DISC) return;
    bool inner[CHUNK];
    invert(&v, x, y, inner);
    set_nodes(&v, inner);
    look(&v);
    add_images(&v, x, y, inner, re, im);
    if (f->kind == PD_WALLS_IN_CIRCLE) add_inner(f, count, x, y, inner, re, im);
}
