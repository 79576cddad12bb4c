/* Creates, locks and removes temporary files and folders. */
#define _GNU_SOURCE /* O_DIRECTORY */
#include "core/file/temporary.h"

#include "core/file/file.h"
#include "core/file/unnamed.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

enum { ATTEMPTS = 100 }; /* greatest number of names, or of times that a name is opened */

/* Returns whether an open file still has its path: another process may have renamed or removed it before it was locked. */
static bool is_file_at(int folder, const char *path, int file) {
    struct stat opened, named;
    return fstat(file, &opened) == 0 && fstatat(folder, path, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

/* Locks an open temporary file or folder. Returns 0, or an errno. EWOULDBLOCK: it has a lock. ENOENT: it has lost its path. A file
 * system without locks is no error: on it nobody removes temporary files of others. */
static int lock_temporary(const char *path, int file) {
    if (flock(file, LOCK_EX | LOCK_NB) != 0) return errno == EWOULDBLOCK ? EWOULDBLOCK : 0;
    return is_file_at(AT_FDCWD, path, file) ? 0 : ENOENT;
}

int pd_temporary_file_create(const char *folder, int unnamed_file, char *path, size_t size) {
    static atomic_uint serial;
    int error_number = EEXIST;
    if (unnamed_file >= 0) flock(unnamed_file, LOCK_EX | LOCK_NB); /* before the file has a name that others see */
    for (int attempt = 0; attempt < ATTEMPTS && error_number == EEXIST; attempt++) {
        /* The name is short, since the target's name may be as long as names can be. */
        int file = unnamed_file, length = snprintf(path, size, "%s/.puddle-%ld-%u.tmp", folder, (long)getpid(),
                                                   atomic_fetch_add(&serial, 1));
        error_number = length < (int)size ? 0 : ENAMETOOLONG;
        if (!error_number && unnamed_file >= 0) error_number = pd_unnamed_file_link(unnamed_file, path);
        if (!error_number && unnamed_file < 0) {
            file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            error_number = file < 0 ? errno : 0;
        }
        if (!error_number && unnamed_file < 0 && lock_temporary(path, file) != 0) {
            close(file); /* another process took the file for an abandoned one, before it was locked */
            error_number = EEXIST;
        }
        if (!error_number) return file;
    }
    *path = '\0';
    errno = error_number;
    return -1;
}

int pd_temporary_file_open_hashed(const char *folder, const char *name, char *path, size_t size) {
    enum { WAITS = 8 }; /* number of waits for a process that removes abandoned files: it locks each for a moment */
    static const struct timespec WAIT = {.tv_nsec = 1000000};
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    for (const char *c = name; *c; c++) hash = (hash ^ (uint8_t)*c) * 0x100000001b3;
    int length = snprintf(path, size, "%s/.puddle-%016llx.part", folder, (unsigned long long)hash), waits = 0;
    errno = ENAMETOOLONG;
    if (length >= (int)size) return -1;
    for (int attempt = 0; attempt < ATTEMPTS && waits <= WAITS; attempt++) {
        int file = pd_file_open_own(path, O_WRONLY | O_CREAT);
        if (file < 0) return -1;
        if (flock(file, LOCK_EX | LOCK_NB) == 0) {
            if (is_file_at(AT_FDCWD, path, file) && ftruncate(file, 0) == 0) return file;
        } else if (errno != EWOULDBLOCK) {
            return file; /* without a lock, since the file system has none */
        } else if (waits++ < WAITS) {
            nanosleep(&WAIT, NULL);
        }
        close(file);
    }
    errno = EWOULDBLOCK;
    return -1;
}

int pd_temporary_folder_create(const char *folder, char *path, size_t size) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        int length = snprintf(path, size, "%s/.puddle-export-XXXXXX", folder);
        errno = ENAMETOOLONG;
        if (length >= (int)size || !mkdtemp(path)) return -1;
        int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (descriptor >= 0 && lock_temporary(path, descriptor) == 0) return descriptor;
        if (descriptor < 0 && errno != ENOENT) {
            int error_number = errno;
            rmdir(path);
            errno = error_number;
            return -1;
        }
        if (descriptor >= 0) close(descriptor); /* another process has removed it, before it was locked */
    }
    errno = EEXIST;
    return -1;
}

/* Removes all that a folder contains. descriptor: open folder, which is closed. */
static void remove_content(int descriptor) {
    DIR *listing = fdopendir(descriptor);
    if (!listing) {
        close(descriptor);
        return;
    }
    for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (unlinkat(dirfd(listing), entry->d_name, 0) == 0) continue;
        int inner = openat(dirfd(listing), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner < 0) continue;
        remove_content(inner);
        unlinkat(dirfd(listing), entry->d_name, AT_REMOVEDIR);
    }
    closedir(listing);
}

/* Empties and removes a folder, whose lock remains. descriptor: open folder. */
static void remove_folder(int parent, const char *path, int descriptor) {
    int listed = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (listed >= 0) remove_content(listed);
    unlinkat(parent, path, AT_REMOVEDIR);
}

void pd_temporary_folder_remove(const char *path, int descriptor) {
    remove_folder(AT_FDCWD, path, descriptor);
    close(descriptor);
}

/* Moves a text position past at least one character of a class. Returns false if there is none. */
static bool skip_characters(const char **text, int (*is_of_class)(int)) {
    const char *begin = *text;
    while (is_of_class((unsigned char)**text)) (*text)++;
    return *text > begin;
}

static bool is_name_of_new_file(const char *name) { /* .puddle-123-4.tmp */
    return skip_characters(&name, isdigit) && *name++ == '-' && skip_characters(&name, isdigit) &&
           strcmp(name, ".tmp") == 0;
}

static bool is_name_of_hashed_file(const char *name) { /* .puddle-0123456789abcdef.part */
    return strspn(name, "0123456789abcdef") == 16 && strcmp(name + 16, ".part") == 0;
}

static bool is_name_of_folder(const char *name) { /* .puddle-export-Ab1xyZ */
    static const char EXPORT[] = "export-";
    if (strncmp(name, EXPORT, sizeof EXPORT - 1) != 0) return false;
    const char *end = name += sizeof EXPORT - 1;
    return skip_characters(&end, isalnum) && end - name == 6 && !*end;
}

/* Returns S_IFREG or S_IFDIR for a name of a temporary file or folder, else 0. */
static mode_t find_type_of_temporary_name(const char *name) {
    static const char BEGIN[] = ".puddle-";
    if (strncmp(name, BEGIN, sizeof BEGIN - 1) != 0) return 0;
    name += sizeof BEGIN - 1;
    if (is_name_of_new_file(name) || is_name_of_hashed_file(name)) return S_IFREG;
    return is_name_of_folder(name) ? S_IFDIR : 0;
}

/* Removes a temporary file or folder of this user if no process has locked it. Only a process with the lock removes or renames it, so
 * another one cannot get its name meanwhile. */
static void remove_if_abandoned(int folder, const char *name, mode_t type) {
    struct stat status;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return;
    bool own = fstat(file, &status) == 0 && (status.st_mode & S_IFMT) == type && status.st_uid == geteuid();
    if (own && flock(file, LOCK_EX | LOCK_NB) == 0 && is_file_at(folder, name, file)) {
        if (type == S_IFDIR)
            remove_folder(folder, name, file);
        else
            unlinkat(folder, name, 0);
    }
    close(file);
}

/* Returns whether other machines may have mounted the file system of an open folder. */
static bool is_on_shared_file_system(int folder) {
#ifdef __linux__
    static const uint32_t shared[] = {NFS_SUPER_MAGIC,   SMB_SUPER_MAGIC, CIFS_SUPER_MAGIC, SMB2_SUPER_MAGIC,
                                      AFS_SUPER_MAGIC,   AFS_FS_MAGIC,    CODA_SUPER_MAGIC, CEPH_SUPER_MAGIC,
                                      OCFS2_SUPER_MAGIC, V9FS_MAGIC,      FUSE_SUPER_MAGIC};
    struct statfs status;
    if (fstatfs(folder, &status) != 0) return true;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if ((uint32_t)status.f_type == shared[i]) return true;
#else
    (void)folder;
#endif
    return false;
}

void pd_temporary_remove_abandoned(const char *folder) {
    DIR *listing = opendir(folder);
    if (!listing) return;
    if (!is_on_shared_file_system(dirfd(listing))) {
        for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
            mode_t type = find_type_of_temporary_name(entry->d_name);
            if (type) remove_if_abandoned(dirfd(listing), entry->d_name, type);
        }
    }
    closedir(listing);
}
