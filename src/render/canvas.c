#include "render/canvas.h"

#include "core/error.h"
#include <epoxy/gl.h>
#include <SDL.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- Targets ---- */

void pd_texture_set_filter(unsigned filter) {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, (GLint)filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void pd_target_free(pd_target *target) {
    if (target->framebuffer) glDeleteFramebuffers(1, &target->framebuffer);
    if (target->texture) glDeleteTextures(1, &target->texture);
    memset(target, 0, sizeof *target);
}

void pd_target_resize(pd_target *target, int width, int height, unsigned format) {
    if (target->width == width && target->height == height) return;
    if (!target->texture) {
        glGenTextures(1, &target->texture);
        glGenFramebuffers(1, &target->framebuffer);
    }
    glBindTexture(GL_TEXTURE_2D, target->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0, GL_RGBA, GL_FLOAT, NULL);
    pd_texture_set_filter(GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->texture, 0);
    target->width = width;
    target->height = height;
}

/* ---- Canvases: pictures in areas, which are read into memory ---- */

/* Greatest side of an area, pixels. An area of this size and its background need 0.5 GB of graphics memory, or 1 GB with
 * 16 bits per channel. */
enum { MAX_AREA = 8192 };

/* Returns the greatest side of an area, pixels: the least of `requested` (0: no request), MAX_AREA and the driver's
 * limits. The side is even, because shaders compute derivatives from pairs of pixels, which areas must not separate. */
static int choose_greatest_area_side(int requested) {
    GLint sides[4] = {MAX_AREA, MAX_AREA, MAX_AREA, MAX_AREA};
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &sides[0]);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &sides[1]);
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, &sides[2]); /* sets sides[2] and sides[3] */
    int least = requested > 0 ? requested : MAX_AREA;
    for (int i = 0; i < 4; i++)
        if (sides[i] < least) least = sides[i];
    return least & ~1;
}

static pd_result create_framebuffer(pd_canvas *canvas, pd_error *error) {
    int width = canvas->area_width, height = canvas->area_height;
    glGenRenderbuffers(1, &canvas->colour);
    glBindRenderbuffer(GL_RENDERBUFFER, canvas->colour);
    glRenderbufferStorage(GL_RENDERBUFFER, canvas->pixels.deep ? GL_RGBA16 : GL_RGBA8, width, height);
    glGenFramebuffers(1, &canvas->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, canvas->colour);
    bool full = glGetError() == GL_OUT_OF_MEMORY;
    GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (full)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY,
                       "cannot draw pictures of %d x %d pixels: out of memory (use a smaller size)", width, height);
    if (status == GL_FRAMEBUFFER_COMPLETE) return PD_OK;
    return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE,
                   "cannot draw pictures of %d x %d pixels: the driver refuses (install or update the graphics driver)",
                   width, height);
}

pd_result pd_canvas_create(pd_canvas *canvas, int width, int height, pd_error *error) {
    return pd_canvas_create_with_format(canvas, &(pd_pixels){.width = width, .height = height}, 0, error);
}

pd_result pd_canvas_create_with_format(pd_canvas *canvas, const pd_pixels *pixels, int area_limit, pd_error *error) {
    int width = pixels->width, height = pixels->height, side = choose_greatest_area_side(area_limit);
    *canvas = (pd_canvas){.width = width, .height = height, .pixels = *pixels};
    canvas->area_width = width < side ? width : side;
    canvas->area_height = height < side ? height : side;
    pd_result result = create_framebuffer(canvas, error);
    if (!result) canvas->rgb = malloc(pd_pixels_bytes(pixels));
    if (!result && !canvas->rgb)
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY,
                         "cannot draw pictures of %d x %d pixels: out of memory (use a smaller size)", width, height);
    if (result) pd_canvas_destroy(canvas);
    return result;
}

void pd_canvas_destroy(pd_canvas *canvas) {
    if (canvas->framebuffer) glDeleteFramebuffers(1, &canvas->framebuffer);
    if (canvas->colour) glDeleteRenderbuffers(1, &canvas->colour);
    free(canvas->rgb);
    *canvas = (pd_canvas){0};
}

bool pd_canvas_get_next_area(const pd_canvas *canvas, const pd_pixel_area *rectangle, pd_pixel_area *area) {
    bool first = area->width == 0;
    int x = first ? rectangle->x : area->x + area->width, y = first ? rectangle->y : area->y;
    if (x >= rectangle->x + rectangle->width) {
        x = rectangle->x;
        y += area->height;
    }
    if (y >= rectangle->y + rectangle->height) return false;
    int width = rectangle->x + rectangle->width - x, height = rectangle->y + rectangle->height - y;
    *area = (pd_pixel_area){x, y, width < canvas->area_width ? width : canvas->area_width,
                            height < canvas->area_height ? height : canvas->area_height};
    return true;
}

/* Reverses the order of the rows, because OpenGL's first row is the lowest. row_bytes: bytes of a row to exchange;
 * stride: distance of two rows in memory, bytes. */
static void reverse_row_order(uint8_t *data, int height, size_t row_bytes, size_t stride) {
    uint8_t row[4096];
    for (int top = 0, bottom = height - 1; top < bottom; top++, bottom--) {
        uint8_t *a = data + (size_t)top * stride, *b = data + (size_t)bottom * stride;
        for (size_t done = 0; done < row_bytes; done += sizeof row) {
            size_t part = row_bytes - done < sizeof row ? row_bytes - done : sizeof row;
            memcpy(row, a + done, part);
            memcpy(a + done, b + done, part);
            memcpy(b + done, row, part);
        }
    }
}

/* Returns the address of an area's upper left pixel in the picture's data. */
static uint8_t *get_first_pixel_of_area(const pd_pixels *pixels, const pd_pixel_area *area, uint8_t *data) {
    size_t row = pd_pixels_row_bytes(pixels), top = (size_t)(pixels->height - area->y - area->height);
    return data + top * row + row / (size_t)pixels->width * (size_t)area->x;
}

static void read_framebuffer_area(unsigned framebuffer, const pd_pixels *pixels, const pd_pixel_area *area,
                                  uint8_t *data) {
    uint8_t *start = get_first_pixel_of_area(pixels, area, data);
    size_t row = pd_pixels_row_bytes(pixels);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ROW_LENGTH, pixels->width);
    glReadPixels(0, 0, area->width, area->height, pixels->alpha ? GL_RGBA : GL_RGB,
                 pixels->deep ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE, start);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    reverse_row_order(start, area->height, row / (size_t)pixels->width * (size_t)area->width, row);
}

/* Divides a pixel's colour by its alpha, since PNG files have colours that are not premultiplied. First raises alpha to the
 * brightest channel. channel_max: greatest value of a channel, 255 or 65535. */
static void divide_colour_by_alpha(unsigned colour[4], unsigned channel_max) {
    for (int c = 0; c < 3; c++)
        if (colour[c] > colour[3]) colour[3] = colour[c];
    for (int c = 0; c < 3 && colour[3] > 0; c++) colour[c] = (colour[c] * channel_max + colour[3] / 2) / colour[3];
}

static void divide_pixels_by_alpha(const pd_pixels *pixels, uint8_t *data, size_t pixel_count) {
    for (size_t i = 0; i < pixel_count; i++) {
        unsigned colour[4];
        uint16_t deep[4];
        if (pixels->deep) memcpy(deep, data + i * 8, 8);
        for (int c = 0; c < 4; c++) colour[c] = pixels->deep ? deep[c] : data[i * 4 + (size_t)c];
        divide_colour_by_alpha(colour, pixels->deep ? 65535 : 255);
        for (int c = 0; c < 4; c++) {
            deep[c] = (uint16_t)colour[c];
            if (!pixels->deep) data[i * 4 + (size_t)c] = (uint8_t)colour[c];
        }
        if (pixels->deep) memcpy(data + i * 8, deep, 8);
    }
}

void pd_canvas_read_area(pd_canvas *canvas, const pd_pixel_area *area) {
    const pd_pixels *pixels = &canvas->pixels;
    uint8_t *row = get_first_pixel_of_area(pixels, area, canvas->rgb);
    read_framebuffer_area(canvas->framebuffer, pixels, area, canvas->rgb);
    for (int y = 0; y < area->height && pixels->alpha; y++, row += pd_pixels_row_bytes(pixels))
        divide_pixels_by_alpha(pixels, row, (size_t)area->width);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* ---- Drawing without a window ---- */

struct pd_offscreen {
    SDL_Window *window;
    SDL_GLContext context;
};

static const char advice[] =
    "install a graphics driver with OpenGL 3.3, on Debian: apt install libgl1-mesa-dri libegl1";

static pd_result create_context(pd_offscreen *offscreen, pd_error *error) {
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, SDL_GL_CONTEXT_FORWARD_COMPATIBLE_FLAG);
    offscreen->window = SDL_CreateWindow("puddle", 0, 0, 16, 16, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
    if (!offscreen->window)
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE, "cannot draw without a window: %s (%s)", SDL_GetError(),
                       advice);
    offscreen->context = SDL_GL_CreateContext(offscreen->window);
    if (!offscreen->context)
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE, "cannot create an OpenGL 3.3 context: %s (%s)",
                       SDL_GetError(), advice);
    if (SDL_GL_MakeCurrent(offscreen->window, offscreen->context))
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE, "cannot use the OpenGL context: %s (%s)", SDL_GetError(),
                       advice);
    if (epoxy_gl_version() < 33)
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE,
                       "cannot draw: the driver offers OpenGL %d.%d, 3.3 is needed (%s)", epoxy_gl_version() / 10,
                       epoxy_gl_version() % 10, advice);
    return PD_OK;
}

pd_result pd_offscreen_create(pd_offscreen **created, pd_error *error) {
    *created = NULL;
    pd_offscreen *offscreen = calloc(1, sizeof *offscreen);
    if (!offscreen)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot start drawing: out of memory (close other programs)");
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
    if (SDL_InitSubSystem(SDL_INIT_VIDEO)) {
        free(offscreen);
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE, "cannot draw without a window: %s (%s)", SDL_GetError(),
                       advice);
    }
    pd_result result = create_context(offscreen, error);
    if (result) {
        pd_offscreen_destroy(offscreen);
        return result;
    }
    *created = offscreen;
    return PD_OK;
}

void pd_offscreen_destroy(pd_offscreen *offscreen) {
    if (!offscreen) return;
    if (offscreen->context) SDL_GL_DeleteContext(offscreen->context);
    if (offscreen->window) SDL_DestroyWindow(offscreen->window);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    free(offscreen);
}
