/* Draws a picture: background, field or particles, lines. */
#include "render/renderer.h"

#include "core/error.h"
#include "render/canvas.h"
#include "render/fields/dyes.h"
#include "render/fields/field.h"
#include "render/lines/flow_lines.h"
#include "render/lines/lines.h"
#include "render/lines/vortices.h"
#include "render/particles/instances.h"
#include "render/particles/surface.h"
#include "render/picture.h"
#include "render/shader.h"
#include "render/solid.h"
#include <epoxy/gl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All values on which the pixels of the background depend. Compared by memcmp: all members have 4 bytes, so that the
 * struct has no padding. */
typedef struct pd_background_key {
    pd_camera camera;    /* placement of the view */
    pd_pixel_area area;  /* part of the picture that is drawn */
    pd_rounded_box wall; /* wall of the container */
    int deep;            /* whether the framebuffer has 16 bits per channel */
} pd_background_key;

struct pd_renderer {
    unsigned background_program, empty_array; /* shader program of the background; vertex array without vertices */
    pd_target background_target;              /* background of the last picture */
    pd_background_key background_key;         /* values from which this background was drawn */
    pd_target part_target; /* used by pd_renderer_draw_at_offset, which draws here and then copies the pixels */
    pd_instances instances;
    pd_surface surface;
    pd_sprites sprites;
    pd_field_image field;
    pd_dyes dyes;
    pd_vortex_discs vortices;
    pd_flow_lines flow_lines;
    pd_lines lines;
};

pd_result pd_renderer_create(pd_renderer **created, pd_error *error) {
    *created = NULL;
    if (epoxy_gl_version() < 33)
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE,
                       "cannot draw: the driver offers OpenGL %d.%d, 3.3 is needed (update the graphics driver, or set "
                       "LIBGL_ALWAYS_SOFTWARE=1)",
                       epoxy_gl_version() / 10, epoxy_gl_version() % 10);
    pd_renderer *renderer = calloc(1, sizeof *renderer);
    if (!renderer)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot start drawing: out of memory (close other programs)");
    glGenVertexArrays(1, &renderer->empty_array);
    pd_instances_create(&renderer->instances);
    pd_result result = pd_shader_load(&renderer->background_program, "screen.vert", "ground.frag", error);
    if (!result) result = pd_surface_create(&renderer->surface, error);
    if (!result) result = pd_sprites_create(&renderer->sprites, error);
    if (!result) result = pd_field_image_create(&renderer->field, error);
    if (!result) result = pd_dyes_create(&renderer->dyes, error);
    if (!result) result = pd_vortex_discs_create(&renderer->vortices, error);
    if (!result) result = pd_flow_lines_create(&renderer->flow_lines, error);
    if (!result) result = pd_lines_create(&renderer->lines, error);
    if (result) {
        pd_renderer_destroy(renderer);
        return result;
    }
    *created = renderer;
    return PD_OK;
}

void pd_renderer_destroy(pd_renderer *renderer) {
    if (!renderer) return;
    pd_lines_free(&renderer->lines);
    pd_flow_lines_free(&renderer->flow_lines);
    pd_vortex_discs_free(&renderer->vortices);
    pd_dyes_free(&renderer->dyes);
    pd_field_image_free(&renderer->field);
    pd_sprites_free(&renderer->sprites);
    pd_surface_free(&renderer->surface);
    pd_instances_free(&renderer->instances);
    pd_target_free(&renderer->part_target);
    pd_target_free(&renderer->background_target);
    if (renderer->background_program) glDeleteProgram(renderer->background_program);
    if (renderer->empty_array) glDeleteVertexArrays(1, &renderer->empty_array);
    free(renderer);
}

/* Sets the OpenGL state that the drawing functions require, since the caller may have changed it. */
static void set_opengl_state(unsigned target, const pd_picture *picture) {
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, picture->area.width, picture->area.height);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

/* Returns the wall inside which the background is lighter. Without the outline the background has no edge either. */
static pd_rounded_box find_background_wall(const pd_picture *picture) {
    const pd_container none = {.shape = PD_CONTAINER_NONE};
    return pd_container_as_rounded_box(picture->no_outline ? &none : &picture->view->container);
}

static void draw_background_texture(const pd_renderer *renderer, const pd_picture *picture, const pd_camera *camera) {
    unsigned program = renderer->background_program;
    pd_rounded_box wall = find_background_wall(picture);
    pd_vec2 origin = pd_camera_pixels_to_world(camera, 0, (float)picture->height);
    float pixel = 1 / camera->pixels_per_metre;
    pd_shader_set_area(program, &picture->area);
    glUniform2f(glGetUniformLocation(program, "origin"), origin.x, origin.y);
    glUniform2f(glGetUniformLocation(program, "middle"), camera->center.x, camera->center.y);
    glUniform1f(glGetUniformLocation(program, "pixel"), pixel);
    glUniform3f(glGetUniformLocation(program, "container"), wall.half_width, wall.half_height, wall.radius);
    glUniform1f(glGetUniformLocation(program, "extent"),
                0.5f * pixel * fminf((float)picture->width, (float)picture->height));
    glUniform4f(glGetUniformLocation(program, "rectangle"), -1, -1, 1, 1);
    glBindVertexArray(renderer->empty_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* Draws the background by copying it from a texture. Draws the texture itself only if background_key has changed. */
static void draw_background(pd_renderer *renderer, unsigned target, const pd_picture *picture,
                            const pd_camera *camera) {
    const pd_pixel_area *area = &picture->area;
    pd_background_key key = {*camera, *area, find_background_wall(picture), picture->deep};
    if (picture->transparent || picture->plain) {
        const float *colour = picture->background;
        if (picture->transparent)
            glClearColor(0, 0, 0, 0);
        else
            glClearColor(colour[0], colour[1], colour[2], 1);
        glClear(GL_COLOR_BUFFER_BIT);
        return;
    }
    if (memcmp(&key, &renderer->background_key, sizeof key)) {
        if (key.deep != renderer->background_key.deep) pd_target_free(&renderer->background_target);
        pd_target_resize(&renderer->background_target, area->width, area->height, picture->deep ? GL_RGBA16 : GL_RGBA8);
        glBindFramebuffer(GL_FRAMEBUFFER, renderer->background_target.framebuffer);
        draw_background_texture(renderer, picture, camera);
        renderer->background_key = key;
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, renderer->background_target.framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target);
    glBlitFramebuffer(0, 0, area->width, area->height, 0, 0, area->width, area->height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
}

static void prepare_particle_instances(pd_renderer *renderer, const pd_picture *picture) {
    const pd_view *view = picture->view;
    pd_instances_set_from_view(&renderer->instances, picture);
    if (picture->mode->kind == PD_VIEW_SURFACE) {
        pd_instances_add_reflections(&renderer->instances, &view->container, pd_surface_splat_radius(view));
        pd_instances_compute_weights(&renderer->instances, view->spacing);
        pd_mixture_blend_colours(&renderer->instances, view->spacing);
    }
    pd_instances_upload(&renderer->instances);
}

static void draw_surface(pd_renderer *renderer, unsigned target, const pd_picture *picture, const pd_camera *camera) {
    pd_surface *surface = &renderer->surface;
    float reach = pd_surface_begin_solids(surface, picture, camera);
    const pd_field_area *covered = &surface->covered;
    const float area[4] = {(float)covered->x, (float)covered->y, (float)covered->columns * covered->texel,
                           (float)covered->rows * covered->texel};
    pd_lines_draw_obstacle_nearness(&renderer->lines, picture, camera, area, area[2] / (float)surface->solids.width,
                                    reach);
    pd_surface_draw(surface, &renderer->instances, picture, camera, target);
}

void pd_renderer_draw(pd_renderer *renderer, unsigned target, const pd_picture *requested) {
    pd_view view = pd_picture_move_walls_outwards(requested->view);
    pd_picture drawn = *requested;
    const pd_picture *picture = &drawn;
    drawn.view = &view;
    if (!drawn.area.width) drawn.area = (pd_pixel_area){0, 0, drawn.width, drawn.height};
    pd_camera camera;
    pd_camera_fit_framed_view(&camera, picture->view, &picture->framing, picture->width, picture->height);
    prepare_particle_instances(renderer, picture);
    set_opengl_state(target, picture);
    draw_background(renderer, target, picture, &camera);
    if (picture->mode->kind == PD_VIEW_IMAGE)
        pd_field_image_draw(&renderer->field, picture, &camera);
    else if (picture->mode->kind == PD_VIEW_DYES)
        pd_dyes_draw(&renderer->dyes, picture, &camera);
    else if (picture->mode->kind == PD_VIEW_VORTICES)
        pd_vortex_discs_draw(&renderer->vortices, picture, &camera, target);
    else if (picture->mode->kind == PD_VIEW_SURFACE)
        draw_surface(renderer, target, picture, &camera);
    else
        pd_sprites_draw(&renderer->sprites, &renderer->instances, picture, &camera);
    pd_flow_lines_draw(&renderer->flow_lines, picture, &camera);
    pd_lines_draw(&renderer->lines, picture, &camera);
    glBindVertexArray(0);
    glUseProgram(0);
}

/* Draws into a framebuffer of the picture's own size and copies it, because shaders use positions relative to the
 * framebuffer. */
void pd_renderer_draw_at_offset(pd_renderer *renderer, unsigned target, int offset_x, const pd_picture *picture) {
    pd_target_resize(&renderer->part_target, picture->width, picture->height, GL_RGBA8);
    pd_renderer_draw(renderer, renderer->part_target.framebuffer, picture);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, renderer->part_target.framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target);
    glBlitFramebuffer(0, 0, picture->width, picture->height, offset_x, 0, offset_x + picture->width, picture->height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
}
