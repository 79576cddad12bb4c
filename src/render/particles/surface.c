/* Draws particles as a fluid's surface: splats, glow, shading in tiles. */
#include "render/particles/surface.h"

#include "core/array.h"
#include "core/memory.h"
#include "render/container.h"
#include "render/shader.h"
#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

/* The kernel is so wide that the sum of splats in a body at rest is flat, and its edge shows no single particles. */
static const float kernel_reach = 2.8f;       /* radius of the kernel / rest spacing */
static const float texels_per_spacing = 2.0f; /* texels of the field per rest spacing, enough for a cubic filter */
static const float surface_of_fluid = 0.42f;  /* value of the field at the surface; 1 inside a body at rest */
/* Tracers drift apart, so the threshold for fluid would leave holes. */
static const float surface_of_tracers = 0.2f;
static const float glow_border = 24; /* width of the border for glow around the container, interface units */
enum {
    GLOW_SHARE = 4,   /* texels of the field that make one texel of the glow, along a side */
    MAX_FIELD = 2048, /* larger side of the field, texels */
    TILE = 32,        /* side of a tile, pixels */
};
/* Content of a tile. NEW_GLOW: GLOW that the current pass of spread_marks has marked. */
enum { NOTHING, GLOW, FLUID, NEW_GLOW };

/* Part of the picture that the field covers, and its resolution. */
typedef struct field_plan {
    int x, y, width, height; /* rectangle, pixels from the lower left corner */
    float texel;             /* size of a texel, pixels */
    int columns, rows;       /* size of the field, texels */
} field_plan;

pd_result pd_surface_create(pd_surface *surface, pd_error *error) {
    pd_result result = pd_shader_load(&surface->splat, "splat.vert", "splat.frag", error);
    if (!result) result = pd_shader_load(&surface->down, "screen.vert", "glow_down.frag", error);
    if (!result) result = pd_shader_load(&surface->blur, "screen.vert", "glow_blur.frag", error);
    if (!result) result = pd_shader_load(&surface->shade, "tile.vert", "surface.frag", error);
    if (!result) result = pd_shader_load(&surface->halo, "tile.vert", "halo.frag", error);
    if (result) return result;
    pd_shader_set_sampler(surface->down, "field", 0);
    pd_shader_set_sampler(surface->blur, "source", 0);
    pd_shader_set_sampler(surface->shade, "field", 0);
    pd_shader_set_sampler(surface->shade, "glow", 1);
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
    pd_target_free(&surface->glow[0]);
    pd_target_free(&surface->glow[1]);
    if (surface->empty_array) glDeleteVertexArrays(1, &surface->empty_array);
    if (surface->tile_array) glDeleteVertexArrays(1, &surface->tile_array);
    if (surface->tile_buffer) glDeleteBuffers(1, &surface->tile_buffer);
    pd_free(surface->marks);
    pd_free(surface->tiles);
    memset(surface, 0, sizeof *surface);
}

/* Returns the spacing that determines the size of splats, m: the rest spacing, at least 1.2 pixels, so that the field
 * is not finer than the picture. */
static float shown_spacing(const pd_view *view, const pd_camera *camera) {
    return fmaxf(view->spacing, 1.2f / camera->pixels_per_metre);
}

float pd_surface_reach(const pd_view *view) { return kernel_reach * view->spacing; }

static float threshold_of(const pd_view *view) {
    return view->particles_are_tracers ? surface_of_tracers : surface_of_fluid;
}

/* Chooses the field's rectangle: the container with a border for its glow, or the whole picture. */
static field_plan plan_field(const pd_picture *picture, const pd_camera *camera) {
    const pd_container *container = &picture->view->container;
    field_plan plan = {0, 0, picture->width, picture->height, 1, 1, 1};
    if (container->shape != PD_CONTAINER_NONE) {
        pd_rounded shape = pd_container_rounded(container);
        float border = glow_border * picture->scale;
        float half_width = (shape.half_width + shape.radius) * camera->pixels_per_metre + border;
        float half_height = (shape.half_height + shape.radius) * camera->pixels_per_metre + border;
        pd_vec2 middle = pd_camera_to_pixels(camera, (pd_vec2){0, 0});
        middle.y = (float)picture->height - middle.y;
        int left = (int)fmaxf(0, floorf(middle.x - half_width));
        int right = (int)fminf((float)picture->width, ceilf(middle.x + half_width));
        int low = (int)fmaxf(0, floorf(middle.y - half_height));
        int high = (int)fminf((float)picture->height, ceilf(middle.y + half_height));
        if (right > left && high > low) plan = (field_plan){left, low, right - left, high - low, 1, 1, 1};
    }
    float side = (float)(plan.width > plan.height ? plan.width : plan.height);
    plan.texel = fmaxf(1, shown_spacing(picture->view, camera) * camera->pixels_per_metre / texels_per_spacing);
    plan.texel = fmaxf(plan.texel, side / MAX_FIELD);
    plan.columns = (int)ceilf((float)plan.width / plan.texel);
    plan.rows = (int)ceilf((float)plan.height / plan.texel);
    return plan;
}

/* Runs a shader program on all pixels of the target. */
static void draw_all(const pd_surface *surface, unsigned program) {
    glUniform4f(glGetUniformLocation(program, "rectangle"), -1, -1, 1, 1);
    glBindVertexArray(surface->empty_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void splat_instances(pd_surface *surface, const pd_instances *instances, const pd_picture *picture,
                            const pd_camera *camera, const field_plan *plan) {
    pd_target_resize(&surface->field, plan->columns, plan->rows, GL_RGBA32F);
    glBindFramebuffer(GL_FRAMEBUFFER, surface->field.framebuffer);
    glViewport(0, 0, plan->columns, plan->rows);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);

    pd_vec2 low = pd_camera_to_world(camera, (float)plan->x, (float)(picture->height - plan->y));
    float width = (float)plan->columns * plan->texel / camera->pixels_per_metre;
    float height = (float)plan->rows * plan->texel / camera->pixels_per_metre;
    float reach = kernel_reach * shown_spacing(picture->view, camera);
    /* The kernel (1 - q^2)^3 integrates to pi/4 reach^2; at rest there is one particle per spacing^2. */
    float unit = 4 * picture->view->spacing * picture->view->spacing / (3.14159265f * reach * reach);
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

/* Computes the glow: the field's colours in lower resolution, blurred. */
static void compute_glow(pd_surface *surface, float threshold) {
    int width = surface->field.width / GLOW_SHARE + 1, height = surface->field.height / GLOW_SHARE + 1;
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
    draw_all(surface, surface->down);

    glUseProgram(surface->blur);
    for (int pass = 0; pass < 2; pass++) {
        glBindFramebuffer(GL_FRAMEBUFFER, surface->glow[1 - pass].framebuffer);
        glBindTexture(GL_TEXTURE_2D, surface->glow[pass].texture);
        glUniform2f(glGetUniformLocation(surface->blur, "along"), pass ? 0 : 1 / (float)width,
                    pass ? 1 / (float)height : 0);
        draw_all(surface, surface->blur);
    }
}

/* Marks unmarked tiles within `glow` tiles of a marked one as GLOW, along a row or a column of `count` tiles, `stride`
 * indices apart. */
static void spread_marks(uint8_t *marks, int count, int stride, int glow) {
    for (int pass = 0; pass < 2; pass++) {
        int last = -glow - 1; /* position of the last tile that was marked before this call */
        for (int i = 0; i < count; i++) {
            uint8_t *mark = &marks[(pass ? count - 1 - i : i) * stride];
            if (*mark == NOTHING && i - last <= glow)
                *mark = NEW_GLOW;
            else if (*mark == GLOW || *mark == FLUID)
                last = i;
        }
    }
    for (int i = 0; i < count; i++)
        if (marks[i * stride] == NEW_GLOW) marks[i * stride] = GLOW;
}

/* Marks the tiles that a particle's splat or glow reaches. Returns whether any tile is marked. */
static bool mark_tiles(pd_surface *surface, const pd_instances *instances, const pd_picture *picture,
                       const pd_camera *camera, const field_plan *plan) {
    surface->columns = plan->width / TILE + 1;
    surface->rows = plan->height / TILE + 1;
    int tiles = surface->columns * surface->rows;
    if (tiles > surface->tile_capacity) {
        if (!pd_arrays_resize(PD_ARRAYS(PD_ARRAY(surface->marks, 0, tiles), PD_ARRAY(surface->tiles, 0, 2 * tiles))))
            return false;
        surface->tile_capacity = tiles;
    }
    memset(surface->marks, 0, (size_t)tiles);
    float scale = camera->pixels_per_metre, reach = kernel_reach * shown_spacing(picture->view, camera) * scale + 1;
    pd_vec2 middle = pd_camera_to_pixels(camera, (pd_vec2){0, 0});
    float origin_x = middle.x - (float)plan->x, origin_y = (float)picture->height - middle.y - (float)plan->y;
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
    /* The blur reaches six texels of the glow, each GLOW_SHARE texels of the field. */
    int glow = (int)(6.5f * GLOW_SHARE * plan->texel / TILE) + 1;
    for (int row = 0; row < surface->rows; row++)
        spread_marks(&surface->marks[row * surface->columns], surface->columns, 1, glow);
    for (int column = 0; column < surface->columns; column++)
        spread_marks(&surface->marks[column], surface->rows, surface->columns, glow);
    return true;
}

/* Uploads the positions of the marked tiles, tiles with fluid first, and sets both numbers of tiles. */
static void upload_tiles(pd_surface *surface) {
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
                       const pd_camera *camera, const field_plan *plan) {
    float pixel = 1 / camera->pixels_per_metre;
    pd_vec2 origin = pd_camera_to_world(camera, 0, (float)picture->height);
    pd_rounded wall = pd_container_rounded(&picture->view->container);
    pd_shader_set_area(program, &picture->area);
    glUniform1f(glGetUniformLocation(program, "side"), TILE);
    glUniform4f(glGetUniformLocation(program, "covered"), (float)plan->x, (float)plan->y,
                (float)plan->columns * plan->texel, (float)plan->rows * plan->texel);
    glUniform2f(glGetUniformLocation(program, "origin"), origin.x, origin.y);
    glUniform1f(glGetUniformLocation(program, "pixel"), pixel);
    glUniform3f(glGetUniformLocation(program, "container"), wall.half_width, wall.half_height, wall.radius);
    glUniform1f(glGetUniformLocation(program, "border"), glow_border * picture->scale);
    glBindVertexArray(surface->tile_array);
    glBindBuffer(GL_ARRAY_BUFFER, surface->tile_buffer);
    /* The attribute begins at the first tile to draw, since OpenGL 3.3 lacks base instances. */
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(pd_tile), (void *)((size_t)first * sizeof(pd_tile)));
    if (end > first) glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, end - first);
}

static void shade_tiles(pd_surface *surface, const pd_picture *picture, const pd_camera *camera, const field_plan *plan,
                        unsigned target) {
    float spacing = shown_spacing(picture->view, camera) * camera->pixels_per_metre;
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, picture->area.width, picture->area.height);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, surface->glow[0].texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, surface->field.texture);
    glEnable(GL_BLEND);

    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(surface->halo);
    draw_tiles(surface, surface->halo, surface->fluid_tiles, surface->glow_tiles, picture, camera, plan);
    glUseProgram(surface->shade);
    glUniform2f(glGetUniformLocation(surface->shade, "field_size"), (float)plan->columns, (float)plan->rows);
    glUniform1f(glGetUniformLocation(surface->shade, "threshold"), threshold_of(picture->view));
    glUniform1f(glGetUniformLocation(surface->shade, "least_slope"), 0.12f / spacing);
    glUniform1f(glGetUniformLocation(surface->shade, "scale"), picture->scale);
    draw_tiles(surface, surface->shade, 0, surface->fluid_tiles, picture, camera, plan);
    glDisable(GL_BLEND);
}

void pd_surface_draw(pd_surface *surface, const pd_instances *instances, const pd_picture *picture,
                     const pd_camera *camera, unsigned target) {
    field_plan plan = plan_field(picture, camera);
    if (!mark_tiles(surface, instances, picture, camera, &plan)) return;
    upload_tiles(surface);
    splat_instances(surface, instances, picture, camera, &plan);
    compute_glow(surface, threshold_of(picture->view));
    shade_tiles(surface, picture, camera, &plan, target);
}
