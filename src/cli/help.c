/* Prints --help and --version, from the tables in flags.c. */
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/list/list.h"

#include <stdio.h>
#include <string.h>

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

static void print_list_names(void) {
    printf("WHAT is one of:\n");
    for (int i = 0; i < list_count; i++) printf("  %-22s %s\n", lists[i].name, lists[i].about);
    printf("\n");
}

static void print_overview(void) {
    printf("puddle: a fluid sandbox. Drag the fluid with the mouse; press H in the window for its keys.\n\nUsage:\n");
    for (int i = 0; i < command_count; i++) printf("  puddle %-45s %s\n", commands[i].usage, commands[i].summary);
    printf("\nSCENE is a scene file, or the name of a bundled scene ('puddle list scenes').\n"
           "'puddle COMMAND --help' shows the options of a command. Options of the window:\n\n");
    print_flags_of_command(FOR_WINDOW);
    printf("\nExamples:\n");
    for (int i = 0; i < command_count; i++) printf("  puddle %s\n", commands[i].example);
}

void print_help(const char *name) {
    const command_info *command = command_find(name);
    if (!command || !*name) {
        print_overview();
        return;
    }
    printf("Usage: puddle %s\n\n%c%s.\n\n", command->usage, command->summary[0] - 'a' + 'A', command->summary + 1);
    if (command->bit == FOR_LIST) print_list_names();
    printf("Options:\n");
    print_flags_of_command(command->bit);
    printf("\nExample:\n  puddle %s\n", command->example);
}

/* Prints the version and the SIMD level that is used without --simd. */
void print_version(void) { printf("puddle %s (simd %s)\n", pd_version(), pd_simd_name()); }
