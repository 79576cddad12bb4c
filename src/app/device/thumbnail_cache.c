/* Cache of the thumbnails of scenes: PNG files in the user's cache folder. */
#include "app/device/thumbnail_cache.h"

#include "core/archive.h"
#include "core/file.h"
#include "record/png.h"
#include <puddle/world.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
