/* Creates, locks and clears the folder of a recording. */
#include "record/folder.h"

#include "core/error.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool pd_folder_is_recording_file(const char *name) {
    if (!strcmp(name, "recording.json")) return true;
    if (strncmp(name, "frame_", 6)) return false;
    const char *end = name + 6;
    while (isdigit((unsigned char)*end)) end++;
    if (end - name < 12) return false;
    return !strcmp(end, ".png");
}

static bool path_contains_recording(const char *path) {
    DIR *listing = opendir(path);
    bool found = false;
    struct dirent *entry = listing ? readdir(listing) : NULL;
    while (entry && !found) {
        found = pd_folder_is_recording_file(entry->d_name);
        entry = readdir(listing);
    }
    if (listing) closedir(listing);
    return found;
}

bool pd_folder_contains_recording(const pd_folder *folder) { return path_contains_recording(folder->path); }

pd_result pd_folder_check_path(const char *path, bool overwrite, pd_error *error) {
    struct stat status;
    if (!*path || strlen(path) >= sizeof((pd_folder *)NULL)->path)
        return pd_fail(error, PD_ERROR_FILE_UNWRITABLE, "cannot record to '%.64s': %s (give another folder)", path,
                       *path ? "the path is too long" : "the name is empty");
    if (stat(path, &status)) return PD_OK; /* a missing folder is created later */
    if (!S_ISDIR(status.st_mode))
        return pd_fail(error, PD_ERROR_FILE_UNWRITABLE, "cannot record to '%s': it is not a folder (give a folder)",
                       path);
    if (!overwrite && path_contains_recording(path))
        return pd_fail(error, PD_ERROR_RECORDING_EXISTS,
                       "cannot record to '%s': it holds a recording (give another folder, or --force to replace it)",
                       path);
    return PD_OK;
}

/* Creates the folder and its missing parent folders. */
static pd_result create_folders(pd_folder *folder, pd_error *error) {
    char path[sizeof folder->path];
    size_t length = 0, full = strlen(folder->path);
    do {
        length += 1 + strcspn(folder->path + length + 1, "/"); /* path up to the next slash, or the whole path */
        snprintf(path, sizeof path, "%.*s", (int)length, folder->path);
        if (mkdir(path, 0777) == 0) {
            if (!folder->created_length) folder->created_length = length;
            continue;
        }
        int error_number = errno; /* some systems set another errno than EEXIST for an existing folder */
        if (error_number != EEXIST && access(path, F_OK) != 0)
            return pd_fail_unwritable(folder->path, error_number, error);
    } while (length < full);
    if (access(folder->path, W_OK | X_OK) != 0) return pd_fail_unwritable(folder->path, errno, error);
    return PD_OK;
}

/* Locks the folder by flock() on the folder itself: no lock file is needed, and the lock ends with the process. */
static pd_result lock_folder(pd_folder *folder, pd_error *error) {
    struct stat opened, named;
    folder->lock_descriptor = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->lock_descriptor < 0 || fstat(folder->lock_descriptor, &opened) != 0)
        return pd_fail_unwritable(folder->path, errno, error);
    bool taken = flock(folder->lock_descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    /* Another process may have removed the folder before flock(). So the path must still lead to the locked folder. */
    if (!taken && stat(folder->path, &named) == 0 && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino)
        return PD_OK;
    /* another process uses the folder, so pd_folder_unlock_and_remove_empty must not remove it */
    folder->created_length = 0;
    return pd_fail(
        error, PD_ERROR_RECORDING_EXISTS,
        "cannot record to '%s': another puddle is recording there (give another folder, or wait for its end)",
        folder->path);
}

pd_result pd_folder_create_and_lock(pd_folder *folder, const char *path, bool overwrite, pd_error *error) {
    folder->created_length = 0;
    folder->lock_descriptor = -1;
    pd_result result = pd_folder_check_path(path, overwrite, error);
    if (result) return result;
    snprintf(folder->path, sizeof folder->path, "%s", path);
    result = create_folders(folder, error);
    if (!result) result = lock_folder(folder, error);
    /* Checks the folder again, since another process may have recorded into it before the lock. */
    if (!result) result = pd_folder_check_path(path, overwrite, error);
    if (result) pd_folder_unlock_and_remove_empty(folder);
    return result;
}

static int remove_file_if_present(const pd_folder *folder, const char *name) {
    int error_number = unlinkat(folder->lock_descriptor, name, 0) == 0 ? 0 : errno;
    return error_number == ENOENT ? 0 : error_number;
}

static pd_result fail_with_remove_error(const pd_folder *folder, const char *name, int error_number, pd_error *error) {
    char reason[80] = "";
    if (strerror_r(error_number, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", error_number);
    return pd_fail(error, PD_ERROR_FILE_UNWRITABLE,
                   "cannot replace '%.200s/%s': %s (remove it, or give another folder)", folder->path, name, reason);
}

pd_result pd_folder_remove_recording(const pd_folder *folder, const char *kept_name, pd_error *error) {
    /* Removes recording.json first, so that it never describes frames that are gone. */
    int error_number = remove_file_if_present(folder, "recording.json");
    if (error_number) return fail_with_remove_error(folder, "recording.json", error_number, error);
    DIR *listing = opendir(folder->path);
    if (!listing) return pd_fail_unwritable(folder->path, errno, error);
    pd_result result = PD_OK;
    for (struct dirent *entry = readdir(listing); entry && !result; entry = readdir(listing)) {
        if (!pd_folder_is_recording_file(entry->d_name) || !strcmp(entry->d_name, kept_name)) continue;
        error_number = remove_file_if_present(folder, entry->d_name);
        if (error_number) result = fail_with_remove_error(folder, entry->d_name, error_number, error);
    }
    closedir(listing);
    return result;
}

void pd_folder_unlock(pd_folder *folder) {
    if (folder->lock_descriptor >= 0) close(folder->lock_descriptor);
    folder->lock_descriptor = -1;
}

void pd_folder_unlock_and_remove_empty(pd_folder *folder) {
    char *slash = NULL;
    if (folder->created_length) {
        do {
            rmdir(folder->path);
            slash = strrchr(folder->path, '/');
            if (slash) *slash = '\0';
        } while (slash && (size_t)(slash - folder->path) >= folder->created_length);
    }
    pd_folder_unlock(folder);
}
