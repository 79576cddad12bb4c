/* Shared by the fuzzers: random numbers for mutations, stepping a world for a bounded time, and statistics of the
 * inputs. */
#ifndef PUDDLE_TESTS_FUZZ_H
#define PUDDLE_TESTS_FUZZ_H

#include <math.h>
#include <puddle/puddle.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed);

/* ---- Random numbers: the same mutation for the same seed ---- */

static uint64_t fuzz_state;

/* 0 .. below - 1; 0 where below is 0. */
static inline size_t fuzz_pick(size_t below) {
    fuzz_state = fuzz_state * 6364136223846793005u + 1442695040888963407u;
    return below ? (size_t)((fuzz_state >> 33) % below) : 0;
}

/* ---- Figures, printed at the end ---- */

/* read: inputs that were not refused; reached: inputs of which a world was created; steps: complete steps */
static struct { unsigned long inputs, read, reached, steps; } fuzz_count;

static inline void fuzz_print(void) {
    fprintf(stderr, "fuzz: %lu inputs, %lu read, %lu reached a world, %lu steps\n", fuzz_count.inputs, fuzz_count.read,
            fuzz_count.reached, fuzz_count.steps);
}

static inline void fuzz_begin(void) {
    if (fuzz_count.inputs++ == 0) atexit(fuzz_print);
}

/* ---- What must hold ---- */

static inline void fuzz_fail(const char *why) {
    fprintf(stderr, "fuzz: %s\n", why);
    abort();
}

/* An error has a code and a message of one line. */
static inline void fuzz_expect_told(const pd_error *error) {
    if (error->code == PD_ERROR_NONE || !*error->message || strchr(error->message, '\n'))
        fuzz_fail("an error without a code or without a message of one line");
}

/* Two steps, or the part of them that takes a quarter of a second: all numbers stay finite. */
static inline void fuzz_step(pd_world *world) {
    enum { STEPS = 2 };
    for (int step = 0; step < STEPS; step++) {
        bool whole = false;
        for (int part = 0; part < 5 && !whole; part++) whole = pd_world_step_part(world, 0.025);
        fuzz_count.steps += whole;
        pd_view view;
        pd_statistics statistics;
        pd_world_view(world, &view);
        for (int i = 0; i < view.count; i++)
            if (!isfinite(view.x[i]) || !isfinite(view.y[i]) || !isfinite(view.vx[i]) || !isfinite(view.vy[i]))
                fuzz_fail("a position or velocity is not finite");
        pd_world_statistics(world, &statistics);
        if (!whole) return;
    }
}

#endif
