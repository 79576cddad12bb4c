/* Statistics of a whole world. */
#include "core/memory.h"
#include "sim/units.h"

#include <math.h>
#include <string.h>

/* Sums and maxima over all particles. Masses are those of the materials, without a unit (sim/units.h). */
typedef struct particle_sums {
    double mass, energy, momentum_x, momentum_y, mass_x, mass_y, speed2, fastest2, density, densest, excess;
} particle_sums;

static particle_sums sum_particles(const pd_world *world, const pd_view *view) {
    const pd_particles *p = &world->particles;
    particle_sums s = {0};
    for (int i = 0; i < p->count; i++) {
        double mass = world->scene.materials[p->material[i]].mass;
        double vx = p->vx[i], vy = p->vy[i], speed2 = vx * vx + vy * vy;
        s.mass += mass;
        s.energy += mass * speed2 / 2;
        s.momentum_x += mass * vx;
        s.momentum_y += mass * vy;
        s.mass_x += mass * p->x[i];
        s.mass_y += mass * p->y[i];
        s.speed2 += speed2;
        s.fastest2 = fmax(s.fastest2, speed2);
        if (!view->density) continue;
        s.density += p->density[i];
        s.densest = fmax(s.densest, p->density[i]);
        s.excess += fmax(0, p->density[i] / view->rest_density - 1);
    }
    return s;
}

/* Members of pd_statistics that are replaced by the method's own number of the same name, if it has one. */
#define QUANTITY(field)                                                                                                \
    { #field, offsetof(pd_statistics, field) }
static const struct quantity {
    const char *name;
    size_t offset; /* offset of the member in pd_statistics, bytes */
} quantities[] = {
    QUANTITY(kinetic_energy), QUANTITY(momentum_x),    QUANTITY(momentum_y), QUANTITY(center_x),
    QUANTITY(center_y),       QUANTITY(rms_speed),     QUANTITY(max_speed),  QUANTITY(mean_density),
    QUANTITY(max_density),    QUANTITY(density_error), QUANTITY(divergence), QUANTITY(circulation),
};

/* Replaces members of pd_statistics by the method's numbers of the same name. For example, tracers do not carry the fluid's
 * mass, so that sums over tracers are not sums over the fluid. Cost: up to one pass over all cells for each number. */
static void set_method_numbers(const pd_world *world, pd_statistics *statistics) {
    const pd_method_info *info = &world->method->info;
    for (int i = 0; i < info->number_count; i++)
        for (size_t q = 0; q < sizeof quantities / sizeof *quantities; q++)
            if (strcmp(pd_method_number_at(info, i)->name, quantities[q].name) == 0)
                *(double *)(void *)((char *)statistics + quantities[q].offset) = pd_method_compute_number(world, i);
}

void pd_world_fill_statistics(const pd_world *world, pd_statistics *statistics, size_t size) {
    pd_view view;
    pd_world_view(world, &view);
    particle_sums s = sum_particles(world, &view);
    double count = view.count > 0 ? view.count : 1, mass = s.mass > 0 ? s.mass : 1;
    double kilograms = pd_units_particle_mass(world);
    pd_statistics own = {
        .step = world->step,
        .time = pd_world_time(world),
        .particles = view.count,
        .substeps = world->substeps,
        .kinetic_energy = s.energy * kilograms,
        .momentum_x = s.momentum_x * kilograms,
        .momentum_y = s.momentum_y * kilograms,
        .center_x = s.mass_x / mass,
        .center_y = s.mass_y / mass,
        .rms_speed = sqrt(s.speed2 / count),
        .max_speed = sqrt(s.fastest2),
        .mean_density = view.density ? s.density / count : NAN,
        .max_density = view.density ? s.densest : NAN,
        .density_error = view.density ? s.excess / count : NAN,
        .divergence = NAN,
        .circulation = NAN,
        .step_ms = world->step_seconds * 1e3,
    };
    set_method_numbers(world, &own);
    pd_copy_struct(statistics, size, &own, sizeof own);
}
