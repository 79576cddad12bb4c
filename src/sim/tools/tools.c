/* Computes how the pointer's tool changes the velocity of fluid (push, pull, drag). */
#include "core/math.h"
#include "scene/schema.h"
#include "sim/world.h"

/* Acceleration of a push, in units of gravity: 350/35 in the article's source. */
static const float PUSH_GRAVITIES = 10;
static const float DRAG_RATE = 40; /* 1/s: a drag leaves exp(-DRAG_RATE t) of the velocity difference after t seconds */
static const float PULL_RATE = 15; /* 1/s: a pull leaves exp(-PULL_RATE t) of the velocity difference after t seconds */
static const float PULL_SPEED = 3; /* speed of a pull at the tool's radius, in units of sqrt(g L) (pd_resolution) */
/* Limit of both components of a drag's velocity, m/s, as of all speeds in a scene. A pointer that jumps may be faster. */
static const float FASTEST = (float)PD_FASTEST;

pd_tool_field pd_tool_field_compute(const pd_world *world, float dt) {
    const pd_tool *tool = &world->tool;
    pd_tool_field field = {
        .kind = tool->kind,
        .x = world->tool_now.x,
        .y = world->tool_now.y,
        .radius = tool->radius,
        .inverse_radius = 1 / tool->radius,
        .strength = PUSH_GRAVITIES * world->resolution.gravity,
        .target_vx = fminf(fmaxf(tool->velocity.x, -FASTEST), FASTEST),
        .target_vy = fminf(fmaxf(tool->velocity.y, -FASTEST), FASTEST),
    };
    if (tool->kind == PD_TOOL_PAINT) field.kind = PD_TOOL_DRAG;
    if (tool->kind == PD_TOOL_POUR || tool->kind == PD_TOOL_ERASE) field.kind = PD_TOOL_NONE;
    if (field.kind == PD_TOOL_DRAG) field.blend = 1 - pd_expf(-DRAG_RATE * dt);
    if (tool->kind == PD_TOOL_PULL) {
        field.blend = 1 - pd_expf(-PULL_RATE * dt);
        field.strength = PULL_SPEED * sqrtf(world->resolution.gravity * world->resolution.length);
    }
    return field;
}

void pd_tool_field_use_accelerations(const pd_world *world, pd_tool_field *field, float strength) {
    field->uses_accelerations = true;
    field->strength = field->kind == PD_TOOL_PULL ? -strength : strength;
    if (field->kind == PD_TOOL_PULL) field->gravity = world->scene.gravity;
}

static void add_acceleration(const pd_tool_field *field, float dt, float inverse_mass, float dx, float dy, float *vx,
                             float *vy) {
    float distance = sqrtf(dx * dx + dy * dy), nearness = 1 - distance * field->inverse_radius;
    float scale = distance > 0 ? field->strength * inverse_mass / distance : 0, damping = fminf(dt, 1);
    *vx += nearness * (dt * (scale * dx - field->gravity.x) - damping * *vx);
    *vy += nearness * (dt * (scale * dy - field->gravity.y) - damping * *vy);
}

void pd_tool_field_change_velocity(const pd_tool_field *field, float dt, float inverse_mass, float x, float y,
                                   float *vx, float *vy) {
    float dx = x - field->x, dy = y - field->y;
    float distance2 = dx * dx + dy * dy;
    if (!(distance2 < field->radius * field->radius)) return;
    if (field->uses_accelerations && field->kind != PD_TOOL_DRAG) {
        add_acceleration(field, dt, inverse_mass, dx, dy, vx, vy);
        return;
    }
    float distance = sqrtf(distance2) * field->inverse_radius; /* 0 at the pointer, 1 at the tool's radius */
    float weight = (1 - distance * distance) * (1 - distance * distance);
    if (field->kind == PD_TOOL_PUSH) {
        float scale = distance2 > 0 ? field->strength * (1 - distance) * dt * inverse_mass / sqrtf(distance2) : 0;
        *vx += scale * dx;
        *vy += scale * dy;
        return;
    }
    float target_vx = field->target_vx, target_vy = field->target_vy;
    if (field->kind ==
        PD_TOOL_PULL) { /* speed proportional to the distance: fluid gathers at the pointer and rests there */
        target_vx -= field->strength * field->inverse_radius * dx;
        target_vy -= field->strength * field->inverse_radius * dy;
    }
    float blend = fminf(field->blend * weight * inverse_mass, 1);
    *vx += blend * (target_vx - *vx);
    *vy += blend * (target_vy - *vy);
}
