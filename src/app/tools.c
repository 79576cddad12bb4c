#include "app/tools.h"

#include "app/keys.h"

static const pd_bar_row rows[PD_BAR_TOOLS] = {
    [PD_BAR_HAND] = {"Hand", PD_TOOL_DRAG, false},    [PD_BAR_PUSH] = {"Push", PD_TOOL_PUSH, false},
    [PD_BAR_PULL] = {"Pull", PD_TOOL_PULL, false},    [PD_BAR_POUR] = {"Pour", PD_TOOL_POUR, true},
    [PD_BAR_ERASE] = {"Erase", PD_TOOL_ERASE, false},
};

const pd_bar_row *pd_bar_row_of(pd_bar_tool tool) { return &rows[tool]; }

const char *pd_bar_key(pd_bar_tool tool) {
    int count;
    const pd_key *keys = pd_keys(&count);
    for (int i = 0; i < count; i++)
        if (keys[i].action == PD_ACTION_TOOL && keys[i].strokes[0].argument == (int)tool) return keys[i].name;
    return "";
}
