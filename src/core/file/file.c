/* Reads files, writes them atomically, resolves paths. */
#include "core/file/file.h"
#include "core/memory.h"

#include "core/error.h"
#include "core/file/claim.h"
#include "core/file/standard_output.h"
#include "core/file/temporary.h"
#include "core/file/unnamed.h"
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the last 300 characters of a path. Messages have no room for more. */
static const char *end_of_path(const char *path) {
    size_t length = strlen(path);
    return length > 300 ? path + length - 300 : path;
}

pd_result pd_fail_partly_written(const char *path, int error_number, const char *written_part, pd_error *error) {
    const char *advice = "check the path";
    if (pd_standard_output_is_path(path)) return pd_fail_standard_output(error_number, error);
    if (error_number == ENOENT || error_number == ENOTDIR) advice = "create its folder first, or choose another place";
    if (error_number == EACCES || error_number == EPERM || error_number == EROFS)
        advice = "choose a folder that you may write to";
    if (error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG)
        advice = "free some space, or choose another place";
    if (error_number == EISDIR) advice = "name a file in it";
    if (error_number == ENOMEM)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot write '%s': not enough memory (close other programs%s%s)",
                       end_of_path(path), *written_part ? "; " : "", written_part);
    char reason[80] = "";
    if (strerror_r(error_number, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", error_number);
    return pd_fail(error, PD_ERROR_FILE_UNWRITABLE, "cannot write '%s': %s (%s%s%s)", end_of_path(path), reason, advice,
                   *written_part ? "; " : "", written_part);
}

static pd_result fail_not_regular(const char *path, pd_error *error) {
    return pd_fail(error, PD_ERROR_FILE_UNWRITABLE, "cannot write '%s': it is not a regular file (name another one)",
                   end_of_path(path));
}

static pd_result fail_already_claimed(const char *path, pd_error *error) {
    return pd_fail(error, PD_ERROR_RECORDING_EXISTS,
                   "cannot write '%s': another puddle is writing it (name another file, or wait for its end)",
                   end_of_path(path));
}

pd_result pd_fail_unwritable(const char *path, int error_number, pd_error *error) {
    bool full = error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG;
    return pd_fail_partly_written(path, error_number, full ? "a file that was there is unchanged" : "", error);
}

static pd_result fail_unreadable(const char *path, const char *reason, const char *advice, pd_error *error) {
    return pd_fail(error, PD_ERROR_FILE_UNREADABLE, "cannot read '%s': %s (%s)", end_of_path(path), reason, advice);
}

static pd_result fail_reading_out_of_memory(const char *path, pd_error *error) {
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot read '%s': not enough memory (close other programs)",
                   end_of_path(path));
}

static pd_result fail_with_reason_of_read_error(const char *path, int error_number, pd_error *error) {
    if (error_number == ENOMEM) return fail_reading_out_of_memory(path, error);
    char reason[80] = "";
    if (strerror_r(error_number, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", error_number);
    const char *advice = error_number == EACCES ? "make it readable, or choose another file" : "check the path";
    return fail_unreadable(path, reason, advice, error);
}

/* Reads a file from its present position to its end, at most max_size bytes. expected_size: first guess of the size,
 * since a file may grow and files of /proc report 0. */
static pd_result read_file_to_end(int file, const char *path, size_t max_size, size_t expected_size, char **bytes,
                                  size_t *size, pd_error *error) {
    size_t room = expected_size + 2;
    for (;;) {
        char *grown = pd_memory_resize(*bytes, room);
        if (!grown) return fail_reading_out_of_memory(path, error);
        *bytes = grown;
        while (*size + 1 < room) {
            ssize_t got = read(file, *bytes + *size, room - 1 - *size);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return fail_with_reason_of_read_error(path, errno, error);
            if (got == 0) {
                (*bytes)[*size] = '\0';
                return PD_OK;
            }
            *size += (size_t)got;
            if (*size > max_size) return fail_unreadable(path, "it is too large", "is it the right file?", error);
        }
        room *= 2;
    }
}

/* Opens a file for reading. Without O_NONBLOCK, opening a pipe would wait for its writer. */
static int open_for_reading(const char *path) { return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); }

int pd_file_open_own(const char *path, int flags) {
    struct stat status;
    int file = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode)) return file;
    bool foreign = file >= 0 || errno == ELOOP || errno == ENXIO; /* ENXIO: a pipe without reader, or a socket */
    if (file >= 0) close(file);
    if (foreign) errno = EINVAL;
    return -1;
}

FILE *pd_file_open_regular(const char *path) {
    struct stat status;
    int file = open_for_reading(path);
    FILE *stream = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? fdopen(file, "r") : NULL;
    if (file >= 0 && !stream) close(file);
    return stream;
}

pd_result pd_file_read(const char *path, size_t max_size, void **bytes, size_t *size, pd_error *error) {
    *bytes = NULL;
    *size = 0;
    int file = open_for_reading(path);
    if (file < 0) return fail_with_reason_of_read_error(path, errno, error);
    struct stat status;
    pd_result result;
    char *read_bytes = NULL;
    if (fstat(file, &status) != 0) {
        result = fail_with_reason_of_read_error(path, errno, error);
    } else if (S_ISDIR(status.st_mode)) {
        result = fail_unreadable(path, "it is a folder", "name a file in it", error);
    } else if (!S_ISREG(status.st_mode)) {
        result = fail_unreadable(path, "it is not a regular file", "save it to a file first", error);
    } else if ((unsigned long long)status.st_size > max_size) {
        result = fail_unreadable(path, "it is too large", "is it the right file?", error);
    } else {
        result = read_file_to_end(file, path, max_size, (size_t)status.st_size, &read_bytes, size, error);
    }
    close(file);
    if (result != PD_OK) {
        pd_memory_free(read_bytes);
        *size = 0;
        return result;
    }
    *bytes = read_bytes;
    return PD_OK;
}

static int join_path(char *path, size_t size, const char *folder, const char *name) {
    return snprintf(path, size, "%s/%s", folder, name);
}

/* Gets the folder of a path, "." for a path without a slash. */
static void get_parent_folder(const char *path, char *folder, size_t size) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        snprintf(folder, size, ".");
    else
        snprintf(folder, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

/* Follows symbolic links from a path to a file, which may be missing. Returns 0 or an errno. */
static int resolve_links(const char *path, char *target, size_t size) {
    char at[PD_MAX_PATH], link[PD_MAX_PATH], folder[PD_MAX_PATH], real[PATH_MAX];
    if (strlen(path) >= sizeof at) return ENAMETOOLONG;
    snprintf(at, sizeof at, "%s", path);
    for (int followed = 0; followed < 40; followed++) {
        if (realpath(at, real)) return snprintf(target, size, "%s", real) < (int)size ? 0 : ENAMETOOLONG;
        ssize_t length = readlink(at, link, sizeof link - 1);
        if (length < 0) { /* no link, missing or unreadable: opening the file reports the reason */
            if (strlen(at) >= size) return ENAMETOOLONG;
            snprintf(target, size, "%s", at);
            return 0;
        }
        if ((size_t)length >= sizeof link - 1) return ENAMETOOLONG;
        link[length] = '\0';
        get_parent_folder(at, folder, sizeof folder);
        int written = *link == '/' ? snprintf(at, sizeof at, "%s", link) : join_path(at, sizeof at, folder, link);
        if (written >= (int)sizeof at) return ENAMETOOLONG;
    }
    return ELOOP;
}

/* Returns a path's file name, without the folder. */
static const char *file_name_in_path(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool pd_file_is_same(const char *path, const char *other_path) {
    char first[PD_MAX_PATH], second[PD_MAX_PATH], folder[PD_MAX_PATH];
    struct stat left, right;
    if (resolve_links(path, first, sizeof first) != 0 || resolve_links(other_path, second, sizeof second) != 0)
        return strcmp(path, other_path) == 0;
    bool exists = stat(first, &left) == 0;
    if ((stat(second, &right) == 0) != exists) return false;
    if (exists) return left.st_dev == right.st_dev && left.st_ino == right.st_ino;
    /* If both files are missing, their names and folders are compared. */
    if (strcmp(file_name_in_path(first), file_name_in_path(second)) != 0) return false;
    get_parent_folder(first, folder, sizeof folder);
    if (stat(folder, &left) != 0) return strcmp(first, second) == 0;
    get_parent_folder(second, folder, sizeof folder);
    return stat(folder, &right) == 0 && left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/* Writes the absolute path without symbolic links, "." and ".." to `target`. The end of the path need not exist. The
 * root folder becomes "". Returns 0 or an errno. */
static int get_canonical_path(const char *path, char *target, size_t size) {
    char at[PD_MAX_PATH], part[PD_MAX_PATH], real[PATH_MAX], *found, *rest = NULL;
    int unresolved = resolve_links(path, at, sizeof at);
    if (unresolved) return unresolved;
    size_t there = strlen(at); /* length of the beginning of the path that exists */
    for (;;) {
        snprintf(part, sizeof part, "%.*s", (int)there, at);
        found = realpath(there ? part : *at == '/' ? "/" : ".", real);
        if (found || there == 0) break;
        while (there && at[there - 1] != '/') there--;
        while (there && at[there - 1] == '/') there--;
    }
    if (!found) return errno;
    *target = '\0';
    bool fits = pd_text_append(target, size, "%s", real[1] ? real : "");
    for (char *name = strtok_r(at + there, "/", &rest); name && fits; name = strtok_r(NULL, "/", &rest)) {
        char *slash = strrchr(target, '/');
        if (strcmp(name, "..") == 0)
            *(slash ? slash : target) = '\0';
        else if (strcmp(name, ".") != 0)
            fits = pd_text_append(target, size, "/%s", name);
    }
    return fits ? 0 : ENAMETOOLONG;
}

bool pd_file_conflicts_with_frame_folder(const char *path, const char *folder) {
    char file[PD_MAX_PATH], at[PD_MAX_PATH];
    struct stat left, right;
    /* An invalid path is no conflict: opening it later fails with a better message. */
    if (get_canonical_path(path, file, sizeof file) != 0 || get_canonical_path(folder, at, sizeof at) != 0)
        return false;
    size_t length = strlen(file);
    if (strncmp(file, at, length) == 0 && (at[length] == '/' || !at[length])) return true;
    *strrchr(file, '/') = '\0';
    if (strcmp(file, at) == 0) return true;
    return stat(*file ? file : "/", &left) == 0 && stat(*at ? at : "/", &right) == 0 && left.st_dev == right.st_dev &&
           left.st_ino == right.st_ino;
}

pd_result pd_file_claim(const char *path, int *claim, pd_error *error) {
    char target[PD_MAX_PATH], folder[PD_MAX_PATH];
    struct stat status;
    *claim = PD_CLAIM_NONE;
    if (pd_standard_output_is_path(path)) return PD_OK;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) return PD_OK;
    if (resolve_links(path, target, sizeof target) != 0) return PD_OK;
    get_parent_folder(target, folder, sizeof folder);
    int taken = pd_claim_file_name(folder, file_name_in_path(target));
    if (taken == PD_CLAIM_REFUSED) return fail_already_claimed(path, error);
    *claim = taken;
    return PD_OK;
}

void pd_file_release_claim(int *claim) {
    if (*claim > 0) close(*claim);
    *claim = PD_CLAIM_NONE;
}

/* Removes what killed processes have left in a folder, at the process's first output there. A recording of many files thus lists its
 * folder once. If the folders of a process share a slot, they are listed again. */
static void remove_abandoned_once(const char *folder) {
    enum { SLOTS = 64 };
    static _Atomic uint64_t slots[SLOTS]; /* the last folder of each slot, as a hash; 0: none */
    struct stat status;
    if (stat(folder, &status) != 0) return;
    uint64_t hash = ((uint64_t)status.st_dev * 0x9e3779b97f4a7c15 ^ (uint64_t)status.st_ino) * 0x9e3779b97f4a7c15 | 1;
    if (atomic_exchange(&slots[hash >> 58], hash) != hash) pd_temporary_remove_abandoned(folder);
}

/* Creates the output's temporary file in the target's folder. The file is nameless if the file system supports it:
 * the system removes a nameless file when its process is killed. */
static int create_temporary_file(pd_output *output) {
    char folder[PD_MAX_PATH];
    get_parent_folder(output->target, folder, sizeof folder);
    remove_abandoned_once(folder);
    int file = pd_unnamed_file_open(folder);
    output->unnamed = file >= 0;
    return file >= 0 ? file : pd_temporary_file_create(folder, -1, output->temporary, sizeof output->temporary);
}

static bool has_temporary_file(const pd_output *output) { return output->unnamed || output->temporary[0]; }

/* Gives a nameless output file a temporary name for rename(). linkat() cannot replace an existing target. Returns 0
 * or an errno. */
static int name_unnamed_file(pd_output *output) {
    if (!output->unnamed) return 0;
    char folder[PD_MAX_PATH];
    get_parent_folder(output->target, folder, sizeof folder);
    int file = fileno(output->stream);
    if (pd_temporary_file_create(folder, file, output->temporary, sizeof output->temporary) < 0) return errno;
    output->unnamed = false;
    return 0;
}

/* Sets the output's final path. replaces_link: true replaces a symbolic link at the path; false replaces the file to
 * which the link leads. Returns 0 or an errno. */
static int set_final_path(pd_output *output, const char *path, bool replaces_link) {
    if (!replaces_link) return resolve_links(path, output->target, sizeof output->target);
    int length = snprintf(output->target, sizeof output->target, "%s", path);
    return length < (int)sizeof output->target ? 0 : ENAMETOOLONG;
}

static pd_result open_output(pd_output *output, const char *path, bool replaces_link, pd_error *error) {
    *output = (pd_output){0};
    struct stat status;
    bool standard = !replaces_link && pd_standard_output_is_path(path);
    bool exists = !standard && (replaces_link ? lstat(path, &status) : stat(path, &status)) == 0;
    bool regular = exists && S_ISREG(status.st_mode), direct = standard || (exists && !regular && !replaces_link);
    if (exists && S_ISDIR(status.st_mode)) return pd_fail_unwritable(path, EISDIR, error);
    /* Devices and pipes are opened by their own path: a pipe may have no other path than a link (/dev/stdout). */
    int error_number = direct ? 0 : set_final_path(output, path, replaces_link);
    if (error_number) return pd_fail_unwritable(path, error_number, error);
    if (direct) snprintf(output->target, sizeof output->target, "%s", path);
    int file = standard ? pd_standard_output_open()
               : direct ? open(path, O_WRONLY | O_CLOEXEC)
                        : create_temporary_file(output);
    if (file < 0) return pd_fail_unwritable(path, errno, error);
    /* The new file gets the permissions of the replaced one, if possible. */
    if (regular && fchmod(file, status.st_mode & 07777) != 0) errno = 0;
    output->stream = fdopen(file, "w");
    if (!output->stream) {
        close(file);
        if (output->temporary[0]) unlink(output->temporary);
        return pd_fail_unwritable(path, ENOMEM, error);
    }
    errno = 0;
    return PD_OK;
}

pd_result pd_output_open(pd_output *output, const char *path, pd_error *error) {
    return open_output(output, path, false, error);
}

pd_result pd_output_open_replacing_link(pd_output *output, const char *path, pd_error *error) {
    return open_output(output, path, true, error);
}

pd_result pd_output_open_locked(pd_output *output, const char *path, pd_error *error) {
    *output = (pd_output){0};
    struct stat status;
    bool exists = lstat(path, &status) == 0, regular = exists && S_ISREG(status.st_mode);
    if (exists && S_ISDIR(status.st_mode)) return pd_fail_unwritable(path, EISDIR, error);
    if (exists && !regular && !S_ISLNK(status.st_mode)) return fail_not_regular(path, error);
    int error_number = set_final_path(output, path, true);
    if (error_number) return pd_fail_unwritable(path, error_number, error);
    char folder[PD_MAX_PATH];
    get_parent_folder(output->target, folder, sizeof folder);
    remove_abandoned_once(folder);
    int file = pd_temporary_file_open_hashed(folder, file_name_in_path(output->target), output->temporary,
                                             sizeof output->temporary);
    if (file < 0 && errno == EWOULDBLOCK) return fail_already_claimed(path, error);
    if (file < 0 && errno == EINVAL) return fail_not_regular(output->temporary, error);
    if (file < 0) return pd_fail_unwritable(path, errno, error);
    if (regular && fchmod(file, status.st_mode & 07777) != 0) errno = 0; /* copies permissions, if possible */
    output->stream = fdopen(file, "w");
    if (output->stream) return PD_OK;
    unlink(output->temporary);
    close(file);
    return pd_fail_unwritable(path, ENOMEM, error);
}

void pd_output_remove_abandoned(const char *path) {
    char folder[PD_MAX_PATH];
    get_parent_folder(path, folder, sizeof folder);
    pd_temporary_remove_abandoned(folder);
}

void pd_output_cancel(pd_output *output) {
    if (output->stream && output->temporary[0]) unlink(output->temporary);
    if (output->stream) fclose(output->stream);
    output->stream = NULL;
}

pd_result pd_output_commit(pd_output *output, pd_error *error) {
    FILE *stream = output->stream;
    int error_number = 0, print_errno = errno;
    if (fflush(stream) != 0)
        error_number = errno;
    else if (ferror(stream)) /* an earlier print failed and set print_errno */
        error_number = print_errno ? print_errno : EIO;
    bool beside = has_temporary_file(output);
    if (!error_number && fsync(fileno(stream)) != 0 && errno != EINVAL && errno != ENOSYS) error_number = errno;
    if (!error_number) error_number = name_unnamed_file(output);
    int lock =
        beside ? fcntl(fileno(stream), F_DUPFD_CLOEXEC, 3) : -1; /* the lock outlasts fclose(), until the rename */
    if (fclose(stream) != 0 && !error_number) error_number = errno;
    output->stream = NULL;
    if (!error_number && beside && rename(output->temporary, output->target) != 0) error_number = errno;
    if (error_number && output->temporary[0]) unlink(output->temporary);
    if (lock >= 0) close(lock);
    if (!error_number) return PD_OK;
    if (!beside) return pd_fail_partly_written(output->target, error_number, "", error);
    return pd_fail_unwritable(output->target, error_number, error);
}

pd_result pd_output_publish_partial(pd_output *output, pd_error *error) {
    int error_number = fflush(output->stream) == 0 ? 0 : errno;
    if (!error_number) error_number = name_unnamed_file(output);
    if (!error_number && output->temporary[0] && rename(output->temporary, output->target) != 0) error_number = errno;
    if (error_number) {
        pd_output_cancel(output);
        return pd_fail_unwritable(output->target, error_number, error);
    }
    output->temporary[0] = '\0';
    return PD_OK;
}

static pd_result write_file(const char *path, bool replaces_link, const void *bytes, size_t size, pd_error *error) {
    pd_output output;
    pd_result result = open_output(&output, path, replaces_link, error);
    if (result != PD_OK) return result;
    errno = 0;
    if (size && fwrite(bytes, 1, size, output.stream) != size) {
        int error_number = errno ? errno : EIO;
        pd_output_cancel(&output);
        return pd_fail_unwritable(path, error_number, error);
    }
    return pd_output_commit(&output, error);
}

pd_result pd_file_write(const char *path, const void *bytes, size_t size, pd_error *error) {
    return write_file(path, false, bytes, size, error);
}

pd_result pd_file_write_replacing_link(const char *path, const void *bytes, size_t size, pd_error *error) {
    return write_file(path, true, bytes, size, error);
}

pd_result pd_file_check_regular(const char *path, pd_error *error) {
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode) ? PD_OK : fail_not_regular(path, error);
}

pd_result pd_file_check_writable(const char *path, pd_error *error) {
    struct stat status;
    if (pd_standard_output_is_path(path)) return pd_standard_output_check(error);
    if (*path == '\0') return pd_fail_unwritable(path, ENOENT, error);
    if (strlen(path) >= PD_MAX_PATH) return pd_fail_unwritable(path, ENAMETOOLONG, error);
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) return pd_fail_unwritable(path, EISDIR, error);
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) return PD_OK;
    char target[PD_MAX_PATH], folder[PD_MAX_PATH];
    int unresolved = resolve_links(path, target, sizeof target);
    if (unresolved) return pd_fail_unwritable(path, unresolved, error);
    get_parent_folder(target, folder, sizeof folder);
    if (stat(folder, &status) != 0) return pd_fail_unwritable(path, errno, error);
    if (!S_ISDIR(status.st_mode)) return pd_fail_unwritable(path, ENOTDIR, error);
    if (access(folder, W_OK | X_OK) != 0) return pd_fail_unwritable(path, errno, error);
    return PD_OK;
}

/* Finds a data file in a folder or in its subfolder assets. Returns false if neither has the file. */
static bool find_data_file_in_folder(const char *root, const char *name, char *path, size_t size) {
    static const char *const folders[] = {"", "assets/"};
    for (int i = 0; i < 2; i++) {
        int length = snprintf(path, size, "%s/%s%s", root, folders[i], name);
        if (length > 0 && (size_t)length < size && access(path, R_OK) == 0) return true;
    }
    return false;
}

/* Gets the folder of the running program. Returns false without /proc. */
static bool get_program_folder(char *folder, size_t size) {
    char program[PD_MAX_PATH];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0 || (size_t)length >= sizeof program - 1) return false;
    program[length] = '\0';
    get_parent_folder(program, folder, size);
    return true;
}

pd_result pd_data_find_file(const char *name, char *path, size_t size, pd_error *error) {
    const char *given = getenv("PUDDLE_DATA");
    if (given && *given && find_data_file_in_folder(given, name, path, size)) return PD_OK;
    char folder[PD_MAX_PATH];
    if (get_program_folder(folder, sizeof folder)) {
        char shared[PD_MAX_PATH + 32];
        snprintf(shared, sizeof shared, "%s/../share/puddle", folder);
        if (find_data_file_in_folder(shared, name, path, size)) return PD_OK;
        size_t built = strlen(PUDDLE_BINARY_DIR);
        bool from_build = strncmp(folder, PUDDLE_BINARY_DIR, built) == 0 && (folder[built] == '/' || !folder[built]);
        if (from_build && find_data_file_in_folder(PUDDLE_SOURCE_DIR, name, path, size)) return PD_OK;
    }
    if (find_data_file_in_folder(PUDDLE_DATA_DIR, name, path, size)) return PD_OK;
    return pd_fail(error, PD_ERROR_DATA_MISSING,
                   "cannot find '%.100s': it is not in %.120s (install puddle there, or set PUDDLE_DATA to the folder "
                   "that holds shaders/ and scenes/)",
                   name, PUDDLE_DATA_DIR);
}
