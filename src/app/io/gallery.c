/* The list of scene files for the browser: the user's, then the bundled scenes. */
#include "app/io/gallery.h"
#include "core/text.h"

#include "app/io/settings.h"
#include "core/array.h"
#include "core/file.h"
#include "core/memory.h"
#include "scene/file/scene_files.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_FOLDERS = 4 }; /* greatest number of folders in seen_folders, with that of the bundled scenes */

/* Folders that are already listed. */
typedef struct seen_folders {
    pd_path_status status[MAX_FOLDERS]; /* by folder: its status, which identifies the folder */
    int count;                          /* number of folders */
} seen_folders;

static void add_note_for_user(pd_gallery *gallery, const char *text) {
    if (gallery->note_count < PD_GALLERY_NOTES)
        snprintf(gallery->notes[gallery->note_count++], PD_GALLERY_NOTE, "%.*s", PD_GALLERY_NOTE - 1, text);
}

const char *pd_gallery_file_name(const pd_gallery_scene *scene) { return pd_path_name(scene->path); }

bool pd_gallery_is_snapshot(const pd_gallery_scene *scene) { return pd_text_ends_in(scene->path, ".puddle"); }

/* Adds a scene to the list. False: out of memory. */
static bool add_scene(pd_gallery *gallery, const char *path, const char *group, int place) {
    if (!PD_LIST_RESERVE(gallery->scenes, gallery->capacity, gallery->count + 1)) return false;
    pd_gallery_scene *scene = &gallery->scenes[gallery->count];
    *scene = (pd_gallery_scene){.path = strdup(path), .group = group, .place = place, .row = -1, .bytes = -1};
    if (!scene->path) return false;
    pd_path_status status = pd_os_status(path, true);
    if (status.type) scene->bytes = status.size, scene->changed = status.changed;
    snprintf(scene->title, sizeof scene->title, "%s", pd_gallery_file_name(scene));
    gallery->count++;
    return true;
}

/* Orders bundled scenes by `place`, and scenes of the user by path. */
static int compare_scenes(const void *a, const void *b) {
    const pd_gallery_scene *x = a, *y = b;
    return x->place != y->place ? (x->place > y->place) - (x->place < y->place) : strcmp(x->path, y->path);
}

static void sort_scenes_from(pd_gallery *gallery, int first) {
    if (gallery->count > first)
        qsort(gallery->scenes + first, (size_t)(gallery->count - first), sizeof *gallery->scenes, compare_scenes);
}

static void add_bundled_scenes(pd_gallery *gallery) {
    char **names, path[PD_MAX_PATH];
    const char *group;
    int count, first = gallery->count;
    pd_error error;
    if (pd_bundled_list_names(&names, &count, &error)) {
        add_note_for_user(gallery, error.message);
        return;
    }
    for (int i = 0; i < count; i++) {
        int place = pd_bundled_find_list_position(names[i], &group);
        if (pd_bundled_find_file(names[i], path, sizeof path, NULL) == PD_OK) add_scene(gallery, path, group, place);
    }
    sort_scenes_from(gallery, first);
    pd_bundled_free_names(names, count);
}

/* Adds a folder to the folders that are already listed. Returns whether the folder is new. A missing folder is new. */
static bool add_seen_folder(seen_folders *seen, const char *folder) {
    pd_path_status status = pd_os_status(folder, true);
    if (!status.type || seen->count == MAX_FOLDERS) return true;
    for (int i = 0; i < seen->count; i++)
        if (pd_os_is_same(&seen->status[i], &status)) return false;
    seen->status[seen->count++] = status;
    return true;
}

/* Writes the path of a file in a folder. False: the file is no scene file or snapshot by its name, or the path is too long. */
static bool make_scene_path(const char *folder, const char *file_name, char *path, size_t size) {
    if (*file_name == '.' || !(pd_text_ends_in(file_name, ".yaml") || pd_text_ends_in(file_name, ".yml") ||
                               pd_text_ends_in(file_name, ".puddle")))
        return false;
    bool here = strcmp(folder, ".") == 0;
    int length = snprintf(path, size, "%s%s%s", here ? "" : folder, here ? "" : "/", file_name);
    return length > 0 && (size_t)length < size && pd_os_status(path, true).type != PD_PATH_FOLDER;
}

/* Adds the scenes of a folder, sorted by path. Adds to *left_out_count the number of scenes beyond PD_GALLERY_OWN. */
static void add_folder_scenes(pd_gallery *gallery, const char *folder, int *left_out_count) {
    char path[PD_MAX_PATH], text[PD_GALLERY_NOTE];
    int first = gallery->count;
    pd_listing *listing = pd_listing_open(folder);
    if (!listing) {
        snprintf(text, sizeof text, "cannot read the folder '%.250s': %s", folder, strerror(errno));
        add_note_for_user(gallery, text);
        return;
    }
    for (const char *name; (name = pd_listing_next(listing));) {
        if (!make_scene_path(folder, name, path, sizeof path)) continue;
        if (gallery->count >= PD_GALLERY_OWN || !add_scene(gallery, path, "Your own", -1)) ++*left_out_count;
    }
    pd_listing_close(listing);
    sort_scenes_from(gallery, first);
}

/* Writes the folder part of a path: "scenes" for "scenes/drop.yaml", "" for "drop.yaml". */
static void extract_folder(const char *path, char *folder, size_t size) {
    const char *slash = strrchr(path, '/');
    snprintf(folder, size, "%.*s", slash ? (int)(slash - path) + (slash == path) : 0, path);
}

void pd_gallery_list(pd_gallery *gallery, const char *opened_path) {
    char bundled[PD_MAX_PATH], folder[PD_MAX_PATH], saved[PD_MAX_PATH], text[PD_GALLERY_NOTE];
    const char *folders[] = {folder, ".", saved};
    seen_folders seen = {0};
    int left_out_count = 0;
    *gallery = (pd_gallery){0};
    if (pd_data_find_file("scenes", bundled, sizeof bundled, NULL) == PD_OK) add_seen_folder(&seen, bundled);
    pd_settings_find_output_folder(saved, sizeof saved);
    if (!pd_os_exists(saved)) *saved = '\0'; /* the folder is missing if no file was saved yet */
    extract_folder(opened_path, folder, sizeof folder);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (*folders[i] && add_seen_folder(&seen, folders[i])) add_folder_scenes(gallery, folders[i], &left_out_count);
    gallery->own = gallery->count;
    add_bundled_scenes(gallery);
    if (left_out_count == 0) return;
    snprintf(text, sizeof text, "%d more files are not shown (drop a file on the window to open it)", left_out_count);
    add_note_for_user(gallery, text);
}

static bool is_same_file_unchanged(const pd_gallery_scene *a, const pd_gallery_scene *b) {
    return a->bytes >= 0 && a->bytes == b->bytes && a->changed == b->changed && strcmp(a->path, b->path) == 0;
}

static void copy_description(pd_gallery_scene *scene, const pd_gallery_scene *earlier) {
    scene->described = earlier->described;
    if (earlier->state == PD_GALLERY_BROKEN) scene->state = PD_GALLERY_BROKEN;
    scene->method = earlier->method;
    scene->key = earlier->key;
    memcpy(scene->title, earlier->title, sizeof scene->title);
    memcpy(scene->about, earlier->about, sizeof scene->about);
    memcpy(scene->error, earlier->error, sizeof scene->error);
}

void pd_gallery_copy_descriptions(pd_gallery *gallery, const pd_gallery *earlier) {
    for (int i = 0; i < gallery->count; i++)
        for (int j = 0; j < earlier->count; j++)
            if (is_same_file_unchanged(&gallery->scenes[i], &earlier->scenes[j]))
                copy_description(&gallery->scenes[i], &earlier->scenes[j]);
}

bool pd_gallery_has_tile(const pd_gallery_scene *scene) {
    return scene->state != PD_GALLERY_BROKEN && (scene->place >= 0 || scene->described);
}

void pd_gallery_free(pd_gallery *gallery) {
    for (int i = 0; i < gallery->count; i++) free(gallery->scenes[i].path);
    pd_memory_free(gallery->scenes);
    *gallery = (pd_gallery){0};
}

/* Returns the index of the first scene in a state among the indices `first` to `last`. -1: none. */
static int find_scene_in_state(const pd_gallery *gallery, pd_gallery_state state, int first, int last) {
    for (int i = first < 0 ? 0 : first; i <= last && i < gallery->count; i++)
        if (gallery->scenes[i].state == state) return i;
    return -1;
}

int pd_gallery_find_unfinished(const pd_gallery *gallery, int first_visible, int last_visible) {
    for (pd_gallery_state state = PD_GALLERY_UNREAD; state <= PD_GALLERY_PENDING; state++) {
        int found = find_scene_in_state(gallery, state, first_visible, last_visible);
        if (found < 0) found = find_scene_in_state(gallery, state, 0, gallery->count - 1);
        if (found >= 0) return found;
    }
    return -1;
}

int pd_gallery_finished_count(const pd_gallery *gallery) {
    int done = 0;
    for (int i = 0; i < gallery->count; i++) done += gallery->scenes[i].state > PD_GALLERY_PENDING;
    return done;
}

int pd_gallery_describe_broken_files(const pd_gallery *gallery, int index, char *text, size_t size) {
    char folder[PD_MAX_PATH], other[PD_MAX_PATH];
    const pd_gallery_scene *first = NULL;
    int broken = 0;
    *text = '\0';
    for (int from = index; index < gallery->own; index++) {
        const pd_gallery_scene *scene = &gallery->scenes[index];
        extract_folder(scene->path, other, sizeof other);
        if (index == from) strcpy(folder, other);
        if (strcmp(folder, other) != 0) break;
        if (scene->state != PD_GALLERY_BROKEN) continue;
        if (broken++ == 0) first = scene;
    }
    if (broken == 0) return index;
    int reason = (int)(strstr(first->error, " (") ? strstr(first->error, " (") - first->error : PD_GALLERY_NOTE);
    snprintf(other, sizeof other, *folder ? "'%.200s'" : "the current folder", folder);
    if (broken == 1)
        snprintf(text, size, "1 file of %s is not a scene (%.*s)", other, reason, first->error);
    else
        snprintf(text, size, "%d files of %s are not scenes (first: %.*s)", broken, other, reason, first->error);
    return index;
}

static bool is_letter(char c) { return ((c | 32) >= 'a' && (c | 32) <= 'z') || (unsigned char)c >= 0x80; }

/* Returns whether a word of a text begins with the `length` bytes of `word`. Case of ASCII letters does not matter. */
static bool has_word(const char *text, const char *word, size_t length) {
    for (const char *c = text; *c; c++)
        if ((c == text || !is_letter(c[-1])) && strncasecmp(c, word, length) == 0) return true;
    return false;
}

bool pd_gallery_scene_matches_search(const pd_gallery_scene *scene, const char *search, bool by_name) {
    enum { NAMES = 2, TEXTS = 6 };
    const char *const texts[TEXTS] = {scene->title,
                                      pd_gallery_file_name(scene),
                                      scene->group,
                                      scene->about,
                                      scene->method ? scene->method->name : "",
                                      scene->method ? scene->method->title : ""};
    for (search += strspn(search, " "); *search; search += strspn(search, " ")) {
        size_t length = strcspn(search, " "), stem = length - (length > 3 && (search[length - 1] | 32) == 's');
        bool found = false;
        for (int i = 0; i < (by_name ? NAMES : TEXTS) && !found; i++) found = has_word(texts[i], search, stem);
        if (!found) return false;
        search += length;
    }
    return true;
}
