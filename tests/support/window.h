/* Helpers of tests of the window: a folder for each test, and the files that the program writes. The window is in the process of
 * the test (in_process.h); a test that includes desktop.h first starts the program on a virtual display. */
#ifndef PUDDLE_TESTS_WINDOW_H
#define PUDDLE_TESTS_WINDOW_H

#ifndef PUDDLE_TESTS_DESKTOP_H
#include "in_process.h"
#endif

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *base; /* home of the tests (isolated.sh), which has the settings */
static char folder[128]; /* present folder, one for each test */
static int folders;

/* Replaces the settings of the next windows. */
static inline int write_settings(const char *text) {
    char path[128];
    snprintf(path, sizeof path, "mkdir -p '%s/.config/puddle'", base);
    if (system(path) != 0) return -1;
    snprintf(path, sizeof path, "%s/.config/puddle/settings", base);
    FILE *file = fopen(path, "w");
    return file && fputs(text, file) >= 0 && fclose(file) == 0 ? 0 : -1;
}

/* Enters a new folder for every test. */
static inline int set_up(void **state) {
    (void)state;
    char settings[256];
    base = getenv("HOME");
    snprintf(folder, sizeof folder, "%s/%d", base, folders++);
    /* Constant positions need a view that fills the window, and a scale of 1. */
    setenv("PUDDLE_SCALE", "1", 1);
    snprintf(settings, sizeof settings, "bars: off\nadvanced: on\nrecording: folder\nfolder: %s\n", folder);
    if (write_settings(settings)) return -1;
    return mkdir(folder, 0755) == 0 && chdir(folder) == 0 ? 0 : -1;
}

/* Returns the text of a message about a file in the folder of the test: "Recorded 3 frames to '.../pool-1.mp4'". */
static inline const char *message_about(const char *words, const char *name) {
    static char text[256];
    snprintf(text, sizeof text, "%s '%s/%s'", words, folder, name);
    return text;
}

/* Runs a command; format has one %s for the argument. */
static inline void shell(const char *format, const char *argument) {
    char command[512];
    snprintf(command, sizeof command, format, argument);
    if (system(command) != 0) fail_msg("failed: %s", command);
}

/* A small window with few particles, for machines without a graphics card, in the middle of 1024 x 768 pixels. */
enum { LEFT = 272, TOP = 144, SIDE = 480 };
#define SMALL "--size", "480x480", "--view", "sprites", "--particles", "400"

/* Half of a box filled with water. */
#define WATER_POOL                                                                                                     \
    "puddle: 1\nname: Pool\nmethod: ddr\ngravity: [0, -1.6]\ncontainer: {shape: box, width: 2, height: 2}\n"           \
    "materials:\n  water: {color: \"#3a8fff\"}\nregions: [{shape: box, center: [0, -0.5], size: [2, 1]}]\n"

static inline void open_window(program *program, const char *const *arguments) {
    program_start(program, arguments);
    await_line(program, "\"ready\"");
}

static inline void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Opens the window with a scene, written to pool.yaml. Statistics go to stats.csv. */
static inline void open_scene(program *program, const char *text, const char *const *arguments) {
    write_text("pool.yaml", text);
    open_window(program, arguments);
    await_file("stats.csv");
}

/* Sends input at a place of the screen: "click 1". */
static inline void at(const char *what, int x, int y) {
    char script[256];
    snprintf(script, sizeof script, "mousemove %d %d %s", x, y, what);
    hand(script);
}

/* Saves into the folder of the test: opens the dialog, selects the kind by the ending of the name, and types the name. A file of
 * that name is replaced. The result is the line of the message. */
static inline const char *save_file(program *program, const char *name) {
    char script[512];
    bool snapshot = strstr(name, ".puddle") != NULL, scene = strstr(name, ".yaml") != NULL;
    snprintf(script, sizeof script, "key ctrl+shift+s %s type --args 1 '%s/%s' key Return",
             snapshot ? "key Up"
             : scene  ? ""
                      : "key Down",
             folder, name);
    hand(script);
    if (access(name, F_OK) == 0) hand("key Return");
    return await_line(program, name);
}

static inline rectangle place_of(program *program, const char *name) {
    rectangle found = find_place(program, name);
    if (found.width == 0) fail_msg("there is no '%s'", name);
    return found;
}

static inline int middle_x(rectangle place) { return place.x + place.width / 2; }
static inline int middle_y(rectangle place) { return place.y + place.height / 2; }

/* A drag of the left button from one place to another over some in between. */
static inline void drag_over(int x, int y, int to_x, int to_y) {
    at("mousedown 1", x, y);
    for (int k = 1; k <= 6; k++) at("", x + k * (to_x - x) / 6, y + k * (to_y - y) / 6);
    hand("mouseup 1");
}

/* Sends input in the middle of a place: "click 1". */
static inline void at_middle(const char *what, rectangle place) { at(what, middle_x(place), middle_y(place)); }
static inline void at_place(program *program, const char *what, const char *name) {
    at_middle(what, place_of(program, name));
}

/* Scrolls the panel until the title row "Advanced" is in its upper part, so that the rows below the title are in sight. */
static inline void scroll_to_advanced(program *program) {
    enum { UPPER = 180, TURNS = 20 };
    rectangle title = find_place(program, "Advanced"), panel = place_of(program, "Strength");
    for (int turn = 0; turn < TURNS && (title.width == 0 || title.y > TOP + UPPER); turn++) {
        at_middle("click 5", panel);
        title = find_place(program, "Advanced");
    }
    if (title.width == 0) fail_msg("there is no 'Advanced'");
}

/* Opens the panel and scrolls to its rows under "Advanced". */
static inline void open_advanced(program *program) {
    hand("key Tab");
    scroll_to_advanced(program);
}

/* Returns the number of lines with these words in the file "log". */
static inline int logged(const char *words) {
    FILE *log = fopen("log", "r");
    assert_non_null(log);
    static char line[1 << 18]; /* states are long lines */
    int count = 0;
    while (fgets(line, sizeof line, log)) count += strstr(line, words) != NULL;
    fclose(log);
    return count;
}

static inline double largest_in_column(const char *path, int column) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[4096];
    double largest = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        char *cell = line;
        for (int i = 0; i < column; i++) {
            cell = strchr(cell, ',');
            assert_non_null(cell);
            cell++;
        }
        largest = fmax(largest, fabs(strtod(cell, NULL)));
    }
    fclose(file);
    return largest;
}

static inline int count_rows(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    int rows = -1; /* the heading does not count */
    for (int c = getc(file); c != EOF; c = getc(file)) rows += c == '\n';
    fclose(file);
    return rows;
}

/* Waits until "stats.csv" has a number of rows. */
static inline bool has_rows(const void *goal) { return count_rows("stats.csv") >= *(const int *)goal; }
static inline void await_rows(int goal) { await(has_rows, &goal, "rows of stats.csv"); }

/* Waits for a number of new rows. The window makes at most 60 steps a second. */
static inline void await_steps(int rows) { await_rows(count_rows("stats.csv") + rows); }

/* Waits until a window with --json has taken all input so far and has made steps with it: rows alone may be of steps before it. */
static inline void await_input(program *program) {
    place_of(program, "Picture");
    await_steps(2);
}

/* Presses a key and waits for a line with this text. */
static inline void press(program *program, const char *key, const char *answer) {
    char command[64];
    snprintf(command, sizeof command, "key %s", key);
    hand(command);
    await_line(program, answer);
}

static inline void assert_one_line(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("no '%s' in: %s", part, text);
    if (strchr(text, '\n') != text + strlen(text) - 1) fail_msg("not one line: %s", text);
}

#endif
