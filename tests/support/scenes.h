/* Helpers of tests of scenes: reading a scene from text, comparing scenes, writing and reading a scene again. */
#ifndef PUDDLE_TESTS_SCENES_H
#define PUDDLE_TESTS_SCENES_H

#include "test.h"

#include <math.h>
#include <puddle/items.h>
#include <stdlib.h>
#include <string.h>

static inline void assert_same_float(float a, float b) {
    if (isnan(a) && isnan(b)) return;
    assert_memory_equal(&a, &b, sizeof a);
}

static inline void assert_same_vector(pd_vec2 a, pd_vec2 b) {
    assert_same_float(a.x, b.x);
    assert_same_float(a.y, b.y);
}

static inline void assert_same_container(const pd_container *a, const pd_container *b) {
    assert_int_equal(a->shape, b->shape);
    assert_same_float(a->radius, b->radius);
    assert_same_float(a->width, b->width);
    assert_same_float(a->height, b->height);
    assert_int_equal(a->slip, b->slip);
    for (int i = 0; i < PD_WALLS; i++) {
        assert_same_float(a->walls[i].inflow, b->walls[i].inflow);
        assert_same_float(a->walls[i].velocity, b->walls[i].velocity);
        assert_int_equal(a->walls[i].outflow, b->walls[i].outflow);
    }
}

static inline void assert_same_area(const pd_area *a, const pd_area *b) {
    assert_int_equal(a->shape, b->shape);
    assert_same_vector(a->center, b->center);
    assert_same_float(a->radius, b->radius);
    assert_same_vector(a->size, b->size);
    assert_same_float(a->angle, b->angle);
    assert_same_float(a->thickness, b->thickness);
    assert_int_equal(a->point_count, b->point_count);
    for (int k = 0; k < a->point_count; k++) assert_same_vector(a->points[k], b->points[k]);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->rows, b->rows);
    if (a->columns > 0) assert_memory_equal(a->pixels, b->pixels, (size_t)a->columns * (size_t)a->rows);
}

static inline void assert_same_regions(const pd_scene *a, const pd_scene *b) {
    assert_int_equal(a->region_count, b->region_count);
    for (int i = 0; i < a->region_count; i++) {
        const pd_region *p = &a->regions[i], *q = &b->regions[i];
        assert_same_area(&p->area, &q->area);
        assert_int_equal(p->material, q->material);
        assert_same_vector(p->velocity, q->velocity);
        assert_int_equal(p->fill, q->fill);
        assert_int_equal(p->count, q->count);
        assert_same_float(p->spacing, q->spacing);
        assert_int_equal(p->particles != NULL, q->particles != NULL);
        for (int k = 0; p->particles && k < p->count; k++) {
            assert_same_vector(p->particles[k].position, q->particles[k].position);
            assert_same_vector(p->particles[k].velocity, q->particles[k].velocity);
            assert_int_equal(p->particles[k].material, q->particles[k].material);
        }
        assert_same_float(p->density, q->density);
        assert_same_float(p->amount, q->amount);
    }
}

static inline void assert_same_obstacles(const pd_scene *a, const pd_scene *b) {
    assert_int_equal(a->obstacle_count, b->obstacle_count);
    for (int i = 0; i < a->obstacle_count; i++) {
        const pd_obstacle *p = &a->obstacles[i], *q = &b->obstacles[i];
        assert_same_area(&p->area, &q->area);
        assert_same_vector(p->velocity, q->velocity);
        assert_same_float(p->spin, q->spin);
        assert_same_float(p->turn, q->turn);
        assert_same_float(p->phase, q->phase);
    }
}

static inline void assert_same_bodies(const pd_scene *a, const pd_scene *b) {
    assert_int_equal(a->body_count, b->body_count);
    for (int i = 0; i < a->body_count; i++) {
        const pd_scene_body *p = &a->bodies[i], *q = &b->bodies[i];
        assert_same_area(&p->area, &q->area);
        assert_string_equal(p->name, q->name);
        assert_same_float(p->density, q->density);
        assert_same_float(p->friction, q->friction);
        assert_same_float(p->restitution, q->restitution);
        assert_same_vector(p->velocity, q->velocity);
        assert_same_float(p->spin, q->spin);
        assert_int_equal(p->fixed_angle, q->fixed_angle);
    }
    assert_int_equal(a->joint_count, b->joint_count);
    for (int i = 0; i < a->joint_count; i++) {
        const pd_scene_joint *p = &a->joints[i], *q = &b->joints[i];
        assert_int_equal(p->type, q->type);
        for (int k = 0; k < 2; k++) assert_string_equal(p->bodies[k], q->bodies[k]);
        assert_same_vector(p->at, q->at);
        assert_same_vector(p->to, q->to);
        assert_same_vector(p->axis, q->axis);
        assert_same_vector(p->limits, q->limits);
        assert_same_float(p->speed, q->speed);
        assert_same_float(p->greatest_torque, q->greatest_torque);
        assert_same_float(p->length, q->length);
        assert_same_float(p->stiffness, q->stiffness);
        assert_same_float(p->damping, q->damping);
        assert_same_float(p->breaks_at, q->breaks_at);
    }
}

static inline void assert_same_sources(const pd_scene *a, const pd_scene *b) {
    assert_int_equal(a->vorton_count, b->vorton_count);
    for (int i = 0; i < a->vorton_count; i++) {
        assert_same_vector(a->vortons[i].position, b->vortons[i].position);
        assert_same_float(a->vortons[i].circulation, b->vortons[i].circulation);
        assert_same_float(a->vortons[i].core, b->vortons[i].core);
    }
    assert_int_equal(a->emitter_count, b->emitter_count);
    for (int i = 0; i < a->emitter_count; i++) {
        const pd_emitter *p = &a->emitters[i], *q = &b->emitters[i];
        assert_same_vector(p->position, q->position);
        assert_same_vector(p->direction, q->direction);
        assert_same_float(p->speed, q->speed);
        assert_same_float(p->width, q->width);
        assert_same_float(p->rate, q->rate);
        assert_int_equal(p->material, q->material);
        assert_same_float(p->from, q->from);
        assert_same_float(p->until, q->until);
    }
    assert_int_equal(a->drain_count, b->drain_count);
    for (int i = 0; i < a->drain_count; i++) assert_same_area(&a->drains[i].area, &b->drains[i].area);
}

static inline void assert_same_materials(const pd_scene *a, const pd_scene *b) {
    assert_int_equal(a->material_count, b->material_count);
    for (int i = 0; i < a->material_count; i++) {
        assert_string_equal(a->materials[i].name, b->materials[i].name);
        assert_int_equal(a->materials[i].red, b->materials[i].red);
        assert_int_equal(a->materials[i].green, b->materials[i].green);
        assert_int_equal(a->materials[i].blue, b->materials[i].blue);
        assert_same_float(a->materials[i].mass, b->materials[i].mass);
        for (int p = 0; p < PD_PROPERTIES; p++)
            assert_same_float(a->materials[i].property[p], b->materials[i].property[p]);
    }
    assert_int_equal(a->attraction_count, b->attraction_count);
    for (int i = 0; i < a->attraction_count; i++) {
        assert_int_equal(a->attractions[i].between[0], b->attractions[i].between[0]);
        assert_int_equal(a->attractions[i].between[1], b->attractions[i].between[1]);
        assert_same_float(a->attractions[i].factor, b->attractions[i].factor);
    }
    assert_int_equal(a->change_count, b->change_count);
    for (int i = 0; i < a->change_count; i++) {
        const pd_change *p = &a->changes[i], *q = &b->changes[i];
        assert_same_area(&p->area, &q->area);
        assert_int_equal(p->from, q->from);
        assert_int_equal(p->to, q->to);
        assert_same_float(p->rate, q->rate);
    }
}

static inline void assert_same_scene(const pd_scene *a, const pd_scene *b) {
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->method, b->method);
    assert_same_vector(a->gravity, b->gravity);
    assert_same_float(a->dt, b->dt);
    assert_int_equal(a->substeps, b->substeps);
    assert_true(a->seed == b->seed);
    assert_int_equal(a->particles, b->particles);
    assert_same_container(&a->container, &b->container);
    assert_same_materials(a, b);
    assert_same_regions(a, b);
    assert_same_obstacles(a, b);
    assert_same_bodies(a, b);
    assert_same_sources(a, b);
    assert_int_equal(a->setting_count, b->setting_count);
    for (int i = 0; i < a->setting_count; i++) {
        assert_string_equal(a->settings[i].key, b->settings[i].key);
        assert_same_float(a->settings[i].value, b->settings[i].value);
    }
}

static inline void read_good(const char *text, pd_scene *scene) {
    pd_error error = {0};
    if (pd_scene_read_text(text, strlen(text), "test.yaml", scene, &error) != PD_OK) fail_msg("%s", error.message);
}

static inline void assert_round_trip(const pd_scene *scene) {
    char *text;
    size_t length;
    pd_scene again;
    assert_int_equal(pd_scene_write_text(scene, &text, &length, NULL), PD_OK);
    assert_int_equal(strlen(text), length);
    read_good(text, &again);
    assert_same_scene(scene, &again);
    pd_scene_free(&again);
    free(text);
}

#endif
