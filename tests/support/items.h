/* A session with a pool, and drags in it, for tests of tools that change the items of a scene. */
#ifndef PUDDLE_TESTS_ITEMS_H
#define PUDDLE_TESTS_ITEMS_H

#include "app/session/session.h"
#include "methods.h"
#include "sim/world.h"

static const char POOL[] = "puddle: 1\ncontainer: {shape: box, width: 2, height: 1.4}\nparticles: 300\n"
                           "materials: {water: {color: \"#3a8fff\"}, oil: {color: \"#ffc040\", mass: 0.8}}\n"
                           "parameters: {vortex: {core: 0.06}, grid: {resolution: 24}, flip: {resolution: 24}}\n"
                           "regions: [{shape: box, center: [0, -0.45], size: [2, 0.5], material: water}]\n";
static const float NEAR = 0.01f, SIZE = 0.2f, UNIT = 0.7f;

static pd_announcer announcer = {.quiet = true};
static pd_session session;

static inline void open_world(pd_world *world) {
    session = (pd_session){.announcer = &announcer};
    pd_session_replace_world(&session, world);
    *announcer.text = '\0';
}

static inline void open_pool(const char *method, const char *more) {
    char text[4000];
    snprintf(text, sizeof text, "method: %s\n%s%s", method, POOL, more);
    open_world(world_of_text(text, 1));
}

static inline void close_session(void) {
    pd_log_destroy(session.log);
    pd_world_destroy(session.world);
}

static inline void choose(pd_bar_tool tool, int choice) {
    session.tool = tool;
    session.choice[tool] = choice;
}

static inline void hold(pd_tool_kind kind, float x, float y, int obstacle) {
    pd_session_set_tool(
        &session, &(pd_tool){.kind = kind, .position = {x, y}, .radius = SIZE, .obstacle = obstacle, .material = 0});
}

static inline void let_go(void) {
    hold(PD_TOOL_NONE, 0, 0, 0);
    pd_session_end_grab(&session);
}

static inline void step(int steps) {
    for (int k = 0; k < steps; k++) assert_true(pd_session_work_on_step(&session, INFINITY));
}

static inline void act(pd_action action) { assert_true(pd_session_perform_action(&session, action, 0, false)); }

#endif
