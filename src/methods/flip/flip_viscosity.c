/* Viscosity of FLIP: implicit diffusion of each component of the velocity, by the solver of the pressure equation:
 *
 *     sum over the neighbours of a (u - u') + u = u before,    a = viscosity dt/cell^2
 *
 * u': velocity at a neighbouring face. The surface and free-slip walls exchange no momentum with the liquid. At no-slip
 * walls u' is the wall's velocity. */
#include "methods/flip/flip.h"

#include <math.h>
#include <string.h>

static const float LARGEST = 1e6f; /* limit of a = viscosity dt/cell^2, above which the velocities no longer change */

/* Adds the term a (u - u') for the neighbour `other` to the equation of face `at`. known: the neighbour's velocity is
 * part of the equations; otherwise u' is the velocity wall[other] of a no-slip wall, or (wall is NULL) there is no such
 * term. */
static void add_viscous_exchange(const flip_state *state, size_t at, size_t other, bool known, const float *wall,
                                 float a, float *face) {
    pd_poisson *p = state->mac->poisson;
    if (known) {
        *face = a;
    } else if (!state->mac->slip && wall) {
        p->open[at] += a;
        p->rhs[at] += a * wall[other];
    }
}

/* Returns true if a face's velocity diffuses: the face is open and has particles around. */
static bool is_diffusing_face(const float *open, const float *number, size_t at) {
    return open[at] > 0 && number[at] > 0;
}

static void diffuse_component(flip_state *state, bool vertical, float a, const pd_poisson_method *method,
                              pd_pool *pool) {
    pd_mac *mac = state->mac;
    pd_poisson *p = mac->poisson;
    const pd_layout *l = &mac->layout;
    const size_t up = (size_t)l->stride, bytes = l->count * sizeof(float);
    const float *open = vertical ? mac->open_y : mac->open_x, *number = vertical ? state->number_y : state->number_x;
    const float *wall = vertical ? mac->wall_y : mac->wall_x;
    float *velocity = vertical ? mac->v : mac->u;
    memset(p->face_x, 0, bytes);
    memset(p->face_y, 0, bytes);
    memset(p->open, 0, bytes);
    memset(p->rhs, 0, bytes);
    memcpy(p->q, velocity, bytes);
    for (int j = vertical; j < l->ny; j++)
        for (int i = !vertical; i < l->nx; i++) {
            size_t at = pd_element_index(l, i, j);
            if (!is_diffusing_face(open, number, at)) continue;
            p->open[at] += 1;
            p->rhs[at] += velocity[at];
            const size_t others[4] = {at - 1, at + 1, at - up, at + up};
            float *const faces[4] = {p->face_x + at, p->face_x + at + 1, p->face_y + at, p->face_y + at + up};
            const bool within[4] = {i > !vertical, i<l->nx - 1, j> vertical, j < l->ny - 1};
            for (int k = 0; k < 4; k++) {
                bool known = within[k] && is_diffusing_face(open, number, others[k]);
                /* A wall parallel to the face's velocity is half a cell away, which doubles a. */
                bool along = vertical == (k < 2);
                const float *beside = open[others[k]] > 0 ? NULL : wall;
                add_viscous_exchange(state, at, others[k], known, beside, known || !along ? a : 2 * a, faces[k]);
            }
        }
    pd_poisson_prepare(p, pool);
    pd_poisson_solve(p, method, pool, NULL);
    for (int j = vertical; j < l->ny; j++)
        for (int i = !vertical; i < l->nx; i++) {
            size_t at = pd_element_index(l, i, j);
            if (is_diffusing_face(open, number, at)) velocity[at] = p->q[at];
        }
}

void pd_flip_diffuse_velocities(flip_state *state, float viscosity, float dt, const pd_poisson_method *method,
                                pd_pool *pool) {
    float cell = (float)state->mac->grid.cell, a = fminf(viscosity * dt / (cell * cell), LARGEST);
    if (!(a > 0)) return;
    diffuse_component(state, false, a, method, pool);
    diffuse_component(state, true, a, method, pool);
}
