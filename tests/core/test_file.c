#define _GNU_SOURCE /* RTLD_NEXT */
#include "core/error.h"
#include "core/file.h"
#include "folder.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

static bool no_memory;  /* the system has none for what the functions below ask for */
static bool only_named; /* the file system has no files without a name */
static bool no_locks;   /* the file system has no locks */
static bool shared;     /* other machines have mounted the file system */

int open(const char *path, int flags, ...) {
    int (*next)(const char *, int, ...);
    va_list arguments;
    va_start(arguments, flags);
    bool unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    mode_t mode = unnamed || flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    *(void **)&next = dlsym(RTLD_NEXT, "open");
    if (!only_named || !unnamed) return next(path, flags, mode);
    errno = EOPNOTSUPP;
    return -1;
}

FILE *fdopen(int file, const char *mode) {
    FILE *(*next)(int, const char *);
    *(void **)&next = dlsym(RTLD_NEXT, "fdopen");
    errno = ENOMEM;
    return no_memory ? NULL : next(file, mode);
}

ssize_t read(int file, void *bytes, size_t size) {
    ssize_t (*next)(int, void *, size_t);
    *(void **)&next = dlsym(RTLD_NEXT, "read");
    if (no_memory) errno = ENOMEM;
    return no_memory ? -1 : next(file, bytes, size);
}

int fcntl(int file, int command, ...) {
    int (*next)(int, int, ...);
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    *(void **)&next = dlsym(RTLD_NEXT, "fcntl");
    bool refused = no_locks && command == F_OFD_SETLK;
    if (refused) errno = ENOLCK;
    return refused ? -1 : next(file, command, argument);
}

int statfs(const char *path, struct statfs *status) {
    int (*next)(const char *, struct statfs *);
    *(void **)&next = dlsym(RTLD_NEXT, "statfs");
    int result = next(path, status);
    if (shared) status->f_type = NFS_SUPER_MAGIC;
    return result;
}

static void assert_holds(const char *path, const char *text) {
    void *bytes;
    size_t size;
    assert_int_equal(pd_file_read(path, 1000, &bytes, &size, NULL), PD_OK);
    assert_string_equal(bytes, text);
    free(bytes);
}

static void assert_link(const char *path, const char *to) {
    char text[100] = "";
    assert_true(readlink(path, text, sizeof text - 1) > 0);
    assert_string_equal(text, to);
}

static void test_links_are_followed(void **state) {
    (void)state;
    assert_int_equal(mkdir("inner", 0700), 0);
    assert_int_equal(symlink("inner/first", "link"), 0);
    assert_int_equal(symlink("second", "inner/first"), 0); /* relative to the link's folder */
    assert_int_equal(pd_file_check_writable("link", NULL), PD_OK);
    assert_int_equal(pd_file_write("link", "one", 3, NULL), PD_OK);
    assert_link("link", "inner/first");
    assert_link("inner/first", "second");
    assert_holds("inner/second", "one");
    assert_int_equal(pd_file_write("link", "two", 3, NULL), PD_OK);
    assert_link("link", "inner/first");
    assert_holds("inner/second", "two");

    pd_error error;
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_int_equal(pd_file_write("loop", "x", 1, &error), PD_FAILED);
    assert_non_null(strstr(error.message, strerror(ELOOP)));
    assert_int_equal(symlink("nowhere/file", "lost"), 0);
    assert_int_equal(pd_file_check_writable("lost", &error), PD_FAILED);
    assert_int_equal(pd_file_write("lost", "x", 1, &error), PD_FAILED);
    assert_link("lost", "nowhere/file");
}

static void test_the_same_file(void **state) {
    (void)state;
    assert_int_equal(pd_file_write("a", "a", 1, NULL), PD_OK);
    assert_int_equal(pd_file_write("b", "a", 1, NULL), PD_OK);
    assert_int_equal(link("a", "hard"), 0);
    assert_int_equal(symlink("a", "soft"), 0);
    assert_int_equal(symlink("c", "dangling"), 0);
    assert_true(pd_file_is_same("a", "./a"));
    assert_true(pd_file_is_same("a", "hard"));
    assert_true(pd_file_is_same("soft", "hard"));
    assert_false(pd_file_is_same("a", "b"));
    assert_false(pd_file_is_same("a", "c"));
    /* files that do not exist */
    char whole[TEMPORARY_SIZE + 8];
    snprintf(whole, sizeof whole, "%s/c", folder);
    assert_true(pd_file_is_same("c", "c"));
    assert_true(pd_file_is_same("c", "./c"));
    assert_true(pd_file_is_same("c", whole));
    assert_true(pd_file_is_same("dangling", "c"));
    assert_false(pd_file_is_same("c", "d"));
    assert_false(pd_file_is_same("c", "inner/c"));
    assert_true(pd_file_is_same("missing/c", "missing/c"));
    assert_false(pd_file_is_same("missing/c", "missing/d"));
}

/* A file inside the folder, or at the path of the folder or of one above it. */
static void test_files_in_the_way_of_a_folder(void **state) {
    (void)state;
    static const char *const in_the_way[][2] = {
        {"film/a", "film"},
        {"./film/a", "film/"},
        {"film/../film/a", "./film"},
        {"film", "film"},
        {"film", "film/deep/er"},
        {"to-film/a", "film"},
        {"film/a", "to-film"},
        {"to-a", "film"},
        {"a", "."},
        {"/a", "/"},
        {"new/a", "new"},
        {"new/../new/./a", "new"},
        {"new", "new/deep"},
        {"/", "new"},
        {"new//a", "./new/"},
    };
    static const char *const beside[][2] = {
        {"film.csv", "film"},
        {"film/deep/a", "film"},
        {"a", "film"},
        {"new/a", "new/film"},
        {"new/film.csv", "new/film"},
        {"fil", "film"},
        {"loop", "film"},
        {"/a", "."},
        {"new", "newer"},
        {"new/../a", "new"},
    };
    assert_int_equal(mkdir("film", 0700), 0);
    assert_int_equal(symlink("film", "to-film"), 0);
    assert_int_equal(symlink("film/to-be", "to-a"), 0);
    for (size_t i = 0; i < sizeof in_the_way / sizeof *in_the_way; i++)
        if (!pd_file_conflicts_with_frame_folder(in_the_way[i][0], in_the_way[i][1]))
            fail_msg("%s is in the way of %s", in_the_way[i][0], in_the_way[i][1]);
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        if (pd_file_conflicts_with_frame_folder(beside[i][0], beside[i][1]))
            fail_msg("%s is not in the way of %s", beside[i][0], beside[i][1]);
}

/* Publishing replaces the old file by what was printed before; what is printed later is appended to it. */
static void test_published_while_it_is_written(void **state) {
    (void)state;
    pd_output output;
    assert_int_equal(pd_file_write("log", "old", 3, NULL), PD_OK);
    assert_int_equal(pd_output_open(&output, "log", NULL), PD_OK);
    fputs("one", output.stream);
    fflush(output.stream);
    assert_holds("log", "old");
    assert_int_equal(pd_output_publish_partial(&output, NULL), PD_OK);
    assert_holds("log", "one");
    fputs(" two", output.stream);
    assert_int_equal(pd_output_commit(&output, NULL), PD_OK);
    assert_holds("log", "one two");
    assert_int_equal(mkdir("there", 0700), 0);
    assert_int_equal(rename("log", "there/log"), 0);
    assert_int_equal(pd_output_open(&output, "there/log", NULL), PD_OK);
    assert_int_equal(rename("there", "gone"), 0);
    assert_int_equal(pd_output_publish_partial(&output, NULL), PD_FAILED);
    assert_null(output.stream);
    assert_holds("gone/log", "one two");
}

/* Entries of a folder. */
static int count_in(const char *path) {
    DIR *listing = opendir(path);
    int count = -2; /* "." and ".." */
    assert_non_null(listing);
    while (readdir(listing)) count++;
    closedir(listing);
    return count;
}

/* Until it is complete a file has no name, so that a killed process leaves none. */
static void test_a_killed_process_leaves_nothing(void **state) {
    (void)state;
    int status, file = pd_os_open_nameless(".");
    if (file < 0) skip(); /* the file system has no such files */
    close(file);
    assert_int_equal(mkdir("killed", 0700), 0);
    assert_int_equal(pd_file_write("killed/rows", "old", 3, NULL), PD_OK);
    assert_int_equal(chmod("killed/rows", 0640), 0);
    pid_t child = fork();
    if (child == 0) {
        pd_output output;
        if (pd_output_open(&output, "killed/rows", NULL) != PD_OK) _exit(1);
        fputs("new", output.stream);
        fflush(output.stream);
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(count_in("killed"), 1);
    assert_holds("killed/rows", "old");
    assert_int_equal(pd_file_write("killed/rows", "new", 3, NULL), PD_OK);
    assert_int_equal(pd_file_write("killed/fresh", "new", 3, NULL), PD_OK);
    assert_int_equal(count_in("killed"), 2);
    assert_holds("killed/rows", "new");
    struct stat kept;
    assert_int_equal(stat("killed/rows", &kept), 0);
    assert_int_equal(kept.st_mode & 07777, 0640);
    pd_output output;
    assert_int_equal(pd_output_open(&output, "killed/rows", NULL), PD_OK);
    fputs("never", output.stream);
    pd_output_cancel(&output);
    assert_int_equal(count_in("killed"), 2);
    assert_holds("killed/rows", "new");
}

/* File systems without unnamed files: the temporary file has a name until it is complete. */
static void test_without_unnamed_files(void **state) {
    (void)state;
    pd_output output;
    assert_int_equal(mkdir("named", 0700), 0);
    only_named = true;
    assert_int_equal(pd_file_write("named/a", "one", 3, NULL), PD_OK);
    assert_int_equal(pd_output_open(&output, "named/a", NULL), PD_OK);
    assert_int_equal(count_in("named"), 2);
    assert_non_null(strstr(output.temporary, "named/.puddle-"));
    fputs("two", output.stream);
    assert_int_equal(pd_output_publish_partial(&output, NULL), PD_OK);
    assert_int_equal(count_in("named"), 1);
    assert_holds("named/a", "two");
    assert_int_equal(pd_output_commit(&output, NULL), PD_OK);
    assert_int_equal(pd_output_open(&output, "named/a", NULL), PD_OK);
    pd_output_cancel(&output);
    assert_int_equal(pd_output_open(&output, "named/a", NULL), PD_OK);
    assert_int_equal(unlink(output.temporary), 0);
    assert_int_equal(pd_output_publish_partial(&output, NULL), PD_FAILED);
    assert_null(output.stream);
    only_named = false;
    assert_int_equal(count_in("named"), 1);
    assert_holds("named/a", "two");
}

static bool is_free(const char *path) {
    int claim;
    pd_error error = {0};
    pd_result result = pd_file_claim(path, &claim, &error);
    pd_os_unlock(&claim);
    if (result == PD_OK) return true;
    assert_int_equal(result, PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_RECORDING_EXISTS);
    assert_non_null(strstr(error.message, "another puddle is writing it"));
    return false;
}

/* A claim needs no file, holds for every name of the file, and ends with its process. */
static void test_claims(void **state) {
    (void)state;
    int go[2], status, claim;
    char byte;
    assert_int_equal(mkdir("claims", 0700), 0);
    assert_int_equal(symlink("claims", "to-claims"), 0);
    assert_int_equal(symlink("a.csv", "claims/link.csv"), 0);
    assert_int_equal(pipe(go), 0);
    pid_t child = fork();
    if (child == 0) {
        if (pd_file_claim("claims/a.csv", &claim, NULL) != PD_OK || write(go[1], "x", 1) != 1) _exit(1);
        for (;;) pause();
    }
    assert_int_equal(read(go[0], &byte, 1), 1);
    assert_int_equal(count_in("claims"), 1);
    assert_false(is_free("claims/a.csv"));
    assert_false(is_free("to-claims/../claims//a.csv"));
    assert_false(is_free("claims/link.csv"));
    assert_true(is_free("claims/b.csv"));
    assert_true(is_free("a.csv"));
    assert_int_equal(pd_file_write("claims/a.csv", "mine", 4, NULL), PD_OK); /* another file gets the name */
    assert_false(is_free("claims/a.csv"));
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(pd_file_claim("claims/a.csv", &claim, NULL), PD_OK);
    assert_false(is_free("claims/a.csv"));
    pd_os_unlock(&claim);
    assert_true(is_free("claims/a.csv"));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pd_file_claim("/dev/null", &claim, NULL), PD_OK); /* a device is shared */
        assert_int_equal(claim, 0);
    }
    assert_true(is_free("nowhere/a.csv"));
    close(go[0]), close(go[1]);
}

/* Several processes claim one file at the same time: exactly one gets it. */
static void test_claims_at_the_same_time(void **state) {
    (void)state;
    enum { PROCESSES = 6, ROUNDS = 20 };
    for (int round = 0; round < ROUNDS; round++) {
        int go[2], done[2], claim, winners = 0;
        pid_t children[PROCESSES];
        char byte;
        assert_int_equal(pipe(go), 0);
        assert_int_equal(pipe(done), 0);
        for (int i = 0; i < PROCESSES; i++)
            if ((children[i] = fork()) == 0) {
                close(go[1]);
                if (read(go[0], &byte, 1) != 0) _exit(1); /* waits until the writer closes it */
                bool won = pd_file_claim("contested", &claim, NULL) == PD_OK;
                if (write(done[1], won ? "1" : "0", 1) != 1) _exit(1);
                for (;;) pause();
            }
        close(go[0]), close(go[1]);
        for (int i = 0; i < PROCESSES; i++) {
            assert_int_equal(read(done[0], &byte, 1), 1);
            winners += byte == '1';
        }
        close(done[0]), close(done[1]);
        for (int i = 0; i < PROCESSES; i++) {
            kill(children[i], SIGKILL);
            waitpid(children[i], NULL, 0);
        }
        assert_int_equal(winners, 1);
    }
}

/* Neither reading nor replacing waits for the other end of a pipe. */
static void test_no_regular_file_blocks(void **state) {
    (void)state;
    static const char *const names[] = {"fifo", "socket", "/dev/zero", "."};
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    void *bytes;
    size_t size;
    pd_error error;
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    for (int i = 0; i < 4; i++) {
        assert_null(pd_os_open_regular(names[i], true, NULL));
        assert_int_equal(pd_file_read(names[i], 100, &bytes, &size, &error), PD_BAD_INPUT);
        assert_int_equal(pd_file_check_regular(names[i], &error), PD_FAILED);
        assert_non_null(strstr(error.message, "not a regular file"));
    }
    close(listener);
    assert_int_equal(pd_file_check_regular("not there", &error), PD_OK);
    assert_int_equal(pd_file_write_replacing_link("fifo", "one", 3, NULL), PD_OK);
    assert_holds("fifo", "one");
    FILE *file = pd_os_open_regular("fifo", true, NULL);
    assert_non_null(file);
    assert_int_equal(fgetc(file), 'o');
    fclose(file);
}

/* Replacing affects the link itself. The file that the link leads to stays as it was. */
static void test_replacing_a_link(void **state) {
    (void)state;
    pd_output output;
    assert_int_equal(pd_file_write("precious", "kept", 4, NULL), PD_OK);
    assert_int_equal(symlink("precious", "own"), 0);
    assert_int_equal(pd_file_write_replacing_link("own", "one", 3, NULL), PD_OK);
    assert_holds("own", "one");
    assert_int_equal(unlink("own"), 0);
    assert_int_equal(symlink("precious", "own"), 0);
    assert_int_equal(pd_output_open_locked(&output, "own", NULL), PD_OK);
    fputs("two", output.stream);
    assert_int_equal(pd_output_commit(&output, NULL), PD_OK);
    assert_holds("own", "two");
    assert_holds("precious", "kept");
}

/* A file of the program's own is the file at its path: neither a link to a file of somebody else, nor a pipe. */
static void test_own_files(void **state) {
    (void)state;
    static const char *const foreign[] = {"to-precious", "to-nothing", "own-pipe", "/dev/null", "/"};
    pd_output output;
    pd_error error;
    assert_int_equal(pd_file_write("precious", "kept", 4, NULL), PD_OK);
    assert_int_equal(symlink("precious", "to-precious"), 0);
    assert_int_equal(symlink("nothing", "to-nothing"), 0);
    assert_int_equal(mkfifo("own-pipe", 0600), 0);
    for (int i = 0; i < 5; i++) assert_null(pd_os_open_regular(foreign[i], false, NULL));
    FILE *file = pd_os_open_regular("precious", false, NULL);
    assert_non_null(file);
    fclose(file);
    assert_int_equal(pd_output_open_locked(&output, "own-pipe", &error), PD_FAILED);
    assert_non_null(strstr(error.message, "it is not a regular file"));
}

static bool is_there(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

static void make_file(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    close(file);
}

/* Temporary files and a folder of a process, as long as it lives. */
static void hold_temporary_files(const char *path, int told) {
    pd_output named, hashed;
    char folder_path[PD_MAX_PATH], inner[PD_MAX_PATH + 16];
    int lock;
    only_named = true;
    if (chdir(path) || pd_output_open(&named, "rows", NULL) != PD_OK ||
        pd_output_open_locked(&hashed, "film.mp4", NULL) != PD_OK ||
        pd_os_create_temporary_folder(".", folder_path, sizeof folder_path, &lock))
        _exit(1);
    snprintf(inner, sizeof inner, "%s/session.log", folder_path);
    make_file(inner);
    snprintf(inner, sizeof inner, "%s/film", folder_path);
    if (mkdir(inner, 0700)) _exit(1);
    snprintf(inner, sizeof inner, "%s/film/frame", folder_path);
    make_file(inner);
    if (write(told, "x", 1) != 1) _exit(1);
    for (;;) pause();
}

/* Starts a process that has three temporary entries in a new folder. */
static pid_t start_writer(const char *path) {
    int told[2];
    char byte;
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(pipe(told), 0);
    pid_t child = fork();
    if (child == 0) hold_temporary_files(path, told[1]);
    assert_int_equal(read(told[0], &byte, 1), 1);
    close(told[0]), close(told[1]);
    assert_int_equal(count_in(path), 3);
    return child;
}

static void kill_writer(pid_t child) {
    int status;
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

/* A killed process leaves files and folders, which the next output in their folder removes. While the process lives, all stay. */
static void test_outputs_remove_what_killed_processes_left(void **state) {
    (void)state;
    pd_output output;
    pid_t living = start_writer("living"), killed = start_writer("killed-1"), other = start_writer("killed-2");
    assert_int_equal(pd_file_write("living/snapshot", "new", 3, NULL), PD_OK);
    assert_int_equal(count_in("living"), 4);
    kill_writer(killed);
    kill_writer(other);
    assert_int_equal(count_in("killed-1"), 3);
    assert_int_equal(pd_file_write("killed-1/snapshot", "new", 3, NULL), PD_OK);
    assert_int_equal(count_in("killed-1"), 1);
    assert_int_equal(pd_output_open_locked(&output, "killed-2/other.mp4", NULL), PD_OK);
    assert_int_equal(count_in("killed-2"), 1);
    pd_output_remove_abandoned("killed-2/other.mp4");
    assert_int_equal(count_in("killed-2"), 1); /* the output's own temporary file */
    pd_output_cancel(&output);
    pd_output_remove_abandoned("living/film.mp4");
    assert_int_equal(count_in("living"), 4);
    kill_writer(living);
    pd_output_remove_abandoned("living/film.mp4");
    assert_int_equal(count_in("living"), 1);
}

/* Other names, and entries of another type than their name says, are not puddle's. A link is not followed. */
static void test_files_of_others_are_not_removed(void **state) {
    (void)state;
    static const char *const own[] = {".puddle-123-4.tmp", ".puddle-5-67.tmp"};
    static const char *const others[] = {
        ".puddle-1-2.tmp.bak", ".puddle-mine.tmp", ".puddle-1.tmp", ".puddle--1.tmp",  "puddle-1-2.tmp",
        ".puddle-1-2",         ".puddle-1-2.part", ".puddle-.tmp",  ".puddle-1-b.tmp", "frame.part"};
    static const char *const other_folders[] = {".puddle-export-", ".puddle-1-", ".puddle-1-3", ".puddle-1-3.tmp.bak"};
    enum {
        OWN = sizeof own / sizeof *own,
        OTHERS = sizeof others / sizeof *others,
        FOLDERS = sizeof other_folders / sizeof *other_folders
    };
    assert_int_equal(mkdir("strange", 0700), 0);
    assert_int_equal(mkdir("strange/mine", 0700), 0);
    make_file("strange/mine/file");
    assert_int_equal(chdir("strange"), 0);
    for (int i = 0; i < OWN; i++) make_file(own[i]);
    for (int i = 0; i < OTHERS; i++) make_file(others[i]);
    for (int i = 0; i < FOLDERS; i++) assert_int_equal(mkdir(other_folders[i], 0700), 0);
    assert_int_equal(symlink("mine", ".puddle-6-6.tmp"), 0);
    assert_int_equal(symlink("mine/file", ".puddle-7-7.tmp"), 0);
    assert_int_equal(mkfifo(".puddle-8-8.tmp", 0600), 0);
    assert_int_equal(mkdir(".puddle-9-9.tmp", 0700), 0);
    assert_int_equal(symlink("../mine", ".puddle-9-9.tmp/link"), 0);
    int before = count_in(".");
    pd_output_remove_abandoned("film.mp4");
    for (int i = 0; i < OWN; i++) assert_false(is_there(own[i]));
    assert_false(is_there(".puddle-9-9.tmp"));
    assert_int_equal(count_in("."), before - OWN - 1);
    assert_true(is_there("mine/file"));
    assert_int_equal(chdir(".."), 0);
}

/* Without locks, and where another machine may have the locks, nothing is removed, and outputs are written. */
static void test_nothing_is_removed_without_locks(void **state) {
    (void)state;
    pd_output output;
    kill_writer(start_writer("lockless"));
    for (int i = 0; i < 2; i++) {
        no_locks = i == 0, shared = i == 1, only_named = true;
        pd_output_remove_abandoned("lockless/a");
        assert_int_equal(count_in("lockless"), 3 + i);
        assert_int_equal(pd_file_write("lockless/a", "one", 3, NULL), PD_OK);
        assert_int_equal(pd_output_open_locked(&output, "lockless/b.mp4", NULL), PD_OK);
        pd_output_cancel(&output);
        no_locks = shared = only_named = false;
    }
    assert_int_equal(count_in("lockless"), 4);
    assert_holds("lockless/a", "one");
    pd_output_remove_abandoned("lockless/a");
    assert_int_equal(count_in("lockless"), 1);
    pd_output_remove_abandoned("nowhere/a");
}

static void assert_memory_is_told(const pd_error *error) {
    assert_int_equal(error->code, PD_ERROR_OUT_OF_MEMORY);
    assert_non_null(strstr(error->message, "not enough memory (close other programs"));
}

static void test_lack_of_memory_is_told(void **state) {
    (void)state;
    pd_error error;
    pd_output output;
    void *bytes;
    size_t size;
    assert_int_equal(pd_file_write("memory", "x", 1, NULL), PD_OK);
    no_memory = true;
    pd_result written = pd_file_write("memory", "y", 1, &error);
    no_memory = false;
    assert_int_equal(written, PD_FAILED);
    assert_memory_is_told(&error);
    no_memory = true;
    pd_result locked = pd_output_open_locked(&output, "memory", &error);
    no_memory = false;
    assert_int_equal(locked, PD_FAILED);
    assert_memory_is_told(&error);
    no_memory = true;
    pd_result got = pd_file_read("memory", 100, &bytes, &size, &error);
    no_memory = false;
    assert_int_equal(got, PD_FAILED);
    assert_memory_is_told(&error);
    assert_holds("memory", "x");
    pd_fail_partly_written("memory", ENOMEM, "it holds 12 whole rows", &error);
    assert_memory_is_told(&error);
    assert_non_null(strstr(error.message, "; it holds 12 whole rows)"));
}

/* A pipe that was full for a moment: the failure is told with its reason, and nothing but the text was written. */
static void test_pipes_get_the_text_alone(void **state) {
    (void)state;
    static char chunk[1 << 16];
    pd_output output;
    pd_error error;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(pd_output_open(&output, "pipe", &error), PD_OK);
    assert_int_equal(fcntl(fileno(output.stream), F_SETFL, O_WRONLY | O_NONBLOCK), 0);
    memset(chunk, 'x', sizeof chunk);
    for (int i = 0; i < 100 && !ferror(output.stream); i++) fwrite(chunk, 1, sizeof chunk, output.stream);
    int number = errno; /* EAGAIN; the reads below change errno */
    assert_true(ferror(output.stream));
    for (ssize_t got; (got = read(reader, chunk, sizeof chunk)) > 0;) assert_null(memchr(chunk, 0, (size_t)got));
    errno = number;
    assert_int_equal(pd_output_commit(&output, &error), PD_FAILED);
    assert_non_null(strstr(error.message, strerror(EAGAIN)));
    for (ssize_t got; (got = read(reader, chunk, sizeof chunk)) > 0;) assert_null(memchr(chunk, 0, (size_t)got));
    close(reader);
}

TEST_GROUP(file) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links_are_followed),
        cmocka_unit_test(test_the_same_file),
        cmocka_unit_test(test_files_in_the_way_of_a_folder),
        cmocka_unit_test(test_published_while_it_is_written),
        cmocka_unit_test(test_pipes_get_the_text_alone),
        cmocka_unit_test(test_a_killed_process_leaves_nothing),
        cmocka_unit_test(test_without_unnamed_files),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_claims_at_the_same_time),
        cmocka_unit_test(test_no_regular_file_blocks),
        cmocka_unit_test(test_replacing_a_link),
        cmocka_unit_test(test_own_files),
        cmocka_unit_test(test_outputs_remove_what_killed_processes_left),
        cmocka_unit_test(test_files_of_others_are_not_removed),
        cmocka_unit_test(test_nothing_is_removed_without_locks),
        cmocka_unit_test(test_lack_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
