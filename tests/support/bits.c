/* Prints every particle of a few small worlds to the last bit, their vortices, flows on their grids, a heap of bodies, and
 * values of the elementary functions: what one processor prints, every other must (scripts/check-arm.sh). Usage: bits LEVEL, as
 * --simd. Reads no files and needs no library but libpuddle. */
#include "bodies/bodies.h"
#include "core/math.h"
#include "core/simd.h"
#include "with_threads.h"

#include <puddle/puddle.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *why) {
    fprintf(stderr, "bits: %s\n", why);
    exit(1);
}

static void print_field(const pd_view *view, const char *name) {
    const pd_field *field = pd_view_field(view, name);
    if (!field || !field->values) fail("a field is missing");
    for (int k = 0; k < field->nx * field->ny; k++) printf("%s %d %a\n", name, k, (double)field->values[k]);
}

static void print_world(const pd_world *world, const char *name) {
    pd_view view;
    pd_world_view(world, &view);
    printf("%s: step %llu, %d particles\n", name, (unsigned long long)pd_world_steps(world), view.count);
    for (int i = 0; i < view.count; i++)
        printf("%u %u %a %a %a %a %a\n", view.id[i], view.material[i], (double)view.x[i], (double)view.y[i],
               (double)view.vx[i], (double)view.vy[i], view.density ? (double)view.density[i] : 0);
    const pd_view_vortices *v = &view.vortices;
    for (int n = 0; n < v->count; n++)
        printf("%u %a %a %a %a %a %a %a %a\n", v->id[n], (double)v->x[n], (double)v->y[n], (double)v->vx[n],
               (double)v->vy[n], (double)v->circulation[n], (double)v->core[n], (double)v->area[n], (double)v->mass[n]);
    if (!view.particles_are_tracers || v->id) return;
    print_field(&view, "velocity_x");
    print_field(&view, "velocity_y");
}

/* What the floating point of a step meets: masses, velocities, an obstacle that turns, an emitter, a tool, properties. */
static void fill(pd_scene *scene) {
    pd_error error;
    static pd_region regions[2];
    static pd_obstacle obstacles[2];
    static pd_emitter emitter;
    regions[0] = (pd_region){.area = {.shape = PD_SHAPE_CIRCLE, .center = {-0.4f, 0.1f}, .radius = 0.35f},
                             .velocity = {0.7f, 0.3f}};
    regions[1] =
        (pd_region){.area = {.shape = PD_SHAPE_BOX, .center = {0.45f, 0}, .size = {0.5f, 0.6f}}, .material = 1};
    regions[1].fill = PD_FILL_RANDOM;
    regions[0].amount = regions[1].amount = 1;
    regions[0].density = regions[1].density = NAN;
    obstacles[0] =
        (pd_obstacle){.area = {.shape = PD_SHAPE_BOX, .center = {0, -0.5f}, .size = {0.6f, 0.05f}}, .spin = 50};
    obstacles[1] = (pd_obstacle){.area = {.shape = PD_SHAPE_CIRCLE, .center = {0.2f, -0.75f}, .radius = 0.08f}};
    emitter = (pd_emitter){.position = {0, 0.8f}, .direction = {0.3f, -1}, .speed = 1, .width = 0.2f, .rate = 300};
    emitter.until = INFINITY;
    scene->particles = 2500; /* enough for all ways to sweep: methods/ddr/ddr.h */
    scene->material_count = 2;
    scene->materials[0] = scene->materials[1] = pd_material_default();
    snprintf(scene->materials[0].name, PD_MAX_NAME, "light");
    snprintf(scene->materials[1].name, PD_MAX_NAME, "heavy");
    scene->materials[1].mass = 1.3f;
    scene->regions = regions, scene->region_count = 2;
    scene->obstacles = obstacles, scene->obstacle_count = 2;
    scene->emitters = &emitter, scene->emitter_count = 1;
    static const struct {
        const char *key;
        float value;
    } coarse[] = {{"grid.resolution", 24}, {"vortex.core", 0.12f}, {"vortex.viscosity", 1e-3f}};
    for (size_t i = 0; i < sizeof coarse / sizeof *coarse; i++)
        if (pd_scene_set_parameter(scene, coarse[i].key, coarse[i].value, &error) != PD_OK) fail(error.message);
}

static void run(const pd_scene *scene, const char *name, bool solid) {
    pd_world *world;
    pd_error error;
    if (create_with_threads(&world, scene, 2, &error) != PD_OK) fail(error.message);
    if (solid) {
        for (int p = 0; p < PD_PROPERTIES; p++)
            if (pd_world_set_property(world, 1, (pd_property)p, p == PD_YIELD ? 0.05f : 5, &error) != PD_OK)
                fail(error.message);
        if (pd_world_set_property(world, 1, PD_ELASTICITY, 300, &error) != PD_OK) fail(error.message);
    }
    /* Grids and vortices take an emulator long. */
    pd_view view;
    pd_world_view(world, &view);
    for (int i = 0, steps = view.particles_are_tracers ? 20 : 60; i < steps; i++) {
        pd_tool tool = {.kind = i < steps / 2 ? PD_TOOL_DRAG : PD_TOOL_PULL,
                        .position = {0.02f * (float)i - 0.6f, -0.3f}};
        tool.velocity.x = 1.2f;
        tool.radius = 0.2f;
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
    }
    print_world(world, name);
    pd_world_destroy(world);
}

static void print_functions(void) {
    for (int i = -600; i <= 600; i++) {
        double x = 0.37 * i, y = fabs(x) + 1e-3;
        printf("functions %d %a %a %a %a %a", i, pd_sin(x), pd_cos(x), pd_atan2(x, 3), pd_exp(x), pd_expm1(x));
        printf(" %a %a %a %a %a\n", pd_log10(y), pd_pow(y, x / 50), pd_cbrt(x), pd_hypot(x, 7),
               (double)pd_expf((float)x));
    }
}

/* Bodies of all shapes in a heap, with joints. */
static void print_bodies(void) {
    static pd_vec2 ell[] = {{-0.1f, -0.1f}, {0.1f, -0.1f}, {0.1f, 0}, {0, 0}, {0, 0.1f}, {-0.1f, 0.1f}},
                   bent[] = {{-0.1f, 0}, {0, 0}, {0.08f, 0.08f}};
    const pd_container container = {.shape = PD_CONTAINER_CIRCLE, .radius = 1};
    pd_bodies *bodies = pd_bodies_create(&container);
    pd_error error;
    for (int i = 0; i < 24; i++) {
        pd_area areas[] = {{.shape = PD_SHAPE_BOX, .size = {0.15f, 0.1f}, .angle = 10},
                           {.shape = PD_SHAPE_CIRCLE, .radius = 0.07f},
                           {.shape = PD_SHAPE_POLYGON, .points = ell, .point_count = 6},
                           {.shape = PD_SHAPE_POLYLINE, .points = bent, .point_count = 3, .thickness = 0.04f}};
        pd_body_def def = {.area = areas[i % 4], .density = 1, .friction = 0.5f, .restitution = 0.1f * (float)(i % 5)};
        def.area.center = (pd_vec2){-0.5f + 0.2f * (float)(i % 6), -0.3f + 0.22f * (float)(i / 6)};
        if (pd_bodies_add_body(bodies, &def, &error) != PD_OK) fail(error.message);
    }
    for (int i = 0; i < 6; i++) {
        pd_joint_def def = {
            .type = (pd_joint_type)i, .bodies = {i - 1, i}, .axis = {1, 2}, .speed = 200, .length = NAN};
        def.at[0] = def.at[1] = (pd_vec2){-0.5f + 0.2f * (float)i, -0.3f};
        def.greatest_torque = def.stiffness = 0.1f;
        def.breaks_at = INFINITY;
        if (pd_bodies_add_joint(bodies, &def, &error) != PD_OK) fail(error.message);
    }
    for (int k = 0; k < 300; k++) {
        pd_bodies_begin_substep(bodies, 1.0 / 60);
        pd_bodies_end_substep(bodies, 1.0 / 60, (pd_vec2){0.3f, -1.6f}, NULL, 0);
    }
    for (int i = 0; i < bodies->body_count; i++) {
        const pd_body_state *s = &bodies->bodies[i].state;
        printf("bodies %d %a %a %a %a\n", i, s->pose.x, s->pose.y, s->pose.angle, s->velocity.x);
    }
    pd_bodies_destroy(bodies);
}

int main(int count, char **arguments) {
    pd_scene scene;
    if (count != 2 || !pd_simd_select(arguments[1])) fail("no such level here (use auto or baseline)");
    print_functions();
    print_bodies();
    pd_scene_init(&scene);
    fill(&scene);
    run(&scene, "circle", false);
    run(&scene, "solid", true);
    scene.container.shape = PD_CONTAINER_BOX;
    scene.container.width = 1.9f, scene.container.height = 1.8f;
    scene.gravity = (pd_vec2){1.1f, -2.3f};
    run(&scene, "box", false);
    for (int m = 1; m < pd_method_count(); m++) { /* the first, ddr, made those above */
        snprintf(scene.method, sizeof scene.method, "%s", pd_method_at(m)->name);
        run(&scene, scene.method, false);
    }
    return 0;
}
