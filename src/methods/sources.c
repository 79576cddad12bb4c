/* Sources of volume on a staggered grid: emitters and tools. */
#include "methods/sources.h"

#include "core/math.h"

#include <string.h>

/* Speed of the fluid at the edge of a pushing or pulling tool, in units of sqrt(g L) (pd_resolution). */
static const float PUSH_SPEED = 1.5f, PULL_SPEED = 1;

bool pd_find_emitter_mouth(const pd_world *world, const pd_mac *mac, int emitter, float dt, pd_mouth *mouth) {
    const pd_emitter *e = &world->scene.emitters[emitter];
    double time = pd_world_time(world);
    if (time < e->from || time >= e->until) return false;
    float length = pd_hypotf(e->direction.x, e->direction.y), cell = (float)mac->grid.cell;
    *mouth = (pd_mouth){e, e->direction.x / length, e->direction.y / length, cell, fmaxf(e->speed * dt, 2 * cell)};
    mouth->reach = 0.5f * e->width + mouth->ahead;
    mouth->box = pd_mac_cells_around(mac, e->position, (pd_vec2){mouth->reach, mouth->reach});
    return true;
}

float pd_mouth_fraction_in_cell(const pd_mouth *mouth, pd_vec2 center) {
    float dx = center.x - mouth->emitter->position.x, dy = center.y - mouth->emitter->position.y;
    float along = dx * mouth->ax + dy * mouth->ay, across = fabsf(dy * mouth->ax - dx * mouth->ay);
    if (along < -0.5f * mouth->cell || along > mouth->ahead) return 0;
    return fminf(fmaxf((0.5f * mouth->emitter->width - across) / mouth->cell + 0.5f, 0), 1);
}

/* Adds a push as a source of volume, or a pull as a sink, proportional to (1 - r^2)^2 over the tool's disc. A force
 * towards or away from the pointer would have no effect: it is a gradient, which the pressure balances. */
static void add_tool_source(const pd_world *world, const pd_mac *mac, float *source) {
    const pd_tool *tool = &world->tool;
    float speed = sqrtf(world->resolution.gravity * world->resolution.length);
    float strength = 6 * (tool->kind == PD_TOOL_PUSH ? PUSH_SPEED : -PULL_SPEED) * speed / tool->radius;
    for (int j = 0; j < mac->layout.ny; j++) {
        for (int i = 0; i < mac->layout.nx; i++) {
            pd_vec2 p = pd_mac_cell_center(mac, i, j);
            float dx = (p.x - world->tool_now.x) / tool->radius, dy = (p.y - world->tool_now.y) / tool->radius;
            float r2 = dx * dx + dy * dy;
            if (r2 < 1) source[pd_element_index(&mac->layout, i, j)] += strength * (1 - r2) * (1 - r2);
        }
    }
}

/* Returns the inflow's velocity along the jet, m/s, through the side of the container that lies at the back of the
 * emitter's mouth. 0: no side with inflow lies there. */
static float compute_inflow_behind_mouth(const pd_world *world, const pd_mac *mac, const pd_mouth *mouth) {
    static const float inwards_x[PD_WALLS] = {[PD_WALL_LEFT] = 1, [PD_WALL_RIGHT] = -1};
    static const float inwards_y[PD_WALLS] = {[PD_WALL_BOTTOM] = 1, [PD_WALL_TOP] = -1};
    const pd_container *c = &world->scene.container;
    float flow = 0, near = 1.5f * (float)mac->grid.cell;
    for (int side = 0; side < PD_WALLS; side++) {
        float inflow = mac->sides[side].inflow;
        if (!(inflow > 0)) continue;
        float distance = inwards_x[side] * mouth->emitter->position.x + inwards_y[side] * mouth->emitter->position.y +
                         0.5f * (inwards_x[side] != 0 ? c->width : c->height);
        if (distance < near) flow += inflow * (inwards_x[side] * mouth->ax + inwards_y[side] * mouth->ay);
    }
    return flow;
}

bool pd_find_volume_sources(const pd_world *world, const pd_mac *mac, float dt, float *source) {
    bool tool = world->tool.kind == PD_TOOL_PUSH || world->tool.kind == PD_TOOL_PULL;
    if (!tool && world->scene.emitter_count == 0) return false;
    memset(source, 0, mac->layout.count * sizeof(float));
    if (tool) add_tool_source(world, mac, source);
    for (int e = 0; e < world->scene.emitter_count; e++) {
        pd_mouth mouth;
        /* rate of area: (speed - inflow) x width, spread over the mouth */
        if (pd_find_emitter_mouth(world, mac, e, dt, &mouth)) {
            float strength =
                fmaxf(mouth.emitter->speed - compute_inflow_behind_mouth(world, mac, &mouth), 0) / mouth.ahead;
            for (int j = mouth.box.bottom; j <= mouth.box.top; j++)
                for (int i = mouth.box.left; i <= mouth.box.right; i++)
                    source[pd_element_index(&mac->layout, i, j)] +=
                        strength * pd_mouth_fraction_in_cell(&mouth, pd_mac_cell_center(mac, i, j));
        }
    }
    for (size_t k = 0; k < mac->layout.count; k++) source[k] *= mac->open[k];
    return true;
}
