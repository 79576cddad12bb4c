/* Pictures as fluid, with a material for each colour. */
#include "core/error.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/content/cells.h"
#include "scene/content/counts.h"
#include "scene/content/image.h"
#include "scene/file/scene_files.h"
#include "scene/geometry.h"
#include "scene/items.h"

#include <string.h>
#include <strings.h>

enum { COLOR_SUFFIX_LENGTH = 8 }; /* bytes of a colour at the end of a material's name: " #3a8fff" */
/* Greatest fraction of the container's width or height that a picture fills, so that it does not touch the walls. */
static const double MAX_FILLED_FRACTION = 0.96;

static pd_picture_reader *reader;

void pd_scene_set_picture_reader(pd_picture_reader *function) { reader = function; }

bool pd_path_is_picture(const char *path) {
    /* If the picture reader does not support one of these formats, its message says so. */
    static const char *const endings[] = {".png", ".jpg",  ".jpeg", ".jpe",  ".jfif", ".svg", ".gif",
                                          ".bmp", ".webp", ".tif",  ".tiff", ".avif", ".heic"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i]) == 0) return true;
    return false;
}

static pd_result fail_out_of_memory(const char *path, pd_error *error) {
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot read '%.200s': out of memory (close other programs)", path);
}

/* ---- Colours as materials ---- */

/* Copies a material's name without a colour at its end (" #3a8fff"), and shortened so that a colour can be appended. */
static void copy_name_without_colour(const char *name, char name_without_colour[PD_MAX_NAME]) {
    memcpy(name_without_colour, name, PD_MAX_NAME);
    size_t length = strlen(name_without_colour);
    if (length > COLOR_SUFFIX_LENGTH && strncmp(name_without_colour + length - COLOR_SUFFIX_LENGTH, " #", 2) == 0 &&
        strspn(name_without_colour + length - COLOR_SUFFIX_LENGTH + 2, "0123456789abcdef") == COLOR_SUFFIX_LENGTH - 2)
        name_without_colour[length - COLOR_SUFFIX_LENGTH] = '\0';
    pd_text_shorten(name_without_colour, PD_MAX_NAME - COLOR_SUFFIX_LENGTH);
}

/* Returns the index of the material that is named after the template and the colour: "water #3a8fff". Adds a copy of
 * the template if the scene has no such material. */
static int find_or_add_material_of_color(pd_scene *scene, const pd_material *template, const uint8_t color[3]) {
    char name_without_colour[PD_MAX_NAME];
    pd_material material = *template;
    copy_name_without_colour(template->name, name_without_colour);
    material.red = color[0];
    material.green = color[1];
    material.blue = color[2];
    snprintf(material.name, sizeof material.name, "%.*s #%02x%02x%02x", PD_MAX_NAME - COLOR_SUFFIX_LENGTH - 1,
             name_without_colour, color[0], color[1], color[2]);
    int found = pd_find_material(scene->materials, scene->material_count, material.name);
    if (found >= 0) return found;
    PD_ASSERT(scene->material_count < PD_MAX_MATERIALS);
    scene->materials[scene->material_count] = material;
    return scene->material_count++;
}

static pd_result convert_colors_to_materials(const char *path, const pd_bitmap *picture, int max_colors,
                                             pd_scene *scene, pd_region *region, pd_error *error) {
    uint8_t colors[PD_MAX_MATERIALS][3];
    pd_area *area = &region->area;
    int count = picture->columns * picture->rows;
    uint8_t *pixels = pd_memory_new((size_t)count);
    int found = pixels ? pd_colors_choose(picture->rgba, count, max_colors, colors, pixels) : -1;
    if (found <= 0) {
        pd_memory_free(pixels);
        if (found < 0) return fail_out_of_memory(path, error);
        return pd_fail(error, PD_ERROR_SCENE_VALUE,
                       "'%.200s' is transparent everywhere (use a picture with something on it)", path);
    }
    pd_material template = scene->materials[region->material];
    uint8_t materials[PD_MAX_MATERIALS];
    for (int i = 0; i < found; i++) materials[i] = (uint8_t)find_or_add_material_of_color(scene, &template, colors[i]);
    for (int i = 0; i < count; i++)
        if (pixels[i] != PD_NO_FLUID) pixels[i] = materials[pixels[i]];
    area->columns = picture->columns;
    area->rows = picture->rows;
    area->pixels = pixels;
    return PD_OK;
}

pd_result pd_picture_read_bitmap(const char *path, pd_bitmap *picture, pd_error *error) {
    *picture = (pd_bitmap){0};
    if (reader) return reader(path, picture, error);
    return pd_fail(error, PD_ERROR_FILE_UNREADABLE,
                   "cannot read '%.200s': this program has no reader of pictures (pd_scene_set_picture_reader)", path);
}

pd_result pd_picture_read_image(const char *path, int max_colors, pd_scene *scene, pd_region *region,
                                double *height_per_width, pd_error *error) {
    pd_bitmap picture;
    if (max_colors < 1)
        return pd_fail(error, PD_ERROR_SCENE_TOO_LARGE,
                       "no room for the colours of '%.200s' among the %d materials of a scene (leave some out)", path,
                       PD_MAX_MATERIALS);
    pd_result result = pd_picture_read_bitmap(path, &picture, error);
    if (result != PD_OK) return result;
    *height_per_width = (double)picture.height / picture.width;
    result = convert_colors_to_materials(path, &picture, max_colors, scene, region, error);
    pd_memory_free(picture.rgba);
    return result;
}

/* ---- A scene whose only fluid is a picture ---- */

/* Returns the width, m, of the largest rectangle of this aspect ratio that fits into the container and is centred. */
static double find_greatest_width_in_container(const pd_container *container, double height_per_width) {
    if (container->shape == PD_CONTAINER_BOX) return fmin(container->width, container->height / height_per_width);
    double radius = container->shape == PD_CONTAINER_CIRCLE ? container->radius : 1;
    return 2 * radius / pd_hypot(1, height_per_width);
}

static void remove_unused_materials(pd_scene *scene) {
    for (int m = scene->material_count - 1; m >= 0; m--) pd_scene_remove_material(scene, m, NULL);
}

/* Returns particles of all regions / area of all regions, 1/m^2. 0: the scene has no regions. */
static double compute_particle_density(const pd_scene *scene) {
    double area = 0;
    int total = 0;
    bool counted = pd_regions_compute_particle_counts(scene, NULL, &total, NULL) == PD_OK;
    for (int i = 0; i < scene->region_count; i++) area += pd_area_square_metres(&scene->regions[i].area);
    return counted && area > 0 ? total / area : 0;
}

static void remove_fluid(pd_scene *scene) {
    pd_scene_list_free(PD_LIST_REGIONS, scene);
    pd_scene_list_free(PD_LIST_VORTONS, scene);
    pd_cells_free(&scene->cells);
}

/* Sets the number of particles in the scene. Emission rates and settings scale with particles / previous_particles.
 * previous_particles: number with which the picture would have the spacing of the replaced fluid. 0: no scaling. */
static pd_result set_particle_count_and_scale(pd_scene *scene, double previous_particles, int particles,
                                              pd_error *error) {
    scene->particles =
        previous_particles > 0 ? (int)fmin(fmax(round(previous_particles), 1), PD_MAX_PARTICLES) : particles;
    pd_scene_scale_settings(scene, sqrt((double)scene->particles / particles));
    return pd_scene_set_particle_count(scene, particles, error);
}

static pd_result replace_fluid_by_picture(pd_scene *scene, const char *path, int particles, pd_error *error) {
    double height_per_width, density = compute_particle_density(scene);
    pd_region *regions = pd_memory_require(1, sizeof *regions);
    pd_material template = scene->materials[scene->region_count ? scene->regions[0].material : 0];
    pd_region region = pd_region_default();
    region.area.shape = PD_SHAPE_IMAGE;
    remove_fluid(scene);
    scene->regions = regions;
    remove_unused_materials(scene);
    /* The template is stored as the last material while colours are chosen, and then removed. */
    int last = scene->material_count < PD_MAX_MATERIALS ? scene->material_count++ : PD_MAX_MATERIALS - 1;
    scene->materials[last] = template;
    region.material = last;
    pd_result result =
        pd_picture_read_image(path, PD_MAX_MATERIALS - scene->material_count, scene, &region, &height_per_width, error);
    if (result != PD_OK) return result;
    region.area.size.x =
        (float)(MAX_FILLED_FRACTION * find_greatest_width_in_container(&scene->container, height_per_width));
    region.area.size.y = (float)(region.area.size.x * height_per_width);
    const uint8_t *first = region.area.pixels;
    while (*first == PD_NO_FLUID) first++;
    region.material = *first;
    scene->regions[0] = region;
    scene->region_count = 1;
    remove_unused_materials(scene);
    snprintf(scene->name, sizeof scene->name, "Picture"); /* the name if the path is no valid text */
    pd_scene_set_name_from_path(scene, path);
    return set_particle_count_and_scale(scene, density * pd_area_square_metres(&region.area), particles, error);
}

pd_result pd_scene_replace_fluid_by_picture(pd_scene *scene, const char *path, int particles, pd_error *error) {
    pd_scene copy;
    pd_result result = pd_scene_copy(&copy, scene, error);
    if (result != PD_OK) return result;
    result = replace_fluid_by_picture(&copy, path, particles, error);
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
