/* What the completions of the shells know about arguments and values of flags. */
#include "cli/pages/pages.h"

#include "cli/list/list.h"
#include "core/text.h"
#include "scene/file/scene_files.h"

#include <puddle/puddle.h>
#include <stdio.h>
#include <string.h>

page_argument page_argument_of(const command_info *command) {
    if (strstr(command->usage, "SCENE")) return ARGUMENT_SCENE;
    if (strstr(command->usage, "LOG")) return ARGUMENT_LOG;
    return strstr(command->usage, "WHAT") ? ARGUMENT_LIST : ARGUMENT_NONE;
}

char *page_write_endings(const flag_info *flag, char *text, size_t size) {
    *text = '\0';
    if (flag->kind == FLAG_RECORDING) snprintf(text, size, "png mp4 webm mov gif");
    if (flag->kind != FLAG_TEXT) return text;
    for (const char *name = strstr(flag->argument, "FILE."); name; name = strstr(name, "FILE.")) {
        char ending[16];
        name += strlen("FILE.");
        snprintf(ending, sizeof ending, "%.*s", (int)strcspn(name, "|"), name);
        pd_text_append_word(text, size, " ", ending);
    }
    return text;
}

static void append_parameters(char text[PAGE_WORDS]) {
    for (int m = 0; m < pd_method_count(); m++) {
        char key[PD_MAX_KEY];
        const pd_method_info *method = pd_method_at(m);
        for (int i = 0; i < method->parameter_count; i++)
            pd_text_append(text, PAGE_WORDS, "%s%s=", *text ? " " : "",
                           pd_method_parameter_key(method, i, key, sizeof key));
    }
}

static void append_methods(char text[PAGE_WORDS], bool pairs) {
    for (int m = 0; m < pd_method_count(); m++) {
        if (!pairs) pd_text_append_word(text, PAGE_WORDS, " ", pd_method_at(m)->name);
        for (int other = 0; pairs && other < pd_method_count(); other++) {
            char pair[2 * PD_MAX_METHOD_NAME + 2];
            snprintf(pair, sizeof pair, "%s,%s", pd_method_at(m)->name, pd_method_at(other)->name);
            if (other != m) pd_text_append_word(text, PAGE_WORDS, " ", pair);
        }
    }
}

char *page_write_words(const flag_info *flag, char text[PAGE_WORDS]) {
    *text = '\0';
    if (flag->kind == FLAG_SETTING) append_parameters(text);
    if (flag->kind == FLAG_METHOD || flag->kind == FLAG_COMPARE) append_methods(text, flag->kind == FLAG_COMPARE);
    if (flag->kind == FLAG_SUBSTEPS) pd_text_append_word(text, PAGE_WORDS, " ", "auto");
    if (flag->kind == FLAG_COLOR) pd_text_append_word(text, PAGE_WORDS, " ", "none black white");
    for (int i = 0; i < flag_count_words(flag); i++) pd_text_append_word(text, PAGE_WORDS, " ", flag_word_at(flag, i));
    return text;
}

char *page_write_parameter_values(int method, int index, char text[PAGE_WORDS]) {
    const pd_parameter *parameter = pd_method_parameter_at(pd_method_at(method), index);
    *text = '\0';
    if (parameter->type == PD_PARAMETER_BOOLEAN) pd_text_append_word(text, PAGE_WORDS, " ", "true false");
    if (parameter->type != PD_PARAMETER_CHOICE) return text;
    for (const char *choice = parameter->choices; *choice;) { /* "gauss_seidel, multigrid" */
        char word[64];
        int length = (int)strcspn(choice, ", |");
        snprintf(word, sizeof word, "%.*s", length, choice);
        pd_text_append_word(text, PAGE_WORDS, " ", word);
        choice += length;
        choice += strspn(choice, ", |");
    }
    return text;
}

char *page_write_scenes(char text[PAGE_WORDS]) {
    char **names;
    int count;
    *text = '\0';
    if (pd_bundled_list_names(&names, &count, NULL) != PD_OK) return text;
    for (int i = 0; i < count; i++) pd_text_append_word(text, PAGE_WORDS, " ", names[i]);
    pd_bundled_free_names(names, count);
    return text;
}

char *page_write_commands(char text[PAGE_WORDS]) {
    *text = '\0';
    for (int i = 0; i < command_count; i++)
        if (*commands[i].name) pd_text_append_word(text, PAGE_WORDS, " ", commands[i].name);
    return text;
}

char *page_write_lists(char text[PAGE_WORDS]) {
    *text = '\0';
    for (int i = 0; i < list_count; i++) pd_text_append_word(text, PAGE_WORDS, " ", lists[i].name);
    return text;
}
