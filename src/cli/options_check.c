/* Checks that the command has the given flags, and that these flags do not exclude each other. */
#include "cli/flags.h"
#include "cli/list/list.h"
#include "cli/options.h"
#include "core/error.h"
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
    return result == PD_OK && has_world ? options_check_output_files(options, error) : result;
}
