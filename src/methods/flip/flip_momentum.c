/* Conservation of the momentum of bodies of liquid that touch no wall.
 *
 * The pressure assumes a fluid of uniform density with a smooth surface, but the particles' masses at the faces vary. A
 * drop in free flight would gain a little momentum in each substep. The change of a body's momentum by pressure is
 * subtracted, spread evenly over its mass. Effects of the tool and of gravity remain. */
#include "methods/flip/flip.h"

#include <string.h>

enum { NONE = -1 };

static bool is_body_away_from_walls(const flip_run *body) { return !(body->marks & FLIP_AT_WALL); }

/* Returns the root of a run in union-find. */
static int find_root_run(flip_run *runs, int run) {
    while (runs[run].parent != run) {
        runs[run].parent = runs[runs[run].parent].parent;
        run = runs[run].parent;
    }
    return run;
}

static void join_bodies_of_runs(flip_run *runs, int a, int b) {
    a = find_root_run(runs, a);
    b = find_root_run(runs, b);
    if (a < b)
        runs[b].parent = a;
    else
        runs[a].parent = b;
}

/* Finds the runs of cells with particles around in row j. Returns false if there are more than state->run_capacity. */
static bool find_runs_of_row(flip_state *state, int j) {
    const pd_layout *l = &state->mac->layout;
    const uint8_t *marks = state->marks + pd_element_index(l, 0, j);
    for (int i = 0; i < l->nx;) {
        uint64_t any;
        memcpy(&any, marks + i, sizeof any);
        if (!any) {
            i += 8;
            continue;
        }
        if (!(marks[i] & FLIP_TOUCHED)) {
            i++;
            continue;
        }
        int begin = i;
        uint8_t all = 0;
        for (; i < l->nx && marks[i] & FLIP_TOUCHED; i++) all |= marks[i];
        if (state->run_count == state->run_capacity) return false;
        state->runs[state->run_count] =
            (flip_run){.row = j, .begin = begin, .end = i, .parent = state->run_count, .marks = all};
        state->run_count++;
    }
    return true;
}

/* Adds the momentum and mass at the left and lower faces of a run's cells to *x, *y, *mass_x and *mass_y. The left and
 * lower faces of a body's cells are all its faces, except for faces on the grid's border, which only bodies at walls
 * have. */
static void add_momentum_of_run(const flip_state *state, const flip_run *run, const float *u, const float *v, double *x,
                                double *y, double *mass_x, double *mass_y) {
    size_t row = pd_element_index(&state->mac->layout, 0, run->row);
    for (size_t k = row + (size_t)run->begin; k < row + (size_t)run->end; k++) {
        double of_u = (double)state->pair_x[2 * k + 1], of_v = (double)state->pair_y[2 * k + 1];
        *mass_x += of_u;
        *mass_y += of_v;
        *x += of_u * (double)u[k];
        *y += of_v * (double)v[k];
    }
}

/* With more runs than state->run_capacity, free_bodies stays 0, and the momentum of bodies is not conserved. */
void pd_flip_find_liquid_bodies(flip_state *state) {
    const pd_layout *l = &state->mac->layout;
    flip_run *runs = state->runs;
    state->run_count = state->free_bodies = 0;
    int before = 0, here = 0;
    for (int j = 0; j < l->ny; j++) {
        if (!find_runs_of_row(state, j)) return;
        int end = state->run_count;
        for (int a = before, b = here; a < here && b < end;) {
            if (runs[a].begin < runs[b].end && runs[b].begin < runs[a].end) join_bodies_of_runs(runs, a, b);
            if (runs[a].end < runs[b].end)
                a++;
            else
                b++;
        }
        before = here;
        here = end;
    }
    for (int r = 0; r < state->run_count; r++) {
        int root = find_root_run(runs, r);
        runs[r].parent = root;
        runs[root].marks |= runs[r].marks;
    }
    for (int r = 0; r < state->run_count; r++) {
        flip_run *body = &runs[runs[r].parent];
        if (!is_body_away_from_walls(body)) continue;
        state->free_bodies++;
        add_momentum_of_run(state, &runs[r], state->mac->u, state->mac->v, &body->momentum_x, &body->momentum_y,
                            &body->mass_x, &body->mass_y);
    }
}

void pd_flip_damp_bodies_at_walls(flip_state *state, float lost_fraction, float reference_speed) {
    const float scale = 1 / reference_speed;
    for (int r = 0; r < state->run_count; r++) {
        const flip_run *run = &state->runs[r];
        if (!(state->runs[run->parent].marks & FLIP_AT_WALL)) continue;
        size_t row = pd_element_index(&state->mac->layout, 0, run->row);
        float *u = state->mac->u + row, *v = state->mac->v + row;
        for (int i = run->begin; i < run->end; i++) {
            float x = u[i] * scale, y = v[i] * scale;
            u[i] -= u[i] * (lost_fraction / (1 + x * x));
            v[i] -= v[i] * (lost_fraction / (1 + y * y));
        }
    }
}

void pd_flip_restore_momentum_of_free_bodies(flip_state *state, float *u, float *v) {
    flip_run *runs = state->runs;
    if (!state->free_bodies) return;
    for (int r = 0; r < state->run_count; r++) runs[r].now_x = runs[r].now_y = 0;
    for (int r = 0; r < state->run_count; r++) {
        flip_run *body = &runs[runs[r].parent];
        double mass_x = 0, mass_y = 0;
        if (is_body_away_from_walls(body))
            add_momentum_of_run(state, &runs[r], u, v, &body->now_x, &body->now_y, &mass_x, &mass_y);
    }
    for (int r = 0; r < state->run_count; r++) {
        const flip_run *body = &runs[runs[r].parent];
        if (!is_body_away_from_walls(body) || !(body->mass_x > 0) || !(body->mass_y > 0)) continue;
        float by_x = (float)((body->momentum_x - body->now_x) / body->mass_x);
        float by_y = (float)((body->momentum_y - body->now_y) / body->mass_y);
        size_t row = pd_element_index(&state->mac->layout, 0, runs[r].row);
        for (size_t k = row + (size_t)runs[r].begin; k < row + (size_t)runs[r].end; k++) {
            u[k] += state->pair_x[2 * k + 1] > 0 ? by_x : 0;
            v[k] += state->pair_y[2 * k + 1] > 0 ? by_y : 0;
        }
    }
}
