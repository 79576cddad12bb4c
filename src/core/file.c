/* Reads files, writes them atomically, makes messages of errno. strerror() serves in all threads, since its texts of known numbers are
 * constants. */
#include "core/file.h"

#include "core/archive.h"
#include "core/error.h"
#include "core/memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Returns the last 300 characters of a path. Messages have no room for more. */
static const char *end_of_path(const char *path) {
    size_t length = strlen(path);
    return length > 300 ? path + length - 300 : path;
}

pd_result pd_fail_partly_written(const char *path, int error_number, const char *written_part, pd_error *error) {
    const char *advice = "check the path";
    if (pd_os_is_standard_output(path)) return pd_fail_standard_output(error_number, error);
    if (error_number == ENOENT || error_number == ENOTDIR) advice = "create its folder first, or choose another place";
    if (error_number == EACCES || error_number == EPERM || error_number == EROFS)
        advice = "choose a folder that you may write to";
    if (error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG)
        advice = "free some space, or choose another place";
    if (error_number == EISDIR) advice = "name a file in it";
    if (error_number == ENOMEM)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot write '%s': not enough memory (close other programs%s%s)",
                       end_of_path(path), *written_part ? "; " : "", written_part);
    return pd_fail(error, PD_ERROR_FILE_UNWRITABLE, "cannot write '%s': %s (%s%s%s)", end_of_path(path),
                   strerror(error_number), advice, *written_part ? "; " : "", written_part);
}

pd_result pd_fail_standard_output(int error_number, pd_error *error) {
    int code = error_number == EPIPE ? PD_ERROR_STANDARD_OUTPUT_CLOSED : PD_ERROR_FILE_UNWRITABLE;
    return pd_fail(error, code, "cannot write to standard output: %s (check where it goes)",
                   error_number == EBADF ? "it is closed" : strerror(error_number));
}

pd_result pd_file_check_standard_output(pd_error *error) {
    int file = pd_os_open_standard_output();
    if (file < 0) return pd_fail_standard_output(EBADF, error);
    pd_os_close(file);
    return PD_OK;
}

static pd_result fail_not_regular(const char *path, pd_error *error) {
    return pd_fail(error, PD_ERROR_FILE_UNWRITABLE, "cannot write '%s': it is not a regular file (name another one)",
                   end_of_path(path));
}

pd_result pd_fail_unwritable(const char *path, int error_number, pd_error *error) {
    bool full = error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG;
    return pd_fail_partly_written(path, error_number, full ? "a file that was there is unchanged" : "", error);
}

static pd_result fail_unreadable(const char *path, const char *reason, const char *advice, pd_error *error) {
    return pd_fail(error, PD_ERROR_FILE_UNREADABLE, "cannot read '%s': %s (%s)", end_of_path(path), reason, advice);
}

static pd_result fail_with_read_error(const char *path, int error_number, pd_error *error) {
    if (error_number == ENOMEM)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot read '%s': not enough memory (close other programs)",
                       end_of_path(path));
    const char *advice = error_number == EACCES ? "make it readable, or choose another file" : "check the path";
    return fail_unreadable(path, strerror(error_number), advice, error);
}

/* Reads a file to its end. expected_size: first guess of the size, since a file may grow and files of /proc report 0. */
static pd_result read_to_end(FILE *file, const char *path, size_t max_size, size_t expected_size, char **bytes,
                             size_t *size, pd_error *error) {
    for (size_t room = expected_size + 2;; room *= 2) {
        char *grown = pd_memory_resize(*bytes, room);
        if (!grown) return fail_with_read_error(path, ENOMEM, error);
        *bytes = grown;
        errno = 0;
        *size += fread(*bytes + *size, 1, room - 1 - *size, file);
        if (ferror(file)) return fail_with_read_error(path, errno, error);
        if (*size > max_size) return fail_unreadable(path, "it is too large", "is it the right file?", error);
        (*bytes)[*size] = '\0';
        if (feof(file)) return PD_OK;
    }
}

pd_result pd_file_read(const char *path, size_t max_size, void **bytes, size_t *size, pd_error *error) {
    pd_path_status status;
    char *read_bytes = NULL;
    *bytes = NULL;
    *size = 0;
    FILE *file = pd_os_open_regular(path, true, &status);
    if (!file && status.type == PD_PATH_FOLDER)
        return fail_unreadable(path, "it is a folder", "name a file in it", error);
    if (!file && status.type == PD_PATH_OTHER)
        return fail_unreadable(path, "it is not a regular file", "save it to a file first", error);
    if (!file) return fail_with_read_error(path, errno, error);
    pd_result result = (unsigned long long)status.size > max_size
                           ? fail_unreadable(path, "it is too large", "is it the right file?", error)
                           : read_to_end(file, path, max_size, (size_t)status.size, &read_bytes, size, error);
    fclose(file);
    if (result == PD_OK)
        *bytes = read_bytes;
    else
        pd_memory_free(read_bytes), *size = 0;
    return result;
}

bool pd_file_is_same(const char *path, const char *other_path) {
    char first[PD_MAX_PATH], second[PD_MAX_PATH], folder[PD_MAX_PATH];
    if (pd_os_resolve_links(path, first, sizeof first) != 0 ||
        pd_os_resolve_links(other_path, second, sizeof second) != 0)
        return strcmp(path, other_path) == 0;
    pd_path_status left = pd_os_status(first, true), right = pd_os_status(second, true);
    if (left.type || right.type) return pd_os_is_same(&left, &right);
    /* If both files are missing, their names and folders are compared. */
    if (strcmp(pd_path_name(first), pd_path_name(second)) != 0) return false;
    pd_path_folder(first, folder, sizeof folder);
    left = pd_os_status(folder, true);
    if (!left.type) return strcmp(first, second) == 0;
    pd_path_folder(second, folder, sizeof folder);
    right = pd_os_status(folder, true);
    return pd_os_is_same(&left, &right);
}

bool pd_file_conflicts_with_frame_folder(const char *path, const char *folder) {
    char file[PD_MAX_PATH], at[PD_MAX_PATH];
    /* An invalid path is no conflict: opening it later fails with a better message. */
    if (pd_os_canonical_path(path, file, sizeof file) != 0 || pd_os_canonical_path(folder, at, sizeof at) != 0)
        return false;
    size_t length = strlen(file);
    if (strncmp(file, at, length) == 0 && (at[length] == '/' || !at[length])) return true;
    *strrchr(file, '/') = '\0';
    if (strcmp(file, at) == 0) return true;
    pd_path_status left = pd_os_status(*file ? file : "/", true), right = pd_os_status(*at ? at : "/", true);
    return pd_os_is_same(&left, &right);
}

/* Locks the name of a file in its folder. */
static pd_result claim_name(const char *target, const char *path, int *claim, pd_error *error) {
    char folder[PD_MAX_PATH];
    pd_path_folder(target, folder, sizeof folder);
    *claim = pd_os_lock(folder, pd_path_name(target));
    if (*claim != PD_LOCK_REFUSED) return PD_OK;
    *claim = PD_LOCK_NONE;
    return pd_fail(error, PD_ERROR_RECORDING_EXISTS,
                   "cannot write '%s': another puddle is writing it (name another file, or wait for its end)",
                   end_of_path(path));
}

pd_result pd_file_claim(const char *path, int *claim, pd_error *error) {
    char target[PD_MAX_PATH];
    *claim = PD_LOCK_NONE;
    pd_path_type type = pd_os_status(path, true).type;
    if (pd_os_is_standard_output(path) || (type != PD_PATH_MISSING && type != PD_PATH_FILE)) return PD_OK;
    return pd_os_resolve_links(path, target, sizeof target) == 0 ? claim_name(target, path, claim, error) : PD_OK;
}

/* Removes what killed processes have left in a folder, at the process's first output there. A recording of many files thus lists its
 * folder once. If the folders of a process share a slot, they are listed again. */
static void remove_abandoned_once(const char *folder) {
    enum { SLOTS = 64 };
    static _Atomic uint64_t slots[SLOTS]; /* the last folder of each slot, as a hash; 0: none */
    pd_path_status status = pd_os_status(folder, true);
    uint64_t hash = pd_archive_hash(0, (uint64_t[]){status.device, status.index}, 2 * sizeof(uint64_t)) | 1;
    if (status.type && atomic_exchange(&slots[hash >> 58], hash) != hash) pd_os_remove_abandoned(folder);
}

/* Opens the output's temporary file in the target's folder. The file is nameless if the file system supports it: the system removes
 * a nameless file when its process is killed. */
static int open_temporary_file(pd_output *output, bool named) {
    char folder[PD_MAX_PATH];
    pd_path_folder(output->target, folder, sizeof folder);
    remove_abandoned_once(folder);
    int file = named ? -1 : pd_os_open_nameless(folder);
    output->nameless = file >= 0;
    return file >= 0 ? file
                     : pd_os_create_temporary(folder, -1, output->temporary, sizeof output->temporary, &output->lock);
}

/* Gives a nameless output file a temporary name, since only a file with a name can replace an existing one. Returns 0 or an errno. */
static int name_nameless_file(pd_output *output) {
    if (!output->nameless) return 0;
    char folder[PD_MAX_PATH];
    pd_path_folder(output->target, folder, sizeof folder);
    int file = fileno(output->stream);
    if (pd_os_create_temporary(folder, file, output->temporary, sizeof output->temporary, &output->lock) < 0)
        return errno;
    output->nameless = false;
    return 0;
}

/* Moves the file from its temporary name to the target. `error_number`: errno of a failure before, after which the file is removed.
 * Returns 0 or an errno. */
static int move_to_target(pd_output *output, int error_number) {
    if (!error_number && *output->temporary) error_number = pd_os_rename(output->temporary, output->target);
    if (error_number && *output->temporary) pd_os_remove(output->temporary);
    *output->temporary = '\0';
    pd_os_unlock(&output->lock);
    return error_number;
}

/* replaces_link: true replaces a symbolic link at the path; false replaces the file to which the link leads. named: the temporary
 * file has a name. */
static pd_result open_output(pd_output *output, const char *path, bool replaces_link, bool named, pd_error *error) {
    *output = (pd_output){0};
    bool standard = !replaces_link && pd_os_is_standard_output(path);
    pd_path_status status = standard ? (pd_path_status){0} : pd_os_status(path, !replaces_link);
    /* Devices and pipes are opened by their own path: a pipe may have no other path than a link (/dev/stdout). */
    bool direct = standard || (status.type == PD_PATH_OTHER && !replaces_link);
    if (status.type == PD_PATH_FOLDER) return pd_fail_unwritable(path, EISDIR, error);
    int error_number = 0;
    if (direct || replaces_link)
        error_number = strlen(path) < sizeof output->target ? 0 : ENAMETOOLONG;
    else
        error_number = pd_os_resolve_links(path, output->target, sizeof output->target);
    if (error_number) return pd_fail_unwritable(path, error_number, error);
    if (direct || replaces_link) snprintf(output->target, sizeof output->target, "%s", path);
    int file = standard ? pd_os_open_standard_output()
               : direct ? pd_os_open_device(path)
                        : open_temporary_file(output, named);
    if (file < 0) return pd_fail_unwritable(path, errno, error);
    if (status.type == PD_PATH_FILE) pd_os_set_mode(file, status.mode); /* that of the replaced file */
    output->stream = fdopen(file, "w");
    if (!output->stream) {
        pd_os_close(file);
        move_to_target(output, ENOMEM);
        return pd_fail_unwritable(path, ENOMEM, error);
    }
    errno = 0;
    return PD_OK;
}

pd_result pd_output_open(pd_output *output, const char *path, pd_error *error) {
    return open_output(output, path, false, false, error);
}

pd_result pd_output_open_replacing_link(pd_output *output, const char *path, pd_error *error) {
    return open_output(output, path, true, false, error);
}

pd_result pd_output_open_locked(pd_output *output, const char *path, pd_error *error) {
    int claim;
    *output = (pd_output){0};
    if (pd_os_status(path, false).type == PD_PATH_OTHER) return fail_not_regular(path, error);
    pd_result result = claim_name(path, path, &claim, error);
    if (result == PD_OK) result = open_output(output, path, true, true, error);
    output->claim = claim;
    if (result != PD_OK) pd_os_unlock(&output->claim);
    return result;
}

void pd_output_remove_abandoned(const char *path) {
    char folder[PD_MAX_PATH];
    pd_path_folder(path, folder, sizeof folder);
    pd_os_remove_abandoned(folder);
}

void pd_output_cancel(pd_output *output) {
    if (output->stream && *output->temporary) pd_os_remove(output->temporary);
    if (output->stream) fclose(output->stream);
    output->stream = NULL;
    pd_os_unlock(&output->lock);
    pd_os_unlock(&output->claim);
}

pd_result pd_output_commit(pd_output *output, pd_error *error) {
    FILE *stream = output->stream;
    int error_number = 0, print_errno = errno;
    if (fflush(stream) != 0)
        error_number = errno;
    else if (ferror(stream)) /* an earlier print failed and set print_errno */
        error_number = print_errno ? print_errno : EIO;
    bool beside = output->nameless || *output->temporary;
    if (!error_number) error_number = pd_os_sync(fileno(stream));
    if (!error_number) error_number = name_nameless_file(output);
    if (fclose(stream) != 0 && !error_number) error_number = errno;
    output->stream = NULL;
    error_number = move_to_target(output, error_number);
    pd_os_unlock(&output->claim);
    if (!error_number) return PD_OK;
    if (!beside) return pd_fail_partly_written(output->target, error_number, "", error);
    return pd_fail_unwritable(output->target, error_number, error);
}

pd_result pd_output_publish_partial(pd_output *output, pd_error *error) {
    int error_number = fflush(output->stream) == 0 ? 0 : errno;
    if (!error_number) error_number = name_nameless_file(output);
    error_number = move_to_target(output, error_number);
    if (!error_number) return PD_OK;
    pd_output_cancel(output);
    return pd_fail_unwritable(output->target, error_number, error);
}

static pd_result write_file(const char *path, bool replaces_link, const void *bytes, size_t size, pd_error *error) {
    pd_output output;
    pd_result result = open_output(&output, path, replaces_link, false, error);
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
    pd_path_type type = pd_os_status(path, true).type;
    return type == PD_PATH_MISSING || type == PD_PATH_FILE ? PD_OK : fail_not_regular(path, error);
}

pd_result pd_file_check_writable(const char *path, pd_error *error) {
    if (pd_os_is_standard_output(path)) return pd_file_check_standard_output(error);
    if (*path == '\0') return pd_fail_unwritable(path, ENOENT, error);
    if (strlen(path) >= PD_MAX_PATH) return pd_fail_unwritable(path, ENAMETOOLONG, error);
    pd_path_type type = pd_os_status(path, true).type;
    if (type == PD_PATH_FOLDER) return pd_fail_unwritable(path, EISDIR, error);
    if (type == PD_PATH_OTHER) return PD_OK;
    char target[PD_MAX_PATH], folder[PD_MAX_PATH];
    int error_number = pd_os_resolve_links(path, target, sizeof target);
    pd_path_folder(target, folder, sizeof folder);
    if (!error_number) error_number = pd_os_check_folder(folder);
    return error_number ? pd_fail_unwritable(path, error_number, error) : PD_OK;
}

/* Finds a data file in a folder or in its subfolder assets. Returns false if neither has the file. */
static bool find_data_file_in_folder(const char *root, const char *name, char *path, size_t size) {
    static const char *const folders[] = {"", "assets/"};
    for (int i = 0; i < 2; i++) {
        int length = snprintf(path, size, "%s/%s%s", root, folders[i], name);
        if (length > 0 && (size_t)length < size && pd_os_is_readable(path)) return true;
    }
    return false;
}

pd_result pd_data_find_file(const char *name, char *path, size_t size, pd_error *error) {
    const char *given = getenv("PUDDLE_DATA");
    if (given && *given && find_data_file_in_folder(given, name, path, size)) return PD_OK;
    char folder[PD_MAX_PATH];
    if (pd_os_program_folder(folder, sizeof folder)) {
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
