/* Tables of the program's commands and flags, searches in them, and --help, which prints them. */
#include "cli/flags.h"

#include "app/io/app_options.h"
#include "app/io/settings.h"
#include "cli/commands.h"
#include "cli/list.h"
#include "core/text.h"
#include "record/sink.h"
#include "render/palette.h"
#include "render/picture.h"

#include <stdio.h>
#include <string.h>

const command_info commands[] = {
    {"", FOR_WINDOW, "[SCENE] [options]", "open the sandbox (default scene: blobs)",
     "fountain --method pbf --view speed", 1, false, command_window},
    {"run", FOR_RUN, "run SCENE --steps N | --seconds S [options]", "simulate without graphics",
     "run drop --seconds 10 --stats drop.csv", 1, true, command_run},
    {"render", FOR_RENDER, "render SCENE -o DIR|FILE|- [options]", "draw frames, a still or a video, without a window",
     "render fountain -o fountain.mp4 --seconds 8", 1, true, command_render},
    {"replay", FOR_REPLAY, "replay LOG [-o DIR|FILE|-] [options]",
     "play an input log again, in a window or to frames or a video", "replay fountain-0001.log -o fountain.mp4", 1,
     false, command_replay},
    {"bench", FOR_BENCH, "bench [options]", "time the methods, print a table", "bench --method flip --particles 20000",
     0, false, command_bench},
    {"check", FOR_CHECK, "check SCENE... [options]", "validate scene files", "check my-scene.yaml", MAX_SCENES, true,
     command_check},
    {"list", FOR_LIST, "list WHAT [options]", "print a reference table", "list parameters", 1, false, command_list},
};
const int command_count = sizeof commands / sizeof *commands;

#define AT(field) offsetof(options, field)
const flag_info flags[] = {
    {"--steps", NULL, "N", FOR_RUN | FOR_RENDER | FOR_REPLAY | FOR_BENCH, FLAG_LONG, AT(steps), 0, 1e12,
     "simulate N steps"},
    {"--seconds", NULL, "S", FOR_RUN | FOR_RENDER | FOR_REPLAY | FOR_BENCH, FLAG_NUMBER, AT(seconds), 1e-6, 1e9,
     "simulate S seconds, counted from the start of the scene", NULL, FOR_RENDER,
     "simulated time of the last frame, counted from the start of the scene (default: 5, or 5 after --start)"},
    {"--output", "-o", "PLACE", FOR_RENDER | FOR_REPLAY, FLAG_RECORDING, AT(output), 0, 0,
     "folder for PNGs; .png for a still; video .mp4, .webm, .mov or .gif; or - (RGB to standard output)"},
    {"--method", NULL, "NAME", FOR_WORLD | FOR_BENCH, FLAG_METHOD, AT(method), 0, 0,
     "computing method, such as flip (default: the scene's; 'puddle list methods')"},
    {"--compare", NULL, "NAME,NAME", FOR_RENDER | FOR_REPLAY, FLAG_COMPARE, 0, 0, 0,
     "two methods side by side in the same scene, such as ddr,flip"},
    {"--set", NULL, "KEY=VALUE", FOR_WORLD | FOR_BENCH, FLAG_SETTING, 0, 0, 0,
     "set a parameter; repeatable ('puddle list parameters')"},
    {"--particles", NULL, "N", FOR_WORLD | FOR_BENCH, FLAG_COUNT, AT(particles), 1, PD_MAX_PARTICLES,
     "number of particles at the start (default: the scene's)", NULL, FOR_BENCH, "number of particles, such as 10000"},
    {"--threads", NULL, "N", FOR_WORLD | FOR_REPLAY | FOR_BENCH, FLAG_COUNT, AT(threads), 1, PD_MAX_THREADS,
     "number of threads (default: all cores)"},
    {"--simd", NULL, "LEVEL", FOR_WORLD | FOR_REPLAY | FOR_BENCH, FLAG_SIMD, AT(simd), 0, 0,
     "SIMD instruction set (default: auto)"},
    {"--seed", NULL, "N", FOR_WORLD, FLAG_SEED, AT(seed), 0, 0,
     "seed of the random generator (default: the scene's, or 1)"},
    {"--dt", NULL, "SECONDS", FOR_WORLD, FLAG_NUMBER, AT(dt), 1e-6, 1,
     "simulated time per step (default: the scene's, or 1/60)"},
    {"--substeps", NULL, "N|auto", FOR_WORLD, FLAG_SUBSTEPS, AT(substeps), 1, 1000,
     "number of substeps per step (default: the scene's, or auto)"},
    {"--size", NULL, "WxH", FOR_WINDOW | FOR_RENDER | FOR_REPLAY, FLAG_SIZE, 0, 16, 65536,
     "size of the picture, in pixels (default: 1280x720)", "size of the window (default: 1280x800)"},
    {"--fps", NULL, "N", FOR_WINDOW | FOR_RUN | FOR_RENDER | FOR_REPLAY, FLAG_NUMBER, AT(fps), 1, 1000,
     "frames per second of the video, which shows real time at any number (default: one per step; GIF: 25, at most "
     "50)",
     NULL, FOR_RUN, "files of --surface per simulated second (default: one per step)"},
    {"--view", NULL, "NAME", FOR_WINDOW | FOR_RENDER | FOR_REPLAY, FLAG_VIEW, AT(view), 0, 0,
     "view of the fluid (default: the first of 'puddle list views' for the method)"},
    {"--lines", NULL, "NAME", FOR_WINDOW | FOR_RENDER | FOR_REPLAY, FLAG_LINES, AT(lines), 0, 0,
     "lines over the view (default: those that 'puddle list views' gives)"},
    {"--camera", NULL, "X,Y,ZOOM", FOR_RENDER | FOR_REPLAY, FLAG_CAMERA, 0, 0.01, 1000,
     "point in the middle of the picture, m, and magnification, such as 0.2,-0.5,4 (default: the whole container)"},
    {"--palette", NULL, "NAME", FOR_WINDOW | FOR_RENDER | FOR_REPLAY, FLAG_PALETTE, AT(palette), 0, 0,
     "palette of colours (default: scene)"},
    {"--frames", NULL, "N", FOR_WINDOW | FOR_RENDER | FOR_REPLAY, FLAG_COUNT, AT(frames), 1, 1e9,
     "stop after N frames"},
    {"--speed", NULL, "X", FOR_RENDER | FOR_REPLAY, FLAG_NUMBER, AT(speed), 0.001, 1000,
     "simulated seconds per second of the video: 0.25 is slow motion (default: 1)"},
    {"--start", NULL, "SECONDS", FOR_RENDER | FOR_REPLAY, FLAG_NUMBER, AT(start), 0, 1e9,
     "leave out the frames of the first simulated seconds (default: 0)"},
    {"--at", NULL, "SECONDS", FOR_RENDER | FOR_REPLAY, FLAG_NUMBER, AT(at), 0, 1e9,
     "simulated time of a still (default: the end)"},
    {"--quality", NULL, "NAME", FOR_RENDER | FOR_REPLAY, FLAG_QUALITY, AT(quality), 0, 0,
     "quality of a video (default: high)"},
    {"--no-legend", NULL, NULL, FOR_RENDER | FOR_REPLAY, FLAG_SWITCH, AT(no_legend), 0, 0,
     "draw no legend, and with --compare no names"},
    {"--no-outline", NULL, NULL, FOR_RENDER | FOR_REPLAY, FLAG_SWITCH, AT(no_outline), 0, 0,
     "draw neither the outline of the container nor drains and nozzles"},
    {"--background", NULL, "COLOR|none", FOR_RENDER | FOR_REPLAY, FLAG_COLOR, 0, 0, 0,
     "colour of the background: 203040, white or black; none: transparent (default: dark blue)"},
    {"--record", NULL, "PLACE", FOR_WINDOW, FLAG_RECORDING, AT(record), 0, 0,
     "record from the first frame: a folder, or a video .mp4, .webm, .mov or .gif"},
    {"--depth", NULL, "8|16", FOR_RENDER | FOR_REPLAY, FLAG_COUNT, AT(depth), 8, 16,
     "bits per channel, in PNGs and with -o - (default: 8)"},
    {"--alpha", NULL, NULL, FOR_RENDER | FOR_REPLAY, FLAG_SWITCH, AT(alpha), 0, 0,
     "transparent background, in PNGs, .webm, .mov and with -o -"},
    {"--force", NULL, NULL, FOR_WINDOW | FOR_RENDER | FOR_REPLAY, FLAG_SWITCH, AT(force), 0, 0,
     "replace an existing recording; a symbolic link is replaced itself, its target stays"},
    {"--scale", NULL, "X", FOR_WINDOW | FOR_REPLAY, FLAG_NUMBER, AT(scale), PD_LEAST_SCALE, PD_MOST_SCALE,
     "size of text and buttons in the window: 2 for a projector (default: the panel's choice, or the screen's)"},
    {"--fullscreen", NULL, NULL, FOR_WINDOW | FOR_REPLAY, FLAG_SWITCH, AT(fullscreen), 0, 0, "use the whole screen"},
    {"--stats", NULL, "FILE.csv", FOR_WORLD | FOR_REPLAY, FLAG_TEXT, AT(stats), 0, 0,
     "write one row of statistics per step; - is standard output"},
    {"--bodies", NULL, "FILE.csv", FOR_WORLD | FOR_REPLAY, FLAG_TEXT, AT(bodies), 0, 0,
     "write one row per step and rigid body: place, angle, velocity, spin, mass"},
    {"--state", NULL, "FILE.csv|FILE.vtk|FILE.npz", FOR_WORLD | FOR_REPLAY, FLAG_TEXT, AT(state), 0, 0,
     "write the state at the end: cells under grid, vortices under vortex, else particles"},
    {"--state-every", NULL, "K", FOR_WORLD | FOR_REPLAY, FLAG_COUNT, AT(state_every), 1, 1e9,
     "write --state also after every K steps, to FILE_000K.csv; for FILE.vtk also FILE.vtk.series, which ParaView "
     "opens"},
    {"--surface", NULL, "FILE.obj|FILE.svg", FOR_RUN | FOR_RENDER | FOR_REPLAY, FLAG_TEXT, AT(surface), 0, 0,
     "write the surface of the fluid as polygons, for each frame to FILE_000000.obj and so on"},
    {"--save", NULL, "FILE.puddle", FOR_WORLD | FOR_REPLAY, FLAG_TEXT, AT(save), 0, 0, "write a snapshot at the end"},
    {"--load", NULL, "FILE.puddle", FOR_WORLD, FLAG_TEXT, AT(load), 0, 0,
     "continue from a snapshot; --method may name another method"},
    {"--reference", NULL, NULL, FOR_BENCH, FLAG_SWITCH, AT(reference), 0, 0,
     "also time the plain scalar form of each method"},
    {"--continue", NULL, NULL, FOR_WINDOW, FLAG_SWITCH, AT(continues), 0, 0,
     "continue the last session of the window where it ended"},
    {"--log", NULL, "FILE.log", FOR_WINDOW, FLAG_TEXT, AT(log), 0, 0, "write an input log, for 'puddle replay'"},
    {"--history", NULL, "MIB", FOR_WINDOW | FOR_REPLAY, FLAG_COUNT, AT(history), 1, PD_MAX_HISTORY,
     "memory for undo and rewinding, MiB (default: what the panel was last set to, or 256)"},
    {"--json", NULL, NULL, FOR_ALL, FLAG_SWITCH, AT(json), 0, 0, "print the result as JSON at the end, instead of text",
     "print events as JSON, one object per line; the first is {\"event\":\"ready\"}"},
    {"--markdown", NULL, NULL, FOR_LIST, FLAG_SWITCH, AT(markdown), 0, 0, "print the table as a page of Markdown"},
    {"--quiet", NULL, NULL, FOR_ALL, FLAG_SWITCH, AT(quiet), 0, 0, "print only errors and requested output"},
    {"--progress", NULL, NULL, FOR_RENDER | FOR_REPLAY, FLAG_SWITCH, AT(progress), 0, 0,
     "print lines DONE/TOTAL of the frames on standard error, also to a pipe"},
    {"--help", "-h", NULL, FOR_ALL, FLAG_SWITCH, AT(help), 0, 0, "show this help"},
    {"--version", "-V", NULL, FOR_ALL, FLAG_SWITCH, AT(version), 0, 0, "show the version"},
};
const int flag_count = sizeof flags / sizeof *flags;

const char *const simd_words[SIMD_WORDS] = {"auto", "baseline", "avx2", "avx512", "neon"};

const command_info *command_find(const char *name) {
    for (int i = 0; i < command_count; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

const flag_info *flag_find(const char *name) {
    if (strcmp(name, "-v") == 0) name = "-V"; /* programs differ in which of the two prints the version */
    for (int i = 0; i < flag_count; i++)
        if (strcmp(flags[i].name, name) == 0 || (flags[i].letter && strcmp(flags[i].letter, name) == 0))
            return &flags[i];
    return NULL;
}

/* Returns the name with this index (from 0) among the names of all methods' views, each name counted once. Returns NULL if
 * `index` is too large. */
static const char *view_name_at(int index) {
    const char *seen[64];
    int count = 0;
    for (int m = 0; m < pd_method_count(); m++) {
        const pd_method_info *method = pd_method_at(m);
        for (int v = 0; v < method->view_count && count < 64; v++) {
            bool known = false;
            for (int k = 0; k < count; k++)
                if (strcmp(seen[k], pd_method_view_at(method, v)->name) == 0) known = true;
            if (known) continue;
            if (count == index) return pd_method_view_at(method, v)->name;
            seen[count++] = pd_method_view_at(method, v)->name;
        }
    }
    return NULL;
}

static int count_views(void) {
    int count = 0;
    while (view_name_at(count)) count++;
    return count;
}

/* Returns the number of words that a flag accepts. Only flags for a view, lines, a palette, a quality or a SIMD level have
 * words. */
static int flag_count_words(const flag_info *flag) {
    if (flag->kind == FLAG_VIEW) return count_views();
    if (flag->kind == FLAG_LINES) return PD_LINES_COUNT;
    if (flag->kind == FLAG_PALETTE) return pd_palette_count();
    if (flag->kind == FLAG_QUALITY) return PD_QUALITIES - 1;
    return flag->kind == FLAG_SIMD ? SIMD_WORDS : 0;
}

static const char *flag_word_at(const flag_info *flag, int index) {
    if (flag->kind == FLAG_VIEW) return view_name_at(index);
    if (flag->kind == FLAG_LINES) return pd_lines_name((pd_view_lines)index);
    if (flag->kind == FLAG_QUALITY) return pd_quality_name((pd_quality)(index + 1));
    return flag->kind == FLAG_PALETTE ? pd_palette_name(index) : simd_words[index];
}

char *flag_list_words(const flag_info *flag, char *text, size_t size) {
    int count = flag_count_words(flag);
    *text = '\0';
    for (int i = 0; i < count; i++)
        pd_text_append_word(text, size, i + 1 < count ? ", " : " or ", flag_word_at(flag, i));
    return text;
}

char *flag_write_usage(const flag_info *flag, char *text, size_t size) {
    snprintf(text, size, "%s%s%s%s%s", flag->letter ? flag->letter : "", flag->letter ? ", " : "", flag->name,
             flag->argument ? " " : "", flag->argument ? flag->argument : "");
    return text;
}

const char *flag_help(const flag_info *flag, unsigned command_bit) {
    if (command_bit == FOR_WINDOW && flag->window_help) return flag->window_help;
    return command_bit == flag->special ? flag->special_help : flag->help;
}

/* ---- Help ---- */

static void print_flags_of_command(unsigned command_bit) {
    char left[64], words[256];
    int width = 0;
    for (int i = 0; i < flag_count; i++) {
        int length = (int)strlen(flag_write_usage(&flags[i], left, sizeof left));
        if ((flags[i].commands & command_bit) && length > width) width = length;
    }
    for (int i = 0; i < flag_count; i++) {
        const flag_info *flag = &flags[i];
        if (!(flag->commands & command_bit)) continue;
        flag_write_usage(flag, left, sizeof left);
        flag_list_words(flag, words, sizeof words);
        printf("  %-*s %s%s%s\n", width, left, flag_help(flag, command_bit), *words ? ": " : "", words);
    }
}

void print_help(const char *name) {
    const command_info *command = command_find(name);
    if (!command || !*name) {
        printf(
            "puddle: a fluid sandbox. Drag the fluid with the mouse; press H in the window for its keys.\n\nUsage:\n");
        for (int i = 0; i < command_count; i++) printf("  puddle %-45s %s\n", commands[i].usage, commands[i].summary);
        printf("\nSCENE is a scene file, or the name of a bundled scene ('puddle list scenes').\n"
               "'puddle COMMAND --help' shows the options of a command. Options of the window:\n\n");
        print_flags_of_command(FOR_WINDOW);
        printf("\nExamples:\n");
        for (int i = 0; i < command_count; i++) printf("  puddle %s\n", commands[i].example);
        return;
    }
    printf("Usage: puddle %s\n\n%c%s.\n\n", command->usage, command->summary[0] - 'a' + 'A', command->summary + 1);
    if (command->bit == FOR_LIST) {
        printf("WHAT is one of:\n");
        for (int i = 0; i < list_count; i++) printf("  %-22s %s\n", lists[i].name, lists[i].about);
        printf("\n");
    }
    printf("Options:\n");
    print_flags_of_command(command->bit);
    printf("\nExample:\n  puddle %s\n", command->example);
}

/* Prints the version and the SIMD level that is used without --simd. */
void print_version(void) { printf("puddle %s (simd %s)\n", pd_version(), pd_simd_name()); }
