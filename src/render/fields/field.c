/* Draws a field of cells in the colours of its legend, with or without contours. */
#include "render/fields/field.h"

#include "render/container.h"
#include "render/palette.h"
#include "render/shader.h"
#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

enum { LEGEND_COLOURS = 256 }; /* number of colours into which a legend is divided */

static unsigned create_texture(void) {
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

pd_result pd_field_image_create(pd_field_image *image, pd_error *error) {
    static const char *const definitions[PD_FIELD_PROGRAMS] = {"#define NO_HOLES\n#define NO_LINES\n",
                                                               "#define NO_LINES\n", "#define NO_HOLES\n", ""};
    for (int i = 0; i < PD_FIELD_PROGRAMS; i++) {
        pd_result result =
            pd_shader_load_variant(&image->programs[i], "screen.vert", "field.frag", definitions[i], error);
        if (result) return result;
        pd_shader_set_sampler(image->programs[i], "values", 0);
        pd_shader_set_sampler(image->programs[i], "covers", 1);
        pd_shader_set_sampler(image->programs[i], "colours", 2);
    }
    glGenVertexArrays(1, &image->empty_array);
    image->values.texture = create_texture();
    image->fluid_fractions.texture = create_texture();
    image->colour_texture = create_texture();
    image->colour_source.palette = -1;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &image->texture_limit);
    return PD_OK;
}

void pd_field_image_free(pd_field_image *image) {
    unsigned textures[] = {image->values.texture, image->fluid_fractions.texture, image->colour_texture};
    glDeleteTextures(3, textures); /* textures that were not created have the name 0, which OpenGL ignores */
    if (image->empty_array) glDeleteVertexArrays(1, &image->empty_array);
    for (int i = 0; i < PD_FIELD_PROGRAMS; i++)
        if (image->programs[i]) glDeleteProgram(image->programs[i]);
    pd_field_grid_free(&image->grid);
    memset(image, 0, sizeof *image);
}

/* Uploads the texels. If the size is unchanged, the texture's storage is used again. */
static void upload_texels(pd_field_texture *texture, int unit, const pd_field_grid *grid,
                          const pd_field_texel *texels) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, texture->texture);
    if (texture->width == grid->width && texture->height == grid->height) {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, grid->width, grid->height, GL_RGBA, GL_FLOAT, texels);
        return;
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, grid->width, grid->height, 0, GL_RGBA, GL_FLOAT, texels);
    texture->width = grid->width;
    texture->height = grid->height;
}

/* Returns whether an sRGB colour is brighter than middle grey. The square of a component approximates its linear light. */
static bool is_bright_colour(const float rgb[3]) {
    return 0.2126f * rgb[0] * rgb[0] + 0.7152f * rgb[1] * rgb[1] + 0.0722f * rgb[2] * rgb[2] > 0.18f;
}

static void bind_colour_texture(pd_field_image *image, const pd_field *field, int palette) {
    pd_field_colours wanted = {palette, field->low, field->high};
    glActiveTexture(GL_TEXTURE2);
    glBindTexture(GL_TEXTURE_2D, image->colour_texture);
    if (!memcmp(&wanted, &image->colour_source, sizeof wanted)) return;
    float map[LEGEND_COLOURS][4] = {0};
    for (int i = 0; i < LEGEND_COLOURS; i++)
        pd_palette_get_legend_colour(palette, field->low, field->high, (float)i / (LEGEND_COLOURS - 1), map[i]);
    int dark = 0, end = LEGEND_COLOURS;
    while (dark < LEGEND_COLOURS && is_bright_colour(map[dark])) dark++;
    while (end > dark && is_bright_colour(map[end - 1])) end--;
    image->bright_range[0] = (float)(dark - 1) / (LEGEND_COLOURS - 1);
    image->bright_range[1] = (float)end / (LEGEND_COLOURS - 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, LEGEND_COLOURS, 1, 0, GL_RGBA, GL_FLOAT, map);
    image->colour_source = wanted;
}

double pd_compute_contour_interval(float low, float high) {
    const double lines = 10.5; /* mean number of contours */
    double wanted = ((double)high - (double)low) / lines;
    if (!(wanted > 0) || !isfinite(wanted)) return 0;
    double power = pow(10, floor(log10(wanted))), nearest = power;
    const double factors[] = {2, 5, 10};
    for (int i = 0; i < 3; i++)
        if (fabs(log(factors[i] * power / wanted)) < fabs(log(nearest / wanted))) nearest = factors[i] * power;
    return nearest;
}

/* Sets the shader's uniform "levels": the values at the legend's ends, in units of the contour interval. They are relative
 * to the multiple of `interval` below the low end, because floats are too coarse for a narrow range far from 0. */
static void set_contour_uniforms(unsigned program, const pd_field *field, double interval) {
    double low = (double)field->low, range = (double)field->high - low;
    glUniform2f(glGetUniformLocation(program, "levels"), (float)(range / interval),
                (float)(low / interval - floor(low / interval)));
    glUniform1f(glGetUniformLocation(program, "zero"), low < 0 && low + range > 0 ? (float)(-low / range) : -1);
}

/* Sets the shader's uniforms that fade contours out near sides with outflow, where the pressure is nearly constant and
 * contours would be noise. texel_side: side of a texel, m. */
static void set_outflow_fade_uniforms(unsigned program, const pd_view *view, const pd_rounded_box *wall,
                                      float texel_side) {
    const pd_wall *walls = view->container.walls;
    bool box = view->container.shape == PD_CONTAINER_BOX;
    float place[PD_WALLS] = {-wall->half_width, wall->half_width, -wall->half_height, wall->half_height};
    for (int k = 0; k < PD_WALLS; k++)
        if (!box || !walls[k].outflow) place[k] = k == PD_WALL_LEFT || k == PD_WALL_BOTTOM ? -1e30f : 1e30f;
    glUniform4fv(glGetUniformLocation(program, "outflow"), 1, place);
    glUniform2f(glGetUniformLocation(program, "outflow_fade"), 0.5f * view->spacing + 2 * texel_side, 1 / texel_side);
}

/* Sets the shader's uniform that fades the picture out near the field's edge if the view shows tracers without a
 * container, because the fluid then continues beyond the edge. */
static void set_edge_fade_uniform(unsigned program, const pd_view *view, const pd_field_grid *grid) {
    const float part = 0.07f; /* width of the faded edge, as a fraction of the field's smaller side */
    bool open = view->container.shape == PD_CONTAINER_NONE && view->particles_are_tracers;
    float smaller = (float)(grid->width < grid->height ? grid->width : grid->height);
    glUniform2f(glGetUniformLocation(program, "fade"), (float)grid->border - 0.5f, open ? fmaxf(part * smaller, 1) : 0);
}

void pd_field_image_draw(pd_field_image *image, const pd_picture *picture, const pd_camera *camera) {
    const pd_field *field = pd_view_field(picture->view, picture->mode->field);
    pd_field_grid *grid = &image->grid;
    float pixel = 1 / camera->pixels_per_metre, rectangle[4];
    if (!field || field->info.support != PD_FIELD_OF_CELLS ||
        !pd_field_grid_compute(grid, field, picture->view, pixel, image->texture_limit) ||
        !pd_camera_clip_rectangle(camera, &picture->area, &picture->view->container, grid->x, grid->y,
                                  grid->width * grid->side, grid->height * grid->side, rectangle))
        return;
    upload_texels(&image->values, 0, grid, grid->values);
    if (grid->has_open_texels) upload_texels(&image->fluid_fractions, 1, grid, grid->fraction_splines);
    bind_colour_texture(image, field, picture->palette);

    double step = picture->lines == PD_LINES_CONTOURS ? pd_compute_contour_interval(field->low, field->high) : 0;
    unsigned program = image->programs[(grid->has_open_texels ? 1 : 0) + (step > 0 ? 2 : 0)];
    pd_rounded_box wall = pd_container_as_rounded_box(&picture->view->container);
    pd_vec2 origin = pd_camera_pixels_to_world(camera, 0, (float)picture->height);
    double half_width = 0.5 * picture->width / (double)camera->pixels_per_metre;
    double half_height = 0.5 * picture->height / (double)camera->pixels_per_metre;
    pd_shader_set_area(program, &picture->area);
    glUniform2i(glGetUniformLocation(program, "last"), grid->width - 2, grid->height - 2);
    glUniform3f(glGetUniformLocation(program, "to_texels"), (float)((double)pixel / grid->side),
                (float)(((double)camera->center.x - half_width - grid->x) / grid->side - 0.5),
                (float)(((double)camera->center.y - half_height - grid->y) / grid->side - 0.5));
    glUniform2f(glGetUniformLocation(program, "origin"), origin.x, origin.y);
    glUniform1f(glGetUniformLocation(program, "pixel"), pixel);
    glUniform3f(glGetUniformLocation(program, "container"), wall.half_width, wall.half_height, wall.radius);
    glUniform1f(glGetUniformLocation(program, "scale"), picture->scale);
    glUniform2f(glGetUniformLocation(program, "bright"), image->bright_range[0], image->bright_range[1]);
    set_edge_fade_uniform(program, picture->view, grid);
    if (step > 0) set_contour_uniforms(program, field, step);
    if (step > 0) set_outflow_fade_uniforms(program, picture->view, &wall, (float)grid->side);
    glUniform4fv(glGetUniformLocation(program, "rectangle"), 1, rectangle);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(image->empty_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_BLEND);
    glActiveTexture(GL_TEXTURE0);
}
