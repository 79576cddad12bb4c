/* Draws particles as discs. */
#include "render/particles/sprites.h"

#include "render/shader.h"
#include <epoxy/gl.h>
#include <math.h>

pd_result pd_sprites_create(pd_sprites *sprites, pd_error *error) {
    pd_result result = pd_shader_load(&sprites->program, "sprite.vert", "sprite.frag", error);
    if (result) return result;
    sprites->to_pixels = glGetUniformLocation(sprites->program, "to_pixels");
    sprites->radius = glGetUniformLocation(sprites->program, "radius");
    sprites->gloss = glGetUniformLocation(sprites->program, "gloss");
    return PD_OK;
}

void pd_sprites_free(pd_sprites *sprites) {
    if (sprites->program) glDeleteProgram(sprites->program);
    sprites->program = 0;
}

void pd_sprites_draw(const pd_sprites *sprites, const pd_instances *instances, const pd_picture *picture,
                     const pd_camera *camera) {
    float scale = camera->pixels_per_metre;
    pd_legend legend;
    bool shows_field = pd_picture_find_legend(picture->view, picture->mode, &legend);
    /* With a radius of 0.52 rest spacings the discs of neighbours touch at rest. A radius of at least 1.1 interface units
     * makes single particles visible. */
    float radius = fmaxf(0.52f * picture->view->spacing * scale, 1.1f * picture->scale);
    pd_shader_set_area(sprites->program, &picture->area);
    glUniform3f(sprites->to_pixels, scale, 0.5f * (float)camera->width - camera->center.x * scale,
                0.5f * (float)camera->height - camera->center.y * scale);
    glUniform1f(sprites->radius, radius);
    glUniform1f(sprites->gloss, shows_field ? 0 : 1); /* a gloss would change the legend's colours */
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    pd_instances_draw(instances);
    glDisable(GL_BLEND);
}
