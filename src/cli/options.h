/* The command line, parsed by the tables of flags.h. */
#ifndef PUDDLE_CLI_OPTIONS_H
#define PUDDLE_CLI_OPTIONS_H

#include <puddle/puddle.h>

enum { MAX_SETTINGS = 64, MAX_SCENES = 4096 };

struct command_info;

typedef struct options {
    const char *command;            /* name of the command: "run"; "" for the window */
    const char *scenes[MAX_SCENES]; /* arguments that are not flags: scenes, snapshots, logs */
    int scene_count;
    const char *method, *load, *save, *stats, *state, *output, *record, *log, *palette, *view, *lines, *simd;
    const char *settings[MAX_SETTINGS]; /* values of --set: "ddr.stiffness=2" */
    int setting_count;
    const pd_method_info *compared[2]; /* methods of --compare; NULL: not given */
    int particles, threads, state_every, width, height, frames, substeps, history,
        depth; /* 0: not given; substeps -1: automatic */
    uint64_t seed;
    bool has_seed;
    double fps;             /* frames per second; 0: not given */
    double dt, seconds;     /* time step and simulated time, s; 0: not given */
    double speed;           /* simulated time / time of the video; 0: not given */
    double start, at;       /* simulated time of the first frame, of a still, s; -1: not given */
    pd_vec2 camera;         /* point in the middle of the picture, m */
    double zoom;            /* magnification of the picture; 0: not given */
    int quality;            /* a pd_quality; 0: not given */
    const char *background; /* value of --background; NULL: not given */
    uint8_t color[3];       /* colour of the background, unless `background` is NULL or "none" */
    long long steps;        /* number of steps; -1: not given */
    bool json, markdown, quiet, progress, alpha, force, fullscreen, reference, help, version, no_legend, no_outline,
        continues;
} options;

/* Parses argv without the program's name. Fails for unknown flags, flags of another command, and missing or invalid
 * values. Errors: USAGE, PARAMETER_*, METHOD_*. */
pd_result options_parse(int argc, char **argv, options *options, pd_error *error);
/* Checks that the given flags are valid for the command and do not exclude each other. given[i]: whether flags[i] was
 * given. Errors: USAGE. */
pd_result options_check(const options *options, const struct command_info *command, const bool *given, pd_error *error);
/* Returns whether the pictures have a transparent background. */
bool options_is_transparent(const options *options);
/* Returns whether the command line gives an end: --steps, --seconds or --at. */
bool options_has_end(const options *options);
/* Reads the scene of the command line (a path, a bundled name, or the default) and applies the flags. */
pd_result options_read_scene(const options *options, pd_scene *scene, pd_error *error);
/* Creates the world from --load or the scene. */
pd_result options_create_world(const options *options, pd_world **world, pd_error *error);
/* Creates a world of a scene. --threads sets the number of threads. */
pd_result options_create_world_of(const options *options, const pd_scene *scene, pd_world **world, pd_error *error);
/* Sets each parameter of --set in a scene. */
pd_result options_apply_settings(const options *options, pd_scene *scene, pd_error *error);
/* Returns the scene argument as given, or the name of the default scene. */
const char *options_scene_name(const options *options);
/* Gets the path of a scene: of a bundled scene by its name, or `name` itself if it is a path. Errors: SCENE_UNKNOWN
 * (suggests the most similar name), FILE_UNREADABLE (path too long). */
pd_result options_find_scene_path(const char *name, char *path, size_t size, pd_error *error);
/* Returns the edit distance between a name and the most similar name of a bundled scene. */
int options_scene_distance(const char *name);
/* Selects the SIMD level of --simd. Errors: USAGE (the processor lacks the level). */
pd_result options_select_simd(const options *options, pd_error *error);
/* Finds the view mode of --view, by default the method's first. Errors: USAGE (the method has no such view). */
pd_result options_find_view(const options *options, const pd_world *world, const pd_view_mode **mode, pd_error *error);
/* Finds the lines of --lines, by default those of the view mode. Errors: USAGE (impossible over this view). */
pd_result options_find_lines(const options *options, const pd_world *world, const pd_view_mode *mode,
                             pd_view_lines *lines, pd_error *error);
/* Returns the number of steps by --steps, --seconds or --at, 0 without them. dt: simulated time of a step, s. */
long long options_count_steps(const options *options, double dt);

/* Fails for outputs that are also read, or written twice, even by different paths. Errors: USAGE. */
pd_result options_check_files(const options *options, pd_error *error);
/* Fails for outputs that would overwrite the file `input`. Errors: USAGE. */
pd_result options_check_input(const options *options, const char *input, pd_error *error);

#endif
