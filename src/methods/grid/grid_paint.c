/* Painting: adds dye and tracers along the stroke of the pour tool. If the user later selects a particle method, these
 * tracers become the painted liquid. */
#include "core/math.h"
#include "methods/grid/grid.h"
#include "sim/particles/near.h"
#include "sim/tools/stroke.h"

/* Time constant with which dye covers the cells under the pour tool, s. */
static const float PAINT_TIME = 0.05f;
/* Least distance of a new tracer to others, in units of the rest spacing. Discs of this diameter, placed at random
 * until no more fit, cover 0.547 of the plane: as many as at the rest spacing. */
static const float FREE_DISTANCE = 0.834f;

/* Amounts of dye painted in a substep. Unit: area that a tracer has at the rest spacing. */
typedef struct painted_amounts {
    double replaced; /* dye that replaced other dyes */
    double fresh;    /* dye in undyed fluid */
} painted_amounts;

static painted_amounts add_painted_dye(const pd_world *world, grid_state *state, const pd_stroke *s, float dt) {
    float rate = 1 - pd_expf(-dt / PAINT_TIME);
    const pd_mac *mac = state->mac;
    pd_cell_box box = pd_mac_cells_around(mac, s->center, (pd_vec2){s->half_x, s->half_y});
    double replaced = 0, gained = 0;
    for (int j = box.bottom; j <= box.top; j++) {
        for (int i = box.left; i <= box.right; i++) {
            size_t k = pd_element_index(&mac->layout, i, j);
            float d = pd_stroke_distance(s, pd_mac_cell_center(mac, i, j)) / s->radius, others = 0;
            float edge = fminf(fmaxf((1 - d) / 0.3f, 0), 1), amount = rate * edge * edge * (3 - 2 * edge);
            for (int m = 0; m < state->dye_count; m++)
                if (m != world->tool.material) others += state->dye[m][k];
            replaced += (double)(mac->open[k] * amount * others);
            gained += (double)(mac->open[k] * amount * (1 - state->dye[world->tool.material][k]));
            pd_grid_add_dye(state, world->tool.material, k, amount);
        }
    }
    double tracers = mac->grid.cell / (double)world->resolution.spacing;
    tracers *= tracers;
    return (painted_amounts){replaced * tracers, fmax(gained - replaced, 0) * tracers};
}

/* Returns the amount of the tool's dye in the cell that contains p, if p is in the stroke; else 0. */
static float amount_of_painted_dye(const pd_world *world, const grid_state *state, const pd_stroke *s, pd_vec2 p) {
    const pd_grid *g = &state->mac->grid;
    int i = (int)floor((p.x - g->origin.x) / g->cell), j = (int)floor((p.y - g->origin.y) / g->cell);
    if (i < 0 || j < 0 || i >= g->nx || j >= g->ny || !(pd_stroke_distance(s, p) < s->radius)) return 0;
    size_t k = pd_element_index(&state->mac->layout, i, j);
    return state->mac->open[k] > 0 ? state->dye[world->tool.material][k] : 0;
}

/* Returns a number in [0, 1) for the lattice point (i, j). Neighbouring points have evenly spread numbers
 * (low-discrepancy sequence R2 of Roberts 2018). j = 0 gives element i of a one-dimensional sequence. */
static double low_discrepancy_number(double i, double j) {
    double value = 0.7548776662466927 * i + 0.5698402909980532 * j;
    return value - floor(value);
}

/* Rounds `number` up or down, depending on the substep, so that the mean over many substeps is `number`. */
static int round_with_exact_mean(const pd_world *world, double number) {
    return (int)fmin(floor(number + low_discrepancy_number((double)world->substep_total, 0)), PD_MAX_PARTICLES);
}

/* Choice of the `wanted` candidates with the highest scores. It needs no list, but two passes over all candidates: the
 * first counts how many have each score, the second picks those with sufficient scores. Score = amount of dye -
 * low_discrepancy_number. Thus half of the candidates are picked where the dye is 1/2. */
enum { SCORES = 1024 };
typedef struct choice {
    int counts[SCORES]; /* number of candidates, by score */
    int wanted;         /* number of candidates to pick */
    int lowest, ties;   /* lowest score to pick, and number of candidates to pick with exactly this score */
} choice;

static int compute_candidate_score(float dye, double number) {
    return (int)fmin(fmax(((double)dye - number + 1) * (SCORES / 2), 0), SCORES - 1);
}

static void find_lowest_picked_score(choice *choice) {
    int better = 0;
    choice->lowest = SCORES - 1;
    while (choice->lowest > 0 && better + choice->counts[choice->lowest] < choice->wanted)
        better += choice->counts[choice->lowest--];
    choice->ties = choice->wanted - better;
}

static bool pick_candidate(choice *choice, int score) {
    return score > choice->lowest || (score == choice->lowest && choice->ties-- > 0);
}

/* Gives tracers in the stroke the tool's material. Their mean number is `amount`, the replaced dye in areas of
 * tracers. */
static void recolour_tracers_in_stroke(pd_world *world, const grid_state *state, const pd_stroke *s, double amount) {
    pd_particles *p = &world->particles;
    choice choice = {.wanted = round_with_exact_mean(world, amount)};
    for (int pass = 0; pass < 2 && choice.wanted > 0; pass++) {
        for (int n = 0; n < p->count; n++) {
            pd_vec2 point = {p->x[n], p->y[n]};
            if (fabsf(point.x - s->center.x) > s->half_x || fabsf(point.y - s->center.y) > s->half_y) continue;
            float dye = amount_of_painted_dye(world, state, s, point);
            if (p->material[n] == world->tool.material || !(dye > 0)) continue;
            int score = compute_candidate_score(dye, low_discrepancy_number(p->id[n], 0));
            if (pass == 0)
                choice.counts[score]++;
            else if (pick_candidate(&choice, score))
                p->material[n] = (uint8_t)world->tool.material;
        }
        if (pass == 0) find_lowest_picked_score(&choice);
    }
}

/* Returns true if a new tracer fits at a point: in the fluid, and at least FREE_DISTANCE away from other particles. */
static bool is_free_for_tracer(const pd_world *world, const pd_near_particles *near, pd_vec2 point) {
    return pd_boundary_allows_position(world->boundary, point, 0) &&
           !pd_near_particles_occupy_point(world, near, point);
}

/* Adds tracers in the stroke, on a lattice with the rest spacing. Their mean number is `amount`, the fresh dye in areas
 * of tracers. */
static void add_tracers_in_stroke(pd_world *world, const grid_state *state, const pd_stroke *s, double amount) {
    float spacing = world->resolution.spacing, distance = FREE_DISTANCE * spacing;
    /* Limits the lattice to the grid, because the tool may be larger. */
    const pd_grid *g = &state->mac->grid;
    double left = floor(fmax(s->center.x - s->half_x, g->origin.x) / spacing);
    double right = ceil(fmin(s->center.x + s->half_x, g->origin.x + g->nx * g->cell) / spacing);
    double bottom = floor(fmax(s->center.y - s->half_y, g->origin.y) / spacing);
    double top = ceil(fmin(s->center.y + s->half_y, g->origin.y + g->ny * g->cell) / spacing);
    choice choice = {.wanted = pd_world_reserve_new_particles(world, round_with_exact_mean(world, amount))};
    pd_near_particles near =
        pd_near_particles_find(world, s->center, pd_hypotf(s->half_x, s->half_y) + distance, distance);
    for (int pass = 0; pass < 2 && choice.wanted > 0; pass++) {
        for (double j = bottom; j <= top; j++) {
            for (double i = left; i <= right; i++) {
                pd_vec2 point = {(float)((i + 0.5) * spacing), (float)((j + 0.5) * spacing)};
                float dye = amount_of_painted_dye(world, state, s, point);
                if (!(dye > 0) || !is_free_for_tracer(world, &near, point)) continue;
                int score = compute_candidate_score(dye, low_discrepancy_number(i, j));
                if (pass == 0)
                    choice.counts[score]++;
                else if (pick_candidate(&choice, score))
                    pd_particles_add(&world->particles, point, (pd_vec2){0, 0}, world->tool.material);
            }
        }
        if (pass == 0) find_lowest_picked_score(&choice);
    }
}

void pd_grid_paint_dyes(pd_world *world, grid_state *state, float dt) {
    pd_stroke s = pd_stroke_of_step_so_far(world);
    painted_amounts amount = add_painted_dye(world, state, &s, dt);
    recolour_tracers_in_stroke(world, state, &s, amount.replaced);
    add_tracers_in_stroke(world, state, &s, amount.fresh);
}

void pd_grid_erase_dyes(const pd_world *world, grid_state *state) {
    pd_stroke s = pd_stroke_of_step_so_far(world);
    const pd_mac *mac = state->mac;
    pd_cell_box box = pd_mac_cells_around(mac, s.center, (pd_vec2){s.half_x, s.half_y});
    for (int j = box.bottom; j <= box.top; j++)
        for (int i = box.left; i <= box.right; i++) {
            size_t k = pd_element_index(&mac->layout, i, j);
            float left = 1 - pd_stroke_smooth_coverage(&s, pd_mac_cell_center(mac, i, j));
            for (int m = 0; m < state->dye_count; m++) state->dye[m][k] *= left;
        }
}
