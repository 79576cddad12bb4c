/* The command line, parsed by the tables of commands and flags in flags.h. */
#ifndef PUDDLE_CLI_OPTIONS_H
#define PUDDLE_CLI_OPTIONS_H

#include <puddle/puddle.h>

enum { MAX_SETTINGS = 64, MAX_SCENES = 4096 };

typedef struct options {
    const char *command;            /* "run"; "" for the window */
    const char *scenes[MAX_SCENES]; /* positional arguments */
    int scene_count;
    const char *method, *load, *save, *stats, *state, *output, *record, *log, *palette, *view, *lines, *simd;
    const char *settings[MAX_SETTINGS]; /* "ddr.stiffness=2" */
    int setting_count;
    const pd_method_info *compared[2]; /* NULL: not given */
    int particles, threads, state_every, width, height, fps, frames, substeps, history,
        depth; /* 0: not given; substeps -1: auto */
    uint64_t seed;
    bool has_seed;
    double dt, seconds; /* 0: not given */
    long long steps;    /* -1: not given */
    bool json, markdown, quiet, alpha, force, fullscreen, reference, help, version;
} options;

/* Reads argv (after the program's name). Refuses unknown flags, flags of another command, missing or bad values.
 * Errors: USAGE, PARAMETER_*, METHOD_*. */
pd_result options_parse(int argc, char **argv, options *options, pd_error *error);
/* Reads the scene of the command line (a path, a bundled name, or the default) and applies the flags to it. */
pd_result options_scene(const options *options, pd_scene *scene, pd_error *error);
/* Creates the world, from --load or from options_scene. */
pd_result options_world(const options *options, pd_world **world, pd_error *error);
/* Creates a world of a scene, with the threads of the options. */
pd_result options_create(const options *options, const pd_scene *scene, pd_world **world, pd_error *error);
/* Applies all --set to a scene. */
pd_result options_settings(const options *options, pd_scene *scene, pd_error *error);
/* The scene argument as given, or the name of the default. */
const char *options_scene_name(const options *options);
/* A bundled scene's path from its name, or the name itself when it is a path. Errors: SCENE_UNKNOWN (suggests the most
 * similar name), FILE_UNREADABLE (path too long). */
pd_result options_scene_path(const char *name, char *path, size_t size, pd_error *error);
/* Selects the SIMD level of --simd. Errors: USAGE (this processor does not have it). */
pd_result options_simd(const options *options, pd_error *error);
/* The view that --view names, or the method's first. Errors: USAGE (the world's method has none of this name). */
pd_result options_view(const options *options, const pd_world *world, const pd_view_mode **mode, pd_error *error);
/* The lines that --lines names, or the view's own. Errors: USAGE (this view cannot have them). */
pd_result options_lines(const options *options, const pd_world *world, const pd_view_mode *mode, pd_view_lines *lines,
                        pd_error *error);
/* The number of steps by --steps or --seconds, with steps of dt seconds; 0 when neither is given. */
long long options_steps(const options *options, double dt);

/* Refuses outputs that are also read, or written twice, also when their names differ. Errors: USAGE. */
pd_result options_check_files(const options *options, pd_error *error);
/* Refuses outputs that would write over this input. Errors: USAGE. */
pd_result options_check_input(const options *options, const char *input, pd_error *error);

#endif
