/* The mouse as a tool in the world.
 *
 * A press goes to the panel or to the world, whichever is under it, until it ends, wherever the pointer moves. */
#include "app/state.h"

#include <math.h>
#include <SDL.h>

/* Events come in bursts with equal time stamps: the velocity is measured between frames, smoothed over about two. */
static const float SMOOTHING = 0.030f; /* s */
static const float MAX_SPEED = 40;     /* pd_pointer.unit per second */
/* When simulated time is slow, the tool's velocity is raised by up to this factor, so that the dragged fluid keeps up
 * with the pointer. */
static const double MAX_SPEEDUP = 4;

/* How far beside a thin obstacle a press still takes hold of it, in interface units. */
static const float GRIP = 3;

static void locate(pd_app *app) {
    pd_pointer *pointer = &app->device.pointer;
    int width, height;
    pd_app_picture_size(app, &width, &height);
    pd_camera camera;
    pd_camera_fit(&camera, &app->viewport.view, width, height);
    pointer->position = pd_camera_to_world(&camera, pointer->pixel_x, pointer->pixel_y);
    pd_vec2 extent = {app->viewport.view.high.x - app->viewport.view.low.x,
                      app->viewport.view.high.y - app->viewport.view.low.y};
    pointer->unit = fmaxf(0.5f * fminf(extent.x, extent.y), 1e-6f);
}

/* Includes the panel as soon as its key has been pressed, and its menus from the frame in which they are drawn. */
bool pd_pointer_over_panel(const pd_app *app) {
    const pd_pointer *pointer = &app->device.pointer;
    float edge = (float)app->device.display.width - pd_app_panel_cover(app) * app->device.display.scale;
    return (app->viewport.panel && pointer->pixel_x >= edge) ||
           ui_covers(app->device.ui, pointer->pixel_x, pointer->pixel_y) ||
           pd_timeline_covers(app, pointer->pixel_x, pointer->pixel_y);
}

float pd_pointer_radius(const pd_app *app) { return app->device.pointer.size * app->device.pointer.unit; }

static void hold(pd_app *app, const pd_tool *tool) {
    pd_app_do(app, &(pd_command){PD_COMMAND_TOOL, .is.tool = *tool}, NULL);
}

static void put_down(pd_app *app) { hold(app, &(pd_tool){.kind = PD_TOOL_NONE}); }

void pd_pointer_reset(pd_app *app) {
    pd_pointer *pointer = &app->device.pointer;
    float method_size = pd_world_method(app->session.world)->tool_size;
    if (!(pointer->size > 0)) pointer->size = method_size > 0 ? method_size : 0.2f;
    pointer->held = PD_TOOL_NONE;
    pointer->released = false;
    pointer->velocity = (pd_vec2){0, 0};
    if (!pd_world_stepping(app->session.world) && !pd_app_replays(app)) put_down(app);
    locate(app);
    pointer->drawn = pointer->position;
}

void pd_pointer_press(pd_app *app, int button, bool shift) {
    pd_pointer *pointer = &app->device.pointer;
    pointer->buttons |= 1U << button;
    if (pd_pointer_over_panel(app)) {
        pointer->owned_by_panel = true;
        bool line = pd_timeline_covers(app, pointer->pixel_x, pointer->pixel_y) && pointer->held == PD_TOOL_NONE;
        if (line && button == SDL_BUTTON_LEFT) pd_timeline_grab(app);
        return;
    }
    if (pointer->owned_by_panel || (pointer->held != PD_TOOL_NONE && !pointer->released)) return;
    if (app->viewport.help) app->viewport.help = false;
    pd_tool_kind kind = PD_TOOL_NONE;
    if (button == SDL_BUTTON_LEFT) kind = shift ? PD_TOOL_PULL : PD_TOOL_DRAG;
    if (button == SDL_BUTTON_RIGHT) kind = PD_TOOL_PUSH;
    if (button == SDL_BUTTON_MIDDLE) kind = PD_TOOL_PULL;
    if (kind == PD_TOOL_NONE) return;
    pd_backwards_stop(app);
    pd_app_stop_seeking(app);
    locate(app);
    if (kind == PD_TOOL_DRAG) {
        float near = GRIP * app->device.display.scale * 2 * pointer->unit / (float)app->device.display.height;
        pointer->obstacle = pd_world_obstacle_at(app->session.world, pointer->position, near);
        if (pointer->obstacle >= 0) kind = PD_TOOL_MOVE;
    }
    pointer->held = kind;
    pointer->button = button;
    pointer->released = false;
    pointer->begun = false;
    pointer->velocity = (pd_vec2){0, 0};
    pointer->drawn = pointer->pressed = pointer->position;
    app->viewport.touched = true;
}

void pd_pointer_release(pd_app *app, int button) {
    pd_pointer *pointer = &app->device.pointer;
    if (button == SDL_BUTTON_LEFT) pd_timeline_release(app);
    /* A click shorter than a step is applied to the next step, and ends after that. It ends here: the pointer may have
     * moved on before that step, in a slow frame far. */
    if (pointer->held != PD_TOOL_NONE && button == pointer->button && !pointer->released) {
        locate(app);
        pointer->ended = pointer->position;
        pointer->released = true;
    }
    pointer->buttons &= ~(1U << button);
    pd_probe_disturb(app);
    if (pointer->buttons == 0) pointer->owned_by_panel = false;
}

void pd_pointer_update(pd_app *app, double elapsed) {
    pd_pointer *pointer = &app->device.pointer;
    locate(app);
    if (pointer->released) pointer->position = pointer->ended;
    bool held = pointer->held != PD_TOOL_NONE;
    pointer->inside = (pointer->present && !pointer->owned_by_panel && !pd_pointer_over_panel(app)) || held;
    ui_hide_pointer(app->device.ui, held && !pointer->released);
    if (app->session.paused && pointer->released && app->session.single_steps == 0) pointer->held = PD_TOOL_NONE;
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

void pd_pointer_apply(pd_app *app, int step, int steps) {
    pd_pointer *pointer = &app->device.pointer;
    float part = (float)(step + 1) / (float)steps;
    double speed = pd_app_speed(app) * pd_pace_speed(&app->session.pace);
    float speedup = (float)fmin(fmax(1 / fmax(speed, 1e-3), 1), MAX_SPEEDUP);
    bool paints = pointer->held == PD_TOOL_DRAG && pd_app_paints(app);
    pd_tool tool = {
        .kind = paints ? PD_TOOL_PAINT : pointer->held,
        .position = {pointer->drawn.x + part * (pointer->position.x - pointer->drawn.x),
                     pointer->drawn.y + part * (pointer->position.y - pointer->drawn.y)},
        .velocity = {speedup * pointer->velocity.x, speedup * pointer->velocity.y},
        .radius = pd_pointer_radius(app),
        .obstacle = pointer->held == PD_TOOL_MOVE ? pointer->obstacle : 0,
        .material = paints ? pd_app_dye(app) : 0,
    };
    if (tool.kind == PD_TOOL_MOVE && !pointer->begun) {
        /* From the place where it was taken hold of: the pointer may have moved on before this step. */
        pd_tool press = tool;
        press.position = pointer->pressed;
        put_down(app);
        hold(app, &press);
    }
    pointer->begun = true;
    hold(app, &tool);
    if (step + 1 < steps) return;
    if (pointer->released) pointer->held = PD_TOOL_NONE;
    pointer->released = false;
}
