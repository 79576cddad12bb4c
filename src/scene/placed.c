#include "scene/placed.h"

#include "core/base64.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "scene/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In base 64 fewer characters than MAX_SCALAR_LENGTH; a multiple of three bytes. */
enum { PARTICLES_PER_WORD = 150 };

_Static_assert(sizeof(pd_scene_particle) == 20, "the words hold particles as they lie in memory");

bool pd_scene_is_placed(const pd_scene *scene) {
    for (int i = 0; i < scene->region_count; i++)
        if (scene->regions[i].area.shape == PD_SHAPE_PARTICLES) return true;
    return false;
}

void pd_placed_measure(pd_region *region) {
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
    region->spacing = spacing >= 1e-6f ? spacing : 0; /* particles in a line say nothing of it */
}

/* ---- Lists in a text ---- */

void pd_write_placed(FILE *out, const pd_region *region) {
    fputs(", data: [", out);
    for (int i = 0; i < region->count; i += PARTICLES_PER_WORD) {
        int count = region->count - i < PARTICLES_PER_WORD ? region->count - i : PARTICLES_PER_WORD;
        fputs(i ? ", \"" : "\"", out);
        pd_base64_write(out, &region->particles[i], (size_t)count * sizeof *region->particles, 0);
        fputc('"', out);
    }
    fputc(']', out);
}

static bool no_memory(pd_document *document, const yaml_node_t *node) {
    return pd_fail_at(document, node->start_mark, PD_ERROR_OUT_OF_MEMORY, "out of memory (close other programs)");
}

bool pd_placed_valid(const pd_scene *scene, const pd_scene_particle *p) {
    const float numbers[] = {p->position.x, p->position.y, p->velocity.x, p->velocity.y};
    for (int k = 0; k < 4; k++)
        if (!(fabsf(numbers[k]) <= (float)(k < 2 ? PD_FARTHEST : PD_FASTEST))) return false;
    return p->material >= 0 && p->material < scene->material_count;
}

static bool read_word(pd_document *document, const yaml_node_t *word, pd_region *region) {
    size_t size = 0, particle = sizeof(pd_scene_particle);
    void *bytes = word->type == YAML_SCALAR_NODE
                      ? pd_base64_read((const char *)word->data.scalar.value, word->data.scalar.length, &size)
                      : NULL;
    pd_scene_particle *list = &region->particles[region->count];
    bool fine = bytes && size > 0 && size % particle == 0 && size / particle <= PARTICLES_PER_WORD;
    if (fine) memcpy(list, bytes, size);
    free(bytes);
    for (size_t i = 0; fine && i < size / particle; i++) fine = pd_placed_valid(document->scene, &list[i]);
    if (!fine)
        return pd_fail_at(document, word->start_mark, PD_ERROR_SCENE_VALUE,
                          "'data' is damaged (right: words in base 64 that puddle wrote)");
    region->count += (int)(size / particle);
    return true;
}

static bool read_data(pd_document *document, const yaml_node_t *data, pd_region *region) {
    int words;
    const int most = (PD_MAX_PARTICLES - 1) / PARTICLES_PER_WORD + 1;
    if (!pd_require_list(document, data, "data", most, &words)) return false;
    region->particles = malloc(((size_t)words * PARTICLES_PER_WORD + 1) * sizeof *region->particles);
    if (!region->particles) return no_memory(document, data);
    region->count = 0;
    for (int i = 0; i < words; i++)
        if (!read_word(document, pd_node_at(document, data->data.sequence.items.start[i]), region)) return false;
    if (region->count > 0) return true;
    return pd_fail_at(document, data->start_mark, PD_ERROR_SCENE_VALUE, "'data' is empty (leave the region out)");
}

/* ---- Lists in a file ---- */

static bool fail_file(pd_document *document, const yaml_node_t *node, const pd_error *why) {
    return pd_fail_at(document, node->start_mark, why->code, "%.300s", why->message);
}

/* A relative path begins at the folder of the scene file. */
static bool find_file(pd_document *document, const yaml_node_t *node, char *path, size_t size) {
    char name[PD_MAX_PATH / 2];
    if (!pd_read_text(document, node, "file", name, sizeof name)) return false;
    if (!*name)
        return pd_fail_at(document, node->start_mark, PD_ERROR_SCENE_VALUE,
                          "'file' is empty (right: the name of a file of particles, such as scene.csv)");
    if (!document->has_folder)
        return pd_fail_at(document, node->start_mark, PD_ERROR_SCENE_VALUE,
                          "'file' has no folder to begin at in a text (right: 'data', or a scene file)");
    const char *slash = strrchr(document->name, '/');
    int folder = slash && *name != '/' ? (int)(slash - document->name) + 1 : 0;
    if (snprintf(path, size, "%.*s%s", folder, document->name, name) < (int)size) return true;
    return pd_fail_at(document, node->start_mark, PD_ERROR_SCENE_VALUE, "the path of 'file' is too long");
}

static bool read_file(pd_document *document, const yaml_node_t *file, const yaml_node_t *count, pd_region *region) {
    char path[PD_MAX_PATH];
    pd_error error;
    int expected = region->count;
    region->count = 0;
    if (!find_file(document, file, path, sizeof path)) return false;
    if (!pd_placed_read_file(path, document->scene, region, &error)) {
        if (error.code == PD_ERROR_FILE_UNREADABLE || error.code == PD_ERROR_OUT_OF_MEMORY)
            return fail_file(document, file, &error);
        document->error = error; /* names its own line */
        return false;
    }
    if (!count || region->count == expected) return true;
    return pd_fail_at(document, count->start_mark, PD_ERROR_SCENE_VALUE,
                      "'count' is %d, but the file has %d particles (is it cut short? else leave 'count' out)",
                      expected, region->count);
}

static const yaml_node_t *value_of(pd_document *document, const yaml_node_t *mapping, const char *key) {
    const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
    for (; pair < mapping->data.mapping.pairs.top; pair++)
        if (pd_node_is(pd_node_at(document, pair->key), key)) return pd_node_at(document, pair->value);
    return NULL;
}

bool pd_read_placed(pd_document *document, const yaml_node_t *item, pd_region *region) {
    const yaml_node_t *file = value_of(document, item, "file"), *data = value_of(document, item, "data");
    if (!file == !data)
        return pd_fail_at(document, item->start_mark, PD_ERROR_SCENE_KEY, "a region of particles has %s",
                          file ? "both 'file' and 'data' (keep one)" : "no 'file' (add one, such as file: scene.csv)");
    if (data ? !read_data(document, data, region)
             : !read_file(document, file, value_of(document, item, "count"), region))
        return false;
    pd_placed_measure(region);
    return true;
}

/* ---- Files ---- */

static void write_cell(FILE *out, float value) {
    char text[PD_FLOAT_TEXT];
    fprintf(out, ",%s", pd_text_float(value, text));
}

/* In quotes where it holds what separates cells (RFC 4180). */
static void write_name(FILE *out, const char *name) {
    if (!strpbrk(name, ",\"")) {
        fputs(name, out);
        return;
    }
    fputc('"', out);
    for (; *name; name++) {
        if (*name == '"') fputc('"', out);
        fputc(*name, out);
    }
    fputc('"', out);
}

pd_result pd_placed_write_file(const pd_scene *scene, const pd_region *region, const char *path, pd_error *error) {
    pd_output output;
    pd_result result = pd_output_open(&output, path, error);
    if (result != PD_OK) return result;
    fputs("id,material,x,y,vx,vy,mass,density\n", output.stream);
    for (int i = 0; i < region->count && !ferror(output.stream); i++) {
        const pd_scene_particle *p = &region->particles[i];
        fprintf(output.stream, "%d,", i);
        write_name(output.stream, scene->materials[p->material].name);
        write_cell(output.stream, p->position.x);
        write_cell(output.stream, p->position.y);
        write_cell(output.stream, p->velocity.x);
        write_cell(output.stream, p->velocity.y);
        write_cell(output.stream, scene->materials[p->material].mass);
        fputs(",\n", output.stream);
    }
    return pd_output_commit(&output, error);
}
