/* The difference of two scenes, as the text of an edit. */
#include "core/error.h"
#include "core/memory.h"
#include "scene/edit.h"
#include "scene/writer.h"
#include <puddle/items.h>

#include <math.h>
#include <puddle/method.h>
#include <stdlib.h>
#include <string.h>

/* ---- Equality ---- */

static bool same(float a, float b) { return a == b || (isnan(a) && isnan(b)); }
static bool same_vector(pd_vec2 a, pd_vec2 b) { return same(a.x, b.x) && same(a.y, b.y); }

/* Members that do not belong to the shape do not count. */
static bool same_area(const pd_area *a, const pd_area *b) {
    if (a->shape != b->shape || !same_vector(a->center, b->center)) return false;
    switch (a->shape) {
    case PD_SHAPE_CIRCLE:
        return same(a->radius, b->radius);
    case PD_SHAPE_BOX:
    case PD_SHAPE_ELLIPSE:
        return same_vector(a->size, b->size) && same(a->angle, b->angle);
    case PD_SHAPE_POLYGON:
        if (!same(a->angle, b->angle)) return false;
        break;
    case PD_SHAPE_POLYLINE:
    case PD_SHAPE_IMAGE: /* these two: of regions alone, which edits do not change */
    case PD_SHAPE_PARTICLES:
        break;
    }
    bool equal = same(a->thickness, b->thickness) && a->point_count == b->point_count;
    for (int i = 0; equal && i < a->point_count; i++) equal = same_vector(a->points[i], b->points[i]);
    return equal;
}

static bool same_obstacle(const pd_scene *from, int i, const pd_scene *to, int k) {
    const pd_obstacle *a = &from->obstacles[i], *b = &to->obstacles[k];
    return same_area(&a->area, &b->area) && same_vector(a->velocity, b->velocity) && same(a->spin, b->spin) &&
           same(a->turn, b->turn) && same(a->phase, b->phase);
}

/* Names of materials, since their indices may have changed. */
static bool same_emitter(const pd_scene *from, int i, const pd_scene *to, int k) {
    const pd_emitter *a = &from->emitters[i], *b = &to->emitters[k];
    return same_vector(a->position, b->position) && same_vector(a->direction, b->direction) &&
           same(a->speed, b->speed) && same(a->width, b->width) && same(a->rate, b->rate) && same(a->from, b->from) &&
           same(a->until, b->until) && strcmp(from->materials[a->material].name, to->materials[b->material].name) == 0;
}

static bool same_drain(const pd_scene *from, int i, const pd_scene *to, int k) {
    return same_area(&from->drains[i].area, &to->drains[k].area);
}

static bool same_material(const pd_material *a, const pd_material *b) {
    bool equal = a->red == b->red && a->green == b->green && a->blue == b->blue && same(a->mass, b->mass);
    for (int p = 0; p < PD_PROPERTIES; p++) equal = equal && same(a->property[p], b->property[p]);
    return equal;
}

/* ---- Writing ---- */

static void write_any(FILE *out, const pd_scene *scene, int list, const void *item) {
    pd_writer w = {.out = out, .materials = scene->materials, .material_count = scene->material_count};
    pd_write_item(&w, list, item);
}
static void write_obstacle(FILE *out, const pd_scene *scene, int i) {
    write_any(out, scene, PD_LIST_OBSTACLES, &scene->obstacles[i]);
}
static void write_emitter(FILE *out, const pd_scene *scene, int i) {
    write_any(out, scene, PD_LIST_EMITTERS, &scene->emitters[i]);
}
static void write_drain(FILE *out, const pd_scene *scene, int i) {
    write_any(out, scene, PD_LIST_DRAINS, &scene->drains[i]);
}

typedef struct writer {
    FILE *out;
    const pd_scene *from, *to;
    bool any;        /* a list is written */
    const char *key; /* of the present list */
    bool begun;      /* its mapping is open */
    bool (*same)(const pd_scene *from, int i, const pd_scene *to, int k);
    void (*write)(FILE *out, const pd_scene *scene, int i);
} writer;

/* What comes before the key of a pair. */
static void begin_pair(writer *w) {
    fprintf(w->out, "%s", w->begun || w->any ? ", " : "");
    if (!w->begun) fprintf(w->out, "%s: {", w->key);
    w->begun = w->any = true;
}

static void begin_list(writer *w, const char *key) {
    w->key = key;
    w->begun = false;
}

static void end_list(const writer *w) {
    if (w->begun) fputc('}', w->out);
}

static void write_item(writer *w, int index, int item) {
    begin_pair(w);
    fprintf(w->out, "%d: ", index);
    w->write(w->out, w->to, item);
}

/* Goes along both lists. Where they differ, items that the new one has farther ahead in the old one remain, and those between
 * are removed; an item that is in neither of them has been changed. */
static void write_list(writer *w, const char *key, int before, int after) {
    int i = 0, k = 0;
    begin_list(w, key);
    for (; i < before && k < after; i++, k++) {
        int found = i;
        while (found < before && !w->same(w->from, found, w->to, k)) found++;
        if (found == before) {
            write_item(w, i, k);
            continue;
        }
        for (; i < found; i++) {
            begin_pair(w);
            fprintf(w->out, "%d: none", i);
        }
    }
    for (int removed = i; removed < before; removed++) {
        begin_pair(w);
        fprintf(w->out, "%d: none", removed);
    }
    for (int index = before; k < after; k++, index++) write_item(w, index, k);
    end_list(w);
}

static int find_material(const pd_scene *scene, const char *name) {
    int m = 0;
    while (m < scene->material_count && strcmp(scene->materials[m].name, name) != 0) m++;
    return m;
}

static void write_materials(writer *w) {
    begin_list(w, "materials");
    for (int m = 0; m < w->to->material_count; m++) {
        const pd_material *material = &w->to->materials[m];
        int before = find_material(w->from, material->name);
        if (before < w->from->material_count && same_material(&w->from->materials[before], material)) continue;
        begin_pair(w);
        write_any(w->out, w->to, PD_LIST_MATERIALS, material);
    }
    for (int m = 0; m < w->from->material_count; m++) {
        const char *name = w->from->materials[m].name;
        if (find_material(w->to, name) < w->to->material_count) continue;
        begin_pair(w);
        pd_write_word(w->out, name);
        fputs(": none", w->out);
    }
    end_list(w);
}

/* Settings are in the order of the methods: each method's mapping is written once. */
static void write_parameters(writer *w) {
    int open = -1, method, index;
    char value[64];
    begin_list(w, "parameters");
    for (int i = 0; i < w->to->setting_count; i++) {
        const pd_setting *setting = &w->to->settings[i];
        if (same(pd_edit_setting(w->from, setting->key), setting->value) || pd_edit_rebuilds(setting)) continue;
        if (pd_parameter_find(setting->key, &method, &index, NULL) != PD_OK) continue;
        const pd_parameter *parameter = &pd_method_at(method)->parameters[index];
        if (method == open) {
            fputs(", ", w->out);
        } else {
            if (open >= 0) fputc('}', w->out);
            begin_pair(w);
            fprintf(w->out, "%s: {", pd_method_at(method)->name);
            open = method;
        }
        pd_parameter_format(parameter, setting->value, value, sizeof value);
        fprintf(w->out, "%s: %s", parameter->key, value);
    }
    if (open >= 0) fputc('}', w->out);
    end_list(w);
}

pd_result pd_edit_write(const pd_scene *from, const pd_scene *to, char **text, pd_error *error) {
    size_t length;
    *text = NULL;
    char *written = NULL;
    writer w = {.out = open_memstream(&written, &length), .from = from, .to = to};
    if (w.out) {
        fputc('{', w.out);
        w.same = same_obstacle;
        w.write = write_obstacle;
        write_list(&w, "obstacles", from->obstacle_count, to->obstacle_count);
        w.same = same_emitter;
        w.write = write_emitter;
        write_list(&w, "emitters", from->emitter_count, to->emitter_count);
        w.same = same_drain;
        w.write = write_drain;
        write_list(&w, "drains", from->drain_count, to->drain_count);
        write_materials(&w);
        write_parameters(&w);
        fputc('}', w.out);
        bool fine = !ferror(w.out);
        if (fclose(w.out) != 0) fine = false;
        *text = fine ? pd_memory_adopt(written, length) : (free(written), NULL);
    }
    if (*text) return PD_OK;
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "writing the edit failed: out of memory (close other programs)");
}
