/* puddle list: the table of the reference listings ("methods", "keys"), and the command that prints one of them. */
#include "cli/list/list.h"

#include "cli/commands.h"
#include "core/error.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

const list_info lists[] = {
    {"methods", "Methods", "Computing methods, with the paper or article of each", list_methods},
    {"scenes", "Bundled scenes", "Scenes that come with puddle, each with its method", list_scenes},
    {"parameters", "Parameters", "Parameters of each method, for scene files, --set and the panel", list_parameters},
    {"materials", "Materials", "Materials that the window offers, for 1,500 particles in a circle of 1 m",
     list_materials},
    {"keys", "Keys and mouse", "Keys and mouse actions of the window", list_keys},
    {"scene-keys", "Keys of scene files", "Keys that a scene file may have, by mapping or list", list_scene_keys},
    {"flags", "Commands and options", "Commands of puddle, with the options of each", list_flags},
    {"log-lines", "Lines of logs", "Lines that a log of input may have, in the order of the file", list_log_lines},
    {"views", "Views", "Views of each method, for --view and the window", list_views},
    {"statistics", "Columns of output files", "Columns of the files of --stats and --state", list_statistics},
};
const int list_count = sizeof lists / sizeof *lists;

/* Returns the listing with this name on the command line, or NULL. */
static const list_info *find_listing(const char *name) {
    for (int i = 0; i < list_count; i++)
        if (strcmp(lists[i].name, name) == 0) return &lists[i];
    return NULL;
}

char *list_write_names(char *text, size_t size) {
    *text = '\0';
    for (int i = 0; i < list_count; i++)
        pd_text_append_word(text, size, i + 1 < list_count ? ", " : " or ", lists[i].name);
    return text;
}

static int report_unknown_list(const char *name) {
    pd_error error;
    char known[160], hint[64] = "";
    int length = (int)strlen(name);
    pd_nearest_text nearest = {NULL, length < 4 ? length : 4};
    for (int i = 0; i < list_count; i++) pd_text_choose_nearer(&nearest, name, lists[i].name);
    if (nearest.text) snprintf(hint, sizeof hint, "did you mean '%s'? ", nearest.text);
    pd_fail(&error, PD_ERROR_USAGE, "cannot list '%.60s' (%suse %s)", name, hint,
            list_write_names(known, sizeof known));
    return report_error(&error);
}

int command_list(const options *options) {
    const list_info *info = find_listing(options->scenes[0]);
    listing_format format = options->json ? LISTING_JSON : LISTING_TEXT;
    listing list;
    if (!info) return report_unknown_list(options->scenes[0]);
    listing_begin(&list, options->markdown ? LISTING_MARKDOWN : format, info->title, info->about, info->name);
    int code = info->add(&list), printed = listing_end(&list);
    return code ? code : printed;
}
