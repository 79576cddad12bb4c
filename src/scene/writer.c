/* Writes scenes: every key with its value, also defaults, so that a file shows what can be changed. Numbers have the
 * fewest digits that restore the same float. */
#include "scene/writer.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/cells.h"
#include "scene/features.h"
#include "scene/geometry.h"
#include "scene/image.h"
#include "scene/placed.h"
#include "scene/schema.h"

#include <inttypes.h>
#include <math.h>
#include <puddle/method.h>
#include <puddle/scene.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_number(FILE *out, const char *key, float value) {
    char text[PD_FLOAT_TEXT];
    fprintf(out, ", %s: %s", key, pd_text_float(value, text));
}

/* 0 is what a scene without these keys has, so it is left out; -0 is written. */
static bool is_absent(float value) { return value == 0 && !signbit(value); }

static void write_number_but_0(FILE *out, const char *key, float value) {
    if (!is_absent(value)) write_number(out, key, value);
}

static void write_point(FILE *out, pd_vec2 value) {
    char x[PD_FLOAT_TEXT], y[PD_FLOAT_TEXT];
    fprintf(out, "[%s, %s]", pd_text_float(value.x, x), pd_text_float(value.y, y));
}

static void write_vector(FILE *out, const char *key, pd_vec2 value) {
    fprintf(out, ", %s: ", key);
    write_point(out, value);
}

static void write_vector_but_0(FILE *out, const char *key, pd_vec2 value) {
    if (!is_absent(value.x) || !is_absent(value.y)) write_vector(out, key, value);
}

/* Control characters, which a scene may not hold, become blanks. */
void pd_write_word(FILE *out, const char *text) {
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') fputc('\\', out);
        fputc((unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c, out);
    }
    fputc('"', out);
}

static bool has_material(const pd_scene *scene, int material) {
    return material >= 0 && material < scene->material_count;
}

static void write_material_name(FILE *out, const char *key, const pd_scene *scene, int material) {
    if (!has_material(scene, material)) return;
    fprintf(out, ", %s: ", key);
    pd_write_word(out, scene->materials[material].name);
}

static void write_walls(FILE *out, const pd_container *container) {
    const char *separator = ", walls: {";
    bool any = false;
    for (int i = 0; i < PD_WALLS; i++) {
        const pd_wall *wall = &container->walls[i];
        if (isnan(wall->inflow) && isnan(wall->velocity) && !wall->outflow) continue;
        fprintf(out, "%s%s: {outflow: %s", separator, pd_walls_record.fields[i].key, wall->outflow ? "true" : "false");
        if (!isnan(wall->inflow)) write_number(out, "inflow", wall->inflow);
        if (!isnan(wall->velocity)) write_number(out, "velocity", wall->velocity);
        fputc('}', out);
        separator = ", ";
        any = true;
    }
    if (any) fputc('}', out);
}

static void write_container(FILE *out, const pd_container *container) {
    fprintf(out, "container: {shape: %s", pd_container_words[container->shape]);
    if (container->shape == PD_CONTAINER_CIRCLE) write_number(out, "radius", container->radius);
    if (container->shape == PD_CONTAINER_BOX) {
        write_number(out, "width", container->width);
        write_number(out, "height", container->height);
        write_walls(out, container);
    }
    if (container->shape != PD_CONTAINER_NONE) fprintf(out, ", slip: %s", container->slip ? "true" : "false");
    fputs("}\n", out);
}

void pd_write_material(FILE *out, const pd_material *material) {
    pd_write_word(out, material->name);
    fprintf(out, ": {color: \"#%02x%02x%02x\"", material->red, material->green, material->blue);
    write_number(out, "mass", material->mass);
    for (int p = 0; p < PD_PROPERTIES; p++)
        if (!isnan(material->property[p])) write_number(out, pd_property_at(p)->key, material->property[p]);
    fputc('}', out);
}

static void write_materials(FILE *out, const pd_scene *scene) {
    if (scene->material_count) fputs("materials:\n", out);
    for (int i = 0; i < scene->material_count; i++) {
        fputs("  ", out);
        pd_write_material(out, &scene->materials[i]);
        fputc('\n', out);
    }
}

static void write_points(FILE *out, const pd_area *area) {
    fputs(", points: [", out);
    for (int p = 0; p < area->point_count; p++) {
        if (p) fputs(", ", out);
        write_point(out, area->points[p]);
    }
    fputc(']', out);
}

/* The beginning of an item with an area: `turned` ones may be turned by an angle. */
static void write_area(FILE *out, const pd_area *area, bool turned) {
    fprintf(out, "{shape: %s", pd_shape_words[area->shape]);
    write_vector(out, "center", area->center);
    if (area->shape == PD_SHAPE_CIRCLE) write_number(out, "radius", area->radius);
    if (area->shape == PD_SHAPE_BOX || area->shape == PD_SHAPE_ELLIPSE || area->shape == PD_SHAPE_IMAGE)
        write_vector(out, "size", area->size);
    if ((area->shape == PD_SHAPE_BOX || area->shape == PD_SHAPE_POLYGON) && turned)
        write_number_but_0(out, "angle", area->angle);
    if (area->shape == PD_SHAPE_POLYLINE) write_number(out, "thickness", area->thickness);
    if (pd_area_has_points(area)) write_points(out, area);
}

/* "scene.csv", of the second list "scene-2.csv" */
static const char *placed_path(const char *stem, int number, char *path, size_t size) {
    if (number == 1)
        snprintf(path, size, "%s.csv", stem);
    else
        snprintf(path, size, "%s-%d.csv", stem, number);
    return path;
}

/* file: the particle file's name; NULL: the text holds the particles. */
static void write_placed_region(FILE *out, const pd_region *region, const char *file) {
    fputs("{shape: particles", out);
    if (file) {
        fputs(", file: ", out);
        pd_write_word(out, file);
    }
    fprintf(out, ", count: %d", region->count);
    if (region->spacing > 0) write_number(out, "spacing", region->spacing);
    if (!file) pd_write_placed(out, region);
    fputs("}\n", out);
}

static void write_regions(FILE *out, const pd_scene *scene, const char *stem) {
    char file[PD_MAX_PATH + 16];
    int placed = 0;
    if (scene->region_count) fputs("regions:\n", out);
    for (int i = 0; i < scene->region_count; i++) {
        const pd_region *region = &scene->regions[i];
        fputs("  - ", out);
        if (region->area.shape == PD_SHAPE_PARTICLES) {
            write_placed_region(out, region, stem ? placed_path(stem, ++placed, file, sizeof file) : NULL);
            continue;
        }
        write_area(out, &region->area, false);
        write_material_name(out, "material", scene, region->material);
        write_vector_but_0(out, "velocity", region->velocity);
        fprintf(out, ", fill: %s", pd_fill_words[region->fill]);
        if (region->count) fprintf(out, ", count: %d", region->count);
        if (region->spacing > 0) write_number(out, "spacing", region->spacing);
        if (!isnan(region->density)) write_number(out, "density", region->density);
        write_number(out, "amount", region->amount);
        if (region->area.shape == PD_SHAPE_IMAGE) pd_write_image(out, scene, &region->area);
        fputs("}\n", out);
    }
}

static void write_vortons(FILE *out, const pd_scene *scene) {
    if (scene->vorton_count) fputs("vortons:\n", out);
    for (int i = 0; i < scene->vorton_count; i++) {
        const pd_vorton *vorton = &scene->vortons[i];
        fputs("  - {position: ", out);
        write_point(out, vorton->position);
        write_number(out, "circulation", vorton->circulation);
        write_number(out, "core", vorton->core);
        fputs("}\n", out);
    }
}

/* "scene-cells.csv" */
static const char *cells_path(const char *stem, char *path, size_t size) {
    snprintf(path, size, "%s-cells.csv", stem);
    return path;
}

static void write_cells(FILE *out, const pd_scene *scene, const char *stem) {
    char file[PD_MAX_PATH + 16];
    if (scene->cells.columns == 0) return;
    char size[PD_FLOAT_TEXT];
    fprintf(out, "cells: {size: %s", pd_text_float(scene->cells.size, size));
    if (stem) {
        fputs(", file: ", out);
        pd_write_word(out, cells_path(stem, file, sizeof file));
    } else {
        pd_write_cells(out, scene);
    }
    fputs("}\n", out);
}

void pd_write_obstacle(FILE *out, const pd_obstacle *obstacle) {
    write_area(out, &obstacle->area, true);
    write_vector_but_0(out, "velocity", obstacle->velocity);
    write_number_but_0(out, "spin", obstacle->spin);
    if (obstacle->turn > 0) write_number(out, "turn", obstacle->turn);
    if (obstacle->phase > 0) write_number(out, "phase", obstacle->phase);
    fputc('}', out);
}

static void write_obstacles(FILE *out, const pd_scene *scene) {
    if (scene->obstacle_count) fputs("obstacles:\n", out);
    for (int i = 0; i < scene->obstacle_count; i++) {
        fputs("  - ", out);
        pd_write_obstacle(out, &scene->obstacles[i]);
        fputc('\n', out);
    }
}

void pd_write_emitter(FILE *out, const pd_scene *scene, const pd_emitter *emitter) {
    fputs("{position: ", out);
    write_point(out, emitter->position);
    write_vector(out, "direction", emitter->direction);
    write_number(out, "speed", emitter->speed);
    write_number(out, "width", emitter->width);
    write_number(out, "rate", emitter->rate);
    write_material_name(out, "material", scene, emitter->material);
    write_number_but_0(out, "from", emitter->from);
    if (isfinite(emitter->until)) write_number(out, "until", emitter->until);
    fputc('}', out);
}

static void write_emitters(FILE *out, const pd_scene *scene) {
    if (scene->emitter_count) fputs("emitters:\n", out);
    for (int i = 0; i < scene->emitter_count; i++) {
        fputs("  - ", out);
        pd_write_emitter(out, scene, &scene->emitters[i]);
        fputc('\n', out);
    }
}

void pd_write_drain(FILE *out, const pd_drain *drain) {
    write_area(out, &drain->area, false);
    fputc('}', out);
}

static void write_drains(FILE *out, const pd_scene *scene) {
    if (scene->drain_count) fputs("drains:\n", out);
    for (int i = 0; i < scene->drain_count; i++) {
        fputs("  - ", out);
        pd_write_drain(out, &scene->drains[i]);
        fputc('\n', out);
    }
}

static void write_attractions(FILE *out, const pd_scene *scene) {
    if (scene->attraction_count) fputs("attractions:\n", out);
    for (int i = 0; i < scene->attraction_count; i++) {
        const pd_attraction *attraction = &scene->attractions[i];
        const int *between = attraction->between;
        if (!has_material(scene, between[0]) || !has_material(scene, between[1])) continue;
        fputs("  - {between: [", out);
        pd_write_word(out, scene->materials[between[0]].name);
        fputs(", ", out);
        pd_write_word(out, scene->materials[between[1]].name);
        fputc(']', out);
        write_number(out, "factor", attraction->factor);
        fputs("}\n", out);
    }
}

static void write_changes(FILE *out, const pd_scene *scene) {
    if (scene->change_count) fputs("changes:\n", out);
    for (int i = 0; i < scene->change_count; i++) {
        const pd_change *change = &scene->changes[i];
        fputs("  - ", out);
        write_area(out, &change->area, false);
        write_material_name(out, "from", scene, change->from);
        write_material_name(out, "to", scene, change->to);
        if (isfinite(change->rate)) write_number(out, "rate", change->rate);
        fputs("}\n", out);
    }
}

static void write_method_settings(FILE *out, const pd_scene *scene, int of_method, bool *begun) {
    char text[64];
    bool named = false;
    for (int i = 0; i < scene->setting_count; i++) {
        int method, index;
        const pd_setting *setting = &scene->settings[i];
        if (pd_parameter_find(setting->key, &method, &index, NULL) != PD_OK || method != of_method) continue;
        if (!*begun) fputs("parameters:\n", out);
        *begun = true;
        if (!named) fprintf(out, "  %s:\n", pd_method_at(method)->name);
        named = true;
        const pd_parameter *parameter = pd_method_parameter_at(pd_method_at(method), index);
        fprintf(out, "    %s: %s\n", parameter->key, pd_parameter_format(parameter, setting->value, text, sizeof text));
    }
}

/* Files also name the fraction of a second where its number is long: "0.016666668 # 1/60 s". */
static void write_dt(FILE *out, float dt, bool in_file) {
    char text[PD_FLOAT_TEXT];
    double parts = round(1 / (double)dt);
    fprintf(out, "\ndt: %s", pd_text_float(dt, text));
    if (in_file && strlen(text) > 8 && (float)(1 / parts) == dt) fprintf(out, " # 1/%.0f s", parts);
    fputc('\n', out);
}

/* stem: of the names of the files of particles and cells; NULL: the text holds these. */
static void write_scene(FILE *out, const pd_scene *scene, const char *stem) {
    fprintf(out, "puddle: %d\nname: ", PD_SCENE_VERSION);
    pd_write_word(out, scene->name);
    fprintf(out, "\nmethod: %s\ngravity: ", scene->method);
    write_point(out, scene->gravity);
    write_dt(out, scene->dt, stem != NULL);
    if (scene->substeps)
        fprintf(out, "substeps: %d\n", scene->substeps);
    else
        fputs("substeps: auto\n", out);
    fprintf(out, "seed: %" PRIu64 "\n", scene->seed);
    if (scene->particles) fprintf(out, "particles: %d\n", scene->particles);
    write_container(out, &scene->container);
    write_materials(out, scene);
    write_regions(out, scene, stem);
    write_vortons(out, scene);
    write_cells(out, scene, stem);
    write_obstacles(out, scene);
    write_emitters(out, scene);
    write_drains(out, scene);
    write_attractions(out, scene);
    write_changes(out, scene);
    bool begun = false;
    for (int i = 0; i < pd_method_count(); i++) write_method_settings(out, scene, i, &begun);
}

static pd_result write_text(const pd_scene *scene, const char *stem, char **text, size_t *length, pd_error *error) {
    char *written = NULL;
    *text = NULL;
    FILE *out = open_memstream(&written, length);
    if (out) {
        write_scene(out, scene, stem);
        bool fine = !ferror(out);
        if (fclose(out) != 0) fine = false;
        *text = fine ? pd_memory_adopt(written, *length) : (free(written), NULL);
    }
    if (*text) return PD_OK;
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "writing the scene failed: out of memory (close other programs)");
}

pd_result pd_scene_write_saved(const pd_scene *scene, char **text, size_t *length, pd_error *error) {
    return write_text(scene, NULL, text, length, error);
}

/* Leaves out keys that the method does not support: pd_scene_read_text would refuse them. */
static pd_result write_supported(const pd_scene *scene, const char *stem, char **text, size_t *length,
                                 pd_error *error) {
    pd_scene copy;
    *text = NULL;
    pd_result result = pd_scene_copy(&copy, scene, error);
    if (result != PD_OK) return result;
    pd_scene_drop_unused(&copy);
    result = write_text(&copy, stem, text, length, error);
    pd_scene_free(&copy);
    return result;
}

pd_result pd_scene_write_text(const pd_scene *scene, char **text, size_t *length, pd_error *error) {
    return write_supported(scene, NULL, text, length, error);
}

/* Whether the scene has cells that its method supports. */
static bool has_cells(const pd_scene *scene) {
    return scene->cells.columns > 0 && pd_method_find(scene->method)->features & PD_FEATURE_CELLS;
}

/* The files of particles and cells before the scene that names them. */
static pd_result write_files_beside(const pd_scene *scene, const char *stem, pd_error *error) {
    char path[PD_MAX_PATH + 16];
    pd_result result = PD_OK;
    for (int i = 0, placed = 0; i < scene->region_count && result == PD_OK; i++)
        if (scene->regions[i].area.shape == PD_SHAPE_PARTICLES)
            result =
                pd_placed_write_file(scene, &scene->regions[i], placed_path(stem, ++placed, path, sizeof path), error);
    if (result == PD_OK && has_cells(scene))
        result = pd_cells_write_file(scene, cells_path(stem, path, sizeof path), error);
    return result;
}

/* Of a scene that could not be written. */
static void remove_files_beside(const pd_scene *scene, const char *stem) {
    char path[PD_MAX_PATH + 16];
    for (int i = 0, placed = 0; i < scene->region_count; i++)
        if (scene->regions[i].area.shape == PD_SHAPE_PARTICLES) unlink(placed_path(stem, ++placed, path, sizeof path));
    if (has_cells(scene)) unlink(cells_path(stem, path, sizeof path));
}

pd_result pd_scene_write(const pd_scene *scene, const char *path, pd_error *error) {
    char *text, stem[PD_MAX_PATH];
    size_t length = 0;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    if (snprintf(stem, sizeof stem, "%.*s", (int)(dot && dot > name ? dot - path : (ptrdiff_t)strlen(path)), path) >=
        (int)sizeof stem)
        return pd_fail(error, PD_ERROR_FILE_UNWRITABLE,
                       "cannot write '%.200s...': the path is too long (use a shorter one)", path);
    pd_result result = write_supported(scene, stem + (name - path), &text, &length, error);
    if (result != PD_OK) return result;
    bool fresh = access(path, F_OK) != 0;
    result = pd_file_probe(path, error); /* before particle files that no scene would name */
    if (result == PD_OK) {
        result = write_files_beside(scene, stem, error);
        if (result == PD_OK) result = pd_file_write(path, text, length, error);
        if (result != PD_OK && fresh) remove_files_beside(scene, stem);
    }
    pd_memory_free(text);
    return result;
}
