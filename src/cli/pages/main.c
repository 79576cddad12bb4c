/* puddle_pages FOLDER: writes the manual pages to FOLDER/man1 and FOLDER/man5, and the tables of the completions to
 * FOLDER. */
#include "cli/pages/pages.h"

#include <stdio.h>

static bool begin_page(const char *folder, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (freopen(path, "w", stdout)) return true;
    perror(path);
    return false;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*print)(void);
    } pages[] = {{"man1/puddle.1", page_print_program},
                 {"man5/puddle-scene.5", page_print_scene_format},
                 {"man5/puddle-log.5", page_print_log_format},
                 {"bash-tables", page_print_bash},
                 {"zsh-tables", page_print_zsh},
                 {"fish-tables", page_print_fish}};
    if (argc != 2) {
        fprintf(stderr, "Usage: puddle_pages FOLDER\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        if (!begin_page(argv[1], pages[i].name)) return 1;
        pages[i].print();
    }
    for (int c = 0; c < command_count; c++) {
        char name[64];
        snprintf(name, sizeof name, "man1/puddle-%s.1", commands[c].name);
        if (!*commands[c].name) continue;
        if (!begin_page(argv[1], name)) return 1;
        page_print_command(&commands[c]);
    }
    return fflush(stdout) != 0 || ferror(stdout);
}
