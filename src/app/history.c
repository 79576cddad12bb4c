#include "app/history.h"

#include <stdlib.h>
#include <string.h>

static const double INTERVAL = 1; /* s of simulated time */

void pd_history_clear(pd_history *history) {
    for (int i = 0; i < history->count; i++) free(history->items[i].bytes);
    *history = (pd_history){.budget = history->budget};
}

static void drop_oldest(pd_history *history) {
    history->bytes -= history->items[0].size;
    free(history->items[0].bytes);
    history->count--;
    memmove(&history->items[0], &history->items[1], (size_t)history->count * sizeof history->items[0]);
}

static void drop_newest(pd_history *history) {
    history->count--;
    history->bytes -= history->items[history->count].size;
    free(history->items[history->count].bytes);
}

void pd_history_keep(pd_history *history, const pd_world *world) {
    double time = pd_world_time(world);
    if (time < history->due) return;
    history->due = time + INTERVAL;
    void *bytes;
    size_t size, budget = history->budget ? history->budget : PD_HISTORY_BYTES;
    /* A snapshot beyond the budget is not even built: in a large world that would cost a pause every second. */
    size_t last = history->count > 0 ? history->items[history->count - 1].size : 0;
    if (last > budget || pd_world_snapshot_size(world) > budget) return;
    if (pd_world_save_memory(world, &bytes, &size, NULL) != PD_OK) return;
    while (history->count == PD_HISTORY_SNAPSHOTS || (history->count > 1 && history->bytes + size > budget))
        drop_oldest(history);
    history->items[history->count].bytes = bytes;
    history->items[history->count].size = size;
    history->items[history->count].step = pd_world_steps(world);
    history->count++;
    history->bytes += size;
}

bool pd_history_back(pd_history *history, pd_world *world) {
    uint64_t now = pd_world_steps(world);
    while (history->count > 0 && history->items[history->count - 1].step >= now) drop_newest(history);
    if (history->count == 0) return false;
    int last = history->count - 1;
    if (pd_world_restore_memory(world, history->items[last].bytes, history->items[last].size, NULL) != PD_OK)
        return false;
    /* The restored snapshot is dropped, so that the next call goes further back even when some steps were made in
     * between. The oldest is kept. */
    if (last > 0) drop_newest(history);
    history->due = pd_world_time(world) + INTERVAL;
    return true;
}
