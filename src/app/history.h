/* Rewind: a snapshot in memory for every simulated second, the oldest given up when the memory is full. */
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
    size_t bytes, budget; /* held, and to be held: 0 is PD_HISTORY_BYTES */
    double due;           /* s of simulated time: the next snapshot */
} pd_history;

/* Forgets everything (another scene, a reset); the next history_keep takes a first snapshot. */
void pd_history_clear(pd_history *history);
/* Takes a snapshot when one is due: call after every step. Without memory for it there is less to rewind, no failure. A world too
 * large for the budget is not kept at all; beside one that fits the state before it stays, whatever the two take. */
void pd_history_keep(pd_history *history, const pd_world *world);
/* Back to the newest snapshot before now; each call goes one further. False when there is none. */
bool pd_history_back(pd_history *history, pd_world *world);

#endif
