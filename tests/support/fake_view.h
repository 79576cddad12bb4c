/* Views without a world, for tests of the renderer. Include once in a test program. */
#ifndef PUDDLE_TESTS_FAKE_VIEW_H
#define PUDDLE_TESTS_FAKE_VIEW_H

#include "core/random.h"
#include <math.h>
#include <puddle/view.h>
#include <stdlib.h>
#include <string.h>

enum { FAKE_CAPACITY = 200000 };

enum { FAKE_SPEED, FAKE_DENSITY, FAKE_PRESSURE, FAKE_FIELDS };

/* View modes of a particle method. */
static const pd_view_mode fake_modes[] = {
    {"surface", PD_VIEW_SURFACE, NULL},          {"sprites", PD_VIEW_SPRITES, NULL},
    {"speed", PD_VIEW_PARTICLES, "speed"},       {"density", PD_VIEW_PARTICLES, "density"},
    {"pressure", PD_VIEW_PARTICLES, "pressure"},
};
enum { SURFACE, SPRITES, SPEED, DENSITY, PRESSURE, FAKE_MODES };

typedef struct fake_view {
    pd_view view;
    pd_field fields[FAKE_FIELDS];
    const pd_field *list[FAKE_FIELDS];
    float speed[FAKE_CAPACITY];
    float x[FAKE_CAPACITY], y[FAKE_CAPACITY], previous_x[FAKE_CAPACITY], previous_y[FAKE_CAPACITY];
    float vx[FAKE_CAPACITY], vy[FAKE_CAPACITY], density[FAKE_CAPACITY], pressure[FAKE_CAPACITY];
    uint8_t material[FAKE_CAPACITY];
    pd_material materials[3];
    pd_random random;
} fake_view;

/* Creates an empty circle of radius 1 m. spacing: rest spacing of particles, m. */
static inline fake_view *fake_view_create(float spacing) {
    fake_view *fake = calloc(1, sizeof *fake);
    fake->materials[0] = (pd_material){.name = "blue", .red = 0x3a, .green = 0x8f, .blue = 0xff, .mass = 1};
    fake->materials[1] = (pd_material){.name = "rose", .red = 0xff, .green = 0x3d, .blue = 0x6e, .mass = 1};
    fake->materials[2] = (pd_material){.name = "gold", .red = 0xff, .green = 0xc2, .blue = 0x2e, .mass = 1};
    fake->view = (pd_view){.x = fake->x,
                           .y = fake->y,
                           .previous_x = fake->previous_x,
                           .previous_y = fake->previous_y,
                           .vx = fake->vx,
                           .vy = fake->vy,
                           .density = fake->density,
                           .fields = fake->list,
                           .field_count = FAKE_FIELDS,
                           .material = fake->material,
                           .rest_density = 5,
                           .speed_scale = 1.25f,
                           .spacing = spacing,
                           .radius = 3 * spacing,
                           .materials = fake->materials,
                           .material_count = 3,
                           .container = {.shape = PD_CONTAINER_CIRCLE, .radius = 1},
                           .low = {-1, -1},
                           .high = {1, 1}};
    for (int i = 0; i < FAKE_FIELDS; i++) fake->list[i] = &fake->fields[i];
    fake->fields[FAKE_SPEED] =
        (pd_field){.info = {"speed", "speed", "m/s", PD_FIELD_OF_PARTICLES}, .values = fake->speed, .high = 2.5f};
    fake->fields[FAKE_DENSITY] =
        (pd_field){.info = {"density", "density", "1/m²", PD_FIELD_OF_PARTICLES}, .values = fake->density, .high = 10};
    fake->fields[FAKE_PRESSURE] = (pd_field){.info = {"pressure", "density error", "%", PD_FIELD_OF_PARTICLES},
                                             .values = fake->pressure,
                                             .low = -1,
                                             .high = 1};
    fake->random.state = 1;
    return fake;
}

static inline void fake_view_box(fake_view *fake, float width, float height) {
    fake->view.container = (pd_container){.shape = PD_CONTAINER_BOX, .width = width, .height = height};
    fake->view.low = (pd_vec2){-0.5f * width, -0.5f * height};
    fake->view.high = (pd_vec2){0.5f * width, 0.5f * height};
}

static inline void fake_view_add(fake_view *fake, float x, float y, int material) {
    int i = fake->view.count;
    if (i == FAKE_CAPACITY) return;
    fake->x[i] = fake->previous_x[i] = x;
    fake->y[i] = fake->previous_y[i] = y;
    fake->density[i] = 5;
    fake->material[i] = (uint8_t)material;
    fake->view.count++;
}

typedef bool fake_inside(float x, float y);

/* Fills the area with a perturbed lattice of particles. material -1: materials 0, 1 and 2 from left to right. */
static inline void fake_view_fill(fake_view *fake, fake_inside *inside, int material) {
    float s = fake->view.spacing * 1.0746f, row = s * 0.8660254f; /* hexagonal, one particle in each spacing^2 */
    for (int j = -(int)(1.5f / row); (float)j * row < 1.5f; j++)
        for (int i = -(int)(2.5f / s); (float)i * s < 2.5f; i++) {
            float x = ((float)i + 0.5f * (float)(j & 1)) * s + 0.35f * s * (pd_random_below_one(&fake->random) - 0.5f);
            float y = (float)j * row + 0.35f * s * (pd_random_below_one(&fake->random) - 0.5f);
            int third = 0;
            if (x >= -0.3f) third = 1;
            if (x >= 0.3f) third = 2;
            if (inside(x, y)) fake_view_add(fake, x, y, material < 0 ? third : material);
        }
}

#endif
