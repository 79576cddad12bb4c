/* The command line, parsed by the tables of flags.h. */
#ifndef PUDDLE_CLI_OPTIONS_H
#define PUDDLE_CLI_OPTIONS_H

#include <puddle/puddle.h>

enum { MAX_SETTINGS = 64, MAX_SCENES = 4096 };

struct command_info;

typedef struct options {
    const char *command;            /* name of the command: "run"; "" for the window */
    const char *scenes[MAX_SCENES]; /* arguments that are neither flags nor the command: scenes, logs */
    int scene_count;                /* number of elements of `scenes` */
    /* Texts of the flags of these names; NULL: not given. */
    const char *method, *load, *save, *stats, *bodies, *state, *surface, *output, *record, *log, *palette, *view,
        *lines, *simd;
    const char *settings[MAX_SETTINGS]; /* values of all --set: "ddr.stiffness=2" */
    int setting_count;                  /* number of elements of `settings` */
    const pd_method_info *compared[2];  /* the two methods of --compare; NULL: not given */
    /* Values of the flags of these names; 0: not given. substeps -1: automatic. */
    int particles, threads, state_every, width, height, frames, substeps, history, depth;
    uint64_t seed;          /* value of --seed */
    bool has_seed;          /* --seed was given */
    double fps;             /* frames per second; 0: not given */
    double dt, seconds;     /* time step and simulated time, s; 0: not given */
    double scale;           /* pixels per interface unit; 0: not given */
    double speed;           /* simulated seconds per second of the video; 0: not given */
    double start;           /* simulated time of the first frame, s; -1: not given */
    double at;              /* simulated time of the still picture, s; -1: not given */
    pd_vec2 camera;         /* point of the world in the middle of the picture, m */
    double zoom;            /* magnification of the picture; 0: not given */
    int quality;            /* a pd_quality; 0: not given */
    const char *background; /* text of --background; NULL: not given */
    uint8_t color[3];       /* colour that `background` names: red, green, blue; unused if it is NULL or "none" */
    long long steps;        /* number of steps; -1: not given */
    /* Whether the flags of these names were given. */
    bool json, markdown, quiet, progress, alpha, force, fullscreen, reference, help, version, no_legend, no_outline,
        continues, stats_printed; /* stats_printed: --stats - was given */
} options;

/* Parses argv, which does not contain the program's name. Fails for unknown flags, flags that the command lacks, and missing
 * or invalid values. Errors: USAGE, PARAMETER_*, METHOD_*. */
pd_result options_parse(int argc, char **argv, options *options, pd_error *error);
/* Checks that the given flags are valid for the command and do not exclude each other. given[i]: whether flags[i] was
 * given. Errors: USAGE. */
pd_result options_check(const options *options, const struct command_info *command, const bool *given, pd_error *error);
/* Returns whether --alpha or --background none gives the pictures a transparent background. */
bool options_is_transparent(const options *options);
/* Returns whether the command line says when the simulation ends: by --steps, --seconds or --at. */
bool options_has_end(const options *options);
/* Creates the world of the command line: from the snapshot of --load, otherwise from the scene. */
pd_result options_create_world(const options *options, pd_world **world, pd_error *error);
/* Creates a world from a scene, with the number of threads of --threads. */
pd_result options_create_world_from_scene(const options *options, const pd_scene *scene, pd_world **world,
                                          pd_error *error);
/* Sets the parameters of all --set in a scene. */
pd_result options_apply_settings(const options *options, pd_scene *scene, pd_error *error);
/* Returns the scene argument (a path or a name), or the name of the default scene if none was given. */
const char *options_scene_name(const options *options);
/* Writes the path of a scene to `path`. name: name of a bundled scene, or already a path. Errors: SCENE_UNKNOWN (the message
 * suggests the most similar name), FILE_UNREADABLE (path too long). */
pd_result options_find_scene_path(const char *name, char *path, size_t size, pd_error *error);
/* Selects the SIMD level of --simd for all computations. Errors: USAGE (the processor lacks the level). */
pd_result options_select_simd(const options *options, pd_error *error);
/* Finds the view mode of --view among those of the world's method. Without --view it is the first one. Errors: USAGE (the
 * method has no view of this name). */
pd_result options_find_view(const options *options, const pd_world *world, const pd_view_mode **mode, pd_error *error);
/* Finds the lines of --lines, which are drawn over the view. Without --lines they are those of the view mode. Errors: USAGE
 * (these lines cannot be drawn over this view). */
pd_result options_find_lines(const options *options, const pd_world *world, const pd_view_mode *mode,
                             pd_view_lines *lines, pd_error *error);
/* Returns the number of steps until the end that --steps, --seconds or --at gives; 0 without them. dt: simulated time of a
 * step, s. */
long long options_count_steps(const options *options, double dt);

/* Fails if an output of the command line would overwrite the file with the path `input`. Errors: USAGE. */
pd_result options_check_input_not_overwritten(const options *options, const char *input, pd_error *error);

#endif
