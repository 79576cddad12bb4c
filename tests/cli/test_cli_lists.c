/* Listings of reference: every row of the tables is on its page, pages are well-formed, and a page that is not current is found. */
#include "command.h"

#include "app/tables/keys.h"
#include "cli/flags.h"
#include "cli/list.h"
#include "cli/output/columns.h"
#include "cli/output/state.h"
#include "core/file.h"
#include "scene/schema.h"

#include <puddle/memory.h>
#include <puddle/puddle.h>

/* The page of a list. */
static const char *page_of(const char *name) {
    char arguments[64];
    snprintf(arguments, sizeof arguments, "list %s --markdown", name);
    assert_int_equal(run(arguments), 0);
    assert_string_equal(err, "");
    return out;
}

static void assert_row(const char *page, const char *section, const char *key) {
    char title[160], cell[80];
    snprintf(title, sizeof title, "\n<a id=\"%s\"></a>\n", section ? section : "");
    snprintf(cell, sizeof cell, "\n| `%s` |", key);
    const char *begin = section ? strstr(page, title) : page;
    if (!begin) fail_msg("no section %s", section);
    const char *row = strstr(begin, cell), *next = section ? strstr(begin + strlen(title), "\n<a id=") : NULL;
    if (!row || (next && row > next)) fail_msg("no row of %s in %s", key, section ? section : "the page");
}

/* Meanings are a phrase with a capital of at most 25 words. */
static void assert_meaning(const char *key, const char *help) {
    int words = 1;
    for (const char *c = help; *c; c++) words += *c == ' ';
    if (!*help || words > 25) fail_msg("%s: '%s'", key, help);
}

static void parameters_are_on_their_page(void **state) {
    (void)state;
    const char *page = page_of("parameters");
    for (int m = 0; m < pd_method_count(); m++) {
        const pd_method_info *method = pd_method_at(m);
        for (int i = 0; i < method->parameter_count; i++) {
            char key[PD_MAX_KEY];
            snprintf(key, sizeof key, "%s.%s", method->name, pd_method_parameter_at(method, i)->key);
            assert_row(page, method->name, key);
            assert_non_null(strstr(page, pd_method_parameter_at(method, i)->help));
            assert_meaning(key, pd_method_parameter_at(method, i)->help);
        }
    }
    assert_non_null(strstr(page, "| pic\\|flip\\|apic |"));
    for (int i = 0; i < PD_PROPERTIES; i++) assert_row(page, "materials", pd_property_at(i)->key);
}

static void views_and_methods_are_on_their_pages(void **state) {
    (void)state;
    const char *page = page_of("views");
    for (int m = 0; m < pd_method_count(); m++)
        for (int v = 0; v < pd_method_at(m)->view_count; v++)
            assert_row(page, pd_method_at(m)->name, pd_method_view_at(pd_method_at(m), v)->name);
    assert_non_null(strstr(page, "\n| `pressure` | pressure | Pa | contours | "));
    char row[512];
    void *manual;
    size_t size;
    assert_int_equal(pd_file_read(PUDDLE_TESTS_DIR "/../docs/methods.md", 1 << 20, &manual, &size, NULL), PD_OK);
    page = page_of("methods");
    for (int m = 0; m < pd_method_count(); m++) {
        const pd_method_info *method = pd_method_at(m);
        assert_row(page, NULL, method->name);
        snprintf(row, sizeof row, "| %d | [`%s`](methods/%s.md) | %s | %s |\n", m + 1, method->name, method->name,
                 method->idea, method->suits);
        if (!strstr(manual, row)) fail_msg("docs/methods.md lacks the row %s", row);
    }
    pd_memory_free(manual);
    page = page_of("materials");
    for (int i = 0; i < pd_ready_material_count(); i++) assert_row(page, NULL, pd_ready_material_at(i)->material.name);
}

static void flags_and_keys_are_on_their_pages(void **state) {
    (void)state;
    const char *page = page_of("flags");
    for (int c = 0; c < command_count; c++)
        for (int i = 0; i < flag_count; i++) {
            char text[80], cell[80];
            size_t used = 0;
            if (!(flags[i].commands & commands[c].bit)) continue;
            flag_write_usage(&flags[i], text, sizeof text);
            for (const char *t = text; *t; t++) {
                if (*t == '|') cell[used++] = '\\';
                cell[used++] = *t;
            }
            cell[used] = '\0';
            assert_row(page, *commands[c].name ? commands[c].name : "window", cell);
            assert_meaning(flags[i].name, flags[i].help);
        }
    page = page_of("keys");
    for (int i = 0; i < pd_key_count(); i++) assert_row(page, NULL, pd_key_at(i)->name);
}

static void scene_keys_are_on_their_page(void **state) {
    (void)state;
    static const struct {
        const char *list;
        const pd_record_schema *schema;
    } records[] = {
        {"scene", &pd_scene_schema},           {"container", &pd_container_schema},
        {"container.walls", &pd_walls_schema}, {"container.walls.SIDE", &pd_wall_schema},
        {"materials", &pd_material_schema},    {"regions", &pd_region_schema},
        {"vortons", &pd_vorton_schema},        {"cells", &pd_cells_schema},
        {"obstacles", &pd_obstacle_schema},    {"emitters", &pd_emitter_schema},
        {"drains", &pd_drain_schema},          {"attractions", &pd_attraction_schema},
        {"changes", &pd_change_schema},        {"bodies", &pd_body_schema},
        {"joints", &pd_joint_schema},
    };
    const char *page = page_of("scene-keys");
    pd_scene_key key;
    int count = 0, listed = 0;
    for (size_t r = 0; r < sizeof records / sizeof *records; r++)
        for (int i = 0; i < records[r].schema->count; i++, count++)
            assert_row(page, records[r].list, records[r].schema->fields[i].key);
    for (; pd_scene_describe_key(listed, &key); listed++) {
        assert_meaning(key.key, key.help);
        assert_true(*key.type);
    }
    assert_int_equal(listed, count);
    static const char *const rows[] = {
        "| `gravity` | [x, y] | m/s² | [0, -1.6] | -10000 to 10000 |  | ",
        "| `width` | number | m | required | 1e-06 to 1000000 | box | ",
        "| `radius` | number | m | required | 1e-06 to 1000000 | circle | ",
        "| `slip` | true or false |  | true |  |  | ",
        "| `fill` | word |  | hex | hex, grid, random, rings | circle, box, ellipse, image | ",
        "| `amount` | number |  | 1 | 0 to 1 | ",
        "| `until` | number | s | never | ",
        "| `density` | number | 1,000 kg/m³ | 0.6 | 0.01 to 1000 | ",
        "| `limits` | [x, y] | degrees or m | none | ",
        "| `mass` | number |  | 1 | 0.001 to 1000 | ",
        "| `center` | [x, y] | m | [0, 0] (required: circle, box, picture) | ",
        "| `viscosity` | number | 1/s | value of the parameter | 0 to 10000 | ",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strstr(page, rows[i])) fail_msg("missing: %s", rows[i]);
}

static void columns_are_on_their_page(void **state) {
    (void)state;
    const char *page = page_of("statistics");
    for (int i = 0; i < statistics_column_count; i++) {
        assert_row(page, "stats", statistics_columns[i].name);
        assert_meaning(statistics_columns[i].name, statistics_columns[i].help);
    }
    for (int i = 0; i < BODY_COLUMNS; i++) {
        assert_row(page, "bodies", body_columns[i].name);
        assert_meaning(body_columns[i].name, body_columns[i].help);
    }
    for (int t = 0; t < STATE_TABLES; t++)
        for (int i = 0; i < state_tables[t].count; i++) {
            assert_row(page, state_tables[t].name, state_tables[t].columns[i].name);
            assert_meaning(state_tables[t].columns[i].name, state_tables[t].columns[i].help);
        }
}

/* Cells of a row: pipes that are not escaped. */
static int pipes(const char *line) {
    int count = 0;
    for (const char *c = line; *c && *c != '\n'; c++) count += *c == '|' && (c == line || c[-1] != '\\');
    return count;
}

/* A title, a sentence, and tables whose rows have as many cells as their heading; as text and JSON as many rows or more. */
static void pages_are_well_formed(void **state) {
    (void)state;
    for (int i = 0; i < list_count; i++) {
        char title[128], arguments[64];
        int rows = 0, cells = 0;
        const char *page = page_of(lists[i].name);
        snprintf(title, sizeof title, "# %s\n\n<!-- ", lists[i].title);
        assert_ptr_equal(strstr(page, title), page);
        for (const char *line = page; *line; line += strcspn(line, "\n") + 1) {
            if (*line == '|' && cells == 0) cells = pipes(line);
            if (*line != '|') cells = 0;
            if (*line == '|' && pipes(line) != cells) fail_msg("%s: %.80s", lists[i].name, line);
            rows += *line == '|' && line[1] != '-';
            rows -= strncmp(line, "|---", 4) == 0; /* its heading */
        }
        assert_true(rows > 5);
        snprintf(arguments, sizeof arguments, "list %s --json", lists[i].name);
        cJSON *json = parse_output(arguments);
        assert_true(cJSON_GetArraySize(json) >= rows - PD_PROPERTIES && cJSON_GetArraySize(json) <= rows);
        cJSON_Delete(json);
        snprintf(arguments, sizeof arguments, "list %s", lists[i].name);
        assert_int_equal(run(arguments), 0);
        assert_true(lines(out) >= rows);
    }
}

static void lists_are_named(void **state) {
    (void)state;
    assert_error("list keys --markdown --json", 2, "--markdown does not go with --json");
    assert_error("list drop --markdown=yes", 2, "takes no value");
    assert_error("run drop --steps 1 --markdown", 2, "--markdown does not go with puddle run");
    assert_error("list", 2, "list needs a topic (use methods, scenes, ");
    assert_error("list scene-key", 2, "(did you mean 'scene-keys'? use methods, scenes, ");
    assert_error("list colours", 2, "cannot list 'colours' (use methods, scenes, ");
    assert_int_equal(run("list --help"), 0);
    for (int i = 0; i < list_count; i++) {
        char line[160];
        snprintf(line, sizeof line, "\n  %-22s %s\n", lists[i].name, lists[i].about);
        assert_non_null(strstr(out, line));
    }
}

/* Runs update-docs.sh on the folder "pages". In place of the program, ./printer prints the pages in the folder "printed". Returns the
 * exit code. */
static int update(const char *option) {
    char script[256];
    snprintf(script, sizeof script,
             "PUDDLE_REFERENCE=pages sh '" PUDDLE_TESTS_DIR "/../scripts/update-docs.sh' %s ./printer", option);
    return run_script(script);
}

static void a_page_that_is_not_current_is_found(void **state) {
    (void)state;
    shell("mkdir printed; printf '#!/bin/sh\ncat printed/$2.md\n' >printer; chmod +x printer");
    for (int i = 0; i < list_count; i++) {
        char name[64];
        snprintf(name, sizeof name, "printed/%s.md", lists[i].name);
        write_text(name, page_of(lists[i].name));
    }
    assert_int_equal(update("--check"), 1);
    assert_int_equal(lines(err), list_count);
    assert_int_equal(update(""), 0);
    assert_string_equal(err, "");
    assert_int_equal(update("--check"), 0);
    shell("diff -r printed pages");
    shell("sed -i s/gravity/gravty/ pages/scene-keys.md");
    assert_int_equal(update("--check"), 1);
    assert_int_equal(lines(err), 1);
    assert_non_null(strstr(err, "docs/reference/scene-keys.md is not current (run scripts/update-docs.sh "));
    assert_int_equal(update(""), 0);
    shell("diff -r printed pages");
}

TEST_GROUP(cli_lists) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_on_their_page),
        cmocka_unit_test(views_and_methods_are_on_their_pages),
        cmocka_unit_test(flags_and_keys_are_on_their_pages),
        cmocka_unit_test(scene_keys_are_on_their_page),
        cmocka_unit_test(columns_are_on_their_page),
        cmocka_unit_test(pages_are_well_formed),
        cmocka_unit_test(lists_are_named),
        cmocka_unit_test(a_page_that_is_not_current_is_found),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
