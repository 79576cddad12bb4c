/* What a world looks like from outside: a view to draw, numbers to write down. */
#include "sim/world.h"

#include <math.h>

/* Without a container a camera shows where the fluid is. */
static void fluid_bounds(const pd_particles *p, pd_vec2 *low, pd_vec2 *high) {
    *low = (pd_vec2){-1, -1};
    *high = (pd_vec2){1, 1};
    for (int i = 0; i < p->count; i++) {
        low->x = fminf(low->x, p->x[i]), high->x = fmaxf(high->x, p->x[i]);
        low->y = fminf(low->y, p->y[i]), high->y = fmaxf(high->y, p->y[i]);
    }
}

void pd_world_view(const pd_world *world, pd_view *view) {
    const pd_particles *p = &world->particles;
    const pd_container *c = &world->scene.container;
    const pd_resolution *resolution = &world->resolution;
    *view = (pd_view){
        .count = p->count,
        .x = p->x,
        .y = p->y,
        .previous_x = p->previous_x,
        .previous_y = p->previous_y,
        .vx = p->vx,
        .vy = p->vy,
        .density = p->density,
        .id = p->id,
        .material = p->material,
        .speed_scale = sqrtf(resolution->gravity * resolution->length),
        .spacing = resolution->spacing,
        .materials = world->scene.materials,
        .material_count = world->scene.material_count,
        .container = *c,
        .drains = world->scene.drains,
        .drain_count = world->scene.drain_count,
        .time = pd_world_time(world),
    };
    view->obstacles = pd_boundary_view(world->boundary, &view->obstacle_count);
    float half_width = c->shape == PD_CONTAINER_BOX ? c->width / 2 : c->radius;
    float half_height = c->shape == PD_CONTAINER_BOX ? c->height / 2 : c->radius;
    view->low = (pd_vec2){-half_width, -half_height};
    view->high = (pd_vec2){half_width, half_height};
    if (c->shape == PD_CONTAINER_NONE) fluid_bounds(p, &view->low, &view->high);
    world->method->view(world, world->state, view);
}

typedef struct sums {
    double mass, energy, momentum_x, momentum_y, mass_x, mass_y, speed2, fastest2, density, densest, excess;
} sums;

static sums sum_up(const pd_world *world, float rest_density) {
    const pd_particles *p = &world->particles;
    sums s = {0};
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
        s.density += p->density[i];
        s.densest = fmax(s.densest, p->density[i]);
        s.excess += fmax(0, p->density[i] / rest_density - 1);
    }
    return s;
}

void pd_world_statistics(const pd_world *world, pd_statistics *statistics) {
    pd_view view;
    pd_world_view(world, &view);
    sums s = sum_up(world, view.rest_density);
    double count = view.count > 0 ? view.count : 1, mass = s.mass > 0 ? s.mass : 1;
    *statistics = (pd_statistics){
        .step = world->step,
        .time = pd_world_time(world),
        .particles = view.count,
        .substeps = world->substeps,
        .kinetic_energy = s.energy,
        .momentum_x = s.momentum_x,
        .momentum_y = s.momentum_y,
        .center_x = s.mass_x / mass,
        .center_y = s.mass_y / mass,
        .rms_speed = sqrt(s.speed2 / count),
        .max_speed = sqrt(s.fastest2),
        .mean_density = s.density / count,
        .max_density = s.densest,
        .density_error = s.excess / count,
        .divergence = NAN,
        .circulation = NAN,
        .step_ms = world->step_seconds * 1e3,
    };
}
