/* Time that runs backwards: states before the present, computed ahead from keyframes by a second world. */
#include "core/array.h"
#include "core/memory.h"
#include "log/log.h"

#include "core/error.h"
#include "core/timer.h"

#include <math.h>
#include <string.h>

enum { MOST_READY = 90 /* number of states ready beyond which no more are computed */ };

/* States of successive ticks. */
typedef struct series {
    pd_keyframe *states;
    int count, capacity;
} series;

struct pd_reverse {
    pd_world *world; /* second world, which computes `filling` */
    size_t bytes, limit;
    series ready;        /* complete states up to the tick before the log's; the last one is shown next */
    series filling;      /* states being computed, up to the tick before `end_tick` */
    bool is_filling;     /* whether `filling` is incomplete */
    uint64_t tick;       /* tick of `world`; within a step the commands of this tick are applied */
    uint64_t first_tick; /* first tick to save */
    uint64_t end_tick;   /* tick after the last one to save */
};

static void remove_states(pd_reverse *reverse, series *series, int kept) {
    while (series->count > kept) {
        pd_keyframe *last = &series->states[--series->count];
        reverse->bytes -= last->size;
        pd_memory_free(last->bytes);
    }
}

pd_result pd_reverse_create(pd_reverse **created, const pd_world *world, size_t max_bytes, pd_error *error) {
    pd_reverse *reverse = pd_memory_new_zeroed(1, sizeof *reverse);
    *created = NULL;
    if (!reverse) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory to go back (close other programs)");
    reverse->limit = max_bytes;
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

void pd_reverse_free_states(pd_reverse *reverse) {
    remove_states(reverse, &reverse->ready, 0);
    remove_states(reverse, &reverse->filling, 0);
    reverse->is_filling = false;
}

void pd_reverse_destroy(pd_reverse *reverse) {
    if (!reverse) return;
    pd_reverse_free_states(reverse);
    pd_memory_free(reverse->ready.states);
    pd_memory_free(reverse->filling.states);
    pd_world_destroy(reverse->world);
    pd_memory_free(reverse);
}

int pd_reverse_state_count(const pd_reverse *reverse) { return reverse->ready.count; }
size_t pd_reverse_state_bytes(const pd_reverse *reverse) { return reverse->bytes; }

/* Begins to compute the states between a keyframe and the ready states. Returns false if memory is short or all states
 * are ready. */
static bool begin_filling(pd_reverse *reverse, const pd_log *log) {
    uint64_t until = reverse->ready.count > 0 ? reverse->ready.states[0].tick : log->tick, keyframe;
    if (reverse->ready.count >= MOST_READY || !pd_log_find_keyframe_before(log, until, &keyframe)) return false;
    const pd_keyframe *from = log->keyframes;
    while (from->tick != keyframe) from++;
    size_t size = from->size + from->size / 8; /* with a reserve for particles that are added later */
    size_t all = reverse->limit / size, room = (reverse->limit - reverse->bytes) / size;
    size_t wanted = until - keyframe < all / 2 ? (size_t)(until - keyframe) : all / 2;
    if (wanted == 0 || room < wanted ||
        !PD_LIST_RESERVE(reverse->filling.states, reverse->filling.capacity, (int)wanted))
        return false;
    if (pd_world_restore_from_memory(reverse->world, from->bytes, from->size, NULL) != PD_OK) return false;
    reverse->tick = keyframe;
    reverse->first_tick = until - wanted;
    reverse->end_tick = until;
    reverse->is_filling = true;
    return true;
}

/* Moves the completed states before the ready ones. */
static void prepend_filled(pd_reverse *reverse) {
    series *ready = &reverse->ready, *filling = &reverse->filling;
    reverse->is_filling = false;
    if (!PD_LIST_RESERVE(filling->states, filling->capacity, filling->count + ready->count)) {
        remove_states(reverse, filling, 0);
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

/* Removes the incomplete states. */
static void clear_filling(pd_reverse *reverse) {
    remove_states(reverse, &reverse->filling, 0);
    reverse->is_filling = false;
}

/* Saves the state of the second world, before the commands of its tick. */
static void save_filled_state(pd_reverse *reverse, pd_log *log) {
    if (reverse->tick % PD_KEYFRAME_TICKS == 0)
        pd_log_add_keyframe_from_world(log, reverse->world, reverse->tick, false);
    if (reverse->tick < reverse->first_tick) return;
    pd_keyframe state = {.tick = reverse->tick};
    if (pd_world_save_to_memory(reverse->world, &state.bytes, &state.size, NULL) != PD_OK ||
        reverse->bytes + state.size > reverse->limit) {
        pd_memory_free(state.bytes);
        clear_filling(reverse);
        return;
    }
    reverse->filling.states[reverse->filling.count++] = state;
    reverse->bytes += state.size;
}

/* Computes a part of the second world's next step, or completes the states. Returns whether a state was added. */
static bool advance_filling(pd_reverse *reverse, pd_log *log, double wall_seconds) {
    if (!pd_world_stepping(reverse->world)) {
        if (reverse->filling.count == 0 && reverse->tick == reverse->first_tick) save_filled_state(reverse, log);
        if (!reverse->is_filling) return false;
        if (reverse->tick + 1 == reverse->end_tick) {
            prepend_filled(reverse);
            return false;
        }
        size_t refusals = pd_memory_refusal_count();
        for (int i = pd_log_first_command(log, reverse->tick); i < log->count && log->entries[i].tick == reverse->tick;
             i++)
            pd_log_apply(log, reverse->world, i, &log->entries[i].command,
                         NULL); /* a failing command has failed in the log's world too */
        if (pd_memory_refusal_count() != refusals) {
            clear_filling(reverse);
            return false;
        }
    }
    if (!pd_world_step_part(reverse->world, wall_seconds)) return false;
    reverse->tick++;
    if (pd_world_was_refused_memory(reverse->world) || pd_world_new_particle_limit(reverse->world) > 0)
        clear_filling(reverse);
    else
        save_filled_state(reverse, log);
    return reverse->is_filling;
}

void pd_reverse_compute_states(pd_reverse *reverse, pd_log *log, double wall_seconds, int max_states) {
    double begun = pd_now(), left = wall_seconds;
    do {
        if (!reverse->is_filling && !begin_filling(reverse, log)) return;
        if (advance_filling(reverse, log, left)) max_states--;
        left = wall_seconds - (pd_now() - begun);
    } while (left > 0 && (max_states > 0 || (reverse->is_filling && reverse->tick + 1 == reverse->end_tick)));
}

/* If no states are ready, seeks the keyframe before the present. Returns the number of ticks gone back. */
static uint64_t seek_keyframe(pd_reverse *reverse, pd_log *log, pd_world *world, uint64_t ticks) {
    uint64_t now = log->tick, keyframe;
    if (!pd_log_find_keyframe_before(log, now, &keyframe)) return 0;
    if (ticks < now - keyframe && ticks < PD_KEYFRAME_TICKS) return 0;
    if (pd_log_seek(log, world, keyframe, NULL) != PD_OK) return 0;
    pd_reverse_free_states(reverse);
    return now - keyframe;
}

uint64_t pd_reverse_go_back(pd_reverse *reverse, pd_log *log, pd_world *world, uint64_t ticks) {
    series *ready = &reverse->ready;
    uint64_t now = log->tick;
    if (ticks == 0) return 0;
    if (ready->count == 0) return seek_keyframe(reverse, log, world, ticks);
    int index = ticks < (uint64_t)ready->count ? ready->count - (int)ticks : 0;
    if (pd_log_set_state(log, world, &ready->states[index], NULL) != PD_OK) return 0;
    remove_states(reverse, ready, index);
    return now - log->tick;
}
