/* Manual pages in roff, from the tables of commands, flags, keys, scene keys, parameters and lines of logs. */
#include "cli/list/list.h"
#include "cli/pages/pages.h"
#include "cli/pages/roff.h"

#include <ctype.h>
#include <puddle/puddle.h>
#include <stdio.h>
#include <string.h>

/* Prints the heading and the section NAME of a page. name: "puddle\-run". */
static void begin_page(const char *name, int section, const char *summary) {
    printf(".\\\" Generated from the program's tables.\n.TH ");
    for (const char *c = name; *c; c++) putchar(toupper((unsigned char)*c));
    printf(" %d \"\" \"puddle %s\" \"%s\"\n.SH NAME\n", section, pd_version(),
           section == 1 ? "User Commands" : "File Formats");
    roff_print(name);
    printf(" \\- ");
    roff_print(summary);
    putchar('\n');
}

static void begin_section(const char *title) { printf(".SH %s\n", title); }

/* Prints sentences. "\n" ends a paragraph. */
static void print_paragraphs(const char *text) {
    while (*text) {
        char line[512];
        int length = (int)strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", length, text);
        roff_print(line);
        printf("\n.PP\n");
        text += length;
        text += *text == '\n';
    }
}

/* Prints a paragraph with a tag. */
static void print_tagged(const char *tag, const char *text) {
    printf(".TP\n.B ");
    roff_print(tag);
    putchar('\n');
    roff_print(text);
    putchar('\n');
}

static void print_example(const char *arguments) {
    printf(".EX\n");
    roff_print("    puddle ");
    roff_print(arguments);
    printf("\n.EE\n");
}

/* Prints the tables of a listing (`puddle list NAME`) as paragraphs. */
static void print_listing(const char *name) {
    listing list;
    const list_info *info = list_find(name);
    listing_begin(&list, LISTING_MAN, info->title, info->about, info->name);
    info->add(&list);
    listing_end(&list);
}

static void print_usage(const command_info *command) {
    printf(".B puddle\n");
    roff_print(command->usage);
    printf("\n.br\n");
}

static void print_flags(const command_info *command) {
    begin_section("OPTIONS");
    for (int i = 0; i < flag_count; i++) {
        char usage[64], words[256], text[600];
        const flag_info *flag = &flags[i];
        if (!(flag->commands & command->bit)) continue;
        flag_list_words(flag, words, sizeof words);
        snprintf(text, sizeof text, "%s%s%s", flag_help(flag, command->bit), *words ? ": " : "", words);
        print_tagged(flag_write_usage(flag, usage, sizeof usage), text);
    }
}

static void print_exit_codes(void) {
    begin_section("EXIT STATUS");
    print_tagged("0", "Done.");
    print_tagged("1", "The run failed, for example on a full disk or without OpenGL.");
    print_tagged("2", "Wrong usage or bad input.");
    print_tagged("128+n", "Ended by signal n. Finished files are complete. 141: the reader of a pipe closed it.");
}

/* Prints "puddle(1), puddle-run(1), ...", without the page itself. */
static void print_see_also(const char *page) {
    begin_section("SEE ALSO");
    const char *separator = "";
    for (int c = 0; c < command_count + 2; c++) {
        char name[64];
        if (c < command_count)
            snprintf(name, sizeof name, "puddle%s%s", *commands[c].name ? "-" : "", commands[c].name);
        else
            snprintf(name, sizeof name, "puddle-%s", c == command_count ? "scene" : "log");
        if (strcmp(name, page) == 0) continue;
        printf("%s.BR ", separator);
        roff_print(name);
        printf(" (%d)", c < command_count ? 1 : 5);
        separator = ",\n";
    }
    putchar('\n');
}

static void print_environment_and_files(void) {
    begin_section("ENVIRONMENT");
    print_tagged("PUDDLE_DATA", "Folder with shaders/ and scenes/, in place of the installed one.");
    print_tagged("PUDDLE_SCALE", "Size of the interface, 0.5 to 5, in place of the screen's.");
    print_tagged("SDL_VIDEODRIVER", "wayland or x11, in place of the session's own.");
    begin_section("FILES");
    print_tagged("~/.config/puddle/settings", "Settings of the window ($XDG_CONFIG_HOME).");
    print_tagged("~/.local/state/puddle/last.log", "Log of the last session of the window ($XDG_STATE_HOME).");
    print_tagged("~/.cache/puddle", "Pictures of scenes for the browser ($XDG_CACHE_HOME).");
    print_tagged("~/Documents/puddle", "Default folder of saved files and recordings (user-dirs.dirs).");
}

void page_print_program(void) {
    begin_page("puddle", 1, "sandbox for fluids in two dimensions");
    begin_section("SYNOPSIS");
    for (int c = 0; c < command_count; c++) print_usage(&commands[c]);
    begin_section("DESCRIPTION");
    print_paragraphs("puddle simulates fluids in two dimensions by six methods, in a window or without one.\n"
                     "SCENE is a scene file, or the name of a bundled scene (puddle list scenes). In the window it may "
                     "also be a snapshot (.puddle) or a log.");
    begin_section("COMMANDS");
    for (int c = 0; c < command_count; c++) {
        char name[64];
        snprintf(name, sizeof name, "puddle %s", commands[c].name);
        if (*commands[c].name) print_tagged(name, commands[c].summary);
    }
    print_flags(&commands[0]);
    begin_section("KEYS AND MOUSE");
    print_listing("keys");
    print_environment_and_files();
    print_exit_codes();
    begin_section("EXAMPLES");
    for (int c = 0; c < command_count; c++) print_example(commands[c].example);
    print_see_also("puddle");
}

void page_print_command(const command_info *command) {
    char name[64];
    snprintf(name, sizeof name, "puddle-%s", command->name);
    begin_page(name, 1, command->summary);
    begin_section("SYNOPSIS");
    print_usage(command);
    page_argument argument = page_argument_of(command);
    if (argument != ARGUMENT_NONE) begin_section("DESCRIPTION");
    if (argument == ARGUMENT_SCENE)
        print_paragraphs("SCENE is a scene file, or the name of a bundled scene (puddle list scenes).");
    if (argument == ARGUMENT_LOG) print_paragraphs("LOG is a file that the window wrote, see puddle-log(5).");
    for (int i = 0; argument == ARGUMENT_LIST && i < list_count; i++) print_tagged(lists[i].name, lists[i].about);
    print_flags(command);
    print_exit_codes();
    begin_section("EXAMPLE");
    print_example(command->example);
    print_see_also(name);
}

void page_print_scene_format(void) {
    begin_page("puddle-scene", 5, "scenes of puddle");
    begin_section("DESCRIPTION");
    print_paragraphs("A scene is the initial state of a world as a YAML file. Most keys have defaults.\n"
                     "Lengths are in metres, times in seconds, angles in degrees, and y points up.\n"
                     "puddle check FILE reports every mistake of a scene with its line and column.");
    begin_section("EXAMPLE");
    printf(".EX\n    puddle: 1\n    container: {shape: box, width: 2, height: 1}\n    regions:\n");
    roff_print("      - {shape: box, center: [-0.6, 0], size: [0.8, 1]}");
    printf("\n.EE\n");
    begin_section("KEYS");
    print_listing("scene-keys");
    begin_section("PARAMETERS");
    print_paragraphs("The mapping parameters has the keys of each method, without the name of the method: "
                     "parameters: {ddr: {stiffness: 1.6}}.");
    print_listing("parameters");
    print_see_also("puddle-scene");
}

void page_print_log_format(void) {
    begin_page("puddle-log", 5, "logs of input to puddle");
    begin_section("DESCRIPTION");
    print_paragraphs(
        "A log is UTF-8 text with a scene and all input to the scene, one item a line. puddle replay repeats "
        "the session bit for bit.\n"
        "STEP counts the steps since the beginning. The lines are in the order of their steps. Numbers read "
        "back to the same float.\n"
        "A last line without its end is ignored. A damaged log is played up to the damage.");
    begin_section("LINES");
    print_listing("log-lines");
    begin_section("EXAMPLE");
    printf(".EX\n    puddle\\-log 1\n    scene\n    puddle: 1\n    end\n    120 tool drag 0.1 0.2 3 0 0.2\n"
           "    140 method sph\n.EE\n");
    print_see_also("puddle-log");
}
