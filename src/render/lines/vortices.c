/* Draws vortices in two steps: sums the circulations of overlapping discs in a texture, then draws this texture in the
 * colours of the legend. */
#include "render/lines/vortices.h"

#include "core/array.h"
#include "core/memory.h"
#include "render/palette.h"
#include "render/shader.h"
#include "render/solid.h"
#include <epoxy/gl.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MAP_SIZE = 256, ATTRIBUTES = 5, MAX_SUMS = 4096 /* greatest side of the texture of sums, texels */ };
/* Radius of a disc, in core radii of the vortex. The disc is half transparent at the core's edge. */
static const float disc_radius_per_core = 1.6f;
static const float glow_radius_per_core = 5; /* radius of the glow around a point vortex, in core radii */
static const float min_core_radius = 2.5f;   /* least drawn radius of a core, interface units */
static const float texels_per_disc = 4; /* texels of the sum texture per radius of a disc: enough for a cubic filter */
/* Greatest side of a texel of the sum texture, pixels, unless MAX_SUMS is reached. */
static const float max_texel_pixels = 8;

pd_result pd_vortex_discs_create(pd_vortex_discs *discs, pd_error *error) {
    pd_result result = pd_shader_load(&discs->splat, "vortex.vert", "vortex.frag", error);
    if (!result) result = pd_shader_load(&discs->shade, "screen.vert", "vortices.frag", error);
    if (result) return result;
    pd_shader_set_sampler(discs->shade, "sums", 0);
    pd_shader_set_sampler(discs->shade, "colours", 1);
    discs->palette = -1;
    glGenTextures(1, &discs->colour_texture);
    glBindTexture(GL_TEXTURE_2D, discs->colour_texture);
    pd_texture_set_filter(GL_LINEAR);
    glGenVertexArrays(1, &discs->empty_array);
    glGenVertexArrays(1, &discs->array);
    glGenBuffers(1, &discs->buffer);
    glBindVertexArray(discs->array);
    glBindBuffer(GL_ARRAY_BUFFER, discs->buffer);
    for (GLuint i = 0; i < ATTRIBUTES; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, 1);
    }
    glBindVertexArray(0);
    return PD_OK;
}

void pd_vortex_discs_free(pd_vortex_discs *discs) {
    glDeleteTextures(1, &discs->colour_texture); /* 0 (not created) is ignored by OpenGL */
    if (discs->array) glDeleteVertexArrays(1, &discs->array);
    if (discs->empty_array) glDeleteVertexArrays(1, &discs->empty_array);
    if (discs->buffer) glDeleteBuffers(1, &discs->buffer);
    if (discs->splat) glDeleteProgram(discs->splat);
    if (discs->shade) glDeleteProgram(discs->shade);
    pd_target_free(&discs->sum_target);
    pd_free(discs->discs);
    memset(discs, 0, sizeof *discs);
}

/* Computes the discs of all vortices. The discs of vortices with an area overlap. Their opacity is the vortex's area / the
 * integral of the disc's profile, so that they cover the fluid once in total. Point vortices (without an area) come last
 * and are drawn over the others. pixel_size: side of a pixel, m. low, high: receive the corners of the rectangle around
 * all discs, m. Returns the radius of the smallest disc, m. */
static float compute_discs(pd_vortex_discs *discs, const pd_picture *picture, float pixel_size, pd_vec2 *low,
                           pd_vec2 *high) {
    const pd_view_vortices *v = &picture->view->vortices;
    float least = min_core_radius * picture->scale * pixel_size, smallest = INFINITY;
    pd_legend legend;
    pd_picture_find_legend(picture->view, picture->mode, &legend);
    discs->area_count = discs->point_count = 0;
    *low = (pd_vec2){INFINITY, INFINITY};
    *high = (pd_vec2){-INFINITY, -INFINITY};
    bool between = picture->alpha < 1 && v->previous_x && v->previous_y;
    for (int n = 0; n < v->count; n++) {
        float x = v->x[n], y = v->y[n];
        if (between) {
            x = v->previous_x[n] + (x - v->previous_x[n]) * picture->alpha;
            y = v->previous_y[n] + (y - v->previous_y[n]) * picture->alpha;
        }
        bool is_point = !(v->area[n] > 0);
        float core = fmaxf(v->core[n], least), disc = disc_radius_per_core * core,
              reach = is_point ? glow_radius_per_core * core : disc;
        float integral = 0.25f * 3.14159265f * disc * disc; /* integral of the disc's profile (1 - q^2)^3, m^2 */
        float part = fminf(fmaxf(v->circulation[n] / legend.high, -1), 1);
        float opacity = is_point ? 1 : fminf(v->area[n] / integral, 1);
        int place = is_point ? v->count - ++discs->point_count : discs->area_count++;
        discs->discs[place] = (pd_vortex_disc){x, y, reach, disc / reach, part, opacity};
        smallest = fminf(smallest, disc);
        *low = (pd_vec2){fminf(low->x, x - reach), fminf(low->y, y - reach)};
        *high = (pd_vec2){fmaxf(high->x, x + reach), fmaxf(high->y, y + reach)};
    }
    return smallest;
}

static void bind_colour_texture(pd_vortex_discs *discs, int palette) {
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, discs->colour_texture);
    if (palette == discs->palette) return;
    float map[MAP_SIZE][4] = {0};
    for (int i = 0; i < MAP_SIZE; i++)
        pd_palette_get_signed_map_colour(palette, 2 * (float)i / (MAP_SIZE - 1) - 1, map[i]);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, MAP_SIZE, 1, 0, GL_RGBA, GL_FLOAT, map);
    discs->palette = palette;
}

/* Binds the vertex attributes so that instance 0 is disc number `first`: OpenGL 3.3 cannot draw instances from another
 * index on. */
static void bind_attributes_from_disc(const pd_vortex_discs *discs, int first) {
    static const GLint sizes[ATTRIBUTES] = {2, 1, 1, 1, 1};
    static const size_t offsets[ATTRIBUTES] = {
        offsetof(pd_vortex_disc, x), offsetof(pd_vortex_disc, outer_radius), offsetof(pd_vortex_disc, disc_fraction),
        offsetof(pd_vortex_disc, circulation), offsetof(pd_vortex_disc, opacity)};
    size_t start = (size_t)first * sizeof(pd_vortex_disc);
    glBindVertexArray(discs->array);
    glBindBuffer(GL_ARRAY_BUFFER, discs->buffer);
    for (GLuint i = 0; i < ATTRIBUTES; i++)
        glVertexAttribPointer(i, sizes[i], GL_FLOAT, GL_FALSE, sizeof(pd_vortex_disc), (void *)(start + offsets[i]));
}

/* Clears the texture of sums. Then adds `count` discs to it, beginning with disc number `first`. */
static void add_discs_to_sums(pd_vortex_discs *discs, const pd_camera *camera, int first, int count) {
    float matrix[4][4];
    glBindFramebuffer(GL_FRAMEBUFFER, discs->sum_target.framebuffer);
    glViewport(0, 0, discs->sum_target.width, discs->sum_target.height);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    pd_camera_compute_clip_matrix(camera, matrix);
    glUseProgram(discs->splat);
    glUniformMatrix4fv(glGetUniformLocation(discs->splat, "matrix"), 1, GL_FALSE, &matrix[0][0]);
    glBlendFunc(GL_ONE, GL_ONE);
    bind_attributes_from_disc(discs, first);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count);
}

/* Draws the texture of sums over the picture in the colours of the legend. */
static void draw_sum_texture(pd_vortex_discs *discs, const pd_picture *picture, const pd_camera *camera,
                             const float rectangle[4], unsigned target) {
    unsigned program = discs->shade;
    pd_rounded_box wall = pd_container_as_rounded_box(&picture->view->container);
    pd_vec2 origin = pd_camera_pixels_to_world(camera, 0, (float)picture->height);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, picture->area.width, picture->area.height);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, discs->sum_target.texture);
    bind_colour_texture(discs, picture->palette);
    pd_shader_set_area(program, &picture->area);
    glUniform2f(glGetUniformLocation(program, "size"), (float)discs->sum_target.width, (float)discs->sum_target.height);
    glUniform2f(glGetUniformLocation(program, "picture"), (float)picture->width, (float)picture->height);
    glUniform2f(glGetUniformLocation(program, "origin"), origin.x, origin.y);
    glUniform1f(glGetUniformLocation(program, "pixel"), 1 / camera->pixels_per_metre);
    glUniform3f(glGetUniformLocation(program, "container"), wall.half_width, wall.half_height, wall.radius);
    glUniform4fv(glGetUniformLocation(program, "rectangle"), 1, rectangle);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(discs->empty_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glActiveTexture(GL_TEXTURE0);
}

void pd_vortex_discs_draw(pd_vortex_discs *discs, const pd_picture *picture, const pd_camera *camera, unsigned target) {
    int count = picture->view->vortices.count;
    float pixel_size = 1 / camera->pixels_per_metre, rectangle[4];
    pd_vec2 low, high;
    if (count == 0 || !PD_ARRAY_RESERVE(discs->discs, discs->capacity, 0, count)) return;
    float texel =
        fminf(fmaxf(compute_discs(discs, picture, pixel_size, &low, &high) / (pixel_size * texels_per_disc), 1),
              max_texel_pixels);
    if (!pd_camera_clip_rectangle(camera, &picture->area, &picture->view->container, (double)low.x, (double)low.y,
                                  (double)(high.x - low.x), (double)(high.y - low.y), rectangle))
        return;
    int side = picture->width > picture->height ? picture->width : picture->height;
    texel = fmaxf(texel, (float)side / MAX_SUMS);
    pd_target_resize(&discs->sum_target, (int)ceilf((float)picture->width / texel),
                     (int)ceilf((float)picture->height / texel), GL_RGBA32F);
    glBindBuffer(GL_ARRAY_BUFFER, discs->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)count * sizeof *discs->discs), discs->discs, GL_STREAM_DRAW);
    glEnable(GL_BLEND);
    if (discs->area_count > 0) {
        add_discs_to_sums(discs, camera, 0, discs->area_count);
        draw_sum_texture(discs, picture, camera, rectangle, target);
    }
    if (discs->point_count > 0) {
        add_discs_to_sums(discs, camera, discs->area_count, discs->point_count);
        draw_sum_texture(discs, picture, camera, rectangle, target);
    }
    glDisable(GL_BLEND);
}
