/* Helpers of the fuzzers: random mutations, steps of a world for a bounded time, statistics of the inputs. */
#ifndef PUDDLE_TESTS_FUZZ_H
#define PUDDLE_TESTS_FUZZ_H

#include "scene/content/counts.h"
#include "scene/content/particle_list.h"
#include "with_threads.h"

#include <math.h>
#include <puddle/puddle.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed);

/* Undefined behaviour ends the fuzzer like a memory fault. */
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) { return "halt_on_error=1:print_stacktrace=1"; }

/* ---- Random numbers: the same mutation for the same seed ---- */

static uint64_t fuzz_state;

/* Returns a number in 0 .. below - 1, 0 for below = 0. */
static inline size_t fuzz_pick(size_t below) {
    fuzz_state = fuzz_state * 6364136223846793005u + 1442695040888963407u;
    return below ? (size_t)((fuzz_state >> 33) % below) : 0;
}

/* ---- Figures, printed at the end ---- */

/* read: inputs accepted by the reader; reached: inputs with a world; steps: complete steps */
static struct { unsigned long inputs, read, reached, steps; } fuzz_count;

static inline void fuzz_print(void) {
    fprintf(stderr, "fuzz: %lu inputs, %lu read, %lu reached a world, %lu steps\n", fuzz_count.inputs, fuzz_count.read,
            fuzz_count.reached, fuzz_count.steps);
}

/* Begins to print counters every ten seconds, as a process prints nothing at the end if a fault stops it. */
static inline void fuzz_begin(void) {
    static time_t printed;
    time_t now = time(NULL);
    if (fuzz_count.inputs++ == 0) {
        atexit(fuzz_print);
        printed = now;
    }
    if (now - printed < 10) return;
    fuzz_print();
    printed = now;
}

/* ---- Expectations ---- */

static inline void fuzz_fail(const char *why) {
    fprintf(stderr, "fuzz: %s\n", why);
    abort();
}

/* Expects a code and a message of one line. */
static inline void fuzz_expect_message(const pd_error *error) {
    if (error->code == PD_ERROR_NONE || !*error->message || strchr(error->message, '\n'))
        fuzz_fail("an error without a code or without a message of one line");
}

static inline void fuzz_require(pd_result result, const pd_error *error) {
    if (result != PD_OK) fuzz_fail(error->message);
}

/* ---- Files of this process alone, in a folder that is removed at its end ---- */

static char fuzz_folder[64];

static inline void fuzz_remove_folder(void) {
    char command[96];
    snprintf(command, sizeof command, "rm -rf '%s'", fuzz_folder);
    if (system(command) != 0) fprintf(stderr, "fuzz: cannot remove %s\n", fuzz_folder);
}

/* Returns the path of a file, valid for three more calls. */
static inline const char *fuzz_path(const char *name) {
    static char paths[4][96];
    static unsigned next;
    if (next == 0) {
        const char *folder = getenv("TMPDIR"); /* of isolated.sh; a fuzzer that is started by hand may have none */
        snprintf(fuzz_folder, sizeof fuzz_folder, "%s/puddle-fuzz-XXXXXX", folder ? folder : P_tmpdir);
        if (!mkdtemp(fuzz_folder) || atexit(fuzz_remove_folder) != 0) fuzz_fail("cannot make a folder");
    }
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", fuzz_folder, name);
    return path;
}

static inline void fuzz_write_file(const char *name, const void *bytes, size_t size) {
    FILE *file = fopen(fuzz_path(name), "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) fuzz_fail("cannot write a file");
}

/* Reads a file. Returns its bytes, 0 if there are more than `most`. */
static inline size_t fuzz_read_file(const char *name, uint8_t *bytes, size_t most) {
    FILE *file = fopen(fuzz_path(name), "rb");
    size_t size = file ? fread(bytes, 1, most, file) : 0;
    bool whole = file && fgetc(file) == EOF;
    if (file) fclose(file);
    return whole ? size : 0;
}

/* ---- Worlds and scenes ---- */

/* Creates a world of a valid scene. */
static inline pd_world *fuzz_world_of(const char *text, const char *method) {
    pd_scene scene;
    pd_error error;
    pd_world *world;
    fuzz_require(pd_scene_read_text(text, strlen(text), "seed", &scene, &error), &error);
    if (method) snprintf(scene.method, sizeof scene.method, "%s", method);
    fuzz_require(create_with_threads(&world, &scene, 1, &error), &error);
    pd_scene_free(&scene);
    return world;
}

/* Expects that a scene from a file passes the checks of scenes built in C, and can be written and read again. */
static inline void fuzz_expect_written_again(const pd_scene *scene) {
    pd_scene again;
    pd_error error;
    char *text;
    size_t length;
    fuzz_require(pd_scene_check(scene, &error), &error);
    fuzz_require(pd_scene_write_text(scene, &text, &length, &error), &error);
    fuzz_require(pd_scene_read_text(text, length, "written", &again, &error), &error);
    pd_scene_free(&again);
    free(text);
}

/* Steps twice, or for a quarter of a second. Expects finite numbers. */
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

/* ---- Limits of an input's time ---- */

/* Returns whether the scene emits less than 1,000 particles a step. */
static inline bool fuzz_emits_little(const pd_scene *scene) {
    double sent = 0;
    for (int i = 0; i < scene->emitter_count; i++) sent += (double)scene->emitters[i].rate * (double)scene->dt;
    return sent < 1000;
}

/* Limits the resolution of a method's grid. */
static inline void fuzz_coarsen(pd_scene *scene, const char *method) {
    char key[PD_MAX_KEY];
    int at, index;
    float value = 24;
    snprintf(key, sizeof key, "%s.resolution", method);
    if (pd_parameter_find(key, &at, &index, NULL) != PD_OK) return;
    for (int i = 0; i < scene->setting_count; i++)
        if (strcmp(scene->settings[i].key, key) == 0 && scene->settings[i].value < value) return;
    pd_scene_set_parameter(scene, key, value, NULL);
}

/* Sets the distance of vortons to the same size: the finest have a million in a container and need seconds for a
 * step. */
static inline void fuzz_coarsen_vortons(pd_scene *scene) {
    const pd_container *c = &scene->container;
    float side = c->shape == PD_CONTAINER_BOX ? fminf(c->width, c->height) : 2 * c->radius, least = side * 1.4f / 24;
    if (c->shape == PD_CONTAINER_NONE) return;
    for (int i = 0; i < scene->setting_count; i++)
        if (strcmp(scene->settings[i].key, "vortex.core") == 0 && scene->settings[i].value > least) return;
    pd_scene_set_parameter(scene, "vortex.core", fminf(fmaxf(least, 1e-4f), 10), NULL);
}

/* Limits the number of particles of regions without a list. Returns whether all particles are few. */
static inline bool fuzz_thin_out(pd_scene *scene) {
    enum { MOST = 150, MOST_LISTED = 1500 };
    pd_error error;
    int most = scene->particles > 0 && scene->particles < MOST ? scene->particles : MOST, total = 0;
    if (!pd_scene_has_listed_particles(scene)) {
        if (pd_scene_set_particle_count(scene, most, &error) == PD_OK) return true;
        fuzz_expect_message(&error);
        return false;
    }
    int *counts = calloc((size_t)scene->region_count, sizeof *counts);
    bool few =
        counts && pd_regions_compute_particle_counts(scene, counts, &total, NULL) == PD_OK && total <= MOST_LISTED;
    free(counts);
    return few;
}

/* Steps a scene with this method and coarse grids. Returns whether there is such a world. */
static inline bool fuzz_run_world(pd_scene *scene, const char *method) {
    pd_world *world;
    pd_error error;
    snprintf(scene->method, sizeof scene->method, "%s", method);
    fuzz_coarsen(scene, method);
    fuzz_coarsen_vortons(scene);
    if (create_with_threads(&world, scene, 1, &error) != PD_OK) {
        fuzz_expect_message(&error);
        return false;
    }
    fuzz_step(world);
    pd_world_destroy(world);
    return true;
}

/* Steps a scene with every method, with few particles and coarse grids. */
static inline void fuzz_run_worlds(pd_scene *scene) {
    int made = 0;
    if (!fuzz_thin_out(scene) || !fuzz_emits_little(scene)) return;
    for (int m = 0; m < pd_method_count(); m++) made += fuzz_run_world(scene, pd_method_at(m)->name);
    fuzz_count.reached += made > 0;
}

#endif
