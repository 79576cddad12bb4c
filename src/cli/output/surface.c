/* Writes the files of --surface. */
#include "cli/output/output.h"

#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "render/palette.h"
#include "render/particles/contour.h"
#include "render/picture.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer side of an SVG, pixels. Its view box is in metres. */
static const double svg_side = 1000;

/* Writes a material's name as a word: OBJ separates names at blanks, and XML reserves characters. */
static void print_name(FILE *stream, const char *name) {
    for (; *name; name++) {
        unsigned char letter = (unsigned char)*name;
        fputc(isalnum(letter) || letter >= 128 || strchr("-.", letter) ? letter : '_', stream);
    }
}

static void print_obj_material(FILE *stream, const pd_contour *contour, const pd_view *view, int material) {
    bool begun = false;
    for (int f = 0; f < contour->face_count && !ferror(stream); f++) {
        const pd_contour_face *face = &contour->faces[f];
        if (face->material != material) continue;
        static const char *const keys[] = {"o ", "g ", "usemtl "};
        for (int k = 0; k < 3 && !begun; k++) {
            fputs(keys[k], stream);
            print_name(stream, view->materials[material].name);
            fputc('\n', stream);
        }
        begun = true;
        fputc('f', stream);
        for (int k = 0; k < face->count; k++) fprintf(stream, " %d", contour->corners[face->first + k] + 1);
        fputc('\n', stream);
    }
}

static void print_obj(FILE *stream, const pd_contour *contour, const pd_view *view, double time) {
    fprintf(stream, "# puddle %s, time %.9g s, metres\n", pd_version(), time);
    for (int i = 0; i < contour->vertex_count && !ferror(stream); i++)
        fprintf(stream, "v %.7g %.7g 0\n", (double)contour->vertices[i].x, (double)contour->vertices[i].y);
    for (int m = 0; m < view->material_count; m++) print_obj_material(stream, contour, view, m);
}

/* Writes the outlines of a material as data of a path. next: as in pd_contour_find_outlines; changed. */
static void print_outlines(FILE *stream, const pd_contour *contour, int *next) {
    for (int first = 0; first < contour->vertex_count && !ferror(stream); first++) {
        char command = 'M';
        for (int i = first; next[i] >= 0; command = 'L') {
            fprintf(stream, "%c%.7g %.7g", command, (double)contour->vertices[i].x, (double)contour->vertices[i].y);
            int following = next[i];
            next[i] = -1;
            i = following;
        }
        if (command == 'L') fputs("Z\n", stream);
    }
}

static void print_svg(FILE *stream, const pd_contour *contour, const pd_view *requested, double time, int palette,
                      int *next) {
    pd_view view = pd_picture_move_walls_outwards(requested);
    /* Without a container the view is a box around the centres of the particles, and the surface is up to two spacings outside. */
    double margin = (view.container.shape == PD_CONTAINER_NONE ? 2 : 0.5) * (double)view.spacing;
    double left = (double)view.low.x - margin, top = -(double)view.high.y - margin;
    double width = (double)(view.high.x - view.low.x) + 2 * margin;
    double height = (double)(view.high.y - view.low.y) + 2 * margin;
    double scale = svg_side / fmax(fmax(width, height), 1e-9);
    fprintf(
        stream,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- puddle %s, time %.9g s, metres -->\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.7g\" height=\"%.7g\" viewBox=\"%.7g %.7g %.7g %.7g\">\n"
        "<g transform=\"scale(1 -1)\" fill-rule=\"evenodd\">\n",
        pd_version(), time, width * scale, height * scale, left, top, width, height);
    for (int m = 0; m < view.material_count && !ferror(stream); m++) {
        unsigned colour = pd_palette_material_colour(palette, &view, m);
        fputs("<g id=\"", stream);
        print_name(stream, view.materials[m].name);
        fprintf(stream, "\" fill=\"#%02x%02x%02x\">\n<path d=\"", colour & 255, colour >> 8 & 255, colour >> 16 & 255);
        pd_contour_find_outlines(contour, m, next);
        print_outlines(stream, contour, next);
        fputs("\"/>\n</g>\n", stream);
    }
    fputs("</g>\n</svg>\n", stream);
}

pd_result surface_write(const char *path, const pd_world *world, int palette, double alpha, pd_error *error) {
    pd_view view;
    pd_contour contour;
    pd_output output;
    double time = pd_world_time(world) - (1 - alpha) * (double)pd_world_scene(world)->dt;
    bool obj = pd_text_ends_in(path, ".obj");
    pd_world_view(world, &view);
    pd_result result = pd_contour_create(&contour, &view, (float)alpha, error);
    if (result != PD_OK) return result;
    int *next = obj ? NULL : malloc(sizeof(int) * ((size_t)contour.vertex_count + 1));
    if (!obj && !next)
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY,
                         "cannot write '%.200s': not enough memory (use fewer particles)", path);
    if (result == PD_OK) result = pd_output_open(&output, path, error);
    if (result == PD_OK) {
        if (obj)
            print_obj(output.stream, &contour, &view, time);
        else
            print_svg(output.stream, &contour, &view, time, palette, next);
        result = pd_output_commit(&output, error);
    }
    free(next);
    pd_contour_free(&contour);
    return result;
}
