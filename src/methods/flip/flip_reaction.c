/* Impulses of FLIP's liquid on the walls.
 *
 * All walls together get the momentum at the faces after forces minus that of the particles at the end of the substep.
 * This includes pressure, friction and contacts. It is divided among the walls in proportion to the impulses of the
 * grid's pressure. The pressure's impulses alone differ by some per cent, because the mass of a face's particles
 * differs from that of the face's fluid. */
#include "mac/coupling.h"
#include "mac/film.h"
#include "mac/reaction.h"
#include "methods/flip/flip.h"

#include "core/math.h"
#include "sim/walls/solid.h"

void pd_flip_store_momentum_at_faces(flip_state *state) {
    const pd_mac *mac = state->mac;
    double x = 0, y = 0;
    for (size_t k = 0; k < mac->layout.count; k++) {
        x += (double)state->pair_x[2 * k + 1] * (double)mac->u[k];
        y += (double)state->pair_y[2 * k + 1] * (double)mac->v[k];
    }
    state->momentum = (pd_double2){x, y};
}

static pd_double2 sum_particle_momentum(const flip_loop_data *s) {
    const pd_particles *p = s->particles;
    int inside = s->start[s->state->mac->layout.ny * s->state->columns];
    pd_double2 sum = {0, 0};
    for (int i = 0; i < inside; i++) {
        double mass = (double)s->mass[p->material[i]];
        sum.x += mass * (double)p->vx[i];
        sum.y += mass * (double)p->vy[i];
    }
    return sum;
}

void pd_flip_add_wall_impulses(const flip_loop_data *s) {
    const pd_impulses *impulses = pd_boundary_impulses(s->world->boundary);
    pd_mac *mac = s->state->mac;
    const pd_liquid liquid = pd_flip_make_liquid_arguments(s);
    const double density = (double)(s->rest_density * (s->has_mixed_masses ? 1 : s->mass[0]));
    const pd_vec2 g = s->world->scene.gravity;
    pd_mac_pressure pressure = {.q = s->state->pressure,
                                .unit = density * (double)s->cell,
                                .weight = {density * (double)(s->dt * g.x), density * (double)(s->dt * g.y)},
                                .liquid = &liquid};
    pd_double2 now = sum_particle_momentum(s), rest = {s->state->momentum.x - now.x, s->state->momentum.y - now.y};
    double all = 0, *sum = impulses->chunk;
    pd_mac_add_wall_impulses(mac, s->world->boundary, impulses, &pressure);
    for (int w = 0; w < impulses->walls; w++) {
        all += pd_hypot(sum[PD_IMPULSE_PARTS * w], sum[PD_IMPULSE_PARTS * w + 1]);
        rest.x -= sum[PD_IMPULSE_PARTS * w];
        rest.y -= sum[PD_IMPULSE_PARTS * w + 1];
    }
    int solids;
    const pd_solid *solid = pd_boundary_solids(s->world->boundary, &solids);
    for (int w = 0; w < impulses->walls && all > 0; w++) {
        double share = pd_hypot(sum[PD_IMPULSE_PARTS * w], sum[PD_IMPULSE_PARTS * w + 1]) / all;
        pd_double2 at = w > 0 ? solid[w - 1].end.center : (pd_double2){0, 0};
        pd_impulses_add(impulses, 0, 1, w - 1, share * rest.x, share * rest.y, (pd_vec2){(float)at.x, (float)at.y});
    }
    pd_mac_add_film_impulses(mac, s->world, &pressure);
    pd_mac_set_body_corrections(mac, s->world, pressure.unit, s->dt, (double)s->world->parameter[FLIP_VISCOSITY]);
}
