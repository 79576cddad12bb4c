/* Inner loops of position based fluids, compiled once for each SIMD level (core/simd.h). All levels give the same bits.
 *
 * Each lane of a vector is a particle of a group (sim/particles/lists.h), and each row of the group's list has one
 * neighbour of each particle. Both particles of a pair compute the same magnitude from the same numbers: displacements
 * are opposite, and momentum is conserved. A particle is in its own list: at distance 0 it contributes to the density
 * but not to displacements. */
#include "methods/pbf/pbf.h"

#include "sim/particles/lists_wide.h"
#include "sim/particles/ramp.h"
#include "sim/walls/walls_wide.h"

#include <math.h>

/* Limit of the displacement of a pair, in units of h. */
static const float FARTHEST = 0.25f;

static void find_lists(void *pass, int begin, int end) {
    const pbf_pass *s = pass;
    pd_list_builder finder;
    pd_list_builder_begin_chunk(&finder, &s->state->fluid.lists, s->neighbours, s->particles, s->h, begin);
    for (int i = begin; i < end; i += PD_LANES) pd_list_builder_build_list(&finder, i);
}

/* Returns the factor by which the relaxation is multiplied and the artificial pressure divided, for particles lighter
 * than 1/PBF_LIGHT: their inverse mass / PBF_LIGHT. It is 1 for other particles. Without it light fluid flies apart (a
 * pool of mass 0.1 did). */
PD_INLINE pd_floatw softening(pd_floatw inverse_mass) {
    return pd_max(pd_mul(inverse_mass, pd_set(1 / PBF_LIGHT)), pd_set(1));
}

/* Kernel W6 without its factor: (1 - r^2)^3. */
PD_INLINE pd_floatw poly6(const pd_pair *p) {
    pd_floatw t = pd_max(pd_sub(pd_set(1), p->r2), pd_set(0));
    return pd_mul(t, pd_mul(t, t));
}

/* The spiky kernel without its factor, (1 - r)^3, and its derivative without factor and sign, (1 - r)^2. */
PD_INLINE pd_floatw spiky(const pd_pair *p) { return pd_mul(p->q, pd_mul(p->q, p->q)); }
PD_INLINE pd_floatw slope_of(const pd_pair *p) { return pd_mul(p->q, p->q); }

/* Returns the sum of max(0, a) over the lanes with a particle. */
PD_INLINE double excess_of(const pd_list *list, pd_floatw a) {
    return (double)pd_sum(pd_zero_unset_lanes(list->live, pd_max(a, pd_set(0))));
}

/* Returns density / rest density of each particle of a group while the rest-density ramp changes the rest densities.
 * ratio: density / the rest density of the parameter. */
static pd_floatw ramped_ratio(const pbf_pass *s, int i, int end, pd_floatw ratio) {
    float lanes[PD_LANES];
    pd_store_all(lanes, ratio);
    for (int k = 0; k < PD_LANES && i + k < end; k++)
        lanes[k] /= pd_density_ramp_factor(s->motion->world, i + k, lanes[k]);
    return pd_load_all(lanes);
}

/* Clamps the constraint c of particles with springs that do not yield, so that it only repels. An attracting constraint
 * would absorb the energy of such springs. Measured: rubber that falls by 0.55 m rises by 0.04 m with attraction, and
 * by 0.21 m without. Particles whose springs yield are attracted: otherwise threads, and layers of different materials,
 * would part in crumbs. */
static pd_floatw repel_unyielding(const pbf_pass *s, int i, int end, pd_floatw c) {
    float lanes[PD_LANES];
    pd_store_all(lanes, c);
    for (int k = 0; k < PD_LANES && i + k < end; k++)
        if (lanes[k] < 0 && s->unyielding[s->particles->material[i + k]]) lanes[k] = 0;
    return pd_load_all(lanes);
}

/* Effect of walls on a group. gain, far_gain: factors of the walls' hidden shares (sim/walls/walls.h). ratio: density /
 * rest density, with the gain. */
typedef struct near_walls {
    pd_floatw gain, far_gain, ratio;
} near_walls;

static void add_walls_to_gradient(const pbf_pass *s, int i, near_walls *w, pd_floatw factor, pd_floatw *slope_x,
                                  pd_floatw *slope_y, pd_floatw *squares) {
    const pd_walls *walls = &s->state->fluid.walls;
    float x[PD_LANES], y[PD_LANES];
    pd_walls_load_gains(walls, i, &w->far_gain, &w->gain);
    w->ratio = pd_mul(w->ratio, w->gain);
    for (int k = 0; k < PD_LANES; k++) {
        const pd_wall_weight *weight = &walls->weight[walls->index[i + k]];
        x[k] = weight->hidden.near_slope[0];
        y[k] = weight->hidden.near_slope[1];
    }
    pd_floatw part = pd_div(w->ratio, factor);
    *slope_x = pd_mul(w->gain, pd_add(*slope_x, pd_mul(part, pd_load_all(x))));
    *slope_y = pd_mul(w->gain, pd_add(*slope_y, pd_mul(part, pd_load_all(y))));
    *squares = pd_mul(*squares, pd_mul(w->gain, w->gain));
}

/* Computes the displacements of a group by its walls, at most FARTHEST. lambda: already times the gain. */
static void push_off_walls(const pbf_pass *s, int i, const near_walls *w, pd_floatw lambda, pd_floatw inverse_mass) {
    const pd_walls *walls = &s->state->fluid.walls;
    float push[PD_LANES];
    pd_store_all(push, pd_mul(pd_mul(lambda, inverse_mass), pd_mul(w->ratio, pd_set(s->h))));
    for (int k = 0; k < PD_LANES; k++) {
        pd_wall_weight *weight = &walls->weight[walls->index[i + k]];
        if (weight->walls == 0) continue;
        const float *slope = weight->hidden.near_slope;
        float length = fabsf(push[k]) * sqrtf(slope[0] * slope[0] + slope[1] * slope[1]);
        weight->near_push = length > FARTHEST * s->h ? push[k] * (FARTHEST * s->h / length) : push[k];
    }
}

PD_INLINE double compute_lambda_group(const pbf_pass *s, int i, int end, bool masses_differ, bool poly) {
    const pd_list list = pd_lists_get_list(&s->state->fluid.lists, i, end);
    pd_floatw own[4], density = pd_set(0), slope_x = pd_set(0), slope_y = pd_set(0), squares = pd_set(0);
    pd_load4(s->state->position[i], 4, own);
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[4];
        pd_gather4(s->state->position, 4, list.offset + (size_t)row * PD_LANES, other);
        pd_pair p = pd_compute_pair(own, other);
        density = pd_add(density, poly ? poly6(&p) : spiky(&p));
        pd_floatw slope = pd_mul(slope_of(&p), p.inverse_r), x = pd_mul(slope, p.dx), y = pd_mul(slope, p.dy);
        slope_x = pd_add(slope_x, x);
        slope_y = pd_add(slope_y, y);
        pd_floatw square = pd_add(pd_mul(x, x), pd_mul(y, y));
        squares = pd_add(squares, masses_differ ? pd_mul(other[2], square) : square);
    }
    pd_floatw factor = pd_mul(pd_set(s->gradient_factor), list.weight);
    if (!masses_differ) squares = pd_mul(own[2], squares);
    /* The particle's own contribution is 1. It may be missing in incomplete lists. */
    density = pd_max(density, pd_set(1));
    pd_floatw ratio = pd_mul(pd_mul(density, pd_set(s->density_factor)), list.weight), one = pd_set(1);
    const bool walls = pd_walls_any_near(&s->state->fluid.walls, i);
    near_walls w = {one, one, ratio};
    if (walls) add_walls_to_gradient(s, i, &w, factor, &slope_x, &slope_y, &squares);
    ratio = w.ratio;
    pd_floatw slopes = pd_mul(own[2], pd_add(pd_mul(slope_x, slope_x), pd_mul(slope_y, slope_y)));
    slopes = pd_mul(pd_add(slopes, squares), pd_mul(factor, factor));
    pd_floatw c = pd_sub(s->ramped ? ramped_ratio(s, i, end, ratio) : ratio, one);
    if (!s->cohesion) c = pd_max(c, pd_set(0));
    if (s->spares_unyielding) c = repel_unyielding(s, i, end, c);
    pd_floatw relaxation = pd_mul(pd_set(s->relaxation), softening(own[2]));
    pd_floatw lambda = pd_div(pd_sub(pd_set(0), c), pd_add(slopes, relaxation));
    if (walls) {
        lambda = pd_mul(lambda, w.gain);
        push_off_walls(s, i, &w, lambda, own[2]);
    }
    pd_store4(s->state->lambda[i], 4, (pd_floatw[4]){own[0], own[1], lambda, own[2]});
    return excess_of(&list, pd_sub(ratio, one));
}

static void compute_lambda(void *pass, int begin, int end) {
    const pbf_pass *s = pass;
    double excess = 0;
    if (s->poly)
        for (int i = begin; i < end; i += PD_LANES) excess += compute_lambda_group(s, i, end, true, true);
    else if (s->masses_differ)
        for (int i = begin; i < end; i += PD_LANES) excess += compute_lambda_group(s, i, end, true, false);
    else
        for (int i = begin; i < end; i += PD_LANES) excess += compute_lambda_group(s, i, end, false, false);
    s->state->excess[begin / PD_LIST_GRAIN] = excess;
}

PD_INLINE pd_floatw power(pd_floatw a, int exponent) {
    pd_floatw result = pd_set(1);
    if (exponent == 8) {
        for (int k = 0; k < 3; k++) a = pd_mul(a, a);
        return a;
    }
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = pd_mul(result, a);
        a = pd_mul(a, a);
    }
    return result;
}

/* Compile-time constants of the displacement loop, which is compiled once for each combination in use. */
typedef struct displacement_kind {
    bool artificial, eighth; /* artificial pressure is on; its exponent is 8 */
    bool light;              /* some particles are light: softening() is not 1 */
} displacement_kind;

PD_INLINE void compute_displacement_group(const pbf_pass *s, int i, int end, displacement_kind k) {
    const pd_list list = pd_lists_get_list(&s->state->fluid.lists, i, end);
    pd_floatw own[4], move_x = pd_set(0), move_y = pd_set(0);
    pd_load4(s->state->lambda[i], 4, own);
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[4];
        pd_gather4(s->state->lambda, 4, list.offset + (size_t)row * PD_LANES, other);
        pd_pair p = pd_compute_pair(own, other);
        pd_floatw slope = pd_mul(slope_of(&p), pd_set(s->gradient_factor)), lambda = pd_add(own[2], other[2]);
        if (k.artificial) {
            /* t is clamped from below so that its powers do not become denormal, which is slow; at and beyond the
             * radius the slope is 0. */
            pd_floatw t = pd_max(pd_mul(pd_sub(pd_set(1), p.r2), pd_set(s->inverse_reach)), pd_set(0.1f));
            pd_floatw nearness = power(pd_mul(t, pd_mul(t, t)), k.eighth ? 8 : s->exponent);
            pd_floatw strength = pd_set(s->strength);
            if (k.light) strength = pd_div(strength, softening(pd_max(own[3], other[3])));
            lambda = pd_sub(lambda, pd_mul(nearness, strength));
        }
        pd_floatw d = pd_min(pd_max(pd_mul(lambda, slope), pd_set(-FARTHEST)), pd_set(FARTHEST));
        d = pd_mul(d, p.inverse_r);
        move_x = pd_add(move_x, pd_mul(d, p.dx));
        move_y = pd_add(move_y, pd_mul(d, p.dy));
    }
    pd_floatw scale = pd_mul(pd_mul(pd_set(s->h), own[3]), list.weight);
    pbf_state *state = s->state;
    move_x = pd_mul(move_x, scale);
    move_y = pd_mul(move_y, scale);
    if (pd_walls_any_near(&state->fluid.walls, i)) pd_walls_add_displacements(&state->fluid.walls, i, &move_x, &move_y);
    move_x = pd_add(pd_load_all(state->correction_x + i), move_x);
    move_y = pd_add(pd_load_all(state->correction_y + i), move_y);
    pd_floatw x = pd_add(pd_load_all(s->particles->x + i), move_x);
    pd_floatw y = pd_add(pd_load_all(s->particles->y + i), move_y);
    pd_store_all(state->correction_x + i, move_x);
    pd_store_all(state->correction_y + i, move_y);
    pd_store_all(state->corrected_x + i, x);
    pd_store_all(state->corrected_y + i, y);
    pd_floatw h = pd_set(s->inverse_h);
    pd_store4(state->position[i], 4, (pd_floatw[4]){pd_mul(x, h), pd_mul(y, h), own[3], pd_set(0)});
}

static void displace_particles(void *pass, int begin, int end) {
    const pbf_pass *s = pass;
    const bool artificial = s->strength > 0, eighth = s->exponent == 8;
    if (artificial && s->light)
        for (int i = begin; i < end; i += PD_LANES)
            compute_displacement_group(s, i, end, (displacement_kind){true, false, true});
    else if (artificial && eighth)
        for (int i = begin; i < end; i += PD_LANES)
            compute_displacement_group(s, i, end, (displacement_kind){true, true, false});
    else if (artificial)
        for (int i = begin; i < end; i += PD_LANES)
            compute_displacement_group(s, i, end, (displacement_kind){true, false, false});
    else
        for (int i = begin; i < end; i += PD_LANES)
            compute_displacement_group(s, i, end, (displacement_kind){false, false, false});
}

/* Compile-time constants of the smoothing loop, which is compiled once for each combination in use. */
typedef struct kind {
    bool viscous, masses_differ, vortical, viscosities_differ;
} kind;

PD_INLINE double smooth_group(const pbf_pass *s, int i, int end, kind k) {
    const pd_list list = pd_lists_get_list(&s->state->fluid.lists, i, end);
    pd_floatw own[4], own_velocity[4], density = pd_set(0), drag_x = pd_set(0), drag_y = pd_set(0), curl = pd_set(0);
    pd_load4(s->state->position[i], 4, own);
    pd_load4(s->state->velocity[i], 4, own_velocity);
    pd_floatw twice = pd_add(own[2], own[2]);
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[4], other_velocity[4];
        pd_gather4(s->state->position, 4, list.offset + (size_t)row * PD_LANES, other);
        pd_pair p = pd_compute_pair(own, other);
        pd_floatw w = poly6(&p);
        density = pd_add(density, s->poly ? w : spiky(&p));
        if (!k.viscous && !k.vortical) continue;
        pd_gather4(s->state->velocity, 4, list.offset + (size_t)row * PD_LANES, other_velocity);
        pd_floatw vx = pd_sub(other_velocity[0], own_velocity[0]), vy = pd_sub(other_velocity[1], own_velocity[1]);
        if (k.vortical) {
            pd_floatw slope = pd_mul(slope_of(&p), p.inverse_r);
            curl = pd_add(curl, pd_mul(slope, pd_sub(pd_mul(vy, p.dx), pd_mul(vx, p.dy))));
        }
        /* 2 mj/(mi + mj): particle i's share of the velocity that XSPH exchanges. */
        if (k.masses_differ) w = pd_mul(w, pd_div(twice, pd_add(own[2], other[2])));
        if (k.viscosities_differ) w = pd_mul(w, other_velocity[2]);
        drag_x = pd_add(drag_x, pd_mul(w, vx));
        drag_y = pd_add(drag_y, pd_mul(w, vy));
    }
    pd_floatw n = pd_mul(pd_mul(pd_max(density, pd_set(1)), pd_set(s->density_factor)), list.weight);
    if (pd_walls_any_near(&s->state->fluid.walls, i)) {
        pd_floatw far_gain, gain;
        pd_walls_load_gains(&s->state->fluid.walls, i, &far_gain, &gain);
        n = pd_mul(n, gain);
    }
    pd_store(list.live, s->particles->density + i, pd_mul(n, pd_set(s->rest_density)));
    if (k.viscous) {
        pd_floatw part = pd_set(s->xsph * s->smoothing_factor);
        if (k.viscosities_differ) part = pd_mul(own_velocity[2], pd_set(s->smoothing_factor));
        pd_store(list.live, s->particles->vx + i, pd_add(own_velocity[0], pd_mul(drag_x, part)));
        pd_store(list.live, s->particles->vy + i, pd_add(own_velocity[1], pd_mul(drag_y, part)));
    }
    if (k.vortical) {
        curl = pd_mul(pd_mul(curl, pd_set(s->gradient_factor * s->inverse_h)), list.weight);
        pd_store4(s->state->lambda[i], 4, (pd_floatw[4]){own[0], own[1], curl, own[2]});
    }
    return excess_of(&list, pd_sub(n, pd_set(1)));
}

static void smooth_velocities(void *pass, int begin, int end) {
    const pbf_pass *s = pass;
    double excess = 0;
    bool viscous = s->xsph > 0, vortical = s->vorticity > 0;
    if (vortical || s->viscosities_differ)
        for (int i = begin; i < end; i += PD_LANES)
            excess += smooth_group(s, i, end, (kind){true, s->masses_differ, vortical, s->viscosities_differ});
    else if (viscous && s->masses_differ)
        for (int i = begin; i < end; i += PD_LANES) excess += smooth_group(s, i, end, (kind){true, true, false, false});
    else if (viscous)
        for (int i = begin; i < end; i += PD_LANES)
            excess += smooth_group(s, i, end, (kind){true, false, false, false});
    else
        for (int i = begin; i < end; i += PD_LANES)
            excess += smooth_group(s, i, end, (kind){false, false, false, false});
    s->state->excess[begin / PD_LIST_GRAIN] = excess;
}

/* Vorticity confinement: a force perpendicular to the gradient of |curl|, in the curl's sense of rotation (eq. 15, 16).
 * The gradient is divided by its length plus CURL_PART |curl|, which weakens the force where the gradient is small, as
 * in a drop in rigid rotation. */
static const float CURL_PART = 0.5f;

PD_INLINE void confine_group(const pbf_pass *s, int i, int end) {
    const pd_list list = pd_lists_get_list(&s->state->fluid.lists, i, end);
    pd_floatw own[4], x = pd_set(0), y = pd_set(0), none = pd_set(0);
    pd_load4(s->state->lambda[i], 4, own);
    pd_floatw curl_size = pd_max(own[2], pd_sub(none, own[2]));
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[4];
        pd_gather4(s->state->lambda, 4, list.offset + (size_t)row * PD_LANES, other);
        pd_pair p = pd_compute_pair(own, other);
        pd_floatw growth = pd_sub(pd_max(other[2], pd_sub(none, other[2])), curl_size);
        pd_floatw slope = pd_mul(pd_mul(slope_of(&p), p.inverse_r), growth);
        x = pd_add(x, pd_mul(slope, p.dx));
        y = pd_add(y, pd_mul(slope, p.dy));
    }
    pd_floatw length2 = pd_add(pd_mul(x, x), pd_mul(y, y));
    pd_floatw length = pd_add(pd_add(pd_sqrt(length2), pd_mul(curl_size, pd_set(CURL_PART))), pd_set(1e-20f));
    pd_floatw force = pd_div(pd_mul(pd_set(s->vorticity), own[2]), length);
    pd_store(list.live, s->particles->vx + i, pd_add(pd_load_all(s->particles->vx + i), pd_mul(force, y)));
    pd_store(list.live, s->particles->vy + i, pd_sub(pd_load_all(s->particles->vy + i), pd_mul(force, x)));
}

static void confine_vorticity(void *pass, int begin, int end) {
    for (int i = begin; i < end; i += PD_LANES) confine_group(pass, i, end);
}

const pbf_kernels PD_LEVEL_NAME(pbf_kernels) = {
    .find = find_lists,
    .compute_lambda = compute_lambda,
    .displace = displace_particles,
    .smooth = smooth_velocities,
    .confine = confine_vorticity,
};
