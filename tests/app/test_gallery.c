/* What the browser of scenes stands on, without a window: the scenes that there are, and the pictures that are kept of them. */
#include "test.h"

#include "app/device/thumbnails.h"
#include "app/io/gallery.h"
#include "core/file.h"
#include "record/png.h"
#include "scene/file/scene_files.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[TEMPORARY_SIZE], kept[224];
static uint8_t drawn[PD_THUMBNAIL_BYTES], read_back[PD_THUMBNAIL_BYTES];

/* Each test begins in an empty folder, with the cache in its folder "cache". */
static int set_up(void **state) {
    (void)state;
    char cache[TEMPORARY_SIZE + 8];
    if (!mkdtemp(temporary_template(folder)) || chdir(folder)) return -1;
    snprintf(cache, sizeof cache, "%s/cache", folder);
    snprintf(kept, sizeof kept, "%s/puddle/thumbnails", cache);
    setenv("XDG_CACHE_HOME", cache, 1);
    setenv("HOME", folder, 1);
    uint32_t noise = 1; /* which does not compress */
    for (int i = 0; i < PD_THUMBNAIL_BYTES; i++) drawn[i] = (uint8_t)((noise = noise * 1664525 + 1013904223) >> 24);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    char command[192];
    snprintf(command, sizeof command, "chmod -R u+rwx '%s' && rm -rf '%s'", folder, folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* In a process of its own, as another user where this one may do everything; skips the test where there is no other. */
static void as_plain_user(bool (*check)(void)) {
    int status;
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534)) _exit(77);
        _exit(check() ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) skip();
    assert_int_equal(status, 0);
}

/* ---- The scenes that there are ---- */

static const pd_gallery_scene *find(const pd_gallery *gallery, const char *path) {
    for (int i = 0; i < gallery->count; i++)
        if (strcmp(gallery->scenes[i].path, path) == 0) return &gallery->scenes[i];
    return NULL;
}

/* Returns the number of bundled scenes, which come after the user's. */
static int count_bundled(const pd_gallery *gallery) { return gallery->count - gallery->own; }

static void test_the_users_scenes_come_first(void **state) {
    (void)state;
    pd_gallery gallery;
    assert_int_equal(mkdir("other", 0755), 0);
    assert_int_equal(mkdir("folder.yaml", 0755), 0);
    write_text("b.yml", "puddle: 1\n");
    write_text("a.yaml", "puddle: 1\n");
    write_text("c.puddle", "");
    write_text(".hidden.yaml", "puddle: 1\n");
    write_text("notes.txt", "puddle: 1\n");
    write_text(".yaml", "puddle: 1\n");
    write_text("other/z.yaml", "puddle: 1\n");
    pd_gallery_list(&gallery, "other/z.yaml");
    assert_int_equal(gallery.own, 4);
    assert_true(count_bundled(&gallery) > 30);
    assert_int_equal(gallery.note_count, 0);
    for (int i = 0; i < gallery.count; i++) {
        assert_int_equal(gallery.scenes[i].place < 0, i < gallery.own);
        assert_int_equal(gallery.scenes[i].state, PD_GALLERY_UNREAD);
    }
    for (int i = gallery.own + 1; i < gallery.count; i++)
        assert_true(gallery.scenes[i - 1].place < gallery.scenes[i].place);
    const char *own[] = {"other/z.yaml", "a.yaml", "b.yml", "c.puddle"};
    for (int i = 0; i < 4; i++) assert_string_equal(gallery.scenes[i].path, own[i]);
    assert_string_equal(gallery.scenes[0].group, "Your own");
    assert_string_equal(gallery.scenes[4].group, "Water");
    assert_true(pd_gallery_is_snapshot(find(&gallery, "c.puddle")));
    pd_gallery_free(&gallery);
    assert_int_equal(gallery.count, 0);
}

/* The next list of scenes keeps the title and state of each unchanged file. Broken and new files have no tile. */
static void test_descriptions_of_unchanged_files_are_copied(void **state) {
    (void)state;
    pd_gallery earlier, later;
    write_text("same.yaml", "puddle: 1\n");
    write_text("longer.yaml", "puddle: 1\n");
    write_text("touched.yaml", "puddle: 1\n");
    write_text("broken.yaml", "nonsense\n");
    pd_gallery_list(&earlier, "");
    for (int i = 0; i < earlier.own; i++) {
        pd_gallery_scene *scene = &earlier.scenes[i];
        scene->described = true;
        scene->state = strcmp(scene->path, "broken.yaml") == 0 ? PD_GALLERY_BROKEN : PD_GALLERY_DRAWN;
        snprintf(scene->title, sizeof scene->title, "Title");
        scene->key = 7;
    }
    write_text("longer.yaml", "puddle: 1\nname: x\n");
    write_text("new.yaml", "puddle: 1\n");
    const struct timespec times[2] = {{1, 0}, {1, 0}};
    assert_int_equal(utimensat(AT_FDCWD, "touched.yaml", times, 0), 0);
    pd_gallery_list(&later, "");
    pd_gallery_copy_descriptions(&later, &earlier);
    pd_gallery_free(&earlier);
    const pd_gallery_scene *same = find(&later, "same.yaml");
    assert_string_equal(same->title, "Title");
    assert_int_equal(same->key, 7);
    assert_int_equal(same->state, PD_GALLERY_UNREAD); /* its picture is to be read */
    assert_true(pd_gallery_has_tile(same));
    assert_int_equal(find(&later, "broken.yaml")->state, PD_GALLERY_BROKEN);
    static const char *const without[] = {"longer.yaml", "touched.yaml", "new.yaml", "broken.yaml"};
    for (int i = 0; i < 4; i++) assert_false(pd_gallery_has_tile(find(&later, without[i])));
    assert_string_equal(find(&later, "longer.yaml")->title, "longer.yaml");
    pd_gallery_free(&later);
}

/* Every bundled scene has a picture and a group, and the groups are those of the browser, each in one piece. */
static void test_bundled_scenes_have_pictures_and_groups(void **state) {
    (void)state;
    static const char *const groups[] = {"Water", "Smoke and dye", "Materials", "Machines", "Vortices", "Experiments"};
    pd_gallery gallery;
    int group = 0;
    pd_gallery_list(&gallery, "");
    assert_int_equal(gallery.own, 0);
    for (int i = 0; i < gallery.count; i++) {
        char path[512];
        const char *name = pd_gallery_file_name(&gallery.scenes[i]);
        snprintf(path, sizeof path, "%s/../thumbnails/%.*s.png", PUDDLE_SCENES, (int)strcspn(name, "."), name);
        if (access(path, R_OK) != 0) fail_msg("'%s' has no picture (scripts/update-thumbnails.sh)", name);
        if (strcmp(gallery.scenes[i].group, groups[group]) != 0) group++;
        assert_true(group < 6);
        assert_string_equal(gallery.scenes[i].group, groups[group]);
    }
    assert_int_equal(group, 5);
    pd_gallery_free(&gallery);
}

/* Words of the search match the title, file name, group, method and description, in any case. */
static void test_search(void **state) {
    (void)state;
    char path[] = "scenes/dam-break.yaml";
    const pd_gallery_scene scene = {.path = path,
                                    .group = "Water",
                                    .title = "Dam break",
                                    .method = pd_method_find("ddr"),
                                    .about = "A column of water stands at the left wall."};
    static const char *const matching[] = {"",    "dam",    "DAM",     "water column", "dam-break.y",
                                           "ddr", "double", "left dam"};
    static const char *const other[] = {"qq", "dam honey", "scenes"};
    for (int i = 0; i < 8; i++)
        if (!pd_gallery_scene_matches_search(&scene, matching[i], false)) fail_msg("'%s' does not match", matching[i]);
    for (int i = 0; i < 3; i++)
        if (pd_gallery_scene_matches_search(&scene, other[i], false)) fail_msg("'%s' matches", other[i]);
}

/* What people look for is found in the comments of the bundled scenes. */
static void test_words_find_bundled_scenes(void **state) {
    (void)state;
    static const char *const words[][2] = {
        {"wave", "dam-break"},           {"waves", "pool"},       {"sea", "flip-splash"},
        {"smoke", "smoke-plume"},        {"fire", "smoke-plume"}, {"drops", "drop"},
        {"glass", "hourglass"},          {"honey", "honey"},      {"oil", "oil-and-water"},
        {"water wheel", "obstacles"},    {"wheel", "marble-run"}, {"fountain", "fountain"},
        {"tornado", "vortex-in-a-bowl"}, {"Syrup thick", "honey"}};
    pd_gallery gallery;
    pd_gallery_list(&gallery, "");
    for (int i = 0; i < gallery.count; i++) {
        pd_gallery_scene *scene = &gallery.scenes[i];
        pd_scene_read_comment(scene->path, scene->about, sizeof scene->about);
        if (!strstr(scene->about, "\nShows: ")) fail_msg("%s has no line 'Shows:'", scene->path);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char file[64];
        int shown = 0;
        bool found = false;
        snprintf(file, sizeof file, "%s.yaml", words[i][1]);
        for (int k = 0; k < gallery.count; k++) {
            if (!pd_gallery_scene_matches_search(&gallery.scenes[k], words[i][0], false)) continue;
            shown++;
            found |= strcmp(pd_gallery_file_name(&gallery.scenes[k]), file) == 0;
        }
        if (!found || shown > gallery.count / 2) fail_msg("'%s' shows %d scenes", words[i][0], shown);
    }
    pd_gallery_free(&gallery);
}

/* Broken files of a folder are counted in one line. */
static void test_broken_files_are_counted(void **state) {
    (void)state;
    pd_gallery gallery;
    char text[PD_GALLERY_NOTE];
    write_text("a.yaml", "nothing: 1\n");
    write_text("b.yaml", "puddle: 1\n");
    write_text("c.yaml", "puddle: 2\n");
    pd_gallery_list(&gallery, "");
    assert_int_equal(gallery.own, 3);
    assert_int_equal(pd_gallery_describe_broken_files(&gallery, 0, text, sizeof text), 3);
    assert_string_equal(text, "");
    gallery.scenes[0].state = gallery.scenes[2].state = PD_GALLERY_BROKEN;
    strcpy(gallery.scenes[0].error, "a.yaml: no key 'puddle'");
    pd_gallery_describe_broken_files(&gallery, 0, text, sizeof text);
    print_message("%s\n", text);
    assert_non_null(strstr(text, "2 files of "));
    assert_non_null(strstr(text, "are not scenes (first: a.yaml"));
    pd_gallery_free(&gallery);
}

static void test_a_folder_is_listed_once(void **state) {
    (void)state;
    pd_gallery gallery;
    char path[TEMPORARY_SIZE + 8];
    write_text("a.yaml", "puddle: 1\n");
    snprintf(path, sizeof path, "%s/a.yaml", folder); /* by another name: HOME, the current folder and this are one */
    pd_gallery_list(&gallery, path);
    assert_int_equal(gallery.own, 1);
    pd_gallery_free(&gallery);
    pd_gallery_list(&gallery, PUDDLE_SCENES "/drop.yaml"); /* it is bundled */
    assert_int_equal(gallery.own, 1);
    assert_string_equal(gallery.scenes[0].path, "a.yaml");
    pd_gallery_free(&gallery);
}

static void test_too_many_scenes_are_told(void **state) {
    (void)state;
    pd_gallery gallery;
    for (int i = 0; i < PD_GALLERY_OWN + 3; i++) {
        char path[32];
        snprintf(path, sizeof path, "s%03d.yaml", i);
        write_text(path, "puddle: 1\n");
    }
    pd_gallery_list(&gallery, "");
    assert_int_equal(gallery.own, PD_GALLERY_OWN);
    assert_int_equal(gallery.note_count, 1);
    assert_non_null(strstr(gallery.notes[0], "3 more files are not shown"));
    pd_gallery_free(&gallery);
}

static bool tells_of_locked_folder(void) {
    pd_gallery gallery;
    pd_gallery_list(&gallery, "locked/a.yaml");
    bool fine = gallery.own == 0 && gallery.note_count == 1 &&
                strstr(gallery.notes[0], "cannot read the folder 'locked': Permission denied");
    pd_gallery_free(&gallery);
    return fine;
}

static void test_a_folder_that_cannot_be_read_is_told(void **state) {
    (void)state;
    pd_gallery gallery;
    pd_gallery_list(&gallery, "gone/a.yaml");
    assert_int_equal(gallery.own, 0);
    assert_int_equal(gallery.note_count, 1);
    assert_non_null(strstr(gallery.notes[0], "cannot read the folder 'gone': No such file"));
    pd_gallery_free(&gallery);
    assert_int_equal(mkdir("locked", 0000), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    as_plain_user(tells_of_locked_folder);
}

static void test_without_data_the_users_scenes_are_there(void **state) {
    (void)state;
    pd_gallery gallery;
    write_text("a.yaml", "puddle: 1\n");
    assert_int_equal(mkdir("data", 0755), 0);
    assert_int_equal(mkdir("data/scenes", 0755), 0);
    setenv("PUDDLE_DATA", "data", 1);
    pd_gallery_list(&gallery, "");
    unsetenv("PUDDLE_DATA");
    assert_int_equal(count_bundled(&gallery), 0);
    assert_int_equal(gallery.count, 1);
    pd_gallery_free(&gallery);
}

static void test_what_is_in_sight_is_read_and_drawn_first(void **state) {
    (void)state;
    pd_gallery_scene scenes[5] = {0};
    pd_gallery gallery = {.scenes = scenes, .count = 5};
    const int order[] = {2, 3, 0, 1, 4, 2, 3, 0, 1, 4};
    for (int i = 0; i < 10; i++) {
        int next = pd_gallery_find_unfinished(&gallery, 2, 3);
        assert_int_equal(next, order[i]);
        assert_int_equal(pd_gallery_finished_count(&gallery), i < 5 ? 0 : i - 5); /* read is not drawn */
        scenes[next].state = i < 5 ? PD_GALLERY_PENDING : PD_GALLERY_DRAWN;
    }
    assert_int_equal(pd_gallery_find_unfinished(&gallery, 2, 3), -1);
    scenes[4].state = PD_GALLERY_BROKEN;
    assert_int_equal(pd_gallery_finished_count(&gallery), 5);
    assert_int_equal(pd_gallery_find_unfinished(&gallery, 2, 3), -1);
    assert_int_equal(pd_gallery_find_unfinished(&(pd_gallery){0}, 0, -1), -1);
}

/* ---- The pictures that are kept ---- */

static int files_kept(void) {
    DIR *directory = opendir(kept);
    int count = 0;
    for (struct dirent *entry = directory ? readdir(directory) : NULL; entry; entry = readdir(directory))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (directory) closedir(directory);
    return count;
}

static const char *file_of(uint64_t key) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%016llx.png", kept, (unsigned long long)key);
    return path;
}

static bool loads(uint64_t key) {
    memset(read_back, 0, sizeof read_back);
    return pd_thumbnail_read_cached(key, read_back) && memcmp(read_back, drawn, sizeof drawn) == 0;
}

static void test_a_picture_is_kept_by_its_content(void **state) {
    (void)state;
    struct stat status;
    uint64_t key = pd_thumbnail_compute_key("puddle: 1", 9), changed = pd_thumbnail_compute_key("puddle: 2", 9);
    assert_true(key != changed && key != 0);
    assert_false(loads(key));
    pd_thumbnail_write_cached(key, drawn);
    assert_true(loads(key));
    assert_false(loads(changed));
    assert_int_equal(files_kept(), 1);
    assert_int_equal(stat(kept, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
}

static void test_without_xdg_it_is_below_home(void **state) {
    (void)state;
    uint64_t key = pd_thumbnail_compute_key("x", 1);
    setenv("XDG_CACHE_HOME", "relative", 1); /* is to be ignored */
    pd_thumbnail_write_cached(key, drawn);
    assert_int_not_equal(access("relative", F_OK), 0);
    snprintf(kept, sizeof kept, "%s/.cache/puddle/thumbnails", folder);
    assert_int_equal(access(file_of(key), F_OK), 0);
    unsetenv("XDG_CACHE_HOME");
    assert_true(loads(key));
}

static void test_damaged_pictures_are_replaced(void **state) {
    (void)state;
    static const uint8_t small[30 * 3];
    uint64_t key = pd_thumbnail_compute_key("x", 1);
    for (int fault = 0; fault < 5; fault++) {
        pd_thumbnail_write_cached(key, drawn);
        assert_true(loads(key));
        const char *path = file_of(key);
        FILE *file = fopen(path, "rb+");
        assert_non_null(file);
        fseek(file, 0, SEEK_END);
        long size = ftell(file);
        if (fault == 0) assert_int_equal(truncate(path, 0), 0);
        if (fault == 1) assert_int_equal(truncate(path, size / 2), 0);
        if (fault == 2) fseek(file, size / 2, SEEK_SET), fputs("these bytes are wrong", file);
        if (fault == 3) fseek(file, 0, SEEK_SET), fputs("GIF89a", file);
        fclose(file);
        if (fault == 4)
            assert_int_equal(pd_png_write_file(path, &(pd_pixels){.width = 6, .height = 5}, small, NULL), PD_OK);
        assert_false(loads(key));
    }
    pd_thumbnail_write_cached(key, drawn);
    assert_true(loads(key));
    assert_int_equal(files_kept(), 1);
}

static bool stores_nothing(void) {
    uint64_t key = pd_thumbnail_compute_key("x", 1);
    pd_thumbnail_write_cached(key, drawn);
    return !loads(key) && files_kept() == 0;
}

static void test_a_cache_that_cannot_be_written_is_none(void **state) {
    (void)state;
    write_text("cache", "a file is in its place\n");
    assert_true(stores_nothing());
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    assert_true(stores_nothing());
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_true(stores_nothing());
    char locked[TEMPORARY_SIZE + 8];
    snprintf(locked, sizeof locked, "%s/locked", folder);
    assert_int_equal(mkdir(locked, 0555), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    setenv("XDG_CACHE_HOME", locked, 1);
    as_plain_user(stores_nothing);
}

/* The limit of a file's size stands for a full disk: both end a write in the middle. */
static bool stores_nothing_without_room(void) {
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {.rlim_cur = 5000, .rlim_max = 5000};
    return setrlimit(RLIMIT_FSIZE, &limit) == 0 && stores_nothing();
}

static void test_a_full_disk_leaves_nothing_behind(void **state) {
    (void)state;
    assert_int_equal(chmod(folder, 0777), 0);
    as_plain_user(stores_nothing_without_room);
    assert_int_equal(access(kept, F_OK), 0); /* so it came to the file */
}

static void set_age(uint64_t key, int hours) {
    struct timespec times[2] = {{.tv_sec = 1700000000 - 3600L * hours}, {.tv_sec = 1700000000 - 3600L * hours}};
    assert_int_equal(utimensat(AT_FDCWD, file_of(key), times, 0), 0);
}

/* The oldest one is used again, so it stays, and the one after it goes. */
static void test_the_least_recently_used_are_removed(void **state) {
    (void)state;
    enum { LEAST = 1000 };
    for (uint64_t key = LEAST; key < LEAST + PD_THUMBNAILS_KEPT; key++) {
        if (key == LEAST)
            pd_thumbnail_write_cached(key, drawn);
        else
            write_text(file_of(key), "");
        set_age(key, LEAST + PD_THUMBNAILS_KEPT - (int)key);
    }
    assert_true(loads(LEAST));
    pd_thumbnail_write_cached(1, drawn);
    assert_int_equal(files_kept(), PD_THUMBNAILS_KEPT);
    assert_true(loads(LEAST));
    assert_true(loads(1));
    assert_int_not_equal(access(file_of(LEAST + 1), F_OK), 0);
    assert_int_equal(access(file_of(LEAST + 2), F_OK), 0);
}

/* The folder may hold what is not puddle's: old as it is, it stays, and does not count. */
static void test_files_of_others_are_kept(void **state) {
    (void)state;
    static const char *const others[] = {
        "holiday.png",         "0123456789abcdef.jpg", "0123456789ABCDEF.png",    "0123456789abcdef0.png",
        "0123456789abcde.png", ".puddle-mine.tmp",     "0123456789abcdef.png.bak"};
    enum { OTHERS = sizeof others / sizeof *others };
    static const struct timespec old[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    char path[256];
    pd_thumbnail_write_cached(1, drawn);
    for (int i = 0; i < OTHERS; i++) {
        snprintf(path, sizeof path, "%s/%s", kept, others[i]);
        write_text(path, "mine");
        assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    }
    for (uint64_t key = 2; key <= PD_THUMBNAILS_KEPT; key++) write_text(file_of(key), "");
    pd_thumbnail_write_cached(PD_THUMBNAILS_KEPT, drawn);
    assert_int_equal(files_kept(), PD_THUMBNAILS_KEPT + OTHERS);
    for (int i = 0; i < OTHERS; i++) {
        snprintf(path, sizeof path, "%s/%s", kept, others[i]);
        if (access(path, F_OK) != 0) fail_msg("%s was removed", others[i]);
    }
}

/* A pipe in the place of a picture does not block, and a link is not followed. */
static void test_pipes_and_links_are_replaced(void **state) {
    (void)state;
    uint64_t key = pd_thumbnail_compute_key("x", 1);
    pd_thumbnail_write_cached(key, drawn);
    assert_int_equal(unlink(file_of(key)), 0);
    assert_int_equal(mkfifo(file_of(key), 0600), 0);
    assert_false(loads(key));
    pd_thumbnail_write_cached(key, drawn);
    assert_true(loads(key));
    assert_int_equal(unlink(file_of(key)), 0);
    write_text("precious", "mine");
    char precious[TEMPORARY_SIZE + 16];
    snprintf(precious, sizeof precious, "%s/precious", folder);
    assert_int_equal(symlink(precious, file_of(key)), 0);
    pd_thumbnail_write_cached(key, drawn);
    assert_true(loads(key));
    struct stat status;
    assert_int_equal(stat(precious, &status), 0);
    assert_int_equal(status.st_size, 4);
    char picture[] = "picture.png";
    assert_int_equal(rename(file_of(key), picture), 0);
    snprintf(precious, sizeof precious, "%s/%s", folder, picture);
    assert_int_equal(symlink(precious, file_of(key)), 0);
    assert_false(loads(key));
}

TEST_GROUP(gallery) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_users_scenes_come_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_descriptions_of_unchanged_files_are_copied, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bundled_scenes_have_pictures_and_groups, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_search, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_words_find_bundled_scenes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_broken_files_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_folder_is_listed_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_too_many_scenes_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_folder_that_cannot_be_read_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without_data_the_users_scenes_are_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_in_sight_is_read_and_drawn_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_picture_is_kept_by_its_content, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without_xdg_it_is_below_home, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damaged_pictures_are_replaced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_cache_that_cannot_be_written_is_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_full_disk_leaves_nothing_behind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_least_recently_used_are_removed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_files_of_others_are_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pipes_and_links_are_replaced, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
