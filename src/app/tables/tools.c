#include "app/tables/tools.h"

#include "app/tables/keys.h"

static const pd_bar_row rows[PD_BAR_TOOLS] = {
    [PD_BAR_HAND] = {"Hand", PD_TOOL_DRAG, false, {0}},
    [PD_BAR_PUSH] = {"Push", PD_TOOL_PUSH, false, {0}},
    [PD_BAR_PULL] = {"Pull", PD_TOOL_PULL, false, {0}},
    [PD_BAR_POUR] = {"Pour", PD_TOOL_POUR, true, {0}},
    [PD_BAR_ERASE] = {"Erase", PD_TOOL_ERASE, false, {"fluid", "walls", "both"}},
    [PD_BAR_WALL] = {"Wall", PD_TOOL_NONE, false, {0}},
    [PD_BAR_SHAPE] = {"Shape", PD_TOOL_NONE, false, {"circle", "box", "polygon"}},
    [PD_BAR_EMITTER] = {"Emitter", PD_TOOL_NONE, true, {0}},
    [PD_BAR_DRAIN] = {"Drain", PD_TOOL_NONE, false, {0}},
    [PD_BAR_MOVE] = {"Move", PD_TOOL_MOVE, false, {0}},
};

const pd_bar_row *pd_bar_row_of(pd_bar_tool tool) { return &rows[tool]; }

int pd_bar_choices(pd_bar_tool tool) {
    int count = 0;
    while (count < PD_MAX_CHOICES && rows[tool].choices[count]) count++;
    return count;
}

const char *pd_bar_key(pd_bar_tool tool) { return pd_key_of(PD_ACTION_TOOL, (int)tool); }
