/* Tables of the completion for fish, which follow assets/completions/puddle.fish. */
#include "cli/pages/pages.h"

#include <puddle/puddle.h>
#include <stdio.h>
#include <string.h>

/* Prints a text within single quotes. */
static void print_quoted(const char *text) {
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

static void begin_line(const command_info *command) {
    printf("complete -c puddle -n 'test (__puddle_command) = %s'", *command->name ? command->name : "window");
}

static void print_flag(const command_info *command, const flag_info *flag) {
    char words[PAGE_WORDS], endings[128];
    begin_line(command);
    printf(" -l %s", flag->name + 2);
    if (flag->letter) printf(" -s %s", flag->letter + 1);
    printf(" -d ");
    print_quoted(flag_help(flag, command->bit));
    if (flag->argument) printf(" -x");
    if (*page_write_endings(flag, endings, sizeof endings)) {
        printf(" -a '(__puddle_files %s)'", endings);
    } else if (flag->kind == FLAG_SETTING)
        printf(" -a '(__puddle_settings)'");
    else if (flag->argument && *page_write_words(flag, words))
        printf(" -a '%s'", words);
    putchar('\n');
}

static void print_arguments(const command_info *command) {
    char words[PAGE_WORDS];
    const char *endings[] = {[ARGUMENT_SCENE] = "yaml", [ARGUMENT_LOG] = "log", [ARGUMENT_LIST] = ""};
    page_argument argument = page_argument_of(command);
    if (argument == ARGUMENT_NONE) return;
    begin_line(command);
    *words = '\0';
    if (argument == ARGUMENT_SCENE) page_write_scenes(words);
    if (argument == ARGUMENT_LIST) page_write_lists(words);
    printf(" -a '%s'\n", words);
    if (!*endings[argument]) return;
    begin_line(command);
    printf(" -a '(__puddle_files %s)'\n", command->bit == FOR_WINDOW ? "yaml puddle log" : endings[argument]);
}

static void print_settings(void) {
    char words[PAGE_WORDS];
    printf("\nfunction __puddle_settings\n    printf '%%s\\n' %s\n", page_write_words(flag_find("--set"), words));
    for (int m = 0; m < pd_method_count(); m++) {
        char key[PD_MAX_KEY];
        const pd_method_info *method = pd_method_at(m);
        for (int i = 0; i < method->parameter_count; i++)
            if (*page_write_parameter_values(m, i, words))
                printf("    printf '%s=%%s\\n' %s\n", pd_method_parameter_key(method, i, key, sizeof key), words);
    }
    printf("end\n");
}

void page_print_fish(void) {
    char words[PAGE_WORDS];
    printf("function __puddle_commands\n    printf '%%s\\n' %s\nend\n", page_write_commands(words));
    print_settings();
    putchar('\n');
    for (int c = 0; c < command_count; c++) {
        if (*commands[c].name) {
            begin_line(&commands[0]);
            printf(" -a %s -d ", commands[c].name);
            print_quoted(commands[c].summary);
            putchar('\n');
        }
        for (int i = 0; i < flag_count; i++)
            if (flags[i].commands & commands[c].bit) print_flag(&commands[c], &flags[i]);
        print_arguments(&commands[c]);
    }
}
