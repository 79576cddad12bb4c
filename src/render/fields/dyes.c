/* Draws the texture of a dye grid. */
#include "render/fields/dyes.h"

#include "render/container.h"
#include "render/shader.h"
#include <epoxy/gl.h>
#include <string.h>

pd_result pd_dyes_create(pd_dyes *dyes, pd_error *error) {
    pd_result result = pd_shader_load(&dyes->program, "screen.vert", "dyes.frag", error);
    if (result) return result;
    pd_shader_set_sampler(dyes->program, "dyes", 0);
    glGenVertexArrays(1, &dyes->empty_array);
    glGenTextures(1, &dyes->texture);
    glBindTexture(GL_TEXTURE_2D, dyes->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &dyes->texture_limit);
    return PD_OK;
}

void pd_dyes_free(pd_dyes *dyes) {
    if (dyes->texture) glDeleteTextures(1, &dyes->texture);
    if (dyes->empty_array) glDeleteVertexArrays(1, &dyes->empty_array);
    if (dyes->program) glDeleteProgram(dyes->program);
    pd_dye_grid_free(&dyes->grid);
    memset(dyes, 0, sizeof *dyes);
}

/* Uploads the texels. If the size is unchanged, the texture's storage is used again. */
static void upload_texels(pd_dyes *dyes) {
    const pd_dye_grid_sizes *sizes = &dyes->grid.sizes;
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, dyes->texture);
    if (dyes->width == sizes->width && dyes->height == sizes->height) {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, sizes->width, sizes->height, GL_RGBA, GL_UNSIGNED_SHORT,
                        dyes->grid.texels);
        return;
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16, sizes->width, sizes->height, 0, GL_RGBA, GL_UNSIGNED_SHORT,
                 dyes->grid.texels);
    dyes->width = sizes->width;
    dyes->height = sizes->height;
}

void pd_dyes_draw(pd_dyes *dyes, const pd_picture *picture, const pd_camera *camera) {
    const pd_field *field = pd_view_field(picture->view, picture->mode->field);
    const pd_dye_grid_sizes *sizes = &dyes->grid.sizes;
    float rectangle[4], pixel = 1 / camera->pixels_per_metre;
    if (!field || field->info.support != PD_FIELD_OF_CELLS ||
        !pd_dye_grid_compute(&dyes->grid, field, picture, camera, dyes->texture_limit) ||
        !pd_camera_clip_rectangle(camera, &picture->area, &picture->view->container, sizes->x, sizes->y,
                                  sizes->side * sizes->columns, sizes->side * sizes->rows, rectangle))
        return;
    upload_texels(dyes);
    unsigned program = dyes->program;
    pd_rounded_box wall = pd_container_as_rounded_box(&picture->view->container);
    pd_vec2 origin = pd_camera_pixels_to_world(camera, 0, (float)picture->height);
    double side = sizes->side / sizes->texels_per_cell;
    pd_shader_set_area(program, &picture->area);
    glUniform4f(glGetUniformLocation(program, "to_texture"), (float)((double)pixel / (side * sizes->width)),
                (float)((double)pixel / (side * sizes->height)),
                (float)(((double)origin.x - sizes->x) / (side * sizes->width)),
                (float)(((double)origin.y - sizes->y) / (side * sizes->height)));
    glUniform2f(glGetUniformLocation(program, "origin"), origin.x, origin.y);
    glUniform1f(glGetUniformLocation(program, "pixel"), pixel);
    glUniform3f(glGetUniformLocation(program, "container"), wall.half_width, wall.half_height, wall.radius);
    glUniform4fv(glGetUniformLocation(program, "rectangle"), 1, rectangle);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(dyes->empty_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_BLEND);
}
