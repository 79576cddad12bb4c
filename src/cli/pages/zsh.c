/* Tables of the completion for zsh, which assets/completions/puddle.zsh uses. */
#include "cli/pages/pages.h"

#include <puddle/puddle.h>
#include <stdio.h>
#include <string.h>

/* Prints a text within single quotes and within the brackets of _arguments. */
static void print_quoted(const char *text) {
    for (; *text; text++) {
        if (strchr("[]:\\", *text)) putchar('\\');
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
}

/* Prints what completes the value of a flag. */
static void print_action(const flag_info *flag) {
    char words[PAGE_WORDS], endings[128];
    page_write_words(flag, words);
    page_write_endings(flag, endings, sizeof endings);
    for (char *blank = endings; (blank = strchr(blank, ' '));) *blank = '|';
    if (flag->kind == FLAG_SETTING)
        printf("_puddle_setting");
    else if (*endings)
        printf("_puddle_files \"%s\"", endings);
    else if (*words)
        printf("(%s)", words);
    else
        printf(" "); /* a value that is not completed */
}

static void print_flag(const flag_info *flag, unsigned command_bit) {
    const char *repeated = flag->kind == FLAG_SETTING ? "*" : "";
    const char *const names[] = {flag->name, flag->letter};
    for (int i = 0; i < 2 && names[i]; i++) {
        printf("        '%s%s%s[", repeated, names[i], flag->argument && i == 0 ? "=" : "");
        print_quoted(flag_help(flag, command_bit));
        printf("]");
        if (flag->argument) {
            putchar(':');
            print_quoted(flag->argument);
            putchar(':');
            print_action(flag);
        }
        printf("' \\\n");
    }
}

static void print_command(const command_info *command) {
    static const char *const arguments[] = {
        [ARGUMENT_NONE] = "",
        [ARGUMENT_SCENE] = "'*:scene:_puddle_scene'",
        [ARGUMENT_LOG] = "'1:log:_puddle_files log'",
        [ARGUMENT_LIST] = "'1:table:_puddle_list'",
    };
    printf("\n_puddle_command_%s() {\n    _arguments -S \\\n", command->name);
    for (int i = 0; i < flag_count; i++)
        if (flags[i].commands & command->bit) print_flag(&flags[i], command->bit);
    printf("        %s\n}\n",
           command->bit == FOR_WINDOW ? "'1:scene or command:_puddle_first'" : arguments[page_argument_of(command)]);
}

static void print_setting(void) {
    char words[PAGE_WORDS];
    printf("\n_puddle_setting() {\n    local key=${PREFIX%%%%=*}\n    if ! compset -P '*='; then\n"
           "        compadd -S '' -- %s\n        return\n    fi\n    case $key in\n",
           page_write_words(flag_find("--set"), words));
    for (int m = 0; m < pd_method_count(); m++) {
        char key[PD_MAX_KEY];
        const pd_method_info *method = pd_method_at(m);
        for (int i = 0; i < method->parameter_count; i++)
            if (*page_write_parameter_values(m, i, words))
                printf("    %s) compadd -- %s ;;\n", pd_method_parameter_key(method, i, key, sizeof key), words);
    }
    printf("    esac\n}\n");
}

void page_print_zsh(void) {
    char words[PAGE_WORDS];
    printf("#compdef puddle\n_puddle_commands=(%s)\n", page_write_commands(words));
    printf("_puddle_scenes() { compadd -- %s; }\n", page_write_scenes(words));
    printf("_puddle_list() { compadd -- %s; }\n", page_write_lists(words));
    print_setting();
    for (int c = 0; c < command_count; c++) print_command(&commands[c]);
}
