/* Cache of the browser's pictures: PNG files in the user's cache folder. */
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

/* Version of the pictures' look. Raise it when the drawing changes within a version of the program. */
static const uint64_t LOOK = 1;

static uint64_t add_to_hash(uint64_t hash, const void *bytes, size_t size) { /* FNV-1a */
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * 0x100000001b3;
    return hash;
}

uint64_t pd_thumbnail_key(const void *content, size_t size) {
    uint64_t hash = add_to_hash(0xcbf29ce484222325 + LOOK, pd_version(), strlen(pd_version()) + 1);
    hash = add_to_hash(hash, content, size);
    return hash ? hash : 1;
}

static bool find_folder(char *folder, size_t size) {
    return pd_app_find_folder(folder, size, "XDG_CACHE_HOME", ".cache", "puddle/thumbnails");
}

static bool path_of(uint64_t key, char *path, size_t size, bool make) {
    char folder[PD_MAX_PATH];
    if (!find_folder(folder, sizeof folder) || (make && pd_app_make_folder(folder) != 0)) return false;
    int length = snprintf(path, size, "%s/%016llx.png", folder, (unsigned long long)key);
    return length > 0 && (size_t)length < size;
}

bool pd_thumbnail_load(uint64_t key, uint8_t rgb[PD_THUMBNAIL_BYTES]) {
    char path[PD_MAX_PATH];
    if (!path_of(key, path, sizeof path, false)) return false;
    if (!pd_png_read(path, PD_THUMBNAIL_WIDTH, PD_THUMBNAIL_HEIGHT, rgb)) return false;
    utimensat(AT_FDCWD, path, NULL, 0); /* sets the time of use, since many file systems do not record reads */
    return true;
}

typedef struct kept_file {
    char name[64];
    struct timespec used;
} kept_file;

static int compare_used(const void *a, const void *b) {
    const struct timespec *x = &((const kept_file *)a)->used, *y = &((const kept_file *)b)->used;
    if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Returns whether a file belongs to the cache: "0123456789abcdef.png", or a temporary file of a killed process. Other files in the
 * folder are the user's. */
static bool is_cache_file(const char *name) {
    if (pd_file_is_temporary(name)) return true;
    return strspn(name, "0123456789abcdef") == 16 && strcmp(name + 16, ".png") == 0;
}

static int list_files(DIR *directory, kept_file *files, int room) {
    int count = 0;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        struct stat status;
        bool fits = strlen(entry->d_name) < sizeof files->name;
        if (!fits || !is_cache_file(entry->d_name) ||
            fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (!S_ISREG(status.st_mode) || count == room) continue;
        strcpy(files[count].name, entry->d_name);
        files[count++].used = status.st_mtim;
    }
    return count;
}

static void remove_oldest(void) {
    enum { ROOM = 2 * PD_THUMBNAILS_KEPT };
    char folder[PD_MAX_PATH];
    DIR *directory = find_folder(folder, sizeof folder) ? opendir(folder) : NULL;
    kept_file *files = directory ? malloc(ROOM * sizeof *files) : NULL;
    int count = files ? list_files(directory, files, ROOM) : 0;
    if (count > PD_THUMBNAILS_KEPT) {
        qsort(files, (size_t)count, sizeof *files, compare_used);
        for (int i = 0; i < count - PD_THUMBNAILS_KEPT; i++) unlinkat(dirfd(directory), files[i].name, 0);
    }
    free(files);
    if (directory) closedir(directory);
}

/* The file is not synced to the disk, which would delay the window. A picture that a crash of the machine truncates is drawn
 * again. */
void pd_thumbnail_store(uint64_t key, const uint8_t rgb[PD_THUMBNAIL_BYTES]) {
    const pd_pixels pixels = {.width = PD_THUMBNAIL_WIDTH, .height = PD_THUMBNAIL_HEIGHT};
    char path[PD_MAX_PATH];
    pd_output output;
    if (!path_of(key, path, sizeof path, true) || pd_output_open_replacing_link(&output, path, NULL) != PD_OK) return;
    bool whole = pd_png_write_to_stream(output.stream, &pixels, rgb) && !ferror(output.stream);
    whole = whole && pd_output_publish_partial(&output, NULL) == PD_OK;
    pd_output_cancel(&output); /* closes the file, and removes it if it is incomplete */
    if (whole) remove_oldest();
}
