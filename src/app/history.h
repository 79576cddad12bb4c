/* Rewind: a snapshot in memory for every simulated second; the oldest is dropped when the budget is used up. */
#ifndef PUDDLE_APP_HISTORY_H
#define PUDDLE_APP_HISTORY_H

#include <puddle/puddle.h>

enum { PD_HISTORY_SNAPSHOTS = 600, PD_HISTORY_BYTES = 64 << 20 };

typedef struct pd_history {
    struct {
        void *bytes;
        size_t size;
        uint64_t step;
    } items[PD_HISTORY_SNAPSHOTS]; /* oldest first */
    int count;
    size_t bytes, budget; /* bytes held, and their limit (0: PD_HISTORY_BYTES) */
    double due;           /* s of simulated time of the next snapshot */
} pd_history;

/* Drops all snapshots (another scene, a reset); the next pd_history_keep takes one. */
void pd_history_clear(pd_history *history);
/* Takes a snapshot when one is due: call after every step. Out of memory is no error: the snapshot is left out. A world
 * larger than the budget is never kept; otherwise the last two snapshots are kept even when together they exceed it. */
void pd_history_keep(pd_history *history, const pd_world *world);
/* Restores the newest snapshot before now; each call goes one further back. False when there is none. */
bool pd_history_back(pd_history *history, pd_world *world);

#endif
