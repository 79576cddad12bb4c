/* Cache of the thumbnails of scenes: PNG files in the user's cache folder. */
#include "app/device/thumbnail_cache.h"

#include "app/io/paths.h"
#include "core/file/file.h"
#include "record/png.h"
#include <dirent.h>
#include <fcntl.h>
#include <puddle/world.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Number that each hash contains, so that another number makes all cached thumbnails invalid. To be increased if drawing
 * changes but the program's version does not. */
static const uint64_t DRAWING_VERSION = 2;

static uint64_t add_to_hash(uint64_t hash, const void *bytes, size_t size) { /* FNV-1a */
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * 0x100000001b3;
    return hash;
}

uint64_t pd_thumbnail_compute_key(const void *content, size_t size) {
    uint64_t hash = add_to_hash(0xcbf29ce484222325 + DRAWING_VERSION, pd_version(), strlen(pd_version()) + 1);
    hash = add_to_hash(hash, content, size);
    return hash ? hash : 1;
}

static bool find_cache_folder(char *folder, size_t size) {
    return pd_app_find_xdg_folder(folder, size, "XDG_CACHE_HOME", ".cache", "puddle/thumbnails");
}

/* Writes the path of a thumbnail's file. create_folder: creates the cache folder. False: no folder, or the path is too long. */
static bool make_thumbnail_path(uint64_t key, char *path, size_t size, bool create_folder) {
    char folder[PD_MAX_PATH];
    if (!find_cache_folder(folder, sizeof folder) || (create_folder && pd_app_create_folder(folder) != 0)) return false;
    int length = snprintf(path, size, "%s/%016llx.png", folder, (unsigned long long)key);
    return length > 0 && (size_t)length < size;
}

bool pd_thumbnail_read_cached(uint64_t key, uint8_t rgb[PD_THUMBNAIL_BYTES]) {
    char path[PD_MAX_PATH];
    if (!make_thumbnail_path(key, path, sizeof path, false)) return false;
    int file = pd_file_open_own(path, O_RDONLY);
    bool read = file >= 0 && pd_png_read(path, PD_THUMBNAIL_WIDTH, PD_THUMBNAIL_HEIGHT, rgb);
    /* Sets the time of the last change to now. It serves as time of use, because many file systems do not record reads. */
    if (read) futimens(file, NULL);
    if (file >= 0) close(file);
    return read;
}

typedef struct cache_file {
    char name[64];        /* name in the folder of the cache */
    struct timespec used; /* time of the last use */
} cache_file;

static int compare_use_times(const void *a, const void *b) {
    const struct timespec *x = &((const cache_file *)a)->used, *y = &((const cache_file *)b)->used;
    if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Returns whether a file belongs to the cache: a name of 16 hexadecimal digits and ".png". Other files in the folder are the
 * user's, or temporary. */
static bool is_cache_file(const char *name) {
    return strspn(name, "0123456789abcdef") == 16 && strcmp(name + 16, ".png") == 0;
}

static int list_cache_files(DIR *directory, cache_file *files, int capacity) {
    int count = 0;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        struct stat status;
        bool fits = strlen(entry->d_name) < sizeof files->name;
        if (!fits || !is_cache_file(entry->d_name) ||
            fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (!S_ISREG(status.st_mode) || count == capacity) continue;
        strcpy(files[count].name, entry->d_name);
        files[count++].used = status.st_mtim;
    }
    return count;
}

static void remove_least_recently_used_files(void) {
    enum { MOST_LISTED = 2 * PD_THUMBNAILS_KEPT };
    char folder[PD_MAX_PATH];
    DIR *directory = find_cache_folder(folder, sizeof folder) ? opendir(folder) : NULL;
    cache_file *files = directory ? malloc(MOST_LISTED * sizeof *files) : NULL;
    int count = files ? list_cache_files(directory, files, MOST_LISTED) : 0;
    if (count > PD_THUMBNAILS_KEPT) {
        qsort(files, (size_t)count, sizeof *files, compare_use_times);
        for (int i = 0; i < count - PD_THUMBNAILS_KEPT; i++) unlinkat(dirfd(directory), files[i].name, 0);
    }
    free(files);
    if (directory) closedir(directory);
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
