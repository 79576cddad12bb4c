/* The table of tools of the left mouse button. */
#include "app/tables/tools.h"

#define KEY(cap, code, about, tool) .key = {cap, about, "Mouse", PD_ACTION_TOOL, .strokes = {{code, 0, tool}}}

static const pd_bar_row rows[PD_BAR_TOOLS] = {
    [PD_BAR_HAND] = {"Hand", KEY("F2", PD_KEY_F2, "tool: hand (drag)", PD_BAR_HAND), .kind = PD_TOOL_DRAG},
    [PD_BAR_PUSH] = {"Push", KEY("F3", PD_KEY_F3, "tool: push", PD_BAR_PUSH), .kind = PD_TOOL_PUSH},
    [PD_BAR_PULL] = {"Pull", KEY("F4", PD_KEY_F4, "tool: pull", PD_BAR_PULL), .kind = PD_TOOL_PULL},
    [PD_BAR_POUR] = {"Pour", KEY("F5", PD_KEY_F5, "tool: pour; again: next material", PD_BAR_POUR),
                     .kind = PD_TOOL_POUR, .ghost = PD_GHOST_POUR, .needs_material = true},
    [PD_BAR_ERASE] = {"Erase", KEY("F6", PD_KEY_F6, "tool: erase fluid; again: walls, both", PD_BAR_ERASE),
                      .kind = PD_TOOL_ERASE, .ghost = PD_GHOST_ERASE, .choices = {"fluid", "walls", "both"}},
    [PD_BAR_WALL] = {"Wall", KEY("F7", PD_KEY_F7, "tool: wall; Shift: straight", PD_BAR_WALL), .ghost = PD_GHOST_DRAFT,
                     .size_name = "Wall thickness", .size_factor = PD_WALL_THICKNESS},
    [PD_BAR_SHAPE] = {"Shape", KEY("F8", PD_KEY_F8, "tool: circle; again: box, polygon", PD_BAR_SHAPE),
                      .ghost = PD_GHOST_DRAFT, .turns = true, .choices = {"circle", "box", "polygon"}},
    [PD_BAR_EMITTER] = {"Emitter", KEY("E", 'e', "tool: emitter", PD_BAR_EMITTER), .ghost = PD_GHOST_DRAFT,
                        .needs_material = true, .shows_emitters = true, .size_name = "Emitter width"},
    [PD_BAR_DRAIN] = {"Drain", KEY("X", 'x', "tool: drain", PD_BAR_DRAIN), .ghost = PD_GHOST_DRAFT,
                      .shows_emitters = true},
    [PD_BAR_MOVE] = {"Move", KEY("M", 'm', "tool: move; Shift: throw", PD_BAR_MOVE), .kind = PD_TOOL_MOVE,
                     .ghost = PD_GHOST_MOVE, .needs_item = true, .shows_emitters = true},
};

const pd_bar_row *pd_bar_tool_row(pd_bar_tool tool) { return &rows[tool]; }

int pd_bar_tool_choice_count(pd_bar_tool tool) {
    int count = 0;
    while (count < PD_MAX_CHOICES && rows[tool].choices[count]) count++;
    return count;
}

const char *pd_bar_tool_key_name(pd_bar_tool tool) { return rows[tool].key.name; }
