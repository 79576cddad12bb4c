/* Time that runs backwards. The states before the present are computed in a second world, forwards from a keyframe of the
 * log. */
#include "core/array.h"
#include "core/memory.h"
#include "log/log.h"

#include "core/error.h"
#include "core/timer.h"

#include <math.h>
#include <string.h>

enum { ENOUGH_READY_STATES = 90 /* if this many states are ready to be shown, no earlier states are computed */ };

/* Snapshots of the world at successive ticks, the earliest first. */
typedef struct state_series {
    pd_keyframe *states; /* the snapshots */
    int count, capacity; /* number of snapshots, and number for which memory is allocated */
} state_series;

struct pd_reverse {
    pd_world *world;     /* second world, in which the states are computed */
    size_t bytes, limit; /* size of all states and its limit, bytes */
    /* States just before the present that can be shown; the last one is one tick before the present. */
    state_series ready;
    /* States before those of `ready`, of the ticks [first_tick, end_tick), as far as they are computed. */
    state_series computed;
    bool is_computing;   /* the states of the ticks [first_tick, end_tick) are being computed */
    uint64_t tick;       /* tick of `world`, after its last complete step */
    uint64_t first_tick; /* tick of the first state to compute */
    uint64_t end_tick;   /* tick after the last state to compute: the tick of the first ready state, or the present */
};

static void remove_last_states(pd_reverse *reverse, state_series *series, int remaining) {
    while (series->count > remaining) {
        pd_keyframe *last = &series->states[--series->count];
        reverse->bytes -= last->size;
        pd_memory_free(last->bytes);
    }
}

pd_result pd_reverse_create(pd_reverse **reverse_out, const pd_world *world, size_t max_bytes, pd_error *error) {
    pd_reverse *reverse = pd_memory_require(1, sizeof *reverse);
    *reverse_out = NULL;
    reverse->limit = max_bytes;
    pd_world_def def = pd_world_def_default();
    def.scene = pd_world_scene(world);
    def.threads = pd_world_threads(world);
    pd_result result = pd_world_create(&reverse->world, &def, error);
    if (result == PD_OK)
        *reverse_out = reverse;
    else
        pd_memory_free(reverse);
    return result;
}

void pd_reverse_free_states(pd_reverse *reverse) {
    remove_last_states(reverse, &reverse->ready, 0);
    remove_last_states(reverse, &reverse->computed, 0);
    reverse->is_computing = false;
}

void pd_reverse_destroy(pd_reverse *reverse) {
    if (!reverse) return;
    pd_reverse_free_states(reverse);
    pd_memory_free(reverse->ready.states);
    pd_memory_free(reverse->computed.states);
    pd_world_destroy(reverse->world);
    pd_memory_free(reverse);
}

int pd_reverse_state_count(const pd_reverse *reverse) { return reverse->ready.count; }
size_t pd_reverse_state_bytes(const pd_reverse *reverse) { return reverse->bytes; }

/* Begins to compute states before the ready ones, from the last keyframe before them. They may occupy half of reverse->limit.
 * Returns false if enough states are ready, the log has no earlier keyframe, or memory is short. */
static bool begin_computing_states(pd_reverse *reverse, const pd_log *log) {
    uint64_t until = reverse->ready.count > 0 ? reverse->ready.states[0].tick : log->tick, keyframe;
    if (reverse->ready.count >= ENOUGH_READY_STATES || !pd_log_find_keyframe_before(log, until, &keyframe))
        return false;
    const pd_keyframe *from = log->keyframes;
    while (from->tick != keyframe) from++;
    size_t size = from->size + from->size / 8; /* 1/8 more, because later ticks may have more particles */
    size_t all = reverse->limit / size, room = (reverse->limit - reverse->bytes) / size;
    size_t wanted = until - keyframe < all / 2 ? (size_t)(until - keyframe) : all / 2;
    if (wanted == 0 || room < wanted ||
        !PD_LIST_RESERVE(reverse->computed.states, reverse->computed.capacity, (int)wanted))
        return false;
    if (pd_world_restore_from_memory(reverse->world, from->bytes, from->size, NULL) != PD_OK) return false;
    reverse->tick = keyframe;
    reverse->first_tick = until - wanted;
    reverse->end_tick = until;
    reverse->is_computing = true;
    return true;
}

/* Moves the computed states to the beginning of the ready ones. Removes them if memory runs out. */
static void prepend_computed_states(pd_reverse *reverse) {
    state_series *ready = &reverse->ready, *computed = &reverse->computed;
    reverse->is_computing = false;
    if (!PD_LIST_RESERVE(computed->states, computed->capacity, computed->count + ready->count)) {
        remove_last_states(reverse, computed, 0);
        return;
    }
    if (ready->count > 0)
        memcpy(computed->states + computed->count, ready->states, (size_t)ready->count * sizeof *ready->states);
    computed->count += ready->count;
    state_series emptied = *ready;
    *ready = *computed;
    *computed = emptied;
    computed->count = 0;
}

/* Ends the computation of states and removes those computed so far. */
static void cancel_computation(pd_reverse *reverse) {
    remove_last_states(reverse, &reverse->computed, 0);
    reverse->is_computing = false;
}

/* Saves the state of the second world before the commands of its tick. From first_tick on, appends it to `computed`. If
 * the tick is a multiple of PD_KEYFRAME_TICKS, adds it to the log as a keyframe. Cancels the computation if memory runs
 * out. */
static void save_computed_state(pd_reverse *reverse, pd_log *log) {
    if (reverse->tick % PD_KEYFRAME_TICKS == 0)
        pd_log_add_keyframe_from_world(log, reverse->world, reverse->tick, false);
    if (reverse->tick < reverse->first_tick) return;
    pd_keyframe state = {.tick = reverse->tick};
    if (pd_world_save_to_memory(reverse->world, &state.bytes, &state.size, NULL) != PD_OK ||
        reverse->bytes + state.size > reverse->limit) {
        pd_memory_free(state.bytes);
        cancel_computation(reverse);
        return;
    }
    reverse->computed.states[reverse->computed.count++] = state;
    reverse->bytes += state.size;
}

/* Computes a part of the second world's next step, in about `seconds` of wall time. If all states are computed, moves them
 * to the ready ones instead. Returns whether a step was completed and more steps remain. */
static bool advance_second_world(pd_reverse *reverse, pd_log *log, double seconds) {
    if (!pd_world_stepping(reverse->world)) {
        if (reverse->computed.count == 0 && reverse->tick == reverse->first_tick) save_computed_state(reverse, log);
        if (!reverse->is_computing) return false;
        if (reverse->tick + 1 == reverse->end_tick) {
            prepend_computed_states(reverse);
            return false;
        }
        size_t refusals = pd_memory_refused_request_count();
        for (int i = pd_log_first_command_index(log, reverse->tick);
             i < log->count && log->entries[i].tick == reverse->tick; i++)
            pd_log_apply(log, reverse->world, i, &log->entries[i].command,
                         NULL); /* an error is ignored, as in a replay: the command then changes nothing */
        if (pd_memory_refused_request_count() != refusals) {
            cancel_computation(reverse);
            return false;
        }
    }
    if (!pd_world_step_part(reverse->world, seconds)) return false;
    reverse->tick++;
    if (pd_world_was_refused_memory(reverse->world))
        cancel_computation(reverse);
    else
        save_computed_state(reverse, log);
    return reverse->is_computing;
}

void pd_reverse_compute_states(pd_reverse *reverse, pd_log *log, double wall_seconds, int max_states) {
    double begun = pd_now(), left = wall_seconds;
    do {
        if (!reverse->is_computing && !begin_computing_states(reverse, log)) return;
        if (advance_second_world(reverse, log, left)) max_states--;
        left = wall_seconds - (pd_now() - begun);
    } while (left > 0 && (max_states > 0 || (reverse->is_computing && reverse->tick + 1 == reverse->end_tick)));
}

/* Seeks the last keyframe before the present if it is at most `ticks` before the present, or if `ticks` is at least
 * PD_KEYFRAME_TICKS. Returns the number of ticks by which the world went back, or 0. */
static uint64_t go_back_to_keyframe(pd_reverse *reverse, pd_log *log, pd_world *world, uint64_t ticks) {
    uint64_t now = log->tick, keyframe;
    if (!pd_log_find_keyframe_before(log, now, &keyframe)) return 0;
    if (ticks < now - keyframe && ticks < PD_KEYFRAME_TICKS) return 0;
    if (pd_log_seek(log, world, keyframe, NULL) != PD_OK) return 0;
    pd_reverse_free_states(reverse);
    return now - keyframe;
}

uint64_t pd_reverse_go_back(pd_reverse *reverse, pd_log *log, pd_world *world, uint64_t ticks) {
    state_series *ready = &reverse->ready;
    uint64_t now = log->tick;
    if (ticks == 0) return 0;
    if (ready->count == 0) return go_back_to_keyframe(reverse, log, world, ticks);
    int index = ticks < (uint64_t)ready->count ? ready->count - (int)ticks : 0;
    if (pd_log_restore_state(log, world, &ready->states[index], NULL) != PD_OK) return 0;
    remove_last_states(reverse, ready, index);
    return now - log->tick;
}
