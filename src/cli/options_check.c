/* Checks that the command has the given flags, that these flags do not exclude each other, and that no output overwrites an
 * input or another output. */
#include "cli/flags.h"
#include "cli/list/list.h"
#include "cli/options.h"
#include "cli/output/state.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "record/sink.h"

#include <string.h>

/* Fails for flags that cannot be combined with --load, since the snapshot contains their values. */
static pd_result check_flags_with_load(const options *options, pd_error *error) {
    const char *clash = NULL;
    if (options->particles) clash = "--particles";
    if (options->has_seed) clash = "--seed";
    if (options->dt > 0) clash = "--dt";
    if (options->substeps) clash = "--substeps";
    if (options->scene_count) clash = "a scene";
    if (!clash) return PD_OK;
    return pd_fail(error, PD_ERROR_USAGE, "%s does not go with --load: the snapshot sets this value (leave one out)",
                   clash);
}

/* Fails for flags that cannot be combined with --continue, since the last session has its own scene and log. */
static pd_result check_flags_with_continue(const options *options, pd_error *error) {
    const char *clash = NULL;
    if (options->record) clash = "--record";
    if (options->log) clash = "--log";
    if (options->load) clash = "--load";
    if (options->scene_count) clash = "a scene";
    if (!clash) return PD_OK;
    return pd_fail(error, PD_ERROR_USAGE,
                   "%s does not go with --continue: the last session has its own (leave one out)", clash);
}

/* Fails for flags that cannot be combined with --compare, since they need a single world. */
static pd_result check_flags_with_compare(const options *options, pd_error *error) {
    const char *clash = NULL;
    if (options->method) clash = "--method";
    if (options->stats) clash = "--stats";
    if (options->bodies) clash = "--bodies";
    if (options->state || options->state_every) clash = "--state";
    if (options->surface) clash = "--surface";
    if (options->save) clash = "--save";
    if (!clash) return PD_OK;
    return pd_fail(error, PD_ERROR_USAGE, "%s does not go with --compare: %s is for one method (leave one out)", clash,
                   clash);
}

/* Fails for flags that the command lacks, for too many arguments, and for a missing scene. */
static pd_result check_arguments(const options *options, const command_info *command, const bool *given,
                                 pd_error *error) {
    bool named = *command->name;
    for (int i = 0; i < flag_count; i++) {
        if (!given[i] || (flags[i].commands & command->bit)) continue;
        return pd_fail(error, PD_ERROR_USAGE, "%s does not go with %s%s ('puddle %s%s--help' shows what does)",
                       flags[i].name, named ? "puddle " : "", named ? command->name : "no command", command->name,
                       named ? " " : "");
    }
    if (options->scene_count > command->max_arguments)
        return pd_fail(error, PD_ERROR_USAGE, "unexpected argument '%.60s' (usage: puddle %s)",
                       options->scenes[command->max_arguments], command->usage);
    if (command->needs_scene && !options->scene_count && !options->load)
        return pd_fail(error, PD_ERROR_USAGE, "%s needs a scene (use a scene file, or a name of 'puddle list scenes')",
                       command->name);
    if (command->bit == FOR_REPLAY && !options->scene_count)
        return pd_fail(error, PD_ERROR_USAGE, "replay needs a log (use a file that --log or Ctrl+R wrote)");
    char known[128];
    if (command->bit == FOR_LIST && !options->scene_count)
        return pd_fail(error, PD_ERROR_USAGE, "list needs a topic (use %s)", list_write_names(known, sizeof known));
    if (options->markdown && options->json)
        return pd_fail(error, PD_ERROR_USAGE,
                       "--markdown does not go with --json: both write to standard output (leave one out)");
    return PD_OK;
}

/* Returns the first flag in `names` that was given; NULL: none was. The last element of `names` is NULL. */
static const char *find_first_given_flag(const char *const *names, const bool *given) {
    for (; *names; names++)
        if (given[flag_find(*names) - flags]) return *names;
    return NULL;
}

/* Fails for flags that the kind of recording (video, still, folder, stream) does not support. */
static pd_result check_flags_with_recording_kind(const options *options, const bool *given, pd_error *error) {
    static const char *const of_video[] = {"--fps", "--speed", "--frames", "--start", "--quality", NULL};
    pd_sink_kind kind;
    if (pd_sink_find_kind(options->output, &kind, NULL) != PD_OK) return PD_OK;
    const char *clash = NULL;
    if (options_is_transparent(options) && !pd_sink_has_alpha(kind))
        clash = options->alpha ? "--alpha" : "--background none";
    if (options->depth == 16 && !pd_sink_has_16_bits(kind)) clash = "--depth 16";
    if (clash)
        return pd_fail(error, PD_ERROR_USAGE,
                       "%s does not go with the video '%.200s' (record to a folder%s, or leave the option out)", clash,
                       options->output, options->depth == 16 ? "" : ", .webm or .mov");
    clash = kind == PD_SINK_STILL ? find_first_given_flag(of_video, given) : NULL;
    if (clash)
        return pd_fail(error, PD_ERROR_USAGE,
                       "%s does not go with the still '%.200s' (use --at, or record to a folder)", clash,
                       options->output);
    if (options->at >= 0 && kind != PD_SINK_STILL)
        return pd_fail(error, PD_ERROR_USAGE, "--at is for a still (use -o FILE.png, or --start)");
    if (options->quality && (!pd_sink_is_video(kind) || kind == PD_SINK_GIF))
        return pd_fail(error, PD_ERROR_USAGE, "--quality is for a video (use -o FILE.mp4, .webm or .mov)");
    return PD_OK;
}

/* Fails for flags about frames if there is no recording, or if they exclude each other. */
static pd_result check_recording_flags(const options *options, const command_info *command, const bool *given,
                                       pd_error *error) {
    static const char *const of_frames[] = {"--alpha",      "--depth",   "--background", "--no-legend",
                                            "--no-outline", "--quality", "--speed",      "--start",
                                            "--at",         "--compare", "--camera",     NULL};
    if (command->bit == FOR_RENDER && !options->output)
        return pd_fail(error, PD_ERROR_USAGE, "render needs a place for its frames (add -o DIR, or -o FILE.mp4)");
    if (options->output && options->json && strcmp(options->output, "-") == 0)
        return pd_fail(error, PD_ERROR_USAGE,
                       "--json does not go with -o -: both write to standard output (leave one out)");
    if (options->stats_printed && (options->json || (options->output && strcmp(options->output, "-") == 0)))
        return pd_fail(error, PD_ERROR_USAGE,
                       "%s does not go with --stats -: both write to standard output (leave one out)",
                       options->json ? "--json" : "-o -");
    if (options->depth && options->depth != 8 && options->depth != 16)
        return pd_fail(error, PD_ERROR_USAGE, "--depth is '%d' (use 8 or 16)", options->depth);
    const char *of_frame = options->output ? NULL : find_first_given_flag(of_frames, given);
    if (of_frame) return pd_fail(error, PD_ERROR_USAGE, "%s needs frames to write (add -o DIR)", of_frame);
    if (options->alpha && options->background)
        return pd_fail(error, PD_ERROR_USAGE,
                       "--alpha does not go with --background: both set the background (leave one out)");
    bool two_ends = options->steps >= 0 || (options->seconds > 0 && options->seconds != options->at);
    if (options->at >= 0 && two_ends)
        return pd_fail(error, PD_ERROR_USAGE, "--at does not go with %s: both set the end (leave one out)",
                       options->steps >= 0 ? "--steps" : "another --seconds");
    return options->output ? check_flags_with_recording_kind(options, given, error) : PD_OK;
}

/* ---- Files ---- */

/* File that a flag names. */
typedef struct named_file {
    const char *flag, *path;
} named_file;

/* Returns whether `path` is a numbered file of an output. output_path: value of --state or --surface. For FILE.csv these files
 * are FILE_000012.csv and the like. */
static bool is_numbered_file(const char *path, const char *output_path) {
    char plain[PD_MAX_PATH];
    const char *ending = strrchr(output_path, '.'), *digits = strrchr(path, '_');
    if (!pd_text_ends_in(path, ending) || !digits) return false;
    size_t count = strspn(digits + 1, "0123456789");
    if (count < 6 || strcmp(digits + 1 + count, ending) != 0) return false;
    int length = snprintf(plain, sizeof plain, "%.*s%s", (int)(digits - path), path, ending);
    return length < (int)sizeof plain && pd_file_is_same(plain, output_path);
}

static bool may_output_write_to(const options *options, const named_file *output, const char *path) {
    if (pd_file_is_same(output->path, path)) return true;
    bool numbered = output->path == options->surface || (options->state_every && output->path == options->state);
    return numbered && is_numbered_file(path, output->path);
}

/* Number of flags of a command line that name an output file, without those of a recording. */
enum { OUTPUT_FLAGS = 6 };
static void get_output_files(const options *options, named_file outputs[OUTPUT_FLAGS]) {
    outputs[0] = (named_file){"--stats", options->stats};
    outputs[1] = (named_file){"--state", options->state};
    outputs[2] = (named_file){"--save", options->save};
    outputs[3] = (named_file){"--log", options->log};
    outputs[4] = (named_file){"--bodies", options->bodies};
    outputs[5] = (named_file){"--surface", options->surface};
}

/* Returns the path of the recording and sets *kind to its kind. Returns NULL without a recording. */
static const char *find_recording(const options *options, pd_sink_kind *kind) {
    const char *recording = options->output ? options->output : options->record;
    *kind = PD_SINK_STREAM;
    if (recording) pd_sink_find_kind(recording, kind, NULL);
    return recording;
}

/* Returns whether `path` is a frame file in the folder `recording`. A scene may use a frame of an earlier recording as its
 * picture. */
static bool is_frame_file(const char *path, const char *recording) {
    return pd_folder_is_recording_file(pd_path_name(path)) && pd_file_conflicts_with_frame_folder(path, recording);
}

static pd_result fail_overwrite(const char *flag, const char *path, pd_error *error) {
    return pd_fail(error, PD_ERROR_USAGE, "%s%s'%.200s' would overwrite the input (give another file)", flag,
                   *flag ? " " : "", path);
}

pd_result options_check_input_not_overwritten(const options *options, const char *input, pd_error *error) {
    named_file outputs[OUTPUT_FLAGS];
    pd_sink_kind kind;
    const char *recording = find_recording(options, &kind);
    get_output_files(options, outputs);
    if (pd_sink_is_file(kind) && pd_file_is_same(recording, input)) return fail_overwrite("", recording, error);
    if (kind == PD_SINK_FOLDER && is_frame_file(input, recording)) return fail_overwrite("", recording, error);
    for (int i = 0; i < OUTPUT_FLAGS; i++) {
        const named_file *output = &outputs[i];
        /* --save may replace the file of --load, because the new file is complete before it replaces the old one. */
        bool replaces_input = options->load && output->path == options->save;
        if (output->path && !replaces_input && may_output_write_to(options, output, input))
            return fail_overwrite(output->flag, output->path, error);
    }
    return PD_OK;
}

/* Fails if an output file is also an input, or if two outputs are the same file, even by different paths. */
static pd_result check_output_files(const options *options, pd_error *error) {
    named_file outputs[OUTPUT_FLAGS];
    char scene[PD_MAX_PATH] = "";
    pd_sink_kind kind;
    const char *input = options->load, *recording = find_recording(options, &kind);
    get_output_files(options, outputs);
    if (options->state && !state_has_format(options->state))
        return pd_fail(error, PD_ERROR_USAGE, "--state is '%.200s' (use a name that ends in .csv, .vtk or .npz)",
                       options->state);
    if (options->surface && !pd_text_ends_in(options->surface, ".obj") && !pd_text_ends_in(options->surface, ".svg"))
        return pd_fail(error, PD_ERROR_USAGE, "--surface is '%.200s' (use a name that ends in .obj or .svg)",
                       options->surface);
    if (options->state_every && !options->state)
        return pd_fail(error, PD_ERROR_USAGE, "--state-every needs a file to write to (add --state FILE.csv)");
    if (strcmp(options->command, "replay") == 0) input = options->scenes[0];
    /* A missing scene file is reported when the scene is read. */
    if (!input && options_find_scene_path(options_scene_name(options), scene, sizeof scene, NULL) == PD_OK)
        input = scene;
    pd_result result = input ? options_check_input_not_overwritten(options, input, error) : PD_OK;
    for (int i = 0; result == PD_OK && i < OUTPUT_FLAGS; i++) {
        const named_file *output = &outputs[i];
        if (!output->path) continue;
        if (kind == PD_SINK_FOLDER && pd_file_conflicts_with_frame_folder(output->path, recording))
            return pd_fail(error, PD_ERROR_USAGE,
                           "%s '%.200s' is in the way of the frames in '%.200s' (choose a file outside the folder)",
                           output->flag, output->path, recording);
        if (pd_sink_is_file(kind) && may_output_write_to(options, output, recording))
            return pd_fail(error, PD_ERROR_USAGE, "'%.200s' is the file of two outputs (give each output its own file)",
                           recording);
        for (int j = 0; j < OUTPUT_FLAGS; j++)
            if (j != i && outputs[j].path && may_output_write_to(options, output, outputs[j].path))
                return pd_fail(error, PD_ERROR_USAGE,
                               "'%.200s' is the file of two outputs (give each output its own file)", outputs[j].path);
    }
    return result;
}

/* ---- All checks ---- */

pd_result options_check(const options *options, const command_info *command, const bool *given, pd_error *error) {
    if (options->help || options->version) return PD_OK;
    pd_result result = check_arguments(options, command, given, error);
    if (result == PD_OK) result = check_recording_flags(options, command, given, error);
    if (result != PD_OK) return result;
    if (options->steps >= 0 && options->seconds > 0)
        return pd_fail(error, PD_ERROR_USAGE, "--steps does not go with --seconds: both set the end (leave one out)");
    if (command->bit == FOR_RUN && options->fps > 0 && !options->surface)
        return pd_fail(error, PD_ERROR_USAGE,
                       "--fps does not go with puddle run without --surface (add --surface FILE.obj)");
    if (command->bit == FOR_REPLAY && options->surface && !options->output)
        return pd_fail(error, PD_ERROR_USAGE, "--surface needs frames to write (add -o DIR)");
    if (command->bit == FOR_RUN && !options_has_end(options))
        return pd_fail(error, PD_ERROR_USAGE, "run needs an end (add --steps N or --seconds S)");
    if (options->continues) result = check_flags_with_continue(options, error);
    if (result == PD_OK && options->load) result = check_flags_with_load(options, error);
    if (result == PD_OK && options->compared[0]) result = check_flags_with_compare(options, error);
    bool has_world = command->bit & (FOR_WORLD | FOR_REPLAY);
    return result == PD_OK && has_world ? check_output_files(options, error) : result;
}
