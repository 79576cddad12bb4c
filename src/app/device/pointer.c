/* The mouse as a tool in the world. A press belongs to the layer or the world below it until the release. */
#include "app/device/pointer.h"

#include <math.h>
#include <SDL.h>

/* Time constant of the smoothed velocity, about two frames. Events come in bursts, so the velocity is measured between frames. */
static const float SMOOTHING = 0.030f; /* s */
static const float MAX_SPEED = 40;     /* greatest speed of the tool, pd_pointer.unit per second */
/* Greatest factor on the tool's velocity while simulated time is slow. So dragged fluid keeps up with the pointer. */
static const double MAX_SPEEDUP = 4;

void pd_pointer_update_place(pd_pointer *pointer, const pd_view *view, const pd_camera *camera) {
    pointer->position = pd_camera_to_world(camera, pointer->pixel_x, pointer->pixel_y);
    pd_vec2 extent = {view->high.x - view->low.x, view->high.y - view->low.y};
    pointer->unit = fmaxf(0.5f * fminf(extent.x, extent.y), 1e-6f);
}

float pd_pointer_tool_radius(const pd_pointer *pointer) { return pointer->size * pointer->unit; }

void pd_pointer_cancel_press(pd_pointer *pointer) {
    pointer->press = PD_PRESS_NONE;
    pointer->held_tool = PD_TOOL_NONE;
    pointer->out_of_reach = false;
}

bool pd_pointer_has_press(const pd_pointer *pointer) { return pointer->press != PD_PRESS_NONE; }

bool pd_pointer_is_released(const pd_pointer *pointer) { return pointer->press >= PD_PRESS_CLICKED; }

void pd_pointer_reset(pd_pointer *pointer, float method_size) {
    if (!(pointer->size > 0)) pointer->size = method_size;
    pd_pointer_cancel_press(pointer);
    pointer->velocity = (pd_vec2){0, 0};
}

void pd_pointer_clear_motion(pd_pointer *pointer) { pointer->drawn_position = pointer->position; }

bool pd_pointer_press(pd_pointer *pointer, int button, bool covered) {
    pointer->buttons |= 1U << button;
    if (covered) pointer->owned_by_layer = true;
    return !pointer->owned_by_layer && (!pd_pointer_has_press(pointer) || pd_pointer_is_released(pointer));
}

pd_tool_kind pd_pointer_tool_kind(int button, bool shift, pd_tool_kind left) {
    if (button == SDL_BUTTON_LEFT) return shift && left == PD_TOOL_DRAG ? PD_TOOL_PULL : left;
    if (button == SDL_BUTTON_RIGHT) return PD_TOOL_PUSH;
    return button == SDL_BUTTON_MIDDLE ? PD_TOOL_PULL : PD_TOOL_NONE;
}

void pd_pointer_begin_draft(pd_pointer *pointer, int button) {
    pointer->held_tool = PD_TOOL_NONE; /* ends an earlier click that no step has applied yet */
    pointer->press = PD_PRESS_DRAWS;
    pointer->button = button;
}

void pd_pointer_begin_tool(pd_pointer *pointer, pd_tool_kind kind, int button, int obstacle) {
    pointer->press = PD_PRESS_NEW;
    pointer->held_tool = kind;
    pointer->button = button;
    pointer->obstacle = obstacle;
    pointer->velocity = (pd_vec2){0, 0};
    pointer->drawn_position = pointer->press_position = pointer->position;
}

void pd_pointer_release(pd_pointer *pointer, int button, const pd_view *view, const pd_camera *camera) {
    bool own = button == pointer->button;
    if (own && pointer->press == PD_PRESS_DRAWS) pd_pointer_cancel_press(pointer);
    /* Records where the press ends, because the pointer may move on before the step that applies the tool. */
    if (own && (pointer->press == PD_PRESS_NEW || pointer->press == PD_PRESS_HELD)) {
        pd_pointer_update_place(pointer, view, camera);
        pointer->release_position = pointer->position;
        pointer->press = pointer->press == PD_PRESS_NEW ? PD_PRESS_CLICKED : PD_PRESS_RELEASED;
    }
    pointer->buttons &= ~(1U << button);
    if (pointer->buttons == 0) pointer->owned_by_layer = false;
}

void pd_pointer_update_velocity(pd_pointer *pointer, double elapsed, bool at_rest) {
    if (pd_pointer_is_released(pointer)) pointer->position = pointer->release_position;
    if (at_rest && pd_pointer_is_released(pointer)) pd_pointer_cancel_press(pointer);
    if (!(elapsed > 0)) return;
    float seconds = (float)elapsed, keep = expf(-seconds / SMOOTHING);
    pd_vec2 moved = {pointer->position.x - pointer->drawn_position.x, pointer->position.y - pointer->drawn_position.y};
    pd_vec2 *velocity = &pointer->velocity;
    velocity->x = keep * velocity->x + (1 - keep) * moved.x / seconds;
    velocity->y = keep * velocity->y + (1 - keep) * moved.y / seconds;
    float speed = hypotf(velocity->x, velocity->y), limit = MAX_SPEED * pointer->unit;
    if (speed > limit) {
        velocity->x *= limit / speed;
        velocity->y *= limit / speed;
    }
}

bool pd_pointer_make_tool(pd_pointer *pointer, int step, int steps, double speed, int dye, int poured, pd_tool *tool) {
    float part = (float)(step + 1) / (float)steps;
    float speedup = (float)fmin(fmax(1 / fmax(speed, 1e-3), 1), MAX_SPEEDUP);
    bool paints = pointer->held_tool == PD_TOOL_DRAG && dye >= 0;
    *tool = (pd_tool){
        .kind = paints ? PD_TOOL_PAINT : pointer->held_tool,
        .position = {pointer->drawn_position.x + part * (pointer->position.x - pointer->drawn_position.x),
                     pointer->drawn_position.y + part * (pointer->position.y - pointer->drawn_position.y)},
        .velocity = {speedup * pointer->velocity.x, speedup * pointer->velocity.y},
        .radius = pd_pointer_tool_radius(pointer),
        .obstacle = pointer->held_tool == PD_TOOL_MOVE ? pointer->obstacle : 0,
        .material = paints                               ? dye
                    : pointer->held_tool == PD_TOOL_POUR ? poured
                                                         : 0,
    };
    /* The first step after a press moves an obstacle from the place of the press, not from the pointer's present place. */
    bool begins = pointer->press == PD_PRESS_NEW || pointer->press == PD_PRESS_CLICKED;
    if (pointer->press == PD_PRESS_NEW) pointer->press = PD_PRESS_HELD;
    if (pointer->press == PD_PRESS_CLICKED) pointer->press = PD_PRESS_RELEASED;
    if (step + 1 == steps && pd_pointer_is_released(pointer)) pd_pointer_cancel_press(pointer);
    return begins && tool->kind == PD_TOOL_MOVE;
}
