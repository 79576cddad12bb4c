/* Time that runs backwards. */
#include "core/array.h"
#include "core/memory.h"
#include "log/log.h"

#include "core/error.h"
#include "core/timer.h"

#include <math.h>
#include <string.h>

enum { ENOUGH = 90 /* states ahead: more than what is shown while the next ones are made */ };

/* States of successive ticks. */
typedef struct series {
    pd_keyframe *states;
    int count, capacity;
} series;

struct pd_reverse {
    pd_world *world; /* works on `filling` */
    size_t bytes, limit;
    series ready;   /* up to the tick before the log's; the last one is shown next */
    series filling; /* ends at `until` when complete */
    bool busy;      /* filling is incomplete */
    uint64_t tick;  /* of the world, whose commands are applied if it is stepping */
    uint64_t first; /* tick of the first state to keep */
    uint64_t until; /* the tick after the last one */
};

static void clear(pd_reverse *reverse, series *series, int kept) {
    while (series->count > kept) {
        pd_keyframe *last = &series->states[--series->count];
        reverse->bytes -= last->size;
        pd_memory_free(last->bytes);
    }
}

pd_result pd_reverse_create(pd_reverse **created, const pd_world *world, size_t bytes, pd_error *error) {
    pd_reverse *reverse = pd_memory_zeroed(1, sizeof *reverse);
    *created = NULL;
    if (!reverse) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory to go back (close other programs)");
    reverse->limit = bytes;
    pd_world_def def = pd_world_def_default();
    def.scene = pd_world_scene(world);
    def.threads = pd_world_threads(world);
    pd_result result = pd_world_create(&reverse->world, &def, error);
    if (result == PD_OK)
        *created = reverse;
    else
        pd_memory_free(reverse);
    return result;
}

void pd_reverse_forget(pd_reverse *reverse) {
    clear(reverse, &reverse->ready, 0);
    clear(reverse, &reverse->filling, 0);
    reverse->busy = false;
}

void pd_reverse_destroy(pd_reverse *reverse) {
    if (!reverse) return;
    pd_reverse_forget(reverse);
    pd_memory_free(reverse->ready.states);
    pd_memory_free(reverse->filling.states);
    pd_world_destroy(reverse->world);
    pd_memory_free(reverse);
}

int pd_reverse_ready(const pd_reverse *reverse) { return reverse->ready.count; }
size_t pd_reverse_bytes(const pd_reverse *reverse) { return reverse->bytes; }

/* Begins with the states after the keyframe before those that are ready; false: there is no room for them, or nothing to do. */
static bool begin(pd_reverse *reverse, const pd_log *log) {
    uint64_t until = reverse->ready.count > 0 ? reverse->ready.states[0].tick : log->tick, keyframe;
    if (reverse->ready.count >= ENOUGH || !pd_log_keyframe_before(log, until, &keyframe)) return false;
    const pd_keyframe *from = log->keyframes;
    while (from->tick != keyframe) from++;
    size_t size = from->size + from->size / 8; /* particles may be added on the way */
    size_t all = reverse->limit / size, room = (reverse->limit - reverse->bytes) / size;
    size_t wanted = until - keyframe < all / 2 ? (size_t)(until - keyframe) : all / 2;
    if (wanted == 0 || room < wanted ||
        !PD_LIST_RESERVE(reverse->filling.states, reverse->filling.capacity, (int)wanted))
        return false;
    if (pd_world_restore_memory(reverse->world, from->bytes, from->size, NULL) != PD_OK) return false;
    reverse->tick = keyframe;
    reverse->first = until - wanted;
    reverse->until = until;
    reverse->busy = true;
    return true;
}

/* All that were filled precede those that are ready. */
static void join(pd_reverse *reverse) {
    series *ready = &reverse->ready, *filling = &reverse->filling;
    reverse->busy = false;
    if (!PD_LIST_RESERVE(filling->states, filling->capacity, filling->count + ready->count)) {
        clear(reverse, filling, 0);
        return;
    }
    if (ready->count > 0)
        memcpy(filling->states + filling->count, ready->states, (size_t)ready->count * sizeof *ready->states);
    filling->count += ready->count;
    series emptied = *ready;
    *ready = *filling;
    *filling = emptied;
    filling->count = 0;
}

/* Gives up the states that are being computed. */
static void stop(pd_reverse *reverse) {
    clear(reverse, &reverse->filling, 0);
    reverse->busy = false;
}

/* Keeps the world's state, before the commands of its tick. */
static void keep(pd_reverse *reverse, pd_log *log) {
    if (reverse->tick % PD_KEYFRAME_TICKS == 0) pd_log_keep_at(log, reverse->world, reverse->tick, false);
    if (reverse->tick < reverse->first) return;
    pd_keyframe state = {.tick = reverse->tick};
    if (pd_world_save_memory(reverse->world, &state.bytes, &state.size, NULL) != PD_OK ||
        reverse->bytes + state.size > reverse->limit) {
        pd_memory_free(state.bytes);
        stop(reverse);
        return;
    }
    reverse->filling.states[reverse->filling.count++] = state;
    reverse->bytes += state.size;
}

/* Works on the world's next step, or completes the series; true: there is one more state. */
static bool work(pd_reverse *reverse, pd_log *log, double seconds) {
    if (!pd_world_stepping(reverse->world)) {
        if (reverse->filling.count == 0 && reverse->tick == reverse->first) keep(reverse, log);
        if (!reverse->busy) return false;
        if (reverse->tick + 1 == reverse->until) {
            join(reverse);
            return false;
        }
        size_t refusals = pd_memory_refusals();
        for (int i = pd_log_first_command(log, reverse->tick); i < log->count && log->entries[i].tick == reverse->tick;
             i++)
            pd_log_apply(log, reverse->world, i, &log->entries[i].command, NULL); /* as it fails in the log's world */
        if (pd_memory_refusals() != refusals) {
            stop(reverse);
            return false;
        }
    }
    if (!pd_world_step_part(reverse->world, seconds)) return false;
    reverse->tick++;
    if (pd_world_starved(reverse->world) || pd_world_refused(reverse->world) > 0)
        stop(reverse);
    else
        keep(reverse, log);
    return reverse->busy;
}

void pd_reverse_prepare(pd_reverse *reverse, pd_log *log, double seconds, int states) {
    double begun = pd_now(), left = seconds;
    do {
        if (!reverse->busy && !begin(reverse, log)) return;
        if (work(reverse, log, left)) states--;
        left = seconds - (pd_now() - begun);
    } while (left > 0 && (states > 0 || (reverse->busy && reverse->tick + 1 == reverse->until)));
}

/* Without states: to the keyframe before. */
static uint64_t jump(pd_reverse *reverse, pd_log *log, pd_world *world, uint64_t ticks) {
    uint64_t now = log->tick, keyframe;
    if (!pd_log_keyframe_before(log, now, &keyframe)) return 0;
    if (ticks < now - keyframe && ticks < PD_KEYFRAME_TICKS) return 0;
    if (pd_log_seek(log, world, keyframe, NULL) != PD_OK) return 0;
    pd_reverse_forget(reverse);
    return now - keyframe;
}

uint64_t pd_reverse_back(pd_reverse *reverse, pd_log *log, pd_world *world, uint64_t ticks) {
    series *ready = &reverse->ready;
    uint64_t now = log->tick;
    if (ticks == 0) return 0;
    if (ready->count == 0) return jump(reverse, log, world, ticks);
    int index = ticks < (uint64_t)ready->count ? ready->count - (int)ticks : 0;
    if (pd_log_show(log, world, &ready->states[index], NULL) != PD_OK) return 0;
    clear(reverse, ready, index);
    return now - log->tick;
}
