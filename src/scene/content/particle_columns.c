/* Finds the meaning of columns by their names: "Points:0", "Position X [mm]", "U". */
#include "scene/content/particle_columns.h"
#include "core/array.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/file/document.h"

#include <ctype.h>
#include <string.h>

enum { MOST_COLUMNS = 10000, PLAIN_NAME = 32 };

const char *const pd_table_column_names[PD_COLUMN_NAMED_BY_PUDDLE] = {"x",        "y",  "vx",   "vy",
                                                                      "material", "id", "mass", "density"};

/* A name in small letters and digits alone, and its unit: "position.X [mm]" is "positionx" and "mm". */
typedef struct plain_name {
    char text[PLAIN_NAME], unit[PLAIN_NAME];
} plain_name;

/* ---- Units ---- */

/* Sets the scale of a column with a unit such as "mm" or "cm/s". */
static void read_unit(const char *unit, pd_table_column *column) {
    static const struct {
        const char *name;
        double scale;
    } lengths[] = {{"m", 1}, {"mm", 1e-3}, {"cm", 1e-2}, {"dm", 1e-1}, {"km", 1e3}, {"um", 1e-6}};
    static const char *const per_second[] = {"/s", "s^-1", "s-1", ".s-1", "*s-1", "s**-1", "s^(-1)"};
    bool velocity = column->meaning == PD_COLUMN_VX || column->meaning == PD_COLUMN_VY;
    size_t length = strspn(unit, "cdkmu"), forms = velocity ? sizeof per_second / sizeof *per_second : 1;
    bool known = !*unit || strcmp(unit, "-") == 0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t k = 0; k < forms; k++) {
            if (strlen(lengths[i].name) != length || strncmp(unit, lengths[i].name, length) != 0) continue;
            if (strcmp(unit + length, velocity ? per_second[k] : "") != 0) continue;
            column->scale = lengths[i].scale;
            known = true;
        }
    column->unit_unknown = !known;
}

/* ---- Names ---- */

static void append_character(char text[PLAIN_NAME], char character) {
    size_t length = strlen(text);
    if (length + 1 < PLAIN_NAME) text[length++] = (char)tolower((unsigned char)character);
    text[length] = '\0';
}

/* Splits a name. The unit begins with a bracket or a slash: "x (m)", "x / mm". Brackets around one of 0, 1, 2, x, y, z are an
 * index: "pos[0]". Blanks and punctuation are left out. */
static plain_name split_name(const char *at, const char *end) {
    plain_name name = {"", ""};
    bool in_unit = false;
    for (; at < end; at++) {
        if (strchr("[({", *at))
            in_unit = in_unit || end - at < 3 || !strchr("012xyzXYZ", at[1]) || !strchr("])}", at[2]);
        else if (*at == '/' && !in_unit)
            in_unit = true;
        else if (in_unit && !strchr(" ])}", *at))
            append_character(name.unit, *at);
        else if (!in_unit && (isalnum((unsigned char)*at) || (unsigned char)*at >= 0x80))
            append_character(name.text, *at);
    }
    return name;
}

static bool is_one_of(const char *text, size_t length, const char *const *words) {
    for (; *words; words++)
        if (strlen(*words) == length && strncmp(text, *words, length) == 0) return true;
    return false;
}

/* Finds the meaning of a component of a vector: x, y or z before or after the vector's name, or 0, 1 or 2 after it. */
static void read_component(const char *text, size_t length, pd_table_column *column) {
    static const char *const positions[] = {"pos",   "position", "positions",  "point",       "points",
                                            "coord", "coords",   "coordinate", "coordinates", "location",
                                            "loc",   "center",   "centre",     NULL};
    static const char *const velocities[] = {"vel", "velocity", "velocities", NULL};
    static const char *const letters[] = {"v", "u", NULL}; /* names of velocities of one letter */
    bool first = strchr("xyz", text[0]) && length > 3;
    char component = text[length - 1];
    const char *stem = text;
    if (first && (is_one_of(text + 1, length - 1, positions) || is_one_of(text + 1, length - 1, velocities))) {
        component = text[0];
        stem++;
    }
    if (!strchr("xyz012", component)) return;
    length--;
    int axis = component >= 'x' ? component - 'x' : component - '0';
    bool short_name = component >= 'x' && (length == 0 || (length == 1 && *stem == 'v'));
    bool position = is_one_of(stem, length, positions) || (length == 0 && component >= 'x');
    bool velocity = is_one_of(stem, length, velocities) || is_one_of(stem, length, letters);
    column->rank = short_name ? 1 : 2;
    if (position) column->meaning = axis == 2 ? PD_COLUMN_Z : axis == 1 ? PD_COLUMN_Y : PD_COLUMN_X;
    if (velocity && axis < 2) column->meaning = axis == 1 ? PD_COLUMN_VY : PD_COLUMN_VX;
}

static void read_meaning(const char *begin, const char *end, pd_table_column *column) {
    plain_name name = split_name(begin, end);
    size_t length = strlen(name.text);
    for (int m = 0; m < PD_COLUMN_NAMED_BY_PUDDLE; m++)
        if (strlen(pd_table_column_names[m]) == (size_t)(end - begin) &&
            strncmp(begin, pd_table_column_names[m], (size_t)(end - begin)) == 0) {
            column->meaning = (pd_table_meaning)m;
            return;
        }
    if (length == 0) return;
    read_component(name.text, length, column);
    if (strcmp(name.text, "material") == 0) {
        column->meaning = PD_COLUMN_MATERIAL;
        column->rank = 1;
    }
    if (length == 1 && (*name.text == 'u' || *name.text == 'v')) {
        column->meaning = *name.text == 'u' ? PD_COLUMN_VX : PD_COLUMN_VY;
        column->rank = 3;
    }
    read_unit(name.unit, column);
}

/* ---- Lists of columns ---- */

static bool append_column(pd_table_columns *columns, const char *begin, const char *end, int position) {
    if (!PD_LIST_RESERVE(columns->list, columns->capacity, columns->count + 1)) {
        columns->out_of_memory = true;
        return false;
    }
    pd_table_column *column = &columns->list[columns->count++];
    while (begin < end && strchr(" \t", *begin)) begin++;
    while (end > begin && strchr(" \t", end[-1])) end--;
    size_t length = (size_t)(end - begin) < PD_COLUMN_NAME ? (size_t)(end - begin) : PD_COLUMN_NAME;
    *column = (pd_table_column){.meaning = PD_COLUMN_OTHER, .position = position, .scale = 1};
    char name[PD_COLUMN_NAME + 1] = "";
    memcpy(name, begin, length);
    pd_text_shorten(name, PD_COLUMN_NAME);
    if (pd_text_is_line(name, sizeof name)) memcpy(column->name, name, PD_COLUMN_NAME);
    read_meaning(begin, end, column);
    return true;
}

/* Moves the end of a name without quotes to the end of the units in brackets that follow it: "x [m] y [m]" with blanks between
 * the columns. */
static void include_units(pd_table_extent *cell) {
    while (!cell->last && !cell->quoted && strchr("[(", *cell->next)) {
        char close = *cell->next == '[' ? ']' : ')';
        const char *end = cell->next + strcspn(cell->next, "])\r\n");
        if (*end != close) return;
        cell->end = end + 1;
        cell->next = pd_table_skip_blanks(cell->end);
        cell->last = strchr("\r\n", *cell->next) != NULL; /* also at the end of the text */
    }
}

bool pd_table_columns_read(const char *at, char separator, pd_table_columns *columns) {
    const char *line = at;
    pd_table_extent cell = {.last = false};
    int named = 0; /* number of columns up to the last one with a name */
    columns->count = 0;
    for (; !cell.last; at = cell.next) {
        if (columns->count == MOST_COLUMNS || !pd_table_find_cell(at, separator, &cell)) return false;
        if (separator == ' ') include_units(&cell);
        if (!append_column(columns, cell.begin, cell.end, (int)(at - line) + 1)) return false;
        if (pd_table_skip_blanks(cell.begin) < cell.end) named = columns->count;
    }
    columns->count = named;
    return named > 0;
}

bool pd_table_columns_set_unnamed(int count, pd_table_columns *columns) {
    columns->count = 0;
    for (int m = 0; m < count; m++)
        if (!append_column(columns, pd_table_column_names[m], strchr(pd_table_column_names[m], '\0'), 1)) return false;
    return true;
}

bool pd_table_columns_insert_unnamed(pd_table_columns *columns) {
    if (!append_column(columns, "", "", 1)) return false;
    pd_table_column unnamed = columns->list[columns->count - 1];
    memmove(columns->list + 1, columns->list, (size_t)(columns->count - 1) * sizeof *columns->list);
    columns->list[0] = unnamed;
    return true;
}

int pd_table_columns_find(const pd_table_columns *columns, pd_table_meaning meaning, int *rival) {
    int best = -1;
    *rival = -1;
    for (int i = 0; i < columns->count; i++) {
        if (columns->list[i].meaning != meaning) continue;
        if (best >= 0 && columns->list[i].rank == columns->list[best].rank) *rival = i;
        if (best >= 0 && columns->list[i].rank >= columns->list[best].rank) continue;
        best = i;
        *rival = -1;
    }
    return best;
}

static void reset_meaning(pd_table_columns *columns, pd_table_meaning meaning) {
    for (int i = 0; i < columns->count; i++)
        if (columns->list[i].meaning == meaning) columns->list[i].meaning = PD_COLUMN_OTHER;
}

int pd_table_columns_choose(pd_table_columns *columns, int *rival) {
    int chosen[PD_COLUMN_OTHER], rank[PD_COLUMN_OTHER]; /* index of a column and its rank, or -1 */
    for (int m = 0; m < PD_COLUMN_OTHER; m++) {
        chosen[m] = pd_table_columns_find(columns, (pd_table_meaning)m, rival);
        rank[m] = chosen[m] >= 0 ? columns->list[chosen[m]].rank : -1;
        if (*rival >= 0 && (m == PD_COLUMN_X || m == PD_COLUMN_Y || rank[m] == 0)) return chosen[m];
        if (*rival >= 0) chosen[m] = -1;
    }
    for (int m = PD_COLUMN_VX; m <= PD_COLUMN_VY; m++)
        if (chosen[m] >= 0 && columns->list[chosen[m]].rank > 0 && rank[m] != rank[PD_COLUMN_VX + PD_COLUMN_VY - m])
            chosen[m] = -1;
    for (int m = 0; m < PD_COLUMN_OTHER; m++) reset_meaning(columns, (pd_table_meaning)m);
    for (int m = 0; m < PD_COLUMN_OTHER; m++)
        if (chosen[m] >= 0) columns->list[chosen[m]].meaning = (pd_table_meaning)m;
    return -1;
}
