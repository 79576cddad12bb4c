/* Thumbnails of scenes for the browser, each drawn after a short simulation with few particles, and their cache of PNG files. */
#include "app/device/thumbnails.h"

#include "app/io/announce.h"
#include "app/ui/ui.h"
#include "core/archive.h"
#include "core/error.h"
#include "core/file.h"
#include "core/timer.h"
#include "record/png.h"
#include "render/canvas.h"
#include "scene/content/counts.h"
#include "scene/file/scene_files.h"
#include <epoxy/gl.h>
#include <math.h>
#include <puddle/memory.h>
#include <puddle/world.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The cache ---- */

/* Number that each hash contains, so that another number makes all cached thumbnails invalid. To be increased if drawing
 * changes but the program's version does not. */
static const uint64_t DRAWING_VERSION = 2;

uint64_t pd_thumbnail_compute_key(const void *content, size_t size) {
    uint64_t hash = pd_archive_hash(DRAWING_VERSION, pd_version(), strlen(pd_version()) + 1);
    hash = pd_archive_hash(hash, content, size);
    return hash ? hash : 1;
}

static bool find_cache_folder(char *folder, size_t size) {
    return pd_os_user_folder(PD_CACHE_FOLDER, "puddle/thumbnails", folder, size);
}

/* Writes the path of a thumbnail's file. create_folder: creates the cache folder. False: no folder, or the path is too long. */
static bool make_thumbnail_path(uint64_t key, char *path, size_t size, bool create_folder) {
    char folder[PD_MAX_PATH];
    if (!find_cache_folder(folder, sizeof folder) || (create_folder && pd_os_create_folders(folder, true, NULL) != 0))
        return false;
    int length = snprintf(path, size, "%s/%016llx.png", folder, (unsigned long long)key);
    return length > 0 && (size_t)length < size;
}

bool pd_thumbnail_read_cached(uint64_t key, uint8_t rgb[PD_THUMBNAIL_BYTES]) {
    char path[PD_MAX_PATH];
    if (!make_thumbnail_path(key, path, sizeof path, false)) return false;
    bool read = pd_os_status(path, false).type == PD_PATH_FILE &&
                pd_png_read(path, PD_THUMBNAIL_WIDTH, PD_THUMBNAIL_HEIGHT, rgb);
    /* The time of the last change serves as time of use, because many file systems do not record reads. */
    if (read) pd_os_touch(path);
    return read;
}

typedef struct cache_file {
    char path[PD_MAX_PATH + 64]; /* path of the file */
    int64_t used;                /* time of the last use, ns since 1970 */
} cache_file;

static int compare_use_times(const void *a, const void *b) {
    const cache_file *x = a, *y = b;
    return (x->used > y->used) - (x->used < y->used);
}

/* Returns whether a file belongs to the cache: a name of 16 hexadecimal digits and ".png". Other files in the folder are the
 * user's, or temporary. */
static bool is_cache_file(const char *name) {
    return strspn(name, "0123456789abcdef") == 16 && strcmp(name + 16, ".png") == 0;
}

static void remove_least_recently_used_files(void) {
    enum { MOST_LISTED = 2 * PD_THUMBNAILS_KEPT };
    char folder[PD_MAX_PATH];
    int count = 0;
    pd_listing *listing = find_cache_folder(folder, sizeof folder) ? pd_listing_open(folder) : NULL;
    cache_file *files = listing ? malloc(MOST_LISTED * sizeof *files) : NULL;
    for (const char *name; files && count < MOST_LISTED && (name = pd_listing_next(listing));) {
        if (!is_cache_file(name)) continue;
        snprintf(files[count].path, sizeof files->path, "%s/%s", folder, name);
        pd_path_status status = pd_os_status(files[count].path, false);
        files[count].used = status.changed;
        count += status.type == PD_PATH_FILE;
    }
    if (count > PD_THUMBNAILS_KEPT) qsort(files, (size_t)count, sizeof *files, compare_use_times);
    for (int i = 0; i < count - PD_THUMBNAILS_KEPT; i++) pd_os_remove(files[i].path);
    free(files);
    if (listing) pd_listing_close(listing);
}

/* The file is not synced to the disk, because fsync would delay the window. A file that is truncated by a crash of the machine
 * is damaged, and its thumbnail is drawn again. */
void pd_thumbnail_write_cached(uint64_t key, const uint8_t rgb[PD_THUMBNAIL_BYTES]) {
    const pd_pixels pixels = {.width = PD_THUMBNAIL_WIDTH, .height = PD_THUMBNAIL_HEIGHT};
    char path[PD_MAX_PATH];
    pd_output output;
    if (!make_thumbnail_path(key, path, sizeof path, true) ||
        pd_output_open_replacing_link(&output, path, NULL) != PD_OK)
        return;
    bool whole = pd_png_write_to_stream(output.stream, &pixels, rgb) && !ferror(output.stream);
    whole = whole && pd_output_publish_partial(&output, NULL) == PD_OK;
    pd_output_cancel(&output); /* closes the file, and removes it if it is incomplete */
    if (whole) remove_least_recently_used_files();
}

/* ---- Drawing ---- */

/* Greatest numbers of particles and steps of the simulation for a thumbnail. A bundled scene then takes 0.05 to 0.7 s of
 * one core. */
enum { MAX_PARTICLES = 3000, MAX_STEPS = 240 };
/* Simulated time at which the thumbnail is drawn, s: most fluids move by then. */
static const double SIMULATED_TIME = 1.5;
/* Wall time after which the thumbnail is drawn even before SIMULATED_TIME, s. */
static const double MAX_WALL_TIME = 2.5;
/* Wall time in a frame for reading scenes, s; most lists of scenes are complete in one frame. */
static const double READING_TIME = 0.250;
static const double FRAME_TIME = 0.010;           /* wall time in a frame for simulating scenes, s */
static const size_t MAX_BYTES = (size_t)64 << 20; /* size of the largest file that gets a thumbnail, bytes */

static void upload_texture(pd_gallery_scene *scene, const uint8_t *rgb) {
    if (!scene->texture) glGenTextures(1, &scene->texture);
    glBindTexture(GL_TEXTURE_2D, scene->texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, PD_THUMBNAIL_WIDTH, PD_THUMBNAIL_HEIGHT, 0, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    pd_texture_set_filter(GL_LINEAR);
    glBindTexture(GL_TEXTURE_2D, 0);
    scene->state = PD_GALLERY_DRAWN;
}

/* Sets the scene's state to BROKEN and copies the error's message. The scene's path in the message is shortened to its file
 * name. */
static void set_scene_broken(pd_gallery_scene *scene, const pd_error *error) {
    snprintf(scene->error, sizeof scene->error, "%s", error->message);
    char *at = strstr(scene->error, scene->path);
    size_t folders = (size_t)(pd_gallery_file_name(scene) - scene->path);
    if (at) memmove(at, at + folders, strlen(at + folders) + 1);
    scene->state = PD_GALLERY_BROKEN;
}

/* Reads a scene file, and computes the key of its thumbnail from the scene's values. Comments and layout of the file do not
 * change the key. */
static pd_result read_scene_file(pd_gallery_scene *entry, pd_error *error) {
    pd_scene scene;
    char *text;
    size_t size;
    pd_result result = pd_scene_read(entry->path, &scene, error);
    if (result) return result;
    if (*scene.name) snprintf(entry->title, sizeof entry->title, "%s", scene.name);
    entry->method = pd_method_find(scene.method);
    pd_scene_read_comment(entry->path, entry->about, sizeof entry->about);
    result = pd_scene_write_text(&scene, &text, &size, error);
    pd_scene_free(&scene);
    if (result) return result;
    entry->key = pd_thumbnail_compute_key(text, size);
    pd_memory_free(text);
    return PD_OK;
}

static pd_result read_snapshot(pd_gallery_scene *entry, pd_error *error) {
    void *bytes;
    size_t size;
    pd_world *world;
    pd_world_def def = pd_world_def_default();
    def.threads = 1;
    pd_result result = pd_file_read(entry->path, MAX_BYTES, &bytes, &size, error);
    if (result) return result;
    entry->key = pd_thumbnail_compute_key(bytes, size);
    pd_memory_free(bytes);
    result = pd_world_load(&world, entry->path, &def, error);
    if (result) return result;
    entry->method = pd_world_method(world);
    char time[32];
    snprintf(entry->about, sizeof entry->about, "A snapshot of '%s' at %s", pd_world_scene(world)->name,
             pd_app_format_time(pd_world_time(world), time, sizeof time));
    pd_world_destroy(world);
    return PD_OK;
}

/* Returns whether a file is so large that reading it would delay the window. */
static bool is_file_too_large(const pd_gallery_scene *scene) {
    return (unsigned long long)pd_os_status(scene->path, true).size > MAX_BYTES;
}

/* Reads the thumbnail of a bundled scene, "thumbnails/NAME.png" beside the folder of the scenes, or a cached thumbnail. */
static bool read_ready_thumbnail(const pd_gallery_scene *scene, uint8_t rgb[PD_THUMBNAIL_BYTES]) {
    char path[PD_MAX_PATH];
    const char *name = pd_gallery_file_name(scene);
    int folder = (int)(name - scene->path), stem = (int)strcspn(name, ".");
    snprintf(path, sizeof path, "%.*s../thumbnails/%.*s.png", folder, scene->path, stem, name);
    return (scene->place >= 0 && pd_png_read(path, PD_THUMBNAIL_WIDTH, PD_THUMBNAIL_HEIGHT, rgb)) ||
           pd_thumbnail_read_cached(scene->key, rgb);
}

/* Reads name and description of a scene in state UNREAD, and its thumbnail. Sets scene->state to DRAWN if the thumbnail
 * is ready, otherwise to PENDING, or to BROKEN after an error. Cost: about 2 ms, more for large files. */
static void read_scene(pd_gallery_scene *scene) {
    pd_error error;
    if (is_file_too_large(scene)) {
        scene->described = true;
        snprintf(scene->about, sizeof scene->about, "This file is too large for a picture. The scene can be opened.");
        scene->state = PD_GALLERY_DRAWN;
        return;
    }
    pd_result result = scene->described                ? PD_OK
                       : pd_gallery_is_snapshot(scene) ? read_snapshot(scene, &error)
                                                       : read_scene_file(scene, &error);
    if (result) {
        set_scene_broken(scene, &error);
        return;
    }
    scene->described = true;
    uint8_t *rgb = malloc(PD_THUMBNAIL_BYTES);
    scene->state = PD_GALLERY_PENDING;
    if (rgb && read_ready_thumbnail(scene, rgb)) upload_texture(scene, rgb);
    free(rgb);
}

static bool has_listed_particles(const pd_scene *scene) {
    for (int i = 0; i < scene->region_count; i++)
        if (scene->regions[i].area.shape == PD_SHAPE_PARTICLES) return true;
    return false;
}

/* Creates the world of a thumbnail and sets the number of its steps. The number is 0 for a snapshot and for a scene that
 * lists its particles: the thumbnail shows the saved state. */
static pd_result begin_simulation(pd_thumbnailer *thumbnailer, const pd_gallery_scene *entry, pd_error *error) {
    pd_scene scene;
    thumbnailer->steps = 0;
    thumbnailer->spent = 0;
    pd_world_def def = pd_world_def_default();
    def.threads = 1;
    if (pd_gallery_is_snapshot(entry)) return pd_world_load(&thumbnailer->world, entry->path, &def, error);
    pd_result result = pd_scene_read(entry->path, &scene, error);
    if (result) return result;
    /* Reduces the number of particles to at most MAX_PARTICLES. A scene that lists its particles stays unchanged. */
    int *counts = malloc(((size_t)scene.region_count + 1) * sizeof *counts), total = 0;
    if (counts && pd_regions_compute_particle_counts(&scene, counts, &total, NULL) == PD_OK && total > MAX_PARTICLES)
        pd_scene_set_particle_count(&scene, MAX_PARTICLES, NULL);
    free(counts);
    if (!has_listed_particles(&scene))
        thumbnailer->steps = (int)fmin(ceil(SIMULATED_TIME / (double)scene.dt), MAX_STEPS);
    def.scene = &scene;
    result = pd_world_create(&thumbnailer->world, &def, error);
    pd_scene_free(&scene);
    return result;
}

static pd_result draw_thumbnail(const pd_world *world, pd_gallery_scene *scene, pd_renderer *renderer,
                                pd_error *error) {
    pd_canvas canvas;
    pd_view view;
    pd_result result = pd_canvas_create(&canvas, PD_THUMBNAIL_WIDTH, PD_THUMBNAIL_HEIGHT, error);
    if (result) return result;
    pd_world_view(world, &view);
    const pd_view_mode *mode = pd_method_view_at(pd_world_method(world), 0);
    pd_picture picture = {.view = &view,
                          .mode = mode,
                          .lines = pd_lines_can_be_drawn(&view, mode, mode->lines) ? mode->lines : PD_LINES_NONE,
                          .alpha = 1,
                          .width = PD_THUMBNAIL_WIDTH,
                          .height = PD_THUMBNAIL_HEIGHT,
                          .scale = 1};
    ui_draw_picture(NULL, 0, renderer, &canvas, &(pd_pixel_area){0, 0, canvas.width, canvas.height}, &picture);
    upload_texture(scene, canvas.rgb);
    pd_thumbnail_write_cached(scene->key, canvas.rgb);
    pd_canvas_destroy(&canvas);
    return PD_OK;
}

static void end_simulation(pd_thumbnailer *thumbnailer) {
    pd_world_destroy(thumbnailer->world);
    *thumbnailer = (pd_thumbnailer){0};
}

/* Simulates thumbnailer->scene until pd_now() reaches `deadline` (s), and draws the thumbnail after the last step. If no
 * simulation runs, begins one of `scene`, which must be in state PENDING. */
static void simulate_scene(pd_thumbnailer *thumbnailer, pd_gallery_scene *scene, pd_renderer *renderer,
                           double deadline) {
    pd_error error;
    pd_result result = PD_OK;
    double begun = pd_now();
    if (!thumbnailer->world) {
        thumbnailer->scene = scene;
        result = begin_simulation(thumbnailer, scene, &error);
    }
    for (double now; !result && thumbnailer->steps > 0 && (now = pd_now()) < deadline;)
        if (pd_world_step_part(thumbnailer->world, deadline - now)) thumbnailer->steps--;
    thumbnailer->spent += pd_now() - begun;
    bool complete = thumbnailer->steps == 0 || thumbnailer->spent > MAX_WALL_TIME;
    if (!result && !complete) return;
    if (!result) result = draw_thumbnail(thumbnailer->world, thumbnailer->scene, renderer, &error);
    if (result) set_scene_broken(thumbnailer->scene, &error);
    end_simulation(thumbnailer);
}

bool pd_thumbnails_update(pd_thumbnailer *thumbnailer, pd_gallery *gallery, int first, int last,
                          pd_renderer *renderer) {
    double begun = pd_now();
    bool changed = false;
    for (int next; (next = pd_gallery_find_unfinished(gallery, first, last)) >= 0;) {
        pd_gallery_scene *scene = &gallery->scenes[next];
        bool unread = scene->state == PD_GALLERY_UNREAD;
        if (pd_now() - begun > (unread ? READING_TIME : FRAME_TIME)) break;
        if (unread)
            read_scene(scene);
        else
            simulate_scene(thumbnailer, scene, renderer, begun + FRAME_TIME);
        changed = changed || scene->state != PD_GALLERY_PENDING;
    }
    return changed;
}

void pd_thumbnails_delete_textures(pd_thumbnailer *thumbnailer, pd_gallery *gallery) {
    end_simulation(thumbnailer);
    for (int i = 0; i < gallery->count; i++) {
        if (gallery->scenes[i].texture) glDeleteTextures(1, &gallery->scenes[i].texture);
        gallery->scenes[i].texture = 0;
    }
}
