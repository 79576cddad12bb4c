/* Tables of the completion for bash, which assets/completions/puddle.bash uses. */
#include "cli/pages/pages.h"

#include <puddle/puddle.h>
#include <stdio.h>

/* Prints a function that prints words for its first argument, the name of a flag or a command. */
static void begin_function(const char *name) { printf("\n_puddle_%s() {\n    case $1 in\n", name); }

static void end_function(void) { printf("    esac\n}\n"); }

static void print_flags(void) {
    begin_function("flags");
    for (int c = 0; c < command_count; c++) {
        printf("    %s) echo '", *commands[c].name ? commands[c].name : "''");
        for (int i = 0; i < flag_count; i++) {
            if (!(flags[i].commands & commands[c].bit)) continue;
            printf("%s%s%s ", flags[i].letter ? flags[i].letter : "", flags[i].letter ? " " : "", flags[i].name);
        }
        printf("' ;;\n");
    }
    end_function();
}

static void print_values(void) {
    char words[PAGE_WORDS], endings[128];
    begin_function("words");
    for (int i = 0; i < flag_count; i++)
        if (*page_write_words(&flags[i], words)) printf("    %s) echo '%s' ;;\n", flags[i].name, words);
    end_function();
    begin_function("endings");
    for (int i = 0; i < flag_count; i++) {
        if (!*page_write_endings(&flags[i], endings, sizeof endings)) continue;
        printf("    %s%s%s) echo '%s' ;;\n", flags[i].name, flags[i].letter ? " | " : "",
               flags[i].letter ? flags[i].letter : "", endings);
    }
    end_function();
    begin_function("takes_value");
    for (int i = 0; i < flag_count; i++) {
        if (!flags[i].argument) continue;
        printf("    %s%s%s) echo yes ;;\n", flags[i].name, flags[i].letter ? " | " : "",
               flags[i].letter ? flags[i].letter : "");
    }
    end_function();
    begin_function("parameter_values");
    for (int m = 0; m < pd_method_count(); m++) {
        char key[PD_MAX_KEY];
        const pd_method_info *method = pd_method_at(m);
        for (int i = 0; i < method->parameter_count; i++)
            if (*page_write_parameter_values(m, i, words))
                printf("    %s) echo '%s' ;;\n", pd_method_parameter_key(method, i, key, sizeof key), words);
    }
    end_function();
}

static void print_arguments(void) {
    static const char *const words[] = {
        [ARGUMENT_NONE] = "none", [ARGUMENT_SCENE] = "scene", [ARGUMENT_LOG] = "log", [ARGUMENT_LIST] = "list"};
    begin_function("argument");
    for (int c = 0; c < command_count; c++)
        printf("    %s) echo %s ;;\n", *commands[c].name ? commands[c].name : "''",
               words[page_argument_of(&commands[c])]);
    end_function();
}

void page_print_bash(void) {
    char words[PAGE_WORDS];
    printf("_puddle_commands='%s'\n", page_write_commands(words));
    printf("_puddle_scenes='%s'\n", page_write_scenes(words));
    printf("_puddle_lists='%s'\n", page_write_lists(words));
    print_flags();
    print_values();
    print_arguments();
}
