/* Listings of the window's keyboard keys, of the flags of each command, of the lines of logs, and of the columns of
 * output files. */
#include "app/tables/keys.h"
#include "cli/flags.h"
#include "cli/list/list.h"
#include "cli/output/columns.h"
#include "cli/output/state.h"

#include <puddle/puddle.h>
#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---- Keys ---- */

int list_keys(listing *list) {
    static const listing_column columns[] = {
        {"keys", "keys", 27, .code = true},
        {"action", "action"},
        {"group", "group", NOT_IN_TEXT},
    };
    listing_begin_table(list, columns, COUNT_OF(columns), false);
    for (int i = 0; i < pd_key_count(); i++) {
        listing_add_text(list, pd_key_at(i)->name);
        listing_add_text(list, pd_key_at(i)->help);
        listing_add_text(list, pd_key_at(i)->group);
    }
    return 0;
}

/* ---- Flags ---- */

/* Writes the allowed values of a flag: its words, or the range of its number. "" if flag->argument says enough. */
static void write_values_of_flag(const flag_info *flag, char *text, size_t size) {
    bool number = flag->kind == FLAG_COUNT || flag->kind == FLAG_LONG || flag->kind == FLAG_NUMBER;
    flag_list_words(flag, text, size);
    if (flag->kind == FLAG_SEED) snprintf(text, size, "0 to 2^64-1");
    if (flag->kind == FLAG_SIZE) snprintf(text, size, "%.10g to %.10g each", flag->low, flag->high);
    if (flag->kind == FLAG_SUBSTEPS) snprintf(text, size, "%.10g to %.10g, or auto", flag->low, flag->high);
    if (number && !strchr(flag->argument, '|')) snprintf(text, size, "%.10g to %.10g", flag->low, flag->high);
}

static void add_flag(listing *list, const command_info *command, const flag_info *flag) {
    char name[64], values[256];
    write_values_of_flag(flag, values, sizeof values);
    listing_add_text(list, *command->name ? command->name : "window");
    listing_add_cell(list, flag_write_usage(flag, name, sizeof name), cJSON_CreateString(flag->name));
    listing_add_cell(list, "", flag->letter ? cJSON_CreateString(flag->letter) : NULL);
    listing_add_cell(list, "", flag->argument ? cJSON_CreateString(flag->argument) : NULL);
    listing_add_text(list, values);
    listing_add_text(list, flag_help(flag, command->bit));
}

int list_flags(listing *list) {
    static const listing_column columns[] = {
        {"command", "command", 7, .in_section = true},
        {"option", "option", 22, .code = true},
        {NULL, "letter", NOT_IN_TEXT},
        {NULL, "argument", NOT_IN_TEXT},
        {"values", "values", NOT_IN_TEXT},
        {"meaning", "help"},
    };
    listing_begin_table(list, columns, COUNT_OF(columns), true);
    for (int c = 0; c < command_count; c++) {
        const command_info *command = &commands[c];
        char title[200], usage[200];
        snprintf(title, sizeof title, "puddle%s%s: %s", *command->name ? " " : "", command->name, command->summary);
        snprintf(usage, sizeof usage, "puddle %s", command->usage);
        listing_begin_section(list, *command->name ? command->name : "window", title, usage);
        for (int i = 0; i < flag_count; i++)
            if (flags[i].commands & command->bit) add_flag(list, command, &flags[i]);
    }
    return 0;
}

/* ---- Lines of logs ---- */

int list_log_lines(listing *list) {
    static const listing_column columns[] = {{"line", "form", 20, .code = true}, {"meaning", "help"}};
    pd_log_line line;
    listing_begin_table(list, columns, COUNT_OF(columns), true);
    for (int i = 0; pd_log_describe_line(i, &line); i++) {
        listing_add_text(list, line.form);
        listing_add_text(list, line.help);
    }
    return 0;
}

/* ---- Columns of files ---- */

static void add_file_column(listing *list, const char *file, const char *name, const char *unit, const char *help) {
    listing_add_text(list, file);
    listing_add_text(list, name);
    listing_add_text(list, unit);
    listing_add_text(list, help);
}

int list_statistics(listing *list) {
    static const listing_column columns[] = {
        {"file", "file", 15, .in_section = true},
        {"column", "name", 15, .code = true},
        {"unit", "unit", 8},
        {"meaning", "help"},
    };
    listing_begin_table(list, columns, COUNT_OF(columns), true);
    listing_begin_section(list, "stats", "--stats: one row for each step", NULL);
    for (int i = 0; i < statistics_column_count; i++) {
        const statistics_column *column = &statistics_columns[i];
        add_file_column(list, "stats", column->name, column->unit, column->help);
    }
    listing_begin_section(list, "bodies",
                          "--bodies: one row for each body and step; the last four only in --state and --json", NULL);
    for (int i = 0; i < BODY_COLUMNS; i++)
        add_file_column(list, "bodies", body_columns[i].name, body_columns[i].unit, body_columns[i].help);
    for (int t = 0; t < STATE_TABLES; t++) {
        const state_table *table = &state_tables[t];
        listing_begin_section(list, table->name, table->title, NULL);
        for (int i = 0; i < table->count; i++)
            add_file_column(list, table->name, table->columns[i].name, table->columns[i].unit, table->columns[i].help);
    }
    return 0;
}
