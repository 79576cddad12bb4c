/* The mouse as a tool in the world. A press that begins on an interface layer belongs to that layer until the release. */
#include "app/device/pointer.h"

#include <math.h>
#include <SDL.h>

/* Time constant of the smoothed velocity, s: about two frames. Mouse events come in bursts, so the velocity is measured between
 * frames. */
static const float SMOOTHING = 0.030f;
static const float MAX_SPEED = 40; /* greatest speed of the tool, pd_pointer.unit per second */
/* Limit of the factor 1 / (simulated time / wall time) on the tool's velocity. With the factor dragged fluid keeps up with the
 * pointer while simulated time is slow. */
static const double MAX_SPEEDUP = 4;

void pd_pointer_update_position(pd_pointer *pointer, const pd_view *view, const pd_camera *camera) {
    pointer->position = pd_camera_pixels_to_world(camera, pointer->pixel_x, pointer->pixel_y);
    pd_vec2 extent = {view->high.x - view->low.x, view->high.y - view->low.y};
    pointer->unit = fmaxf(0.5f * fminf(extent.x, extent.y) / camera->zoom, 1e-6f);
}

float pd_pointer_tool_radius(const pd_pointer *pointer) { return pointer->size * pointer->unit; }

void pd_pointer_cancel_press(pd_pointer *pointer) {
    pointer->press = PD_PRESS_NONE;
    pointer->held_tool = PD_TOOL_NONE;
    pointer->out_of_reach = false;
}

static bool is_released(const pd_pointer *pointer) { return pointer->press >= PD_PRESS_CLICKED; }

bool pd_pointer_has_press(const pd_pointer *pointer) {
    return pointer->press != PD_PRESS_NONE && !is_released(pointer);
}

void pd_pointer_reset(pd_pointer *pointer, float default_size) {
    if (!(pointer->size > 0)) pointer->size = default_size;
    pd_pointer_cancel_press(pointer);
    pointer->velocity = (pd_vec2){0, 0};
}

bool pd_pointer_record_press(pd_pointer *pointer, int button, bool over_interface) {
    pointer->buttons |= 1U << button;
    if (over_interface) pointer->owned_by_layer = true;
    return !pointer->owned_by_layer && !pd_pointer_has_press(pointer);
}

pd_tool_kind pd_pointer_tool_of_button(int button, bool shift, pd_tool_kind left_tool) {
    if (button == SDL_BUTTON_LEFT) return shift && left_tool == PD_TOOL_DRAG ? PD_TOOL_PULL : left_tool;
    if (button == SDL_BUTTON_RIGHT) return PD_TOOL_PUSH;
    return button == SDL_BUTTON_MIDDLE ? PD_TOOL_PULL : PD_TOOL_NONE;
}

void pd_pointer_begin_draft(pd_pointer *pointer, int button) {
    pointer->held_tool = PD_TOOL_NONE; /* cancels an earlier click that no step has applied yet */
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

void pd_pointer_record_release(pd_pointer *pointer, int button, const pd_view *view, const pd_camera *camera) {
    bool ends_press = button == pointer->button;
    if (ends_press && pointer->press == PD_PRESS_DRAWS) pd_pointer_cancel_press(pointer);
    /* The pointer may move on before the next step applies the tool at release_position. */
    if (ends_press && (pointer->press == PD_PRESS_NEW || pointer->press == PD_PRESS_HELD)) {
        pd_pointer_update_position(pointer, view, camera);
        pointer->release_position = pointer->position;
        pointer->press = pointer->press == PD_PRESS_NEW ? PD_PRESS_CLICKED : PD_PRESS_RELEASED;
    }
    pointer->buttons &= ~(1U << button);
    if (pointer->buttons == 0) pointer->owned_by_layer = false;
}

/* Returns where the tool of the press goes in this frame: a released press ends at its release_position. */
static pd_vec2 get_goal(const pd_pointer *pointer) {
    return is_released(pointer) ? pointer->release_position : pointer->position;
}

void pd_pointer_end_frame(pd_pointer *pointer) { pointer->drawn_position = get_goal(pointer); }

void pd_pointer_update_velocity(pd_pointer *pointer, double elapsed, bool no_step_follows) {
    if (no_step_follows && is_released(pointer)) {
        pointer->position = pointer->release_position; /* where a grabbed item ends */
        pd_pointer_cancel_press(pointer);
    }
    if (!(elapsed > 0)) return;
    float seconds = (float)elapsed, keep = expf(-seconds / SMOOTHING);
    pd_vec2 goal = get_goal(pointer);
    pd_vec2 moved = {goal.x - pointer->drawn_position.x, goal.y - pointer->drawn_position.y};
    pd_vec2 *velocity = &pointer->velocity;
    velocity->x = keep * velocity->x + (1 - keep) * moved.x / seconds;
    velocity->y = keep * velocity->y + (1 - keep) * moved.y / seconds;
    float speed = hypotf(velocity->x, velocity->y), limit = MAX_SPEED * pointer->unit;
    if (speed > limit) {
        velocity->x *= limit / speed;
        velocity->y *= limit / speed;
    }
}

bool pd_pointer_make_tool(pd_pointer *pointer, int step, int step_count, double speed, int painted_material,
                          int poured_material, pd_tool *tool) {
    float part = is_released(pointer) ? 1 : (float)(step + 1) / (float)step_count;
    pd_vec2 goal = get_goal(pointer);
    float speedup = (float)fmin(fmax(1 / fmax(speed, 1e-3), 1), MAX_SPEEDUP);
    bool paints = pointer->held_tool == PD_TOOL_DRAG && painted_material >= 0;
    *tool = (pd_tool){
        .kind = paints ? PD_TOOL_PAINT : pointer->held_tool,
        .position = {pointer->drawn_position.x + part * (goal.x - pointer->drawn_position.x),
                     pointer->drawn_position.y + part * (goal.y - pointer->drawn_position.y)},
        .velocity = {speedup * pointer->velocity.x, speedup * pointer->velocity.y},
        .radius = pd_pointer_tool_radius(pointer),
        .obstacle = pointer->held_tool == PD_TOOL_MOVE ? pointer->obstacle : 0,
        .material = paints                               ? painted_material
                    : pointer->held_tool == PD_TOOL_POUR ? poured_material
                                                         : 0,
    };
    /* PD_TOOL_MOVE must begin at press_position: the pointer may have moved between the press and the first step. */
    bool begins = pointer->press == PD_PRESS_NEW || pointer->press == PD_PRESS_CLICKED;
    if (pointer->press == PD_PRESS_NEW) pointer->press = PD_PRESS_HELD;
    if (is_released(pointer)) pd_pointer_cancel_press(pointer);
    return begins && tool->kind == PD_TOOL_MOVE;
}
