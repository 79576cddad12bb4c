#include "render/shader.h"

#include "core/error.h"
#include "core/file.h"
#include <epoxy/gl.h>
#include <puddle/memory.h>
#include <stdio.h>
#include <string.h>

enum { SOURCE_LIMIT = 1 << 20 };

/* Shortens a driver's log to its first line, for an error message. An empty log becomes "the driver gives no
 * reason". */
static void cut_log_to_first_line(char *log) {
    log[strcspn(log, "\r\n")] = 0;
    if (!*log) strcpy(log, "the driver gives no reason");
}

/* Compiles a shader file. Inserts `definitions` after its first line, which must be "#version". */
static pd_result compile_stage(GLuint *shader, GLenum stage, const char *name, const char *definitions,
                               pd_error *error) {
    char short_path[128], path[PD_MAX_PATH];
    snprintf(short_path, sizeof short_path, "shaders/%s", name);
    pd_result result = pd_data_find_file(short_path, path, sizeof path, error);
    if (result) return result;
    void *source;
    size_t size;
    result = pd_file_read(path, SOURCE_LIMIT, &source, &size, error);
    if (result) return result;
    *shader = glCreateShader(stage);
    const char *text = source, *second = memchr(source, '\n', size);
    size_t first = second ? (size_t)(second - text) + 1 : size;
    const char *const parts[] = {text, definitions, text + first};
    const GLint lengths[] = {(GLint)first, (GLint)strlen(definitions), (GLint)(size - first)};
    GLint compiled = 0;
    glShaderSource(*shader, 3, parts, lengths);
    pd_memory_free(source);
    glCompileShader(*shader);
    glGetShaderiv(*shader, GL_COMPILE_STATUS, &compiled);
    if (compiled) return PD_OK;
    char log[256] = "";
    glGetShaderInfoLog(*shader, sizeof log, NULL, log);
    cut_log_to_first_line(log);
    glDeleteShader(*shader);
    *shader = 0;
    return pd_fail(error, PD_ERROR_SHADER_BROKEN,
                   "cannot compile '%s': %s (install the program again, or update the graphics driver)", path, log);
}

pd_result pd_shader_load(unsigned *program, const char *vertex, const char *fragment, pd_error *error) {
    return pd_shader_load_variant(program, vertex, fragment, "", error);
}

pd_result pd_shader_load_variant(unsigned *program, const char *vertex, const char *fragment, const char *definitions,
                                 pd_error *error) {
    GLuint stages[2] = {0, 0};
    *program = 0;
    pd_result result = compile_stage(&stages[0], GL_VERTEX_SHADER, vertex, "", error);
    if (!result) result = compile_stage(&stages[1], GL_FRAGMENT_SHADER, fragment, definitions, error);
    if (!result) {
        GLint linked = 0;
        *program = glCreateProgram();
        glAttachShader(*program, stages[0]);
        glAttachShader(*program, stages[1]);
        glLinkProgram(*program);
        glGetProgramiv(*program, GL_LINK_STATUS, &linked);
        if (!linked) {
            char log[256] = "";
            glGetProgramInfoLog(*program, sizeof log, NULL, log);
            cut_log_to_first_line(log);
            result = pd_fail(
                error, PD_ERROR_SHADER_BROKEN,
                "cannot link the shaders '%s' and '%s': %s (install the program again, or update the graphics driver)",
                vertex, fragment, log);
            glDeleteProgram(*program);
            *program = 0;
        }
    }
    glDeleteShader(stages[0]); /* OpenGL deletes the shader with the program; it ignores the name 0 (not created) */
    glDeleteShader(stages[1]);
    return result;
}

void pd_shader_set_sampler(unsigned program, const char *name, int unit) {
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, name), unit);
}

void pd_shader_set_area(unsigned program, const pd_pixel_area *area) {
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "area"), (float)area->x, (float)area->y, (float)area->width,
                (float)area->height);
}
