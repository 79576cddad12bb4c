/* Writes scenes as YAML. Keys with default values are written too, to show what can be changed. Numbers have the
 * fewest digits that read back as the same float. */
#include "scene/file/writer.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/content/cells.h"
#include "scene/content/particle_list.h"
#include "scene/features.h"
#include "scene/items.h"
#include "scene/schema.h"

#include <inttypes.h>
#include <math.h>
#include <puddle/method.h>
#include <puddle/scene.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_vector(FILE *out, pd_vec2 value) {
    char x[PD_FLOAT_TEXT], y[PD_FLOAT_TEXT];
    fprintf(out, "[%s, %s]", pd_text_write_float(value.x, x), pd_text_write_float(value.y, y));
}

/* Writes a text in quotes. Control characters, which are invalid in a scene, become blanks. */
void pd_write_quoted(FILE *out, const char *text) {
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') fputc('\\', out);
        fputc((unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c, out);
    }
    fputc('"', out);
}

void pd_write_data(FILE *out, const void *bytes, size_t size) {
    fputs(", data: [", out);
    for (size_t k = 0; k < size; k += PD_DATA_WORD) {
        fputs(k ? ", \"" : "\"", out);
        pd_base64_write(out, (const char *)bytes + k, size - k < PD_DATA_WORD ? size - k : PD_DATA_WORD, 0);
        fputc('"', out);
    }
    fputc(']', out);
}

/* ---- Writing of records ---- */

/* Returns whether a material index is valid. Scenes may be written before they are checked. */
static bool is_material_index_valid(const pd_writer *w, int material) {
    return material >= 0 && material < w->material_count;
}

static void write_material_name(const pd_writer *w, int material) {
    pd_write_quoted(w->out, is_material_index_valid(w, material) ? w->materials[material].name : "");
}

static void write_number(const pd_writer *w, float value) {
    char text[PD_FLOAT_TEXT];
    fputs(pd_text_write_float(value, text), w->out);
}

static void write_field_value(const pd_writer *w, const pd_record_field *field, const void *value) {
    const pd_field_form form = pd_field_forms[field->type];
    const uint8_t *color = value;
    int number = 0, parts = form.floats + form.materials;
    if (parts == 2) fputc('[', w->out);
    for (int k = 0; k < parts; k++) {
        if (k) fputs(", ", w->out);
        if (form.floats)
            write_number(w, ((const float *)value)[k]);
        else
            write_material_name(w, ((const int *)value)[k]);
    }
    if (parts == 2) fputc(']', w->out);
    if (form.size == sizeof number) memcpy(&number, value, sizeof number);
    if (field->type == FIELD_COUNT) fprintf(w->out, "%d", number);
    if (field->type == FIELD_CHOICE) fputs(field->words[number], w->out);
    if (field->type == FIELD_BOOLEAN) fputs(*(const bool *)value ? "true" : "false", w->out);
    if (field->type == FIELD_TEXT) pd_write_quoted(w->out, value);
    if (field->type == FIELD_NAMES) {
        const char(*names)[PD_MAX_NAME] = value;
        fputc('[', w->out);
        pd_write_quoted(w->out, names[0]);
        fputs(", ", w->out);
        pd_write_quoted(w->out, names[1]);
        fputc(']', w->out);
    }
    if (field->type == FIELD_COLOR || field->type == FIELD_OWN_COLOR)
        fprintf(w->out, "\"#%02x%02x%02x\"", color[0], color[1], color[2]);
}

static bool is_field_value_absent(const pd_writer *w, const pd_record_field *field, const void *value) {
    int floats = pd_field_forms[field->type].floats;
    if (field->type == FIELD_MATERIAL) return !is_material_index_valid(w, *(const int *)value);
    if (field->type == FIELD_OWN_COLOR) return !((const pd_own_color *)value)->is_given;
    if (field->type == FIELD_COUNT) return field->absent == ABSENT_ZERO && *(const int *)value == 0;
    if (field->type == FIELD_TEXT) return field->absent == ABSENT_ZERO && !*(const char *)value;
    if (field->type == FIELD_BOOLEAN) return field->absent == ABSENT_ZERO && !*(const bool *)value;
    for (int k = 0; k < floats; k++)
        if (!pd_field_is_absent(field, ((const float *)value)[k])) return false;
    return floats > 0;
}

/* Writes a field as "key: value". *separator: text before the key, "{" or ", ". Set to ", " if the field is written. */
static void write_field(pd_writer *w, const pd_record_field *field, const void *record, const char **separator) {
    const void *value = (const char *)record + field->offset;
    if (field->write) field->write(w, record);
    if (field->type == FIELD_CUSTOM || is_field_value_absent(w, field, value)) return;
    fprintf(w->out, "%s%s: ", *separator, field->key);
    write_field_value(w, field, value);
    *separator = ", ";
}

/* Returns the number by which the fields of a record are sorted in files. row: row of the field in its table. Even for
 * unshifted fields; odd for shifted fields, which come between two others. */
static int compute_file_order(const pd_record_field *field, int row) {
    return 2 * (row + field->file_shift) + (field->file_shift > 0) - (field->file_shift < 0);
}

static void write_record(pd_writer *w, const pd_record_schema *schema, const void *record) {
    pd_field_kinds kind = pd_record_kind(schema, record);
    const char *separator = "{";
    for (int order = -1; order <= 2 * schema->count; order++)
        for (int i = 0; i < schema->count; i++) {
            const pd_record_field *field = &schema->fields[i];
            if (compute_file_order(field, i) == order && pd_record_has_field(schema, i, kind) &&
                !(field->given_per_particle & kind))
                write_field(w, field, record, &separator);
        }
    fputc('}', w->out);
}

void pd_write_item(pd_writer *w, int list_id, const void *item) {
    if (pd_scene_lists[list_id].is_inline) {
        pd_write_quoted(w->out, item);
        fputs(": ", w->out);
    }
    write_record(w, pd_scene_lists[list_id].schema, item);
}

void pd_write_walls(pd_writer *w, const void *record) {
    const pd_container *container = record;
    const char *separator = ", walls: {";
    for (int i = 0; i < PD_WALLS; i++) {
        const pd_wall *wall = &container->walls[i];
        if (isnan(wall->inflow) && isnan(wall->velocity) && !wall->outflow) continue;
        fprintf(w->out, "%s%s: ", separator, pd_walls_schema.fields[i].key);
        write_record(w, &pd_wall_schema, wall);
        separator = ", ";
    }
    if (separator[2] == '\0') fputc('}', w->out); /* separator is ", ": at least one wall was written */
}

void pd_write_points(pd_writer *w, const void *record) {
    const pd_area *area = record; /* first member of obstacles and bodies */
    fputs(", points: [", w->out);
    for (int p = 0; p < area->point_count; p++) {
        if (p) fputs(", ", w->out);
        write_vector(w->out, area->points[p]);
    }
    fputc(']', w->out);
}

/* ---- Files beside the scene file ---- */

/* Writes the path of a file of particles. number: 1 for the first region that lists particles, "scene.csv"; 2 for the
 * second region, "scene-2.csv". */
static const char *write_particle_file_path(const char *stem, int number, char *path, size_t size) {
    if (number == 1)
        snprintf(path, size, "%s.csv", stem);
    else
        snprintf(path, size, "%s-%d.csv", stem, number);
    return path;
}

void pd_write_particle_file_key(pd_writer *w, const void *record) {
    char file[PD_MAX_PATH + 16];
    if (((const pd_region *)record)->area.shape != PD_SHAPE_PARTICLES || !w->stem) return;
    fputs(", file: ", w->out);
    pd_write_quoted(w->out, write_particle_file_path(w->stem, ++w->particle_files, file, sizeof file));
}

/* Writes the path of the file of cells: "scene-cells.csv". */
static const char *write_cell_file_path(const char *stem, char *path, size_t size) {
    snprintf(path, size, "%s-cells.csv", stem);
    return path;
}

static void write_cells(FILE *out, const pd_scene *scene, const char *stem) {
    char file[PD_MAX_PATH + 16];
    if (scene->cells.columns == 0) return;
    char size[PD_FLOAT_TEXT];
    fprintf(out, "cells: {size: %s", pd_text_write_float(scene->cells.size, size));
    if (scene->cells.center.x != 0 || scene->cells.center.y != 0) {
        fputs(", center: ", out);
        write_vector(out, scene->cells.center);
    }
    if (stem) {
        fputs(", file: ", out);
        pd_write_quoted(out, write_cell_file_path(stem, file, sizeof file));
    } else {
        pd_write_cells_inline(out, scene);
    }
    fputs("}\n", out);
}

/* ---- Writing of scenes ---- */

static void write_items_of_list(pd_writer *w, const pd_scene *scene, int list_id) {
    int count = pd_scene_list_count(list_id, scene);
    if (count > 0) fprintf(w->out, "%s:\n", pd_scene_lists[list_id].key);
    for (int i = 0; i < count; i++) {
        fputs(pd_scene_lists[list_id].is_inline ? "  " : "  - ", w->out);
        pd_write_item(w, list_id, pd_scene_list_item(list_id, scene, i));
        fputc('\n', w->out);
    }
}

static void write_method_settings(FILE *out, const pd_scene *scene, int selected_method, bool *wrote_parameters_key) {
    char text[64];
    bool named = false;
    for (int i = 0; i < scene->setting_count; i++) {
        int method, index;
        const pd_setting *setting = &scene->settings[i];
        if (pd_parameter_find(setting->key, &method, &index, NULL) != PD_OK || method != selected_method) continue;
        if (!*wrote_parameters_key) fputs("parameters:\n", out);
        *wrote_parameters_key = true;
        if (!named) fprintf(out, "  %s:\n", pd_method_at(method)->name);
        named = true;
        const pd_parameter *parameter = pd_method_parameter_at(pd_method_at(method), index);
        fprintf(out, "    %s: %s\n", parameter->key, pd_parameter_format(parameter, setting->value, text, sizeof text));
    }
}

/* Writes the time step. In files a number with many digits is followed by a fraction: "0.016666668 # 1/60 s". */
static void write_time_step(FILE *out, float dt, bool in_file) {
    char text[PD_FLOAT_TEXT];
    double parts = round(1 / (double)dt);
    fprintf(out, "\ndt: %s", pd_text_write_float(dt, text));
    if (in_file && strlen(text) > 8 && (float)(1 / parts) == dt) fprintf(out, " # 1/%.0f s", parts);
    fputc('\n', out);
}

/* Writes a scene. stem: path, without ending, of the files of its particles and cells. NULL: the text contains them. */
static void write_scene_yaml(FILE *out, const pd_scene *scene, const char *stem) {
    fprintf(out, "puddle: %d\nname: ", PD_SCENE_VERSION);
    pd_write_quoted(out, scene->name);
    fprintf(out, "\nmethod: %s\ngravity: ", scene->method);
    write_vector(out, scene->gravity);
    write_time_step(out, scene->dt, stem != NULL);
    if (scene->substeps)
        fprintf(out, "substeps: %d\n", scene->substeps);
    else
        fputs("substeps: auto\n", out);
    fprintf(out, "seed: %" PRIu64 "\n", scene->seed);
    if (scene->particles) fprintf(out, "particles: %d\n", scene->particles);
    fputs("container: ", out);
    pd_writer w = {.out = out, .materials = scene->materials, .material_count = scene->material_count, .stem = stem};
    write_record(&w, &pd_container_schema, &scene->container);
    fputc('\n', out);
    for (int list_id = 0; list_id < PD_LISTS; list_id++) {
        write_items_of_list(&w, scene, list_id);
        if (list_id == PD_LIST_VORTONS) write_cells(out, scene, stem);
    }
    bool wrote_parameters_key = false;
    for (int i = 0; i < pd_method_count(); i++) write_method_settings(out, scene, i, &wrote_parameters_key);
}

static pd_result write_scene_text(const pd_scene *scene, const char *stem, char **text, size_t *length,
                                  pd_error *error) {
    char *written = NULL;
    *text = NULL;
    FILE *out = open_memstream(&written, length);
    if (out) {
        write_scene_yaml(out, scene, stem);
        bool fine = !ferror(out);
        if (fclose(out) != 0) fine = false;
        *text = fine ? pd_memory_move_stream_text(written, *length) : (free(written), NULL);
    }
    if (*text) return PD_OK;
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "writing the scene failed: out of memory (close other programs)");
}

pd_result pd_scene_write_snapshot_text(const pd_scene *scene, char **text, size_t *length, pd_error *error) {
    return write_scene_text(scene, NULL, text, length, error);
}

/* Writes a scene as text. Omits the keys that have no effect under the scene's method: pd_scene_read_text rejects them. */
static pd_result write_text_without_unused_keys(const pd_scene *scene, const char *stem, char **text, size_t *length,
                                                pd_error *error) {
    pd_scene copy;
    *text = NULL;
    pd_result result = pd_scene_copy(&copy, scene, error);
    if (result != PD_OK) return result;
    pd_scene_reset_unused_keys(&copy);
    result = write_scene_text(&copy, stem, text, length, error);
    pd_scene_free(&copy);
    return result;
}

pd_result pd_scene_write_text(const pd_scene *scene, char **text, size_t *length, pd_error *error) {
    return write_text_without_unused_keys(scene, NULL, text, length, error);
}

static bool has_supported_cells(const pd_scene *scene) {
    return scene->cells.columns > 0 && pd_method_find(scene->method)->features & PD_FEATURE_CELLS;
}

/* Writes the files of particles and cells that a scene file names, before the scene file. */
static pd_result write_particle_and_cell_files(const pd_scene *scene, const char *stem, pd_error *error) {
    char path[PD_MAX_PATH + 16];
    pd_result result = PD_OK;
    for (int i = 0, particle_files = 0; i < scene->region_count && result == PD_OK; i++)
        if (scene->regions[i].area.shape == PD_SHAPE_PARTICLES)
            result = pd_particle_list_write_file(
                scene, &scene->regions[i], write_particle_file_path(stem, ++particle_files, path, sizeof path), error);
    if (result == PD_OK && has_supported_cells(scene))
        result = pd_cells_write_file(scene, write_cell_file_path(stem, path, sizeof path), error);
    return result;
}

/* Removes the files of particles and cells after a failure to write the scene file. */
static void remove_particle_and_cell_files(const pd_scene *scene, const char *stem) {
    char path[PD_MAX_PATH + 16];
    for (int i = 0, particle_files = 0; i < scene->region_count; i++)
        if (scene->regions[i].area.shape == PD_SHAPE_PARTICLES)
            pd_os_remove(write_particle_file_path(stem, ++particle_files, path, sizeof path));
    if (has_supported_cells(scene)) pd_os_remove(write_cell_file_path(stem, path, sizeof path));
}

pd_result pd_scene_write(const pd_scene *scene, const char *path, pd_error *error) {
    char *text, stem[PD_MAX_PATH];
    size_t length = 0;
    const char *name = pd_path_name(path), *dot = strrchr(name, '.');
    if (snprintf(stem, sizeof stem, "%.*s", (int)(dot && dot > name ? dot - path : (ptrdiff_t)strlen(path)), path) >=
        (int)sizeof stem)
        return pd_fail(error, PD_ERROR_FILE_UNWRITABLE,
                       "cannot write '%.200s...': the path is too long (use a shorter one)", path);
    pd_result result = write_text_without_unused_keys(scene, stem + (name - path), &text, &length, error);
    if (result != PD_OK) return result;
    bool fresh = pd_os_status(path, true).type == PD_PATH_MISSING;
    result = pd_file_check_writable(path, error); /* before files are written that only this scene file would name */
    if (result == PD_OK) {
        result = write_particle_and_cell_files(scene, stem, error);
        if (result == PD_OK) result = pd_file_write(path, text, length, error);
        if (result != PD_OK && fresh) remove_particle_and_cell_files(scene, stem);
    }
    pd_memory_free(text);
    return result;
}
