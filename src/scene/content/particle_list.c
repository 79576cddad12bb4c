/* Regions that list their particles: conversion to and from base 64, their bounding box, their mean spacing. */
#include "scene/content/particle_list.h"

#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/file/writer.h"
#include "scene/schema.h"

#include <math.h>
#include <string.h>

/* Number of particles in one YAML scalar. Its base 64 is shorter than MAX_SCALAR_LENGTH; its bytes are a multiple of
 * three, so that no padding is needed. */
enum { PARTICLES_PER_WORD = 150 };

_Static_assert(sizeof(pd_scene_particle) == 20, "the words hold particles as they lie in memory");

bool pd_scene_has_listed_particles(const pd_scene *scene) {
    for (int i = 0; i < scene->region_count; i++)
        if (scene->regions[i].area.shape == PD_SHAPE_PARTICLES) return true;
    return false;
}

bool pd_scene_write_left_out(const pd_scene *scene, int index, char *text, size_t size) {
    for (int i = 0; i < scene->region_count; i++) {
        if (!*scene->regions[i].left_out || index-- > 0) continue;
        snprintf(text, size, "%.*s", PD_MAX_LEFT_OUT - 1, scene->regions[i].left_out);
        return true;
    }
    return false;
}

void pd_particle_list_update_bounding_box(pd_region *region) {
    pd_vec2 low = region->particles[0].position, high = low;
    for (int i = 1; i < region->count; i++) {
        pd_vec2 p = region->particles[i].position;
        low = (pd_vec2){fminf(low.x, p.x), fminf(low.y, p.y)};
        high = (pd_vec2){fmaxf(high.x, p.x), fmaxf(high.y, p.y)};
    }
    pd_area *area = &region->area;
    area->center = (pd_vec2){0.5f * low.x + 0.5f * high.x, 0.5f * low.y + 0.5f * high.y};
    area->size = (pd_vec2){high.x - low.x, high.y - low.y};
    if (region->spacing > 0) return;
    float spacing = sqrtf(area->size.x * area->size.y / (float)region->count);
    region->spacing = spacing >= 1e-6f ? spacing : 0; /* 0: unknown, since the particles lie on a line */
}

/* ---- Lists of particles in the text of a scene ---- */

void pd_write_particle_list(pd_writer *w, const void *record) {
    const pd_region *region = record;
    if (w->stem) return; /* the particles are in a separate file, see pd_write_particle_file_key */
    fputs(", data: [", w->out);
    for (int i = 0; i < region->count; i += PARTICLES_PER_WORD) {
        int count = region->count - i < PARTICLES_PER_WORD ? region->count - i : PARTICLES_PER_WORD;
        fputs(i ? ", \"" : "\"", w->out);
        pd_base64_write(w->out, &region->particles[i], (size_t)count * sizeof *region->particles, 0);
        fputc('"', w->out);
    }
    fputc(']', w->out);
}

bool pd_listed_particle_is_valid(int material_count, const pd_scene_particle *p) {
    const float numbers[] = {p->position.x, p->position.y, p->velocity.x, p->velocity.y};
    for (int k = 0; k < 4; k++)
        if (!(fabsf(numbers[k]) <= (float)(k < 2 ? PD_FARTHEST : PD_FASTEST))) return false;
    return p->material >= 0 && p->material < material_count;
}

static bool read_particles_of_base64_word(pd_document *document, const yaml_node_t *word, pd_region *region) {
    size_t size = 0, particle = sizeof(pd_scene_particle);
    void *bytes = word->type == YAML_SCALAR_NODE
                      ? pd_base64_decode((const char *)word->data.scalar.value, word->data.scalar.length, &size)
                      : NULL;
    pd_scene_particle *list = &region->particles[region->count];
    bool fine = bytes && size > 0 && size % particle == 0 && size / particle <= PARTICLES_PER_WORD;
    if (fine) memcpy(list, bytes, size);
    pd_memory_free(bytes);
    int materials = document->adds_materials ? PD_MAX_MATERIALS : document->scene->material_count;
    for (size_t i = 0; fine && i < size / particle; i++) fine = pd_listed_particle_is_valid(materials, &list[i]);
    if (!fine)
        return pd_fail_at(document, word->start_mark, PD_ERROR_SCENE_VALUE,
                          "'data' is damaged (allowed: words in base 64 that puddle wrote)");
    region->count += (int)(size / particle);
    return true;
}

static bool read_base64_particles(pd_document *document, const yaml_node_t *data, pd_region *region) {
    int words;
    const int most = (PD_MAX_PARTICLES - 1) / PARTICLES_PER_WORD + 1;
    if (!pd_require_list(document, data, "data", most, &words)) return false;
    region->particles = pd_memory_new(((size_t)words * PARTICLES_PER_WORD + 1) * sizeof *region->particles);
    if (!region->particles) return pd_fail_memory_at(document, data);
    region->count = 0;
    for (int i = 0; i < words; i++)
        if (!read_particles_of_base64_word(document, pd_node_at(document, data->data.sequence.items.start[i]), region))
            return false;
    if (region->count > 0) return true;
    return pd_fail_at(document, data->start_mark, PD_ERROR_SCENE_VALUE, "'data' is empty (leave the region out)");
}

/* ---- Reading of lists from files of their own ---- */

static bool fail_reading_file(pd_document *document, const yaml_node_t *node, const pd_error *reason) {
    return pd_fail_at(document, node->start_mark, reason->code, "%.300s", reason->message);
}

static bool read_particle_file(pd_document *document, const yaml_node_t *file, const yaml_node_t *count,
                               pd_region *region) {
    char path[PD_MAX_PATH];
    pd_error error;
    int expected = region->count;
    region->count = 0;
    if (!document->has_folder)
        return pd_fail_at(document, file->start_mark, PD_ERROR_SCENE_VALUE,
                          "a scene in a text has no folder for 'file' (allowed: 'data', or a scene file)");
    if (!pd_read_path(document, file, "a file of particles, such as scene.csv", path)) return false;
    if (!pd_particle_list_read_file(path, document->scene, region, &error)) {
        if (error.code == PD_ERROR_FILE_UNREADABLE || error.code == PD_ERROR_OUT_OF_MEMORY)
            return fail_reading_file(document, file, &error);
        document->error = error; /* the message begins with the path and line of the CSV file */
        return false;
    }
    if (!count || region->count == expected) return true;
    return pd_fail_at(document, count->start_mark, PD_ERROR_SCENE_VALUE,
                      "'count' is %d, but the file has %d particles (is it cut short? else leave 'count' out)",
                      expected, region->count);
}

bool pd_read_particle_list(pd_document *document, const yaml_node_t *item, pd_region *region) {
    const yaml_node_t *file = pd_node_value_of_key(document, item, "file"),
                      *data = pd_node_value_of_key(document, item, "data");
    if (!file == !data)
        return pd_fail_at(document, item->start_mark, PD_ERROR_SCENE_KEY, "a region of particles has %s",
                          file ? "both 'file' and 'data' (keep one)" : "no 'file' (add one, such as file: scene.csv)");
    if (data ? !read_base64_particles(document, data, region)
             : !read_particle_file(document, file, pd_node_value_of_key(document, item, "count"), region))
        return false;
    pd_particle_list_update_bounding_box(region);
    return true;
}

/* ---- Writing of lists to files of their own ---- */

static void write_csv_number(FILE *out, float value) {
    char text[PD_FLOAT_TEXT];
    fprintf(out, ",%s", pd_text_write_float(value, text));
}

pd_result pd_particle_list_write_file(const pd_scene *scene, const pd_region *region, const char *path,
                                      pd_error *error) {
    pd_output output;
    pd_result result = pd_output_open(&output, path, error);
    if (result != PD_OK) return result;
    fputs("id,material,x,y,vx,vy,mass,density\n", output.stream);
    for (int i = 0; i < region->count && !ferror(output.stream); i++) {
        const pd_scene_particle *p = &region->particles[i];
        fprintf(output.stream, "%d,", i);
        pd_text_write_csv_cell(output.stream, scene->materials[p->material].name);
        write_csv_number(output.stream, p->position.x);
        write_csv_number(output.stream, p->position.y);
        write_csv_number(output.stream, p->velocity.x);
        write_csv_number(output.stream, p->velocity.y);
        write_csv_number(output.stream, scene->materials[p->material].mass);
        fputs(",\n", output.stream);
    }
    return pd_output_commit(&output, error);
}
