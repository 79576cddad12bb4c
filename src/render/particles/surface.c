/* Draws particles as a fluid's surface: adds their splats to a field, blurs its colours for the glow, and shades tiles of the
 * picture. */
#include "render/particles/surface.h"

#include "core/array.h"
#include "core/memory.h"
#include "render/particles/surface_field.h"
#include "render/shader.h"
#include "render/solid.h"
#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

/* width of the border around the container in which glow is drawn, interface units */
static const float glow_border = 24;
enum {
    SOLIDS_REDUCTION = 2, /* side of a texel of pd_surface.solids / side of a texel of the field */
    MAX_FIELD = 2048,     /* greatest side of the field, texels */
    TILE = 32,            /* side of the square tiles in which the picture is shaded, pixels */
};
/* What a tile contains. NEW_GLOW exists only within mark_glow_tiles_along_line, which changes it to GLOW at its end. */
enum { NOTHING, GLOW, FLUID, NEW_GLOW };

static void set_constants(unsigned program) {
    static const pd_surface_constant constants[] = {PD_SURFACE_CONSTANTS(PD_SURFACE_CONSTANT_ROW)};
    glUseProgram(program);
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        glUniform1f(glGetUniformLocation(program, constants[i].name), constants[i].value);
}

pd_result pd_surface_create(pd_surface *surface, pd_error *error) {
    pd_result result = pd_shader_load(&surface->splat, "splat.vert", "splat.frag", error);
    if (!result) result = pd_shader_load(&surface->down, "screen.vert", "glow_down.frag", error);
    if (!result) result = pd_shader_load(&surface->blur, "screen.vert", "glow_blur.frag", error);
    if (!result) result = pd_shader_load(&surface->shade, "tile.vert", "surface.frag", error);
    if (!result) result = pd_shader_load(&surface->halo, "tile.vert", "halo.frag", error);
    if (result) return result;
    set_constants(surface->down);
    set_constants(surface->blur);
    set_constants(surface->shade);
    pd_shader_set_sampler(surface->down, "field", 0);
    pd_shader_set_sampler(surface->down, "solids", 2);
    pd_shader_set_sampler(surface->blur, "source", 0);
    pd_shader_set_sampler(surface->shade, "field", 0);
    pd_shader_set_sampler(surface->shade, "glow", 1);
    pd_shader_set_sampler(surface->shade, "solids", 2);
    pd_shader_set_sampler(surface->halo, "glow", 1);
    glGenVertexArrays(1, &surface->empty_array);
    glGenVertexArrays(1, &surface->tile_array);
    glGenBuffers(1, &surface->tile_buffer);
    glBindVertexArray(surface->tile_array);
    glBindBuffer(GL_ARRAY_BUFFER, surface->tile_buffer);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(pd_tile), NULL);
    glEnableVertexAttribArray(0);
    glVertexAttribDivisor(0, 1);
    glBindVertexArray(0);
    return PD_OK;
}

void pd_surface_free(pd_surface *surface) {
    unsigned programs[] = {surface->splat, surface->down, surface->blur, surface->shade, surface->halo};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (programs[i]) glDeleteProgram(programs[i]);
    pd_target_free(&surface->field);
    pd_target_free(&surface->solids);
    pd_target_free(&surface->glow[0]);
    pd_target_free(&surface->glow[1]);
    if (surface->empty_array) glDeleteVertexArrays(1, &surface->empty_array);
    if (surface->tile_array) glDeleteVertexArrays(1, &surface->tile_array);
    if (surface->tile_buffer) glDeleteBuffers(1, &surface->tile_buffer);
    pd_free(surface->marks);
    pd_free(surface->tiles);
    memset(surface, 0, sizeof *surface);
}

/* Returns the particle spacing that determines the size of splats and texels, m: the rest spacing, but at least 1.2
 * pixels, so that the field is not finer than the picture. */
static float compute_drawn_spacing(const pd_view *view, const pd_camera *camera) {
    return fmaxf(view->spacing, 1.2f / camera->pixels_per_metre);
}

float pd_surface_splat_radius(const pd_view *view) { return pd_surface_splat_radius_of_spacing(view->spacing); }

/* Chooses rectangle and resolution of the field. The rectangle is the container with a border for the glow; without a
 * container it is the whole picture. */
static pd_field_area choose_field_area(const pd_picture *picture, const pd_camera *camera) {
    const pd_container *container = &picture->view->container;
    pd_field_area covered = {0, 0, picture->width, picture->height, 1, 1, 1};
    if (container->shape != PD_CONTAINER_NONE) {
        pd_rounded_box shape = pd_container_as_rounded_box(container);
        float border = glow_border * picture->scale;
        float half_width = (shape.half_width + shape.radius) * camera->pixels_per_metre + border;
        float half_height = (shape.half_height + shape.radius) * camera->pixels_per_metre + border;
        pd_vec2 middle = pd_camera_world_to_pixels(camera, (pd_vec2){0, 0});
        middle.y = (float)picture->height - middle.y;
        int left = (int)fmaxf(0, floorf(middle.x - half_width));
        int right = (int)fminf((float)picture->width, ceilf(middle.x + half_width));
        int low = (int)fmaxf(0, floorf(middle.y - half_height));
        int high = (int)fminf((float)picture->height, ceilf(middle.y + half_height));
        if (right > left && high > low) covered = (pd_field_area){left, low, right - left, high - low, 1, 1, 1};
    }
    float side = (float)(covered.width > covered.height ? covered.width : covered.height);
    covered.texel = fmaxf(1, compute_drawn_spacing(picture->view, camera) * camera->pixels_per_metre /
                                 PD_SURFACE_TEXELS_PER_SPACING);
    covered.texel = fmaxf(covered.texel, side / MAX_FIELD);
    covered.columns = (int)ceilf((float)covered.width / covered.texel);
    covered.rows = (int)ceilf((float)covered.height / covered.texel);
    return covered;
}

/* Draws a rectangle over the whole bound framebuffer with the shader program, which must be current. */
static void draw_whole_framebuffer(const pd_surface *surface, unsigned program) {
    glUniform4f(glGetUniformLocation(program, "rectangle"), -1, -1, 1, 1);
    glBindVertexArray(surface->empty_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void add_splats_to_field(pd_surface *surface, const pd_instances *instances, const pd_picture *picture,
                                const pd_camera *camera, const pd_field_area *covered) {
    pd_target_resize(&surface->field, covered->columns, covered->rows, GL_RGBA32F);
    glBindFramebuffer(GL_FRAMEBUFFER, surface->field.framebuffer);
    glViewport(0, 0, covered->columns, covered->rows);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);

    pd_vec2 low = pd_camera_pixels_to_world(camera, (float)covered->x, (float)(picture->height - covered->y));
    float width = (float)covered->columns * covered->texel / camera->pixels_per_metre;
    float height = (float)covered->rows * covered->texel / camera->pixels_per_metre;
    float reach = pd_surface_splat_radius_of_spacing(compute_drawn_spacing(picture->view, camera));
    float unit = pd_surface_splat_height(picture->view->spacing, reach);
    glUseProgram(surface->splat);
    glUniform4f(glGetUniformLocation(surface->splat, "to_clip"), 2 / width, 2 / height, -2 * low.x / width - 1,
                -2 * low.y / height - 1);
    glUniform1f(glGetUniformLocation(surface->splat, "reach"), reach);
    glUniform1f(glGetUniformLocation(surface->splat, "unit"), unit);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    pd_instances_draw(instances);
    glDisable(GL_BLEND);
}

/* Computes the glow around the fluid: the field's colours, blurred, at 1/PD_SURFACE_GLOW_REDUCTION of the field's resolution. */
static void compute_glow(pd_surface *surface, float threshold) {
    int width = surface->field.width / PD_SURFACE_GLOW_REDUCTION + 1,
        height = surface->field.height / PD_SURFACE_GLOW_REDUCTION + 1;
    pd_target_resize(&surface->glow[0], width, height, GL_RGBA16F);
    pd_target_resize(&surface->glow[1], width, height, GL_RGBA16F);
    glViewport(0, 0, width, height);
    glActiveTexture(GL_TEXTURE0);

    glBindFramebuffer(GL_FRAMEBUFFER, surface->glow[0].framebuffer);
    glBindTexture(GL_TEXTURE_2D, surface->field.texture);
    glUseProgram(surface->down);
    glUniform2f(glGetUniformLocation(surface->down, "texel"), 1 / (float)surface->field.width,
                1 / (float)surface->field.height);
    glUniform1f(glGetUniformLocation(surface->down, "threshold"), threshold);
    draw_whole_framebuffer(surface, surface->down);

    glUseProgram(surface->blur);
    for (int pass = 0; pass < 2; pass++) {
        glBindFramebuffer(GL_FRAMEBUFFER, surface->glow[1 - pass].framebuffer);
        glBindTexture(GL_TEXTURE_2D, surface->glow[pass].texture);
        glUniform2f(glGetUniformLocation(surface->blur, "along"), pass ? 0 : 1 / (float)width,
                    pass ? 1 / (float)height : 0);
        draw_whole_framebuffer(surface, surface->blur);
    }
}

/* Marks as GLOW the tiles within glow_radius tiles of a GLOW or FLUID tile in the same row or column of `count` tiles.
 * marks: mark of the first tile in the row or column. stride: difference of the indices of two neighbours. */
static void mark_glow_tiles_along_line(uint8_t *marks, int count, int stride, int glow_radius) {
    for (int pass = 0; pass < 2; pass++) {
        int last = -glow_radius - 1; /* position of the last GLOW or FLUID tile so far; at first: no such tile */
        for (int i = 0; i < count; i++) {
            uint8_t *mark = &marks[(pass ? count - 1 - i : i) * stride];
            if (*mark == NOTHING && i - last <= glow_radius)
                *mark = NEW_GLOW;
            else if (*mark == GLOW || *mark == FLUID)
                last = i;
        }
    }
    for (int i = 0; i < count; i++)
        if (marks[i * stride] == NEW_GLOW) marks[i * stride] = GLOW;
}

/* Marks the tiles that a splat covers at least partly (FLUID), and those near them that the glow can reach (GLOW). Returns
 * false if memory runs out. */
static bool mark_fluid_and_glow_tiles(pd_surface *surface, const pd_instances *instances, const pd_picture *picture,
                                      const pd_camera *camera, const pd_field_area *covered) {
    surface->columns = covered->width / TILE + 1;
    surface->rows = covered->height / TILE + 1;
    int tiles = surface->columns * surface->rows;
    if (tiles > surface->tile_capacity) {
        if (!pd_arrays_resize(PD_ARRAYS(PD_ARRAY(surface->marks, 0, tiles), PD_ARRAY(surface->tiles, 0, 2 * tiles))))
            return false;
        surface->tile_capacity = tiles;
    }
    memset(surface->marks, 0, (size_t)tiles);
    float scale = camera->pixels_per_metre,
          reach = pd_surface_splat_radius_of_spacing(compute_drawn_spacing(picture->view, camera)) * scale + 1;
    pd_vec2 middle = pd_camera_world_to_pixels(camera, (pd_vec2){0, 0});
    float origin_x = middle.x - (float)covered->x, origin_y = (float)picture->height - middle.y - (float)covered->y;
    float right = (float)(surface->columns - 1), top = (float)(surface->rows - 1);
    for (int i = 0; i < instances->count; i++) {
        float x = origin_x + instances->items[i].x * scale, y = origin_y + instances->items[i].y * scale;
        int low_x = (int)fminf(fmaxf((x - reach) / TILE, 0), right);
        int high_x = (int)fminf(fmaxf((x + reach) / TILE, 0), right);
        int low_y = (int)fminf(fmaxf((y - reach) / TILE, 0), top);
        int high_y = (int)fminf(fmaxf((y + reach) / TILE, 0), top);
        for (int row = low_y; row <= high_y; row++)
            memset(&surface->marks[row * surface->columns + low_x], FLUID, (size_t)(high_x - low_x + 1));
    }
    /* The glow is blurred over less than 6.5 of its texels, which are PD_SURFACE_GLOW_REDUCTION x (texel of the field) wide. */
    int glow = (int)(6.5f * PD_SURFACE_GLOW_REDUCTION * covered->texel / TILE) + 1;
    for (int row = 0; row < surface->rows; row++)
        mark_glow_tiles_along_line(&surface->marks[row * surface->columns], surface->columns, 1, glow);
    for (int column = 0; column < surface->columns; column++)
        mark_glow_tiles_along_line(&surface->marks[column], surface->rows, surface->columns, glow);
    return true;
}

/* Uploads the positions of the marked tiles, FLUID before GLOW. Sets surface->fluid_tiles and surface->glow_tiles. */
static void upload_marked_tiles(pd_surface *surface) {
    pd_tile *tile = surface->tiles;
    for (int kind = FLUID; kind >= GLOW; kind--) {
        for (int i = 0; i < surface->columns * surface->rows; i++)
            if (surface->marks[i] == kind)
                *tile++ = (pd_tile){(float)(i % surface->columns), (float)(i / surface->columns)};
        if (kind == FLUID) surface->fluid_tiles = (int)(tile - surface->tiles);
    }
    surface->glow_tiles = (int)(tile - surface->tiles);
    glBindBuffer(GL_ARRAY_BUFFER, surface->tile_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)surface->glow_tiles * sizeof *tile), surface->tiles,
                 GL_STREAM_DRAW);
}

static void draw_tiles(const pd_surface *surface, unsigned program, int first, int end, const pd_picture *picture,
                       const pd_camera *camera, const pd_field_area *covered) {
    float pixel = 1 / camera->pixels_per_metre;
    pd_vec2 origin = pd_camera_pixels_to_world(camera, 0, (float)picture->height);
    pd_rounded_box wall = pd_container_as_rounded_box(&picture->view->container);
    pd_shader_set_area(program, &picture->area);
    glUniform1f(glGetUniformLocation(program, "side"), TILE);
    glUniform4f(glGetUniformLocation(program, "covered"), (float)covered->x, (float)covered->y,
                (float)covered->columns * covered->texel, (float)covered->rows * covered->texel);
    glUniform2f(glGetUniformLocation(program, "origin"), origin.x, origin.y);
    glUniform1f(glGetUniformLocation(program, "pixel"), pixel);
    glUniform3f(glGetUniformLocation(program, "container"), wall.half_width, wall.half_height, wall.radius);
    glUniform1f(glGetUniformLocation(program, "border"), glow_border * picture->scale);
    glBindVertexArray(surface->tile_array);
    glBindBuffer(GL_ARRAY_BUFFER, surface->tile_buffer);
    /* Instance 0 is tile number `first`: OpenGL 3.3 cannot draw instances from another index on. */
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(pd_tile), (void *)((size_t)first * sizeof(pd_tile)));
    if (end > first) glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, end - first);
}

static void shade_tiles(pd_surface *surface, const pd_picture *picture, const pd_camera *camera,
                        const pd_field_area *covered, unsigned target) {
    float spacing = compute_drawn_spacing(picture->view, camera) * camera->pixels_per_metre;
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, picture->area.width, picture->area.height);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, surface->glow[0].texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, surface->field.texture);
    glEnable(GL_BLEND);

    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(surface->halo);
    draw_tiles(surface, surface->halo, surface->fluid_tiles, surface->glow_tiles, picture, camera, covered);
    glUseProgram(surface->shade);
    glUniform2f(glGetUniformLocation(surface->shade, "field_size"), (float)covered->columns, (float)covered->rows);
    glUniform1f(glGetUniformLocation(surface->shade, "threshold"), pd_surface_threshold(picture->view));
    glUniform1f(glGetUniformLocation(surface->shade, "closing"), pd_surface_closing(picture->view));
    glUniform1f(glGetUniformLocation(surface->shade, "least_slope"), 0.12f / spacing);
    glUniform1f(glGetUniformLocation(surface->shade, "scale"), picture->scale);
    draw_tiles(surface, surface->shade, 0, surface->fluid_tiles, picture, camera, covered);
    glDisable(GL_BLEND);
}

float pd_surface_begin_solids(pd_surface *surface, const pd_picture *picture, const pd_camera *camera) {
    surface->covered = choose_field_area(picture, camera);
    /* Without obstacles `solids` is a single texel with the value 0. */
    bool any = picture->view->obstacle_count + picture->view->body_count > 0;
    int columns = any ? (surface->covered.columns + 1) / SOLIDS_REDUCTION : 1;
    int rows = any ? (surface->covered.rows + 1) / SOLIDS_REDUCTION : 1;
    pd_target_resize(&surface->solids, columns, rows, GL_R16F);
    glBindFramebuffer(GL_FRAMEBUFFER, surface->solids.framebuffer);
    glViewport(0, 0, columns, rows);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    return pd_surface_splat_radius_of_spacing(compute_drawn_spacing(picture->view, camera)) * camera->pixels_per_metre;
}

void pd_surface_draw(pd_surface *surface, const pd_instances *instances, const pd_picture *picture,
                     const pd_camera *camera, unsigned target) {
    const pd_field_area *covered = &surface->covered;
    if (!mark_fluid_and_glow_tiles(surface, instances, picture, camera, covered)) return;
    upload_marked_tiles(surface);
    add_splats_to_field(surface, instances, picture, camera, covered);
    glActiveTexture(GL_TEXTURE2);
    glBindTexture(GL_TEXTURE_2D, surface->solids.texture);
    glActiveTexture(GL_TEXTURE0); /* so that pd_target_resize, which binds a texture, does not change texture unit 2 */
    compute_glow(surface, pd_surface_threshold(picture->view));
    shade_tiles(surface, picture, camera, covered, target);
}
