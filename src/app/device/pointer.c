/* A press goes to the interface or to the world, whichever is under it, until it ends, wherever the pointer moves. */
#include "app/device/pointer.h"

#include <math.h>
#include <SDL.h>

/* Events come in bursts with equal time stamps: the velocity is measured between frames, smoothed over about two. */
static const float SMOOTHING = 0.030f; /* s */
static const float MAX_SPEED = 40;     /* pd_pointer.unit per second */
/* When simulated time is slow, the tool's velocity is raised by up to this factor, so that the dragged fluid keeps up
 * with the pointer. */
static const double MAX_SPEEDUP = 4;

void pd_pointer_locate(pd_pointer *pointer, const pd_view *view, const pd_camera *camera) {
    pointer->position = pd_camera_to_world(camera, pointer->pixel_x, pointer->pixel_y);
    pd_vec2 extent = {view->high.x - view->low.x, view->high.y - view->low.y};
    pointer->unit = fmaxf(0.5f * fminf(extent.x, extent.y), 1e-6f);
}

float pd_pointer_radius(const pd_pointer *pointer) { return pointer->size * pointer->unit; }

void pd_pointer_drop(pd_pointer *pointer, float method_size) {
    if (!(pointer->size > 0)) pointer->size = method_size;
    pointer->held = PD_TOOL_NONE;
    pointer->draws = false;
    pointer->released = false;
    pointer->velocity = (pd_vec2){0, 0};
}

void pd_pointer_rest(pd_pointer *pointer) { pointer->drawn = pointer->position; }

bool pd_pointer_press(pd_pointer *pointer, int button, bool covered) {
    pointer->buttons |= 1U << button;
    if (covered) pointer->owned_by_panel = true;
    return !pointer->owned_by_panel && !pointer->draws && (pointer->held == PD_TOOL_NONE || pointer->released);
}

pd_tool_kind pd_pointer_kind(int button, bool shift, pd_tool_kind left) {
    if (button == SDL_BUTTON_LEFT) return shift && left == PD_TOOL_DRAG ? PD_TOOL_PULL : left;
    if (button == SDL_BUTTON_RIGHT) return PD_TOOL_PUSH;
    return button == SDL_BUTTON_MIDDLE ? PD_TOOL_PULL : PD_TOOL_NONE;
}

void pd_pointer_draw(pd_pointer *pointer, int button) {
    pointer->held = PD_TOOL_NONE; /* of a click that no step has followed yet */
    pointer->released = false;
    pointer->draws = true;
    pointer->button = button;
}

bool pd_pointer_is_busy(const pd_pointer *pointer) { return pointer->held != PD_TOOL_NONE || pointer->draws; }

void pd_pointer_hold(pd_pointer *pointer, pd_tool_kind kind, int button, int obstacle) {
    pointer->held = kind;
    pointer->button = button;
    pointer->obstacle = obstacle;
    pointer->released = false;
    pointer->begun = false;
    pointer->velocity = (pd_vec2){0, 0};
    pointer->drawn = pointer->pressed = pointer->position;
}

void pd_pointer_release(pd_pointer *pointer, int button, const pd_view *view, const pd_camera *camera) {
    /* A click shorter than a step is applied to the next step, and ends after that. It ends here: the pointer may have
     * moved on before that step, in a slow frame far. */
    if (pointer->held != PD_TOOL_NONE && button == pointer->button && !pointer->released) {
        pd_pointer_locate(pointer, view, camera);
        pointer->ended = pointer->position;
        pointer->released = true;
    }
    if (button == pointer->button) pointer->draws = false;
    pointer->buttons &= ~(1U << button);
    if (pointer->buttons == 0) pointer->owned_by_panel = false;
}

void pd_pointer_update(pd_pointer *pointer, double elapsed, bool covered, bool at_rest) {
    if (pointer->released) pointer->position = pointer->ended;
    bool held = pd_pointer_is_busy(pointer);
    pointer->inside = (pointer->present && !pointer->owned_by_panel && !covered) || held;
    if (at_rest && pointer->released) pointer->held = PD_TOOL_NONE;
    if (!(elapsed > 0)) return;
    float seconds = (float)elapsed, keep = expf(-seconds / SMOOTHING);
    pd_vec2 moved = {pointer->position.x - pointer->drawn.x, pointer->position.y - pointer->drawn.y};
    pd_vec2 *velocity = &pointer->velocity;
    velocity->x = keep * velocity->x + (1 - keep) * moved.x / seconds;
    velocity->y = keep * velocity->y + (1 - keep) * moved.y / seconds;
    float speed = hypotf(velocity->x, velocity->y), limit = MAX_SPEED * pointer->unit;
    if (speed > limit) {
        velocity->x *= limit / speed;
        velocity->y *= limit / speed;
    }
}

bool pd_pointer_tool(pd_pointer *pointer, int step, int steps, double speed, int dye, int poured, pd_tool *tool) {
    float part = (float)(step + 1) / (float)steps;
    float speedup = (float)fmin(fmax(1 / fmax(speed, 1e-3), 1), MAX_SPEEDUP);
    bool paints = pointer->held == PD_TOOL_DRAG && dye >= 0;
    *tool = (pd_tool){
        .kind = paints ? PD_TOOL_PAINT : pointer->held,
        .position = {pointer->drawn.x + part * (pointer->position.x - pointer->drawn.x),
                     pointer->drawn.y + part * (pointer->position.y - pointer->drawn.y)},
        .velocity = {speedup * pointer->velocity.x, speedup * pointer->velocity.y},
        .radius = pd_pointer_radius(pointer),
        .obstacle = pointer->held == PD_TOOL_MOVE ? pointer->obstacle : 0,
        .material = paints                          ? dye
                    : pointer->held == PD_TOOL_POUR ? poured
                                                    : 0,
    };
    /* An obstacle is moved from the place where it was taken hold of: the pointer may have moved on before this step. */
    bool first = tool->kind == PD_TOOL_MOVE && !pointer->begun;
    pointer->begun = true;
    if (step + 1 < steps) return first;
    if (pointer->released) pointer->held = PD_TOOL_NONE;
    pointer->released = false;
    return first;
}
