/* Finds conflicts between the files of a command line: an output file that is also an input, or two outputs to one file. */
#include "cli/options.h"
#include "cli/output/state.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "record/sink.h"

#include <string.h>

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

pd_result options_check_output_files(const options *options, pd_error *error) {
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
