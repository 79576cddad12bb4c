/* Pictures as fluid, with a material for each colour. */
#include "core/error.h"
#include "core/math.h"
#include "core/memory.h"
#include "scene/content/cells.h"
#include "scene/content/counts.h"
#include "scene/content/image.h"
#include "scene/geometry.h"
#include "scene/items.h"

#include <string.h>
#include <strings.h>

enum { COLOR_NAME = 8 }; /* bytes of a colour at the end of a material's name: " #3a8fff" */
/* Greatest fraction of the container's width or height that a picture fills, so that it does not touch the walls. */
static const double FILLED = 0.96;

static pd_picture_reader *reader;

void pd_scene_set_picture_reader(pd_picture_reader *function) { reader = function; }

bool pd_path_is_picture(const char *path) {
    /* Formats that cannot be read are included: the picture reader's message explains why. */
    static const char *const endings[] = {".png", ".jpg",  ".jpeg", ".jpe",  ".jfif", ".gif",
                                          ".bmp", ".webp", ".tif",  ".tiff", ".avif", ".heic"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i]) == 0) return true;
    return false;
}

static pd_result fail_memory(const char *path, pd_error *error) {
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot read '%.200s': out of memory (close other programs)", path);
}

/* ---- Colours as materials ---- */

/* Cuts a text to fewer than `size` bytes, at the end of a UTF-8 character. */
static void cut_text(char *text, size_t size) {
    size_t length = strlen(text);
    if (length < size) return;
    for (length = size - 1; length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80;) length--;
    text[length] = '\0';
}

/* Gets a material's name without the colour that an earlier picture has added. */
static void remove_colour(const char *name, char base[PD_MAX_NAME]) {
    memcpy(base, name, PD_MAX_NAME);
    size_t length = strlen(base);
    if (length > COLOR_NAME && strncmp(base + length - COLOR_NAME, " #", 2) == 0 &&
        strspn(base + length - COLOR_NAME + 2, "0123456789abcdef") == COLOR_NAME - 2)
        base[length - COLOR_NAME] = '\0';
    cut_text(base, PD_MAX_NAME - COLOR_NAME);
}

/* Returns the index of the material for a colour: an existing one of that name, or a new copy of the template. */
static int material_of(pd_scene *scene, const pd_material *template, const uint8_t color[3]) {
    char base[PD_MAX_NAME];
    pd_material material = *template;
    remove_colour(template->name, base);
    material.red = color[0];
    material.green = color[1];
    material.blue = color[2];
    snprintf(material.name, sizeof material.name, "%.*s #%02x%02x%02x", PD_MAX_NAME - COLOR_NAME - 1, base, color[0],
             color[1], color[2]);
    for (int m = 0; m < scene->material_count; m++)
        if (strcmp(scene->materials[m].name, material.name) == 0) return m;
    PD_ASSERT(scene->material_count < PD_MAX_MATERIALS);
    scene->materials[scene->material_count] = material;
    return scene->material_count++;
}

static pd_result use_colors(const char *path, const pd_bitmap *picture, int most, pd_scene *scene, pd_region *region,
                            pd_error *error) {
    uint8_t colors[PD_MAX_MATERIALS][3];
    pd_area *area = &region->area;
    int count = picture->columns * picture->rows;
    uint8_t *pixels = pd_memory_new((size_t)count);
    int found = pixels ? pd_colors_choose(picture->rgba, count, most, colors, pixels) : -1;
    if (found <= 0) {
        pd_memory_free(pixels);
        if (found < 0) return fail_memory(path, error);
        return pd_fail(error, PD_ERROR_SCENE_VALUE,
                       "'%.200s' is transparent everywhere (use a picture with something on it)", path);
    }
    pd_material template = scene->materials[region->material];
    uint8_t materials[PD_MAX_MATERIALS];
    for (int i = 0; i < found; i++) materials[i] = (uint8_t)material_of(scene, &template, colors[i]);
    for (int i = 0; i < count; i++)
        if (pixels[i] != PD_NO_FLUID) pixels[i] = materials[pixels[i]];
    area->columns = picture->columns;
    area->rows = picture->rows;
    area->pixels = pixels;
    return PD_OK;
}

pd_result pd_picture_read_image(const char *path, int most, pd_scene *scene, pd_region *region, double *proportion,
                                pd_error *error) {
    pd_bitmap picture = {0};
    if (!reader)
        return pd_fail(error, PD_ERROR_FILE_UNREADABLE,
                       "cannot read '%.200s': this program has no reader of pictures (pd_scene_set_picture_reader)",
                       path);
    if (most < 1)
        return pd_fail(error, PD_ERROR_SCENE_TOO_LARGE,
                       "no room for the colours of '%.200s' among the %d materials of a scene (leave some out)", path,
                       PD_MAX_MATERIALS);
    pd_result result = reader(path, &picture, error);
    if (result != PD_OK) return result;
    *proportion = (double)picture.height / picture.width;
    result = use_colors(path, &picture, most, scene, region, error);
    pd_memory_free(picture.rgba);
    return result;
}

/* ---- A scene whose only fluid is a picture ---- */

/* Sets the scene's name to that of a file, without folder and ending, if this is valid text. */
static void set_name_from(pd_scene *scene, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    char text[PD_MAX_NAME + 4];
    snprintf(text, sizeof text, "%.*s", (int)(length < PD_MAX_NAME + 2 ? length : PD_MAX_NAME + 2), name);
    cut_text(text, PD_MAX_NAME);
    snprintf(scene->name, sizeof scene->name, "%.*s", PD_MAX_NAME - 1,
             pd_text_is_line(text, sizeof scene->name) ? text : "Picture");
}

/* Returns the width of the largest rectangle of a proportion (height / width) that fits around the container's
 * middle. */
static double greatest_fitting_width(const pd_container *container, double proportion) {
    if (container->shape == PD_CONTAINER_BOX) return fmin(container->width, container->height / proportion);
    double radius = container->shape == PD_CONTAINER_CIRCLE ? container->radius : 1;
    return 2 * radius / pd_hypot(1, proportion);
}

static void remove_unused_materials(pd_scene *scene) {
    for (int m = scene->material_count - 1; m >= 0; m--) pd_scene_remove_material(scene, m, NULL);
}

/* Returns the number of particles per area of all regions, 0 without regions. */
static double density_of(const pd_scene *scene) {
    double area = 0;
    int total = 0, *counts = pd_memory_new(((size_t)scene->region_count + 1) * sizeof *counts);
    bool counted = counts && pd_regions_compute_counts(scene, counts, &total, NULL) == PD_OK;
    pd_memory_free(counts);
    for (int i = 0; i < scene->region_count; i++) area += pd_area_size(&scene->regions[i].area);
    return counted && area > 0 ? total / area : 0;
}

static void remove_fluid(pd_scene *scene) {
    pd_scene_list_free(PD_LIST_REGIONS, scene);
    pd_scene_list_free(PD_LIST_VORTONS, scene);
    pd_cells_free(&scene->cells);
}

/* Sets the number of particles in the scene. before: number at the spacing of the replaced fluid, 0 without one. The
 * ratio particles / before scales emitters and settings with the resolution. */
static pd_result set_resolution(pd_scene *scene, double before, int particles, pd_error *error) {
    scene->particles = before > 0 ? (int)fmin(fmax(round(before), 1), PD_MAX_PARTICLES) : particles;
    pd_scene_scale_settings(scene, sqrt((double)scene->particles / particles));
    return pd_scene_set_particles(scene, particles, error);
}

static pd_result replace_fluid(pd_scene *scene, const char *path, int particles, pd_error *error) {
    double proportion, density = density_of(scene);
    pd_region *regions = pd_memory_zeroed(1, sizeof *regions);
    if (!regions) return fail_memory(path, error);
    pd_material template = scene->materials[scene->region_count ? scene->regions[0].material : 0];
    pd_region region = pd_region_default();
    region.area.shape = PD_SHAPE_IMAGE;
    remove_fluid(scene);
    scene->regions = regions;
    remove_unused_materials(scene);
    /* The template is the last material while colours are chosen; then it is removed. */
    int last = scene->material_count < PD_MAX_MATERIALS ? scene->material_count++ : PD_MAX_MATERIALS - 1;
    scene->materials[last] = template;
    region.material = last;
    pd_result result =
        pd_picture_read_image(path, PD_MAX_MATERIALS - scene->material_count, scene, &region, &proportion, error);
    if (result != PD_OK) return result;
    region.area.size.x = (float)(FILLED * greatest_fitting_width(&scene->container, proportion));
    region.area.size.y = (float)(region.area.size.x * proportion);
    const uint8_t *first = region.area.pixels;
    while (*first == PD_NO_FLUID) first++;
    region.material = *first;
    scene->regions[0] = region;
    scene->region_count = 1;
    remove_unused_materials(scene);
    set_name_from(scene, path);
    return set_resolution(scene, density * pd_area_size(&region.area), particles, error);
}

pd_result pd_scene_replace_fluid_by_picture(pd_scene *scene, const char *path, int particles, pd_error *error) {
    pd_scene copy;
    pd_result result = pd_scene_copy(&copy, scene, error);
    if (result != PD_OK) return result;
    result = replace_fluid(&copy, path, particles, error);
    if (result == PD_OK) result = pd_scene_check(&copy, error);
    pd_scene_free(result == PD_OK ? scene : &copy);
    if (result == PD_OK) *scene = copy;
    return result;
}

pd_result pd_picture_read_scene(const char *path, pd_scene *scene, pd_error *error) {
    pd_scene_init(scene);
    pd_result result = pd_scene_replace_fluid_by_picture(scene, path, PD_PICTURE_PARTICLES, error);
    if (result != PD_OK) pd_scene_free(scene);
    return result;
}
