/* The operating system by POSIX, with what only Linux has where it is there. */
#define _GNU_SOURCE /* O_TMPFILE, F_OFD_SETLK, fallocate, nftw, sched_getaffinity */
#include "platform/platform.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

/* ---- Paths ---- */

const char *pd_path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void pd_path_folder(const char *path, char *folder, size_t size) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        snprintf(folder, size, ".");
    else
        snprintf(folder, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

int pd_os_resolve_links(const char *path, char *target, size_t size) {
    char at[PD_MAX_PATH], link[PD_MAX_PATH], folder[PD_MAX_PATH], real[PATH_MAX];
    if (strlen(path) >= sizeof at) return ENAMETOOLONG;
    snprintf(at, sizeof at, "%s", path);
    for (int followed = 0; followed < 40; followed++) {
        if (realpath(at, real)) return snprintf(target, size, "%s", real) < (int)size ? 0 : ENAMETOOLONG;
        ssize_t length = readlink(at, link, sizeof link - 1);
        if (length < 0) /* no link, missing or unreadable: opening the file reports the reason */
            return snprintf(target, size, "%s", at) < (int)size ? 0 : ENAMETOOLONG;
        if ((size_t)length >= sizeof link - 1) return ENAMETOOLONG;
        link[length] = '\0';
        pd_path_folder(at, folder, sizeof folder);
        int written =
            *link == '/' ? snprintf(at, sizeof at, "%s", link) : snprintf(at, sizeof at, "%s/%s", folder, link);
        if (written >= (int)sizeof at) return ENAMETOOLONG;
    }
    return ELOOP;
}

int pd_os_canonical_path(const char *path, char *target, size_t size) {
    char at[PD_MAX_PATH], part[PD_MAX_PATH], real[PATH_MAX], *found, *rest = NULL;
    int unresolved = pd_os_resolve_links(path, at, sizeof at);
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
    size_t length = (size_t)snprintf(target, size, "%s", real[1] ? real : "");
    for (char *name = strtok_r(at + there, "/", &rest); name && length < size; name = strtok_r(NULL, "/", &rest)) {
        if (strcmp(name, ".") == 0) continue;
        if (strcmp(name, "..") != 0) {
            length += (size_t)snprintf(target + length, size - length, "/%s", name);
            continue;
        }
        while (length && target[length - 1] != '/') length--;
        length -= length > 0;
        target[length] = '\0';
    }
    return length < size ? 0 : ENAMETOOLONG;
}

void pd_os_absolute_path(const char *path, const char *folder, char *absolute, size_t size) {
    const char *home = getenv("HOME");
    char here[PD_MAX_PATH] = "";
    if (*path == '/')
        snprintf(absolute, size, "%s", path);
    else if (*path == '~' && (path[1] == '/' || !path[1]) && home)
        snprintf(absolute, size, "%s%s", home, path + 1);
    else
        snprintf(absolute, size, "%s/%s", folder ? folder : getcwd(here, sizeof here) ? here : ".", path);
}

/* Finds a line such as XDG_DOCUMENTS_DIR="$HOME/Documents" in user-dirs.dirs, and writes the path of `name` in this folder. */
static bool find_configured_documents(const char *name, char *path, size_t size) {
    static const char KEY[] = "XDG_DOCUMENTS_DIR=\"";
    char line[PD_MAX_PATH];
    bool found = pd_os_user_folder(PD_CONFIG_FOLDER, "user-dirs.dirs", path, size);
    FILE *file = found ? pd_os_open_regular(path, true, NULL) : NULL;
    for (found = false; file && fgets(line, sizeof line, file);) {
        if (strncmp(line, KEY, sizeof KEY - 1) != 0) continue;
        const char *value = line + sizeof KEY - 1, *home = getenv("HOME");
        bool in_home = strncmp(value, "$HOME", 5) == 0;
        if (in_home) value += 5;
        int length =
            snprintf(path, size, "%s%.*s/%s", in_home && home ? home : "", (int)strcspn(value, "\"\n"), value, name);
        found = length > 0 && (size_t)length < size && *path == '/';
    }
    if (file) fclose(file);
    return found;
}

bool pd_os_user_folder(pd_user_folder folder, const char *name, char *path, size_t size) {
    static const struct {
        const char *variable, *in_home;
    } places[] = {[PD_CONFIG_FOLDER] = {"XDG_CONFIG_HOME", ".config"},
                  [PD_STATE_FOLDER] = {"XDG_STATE_HOME", ".local/state"},
                  [PD_CACHE_FOLDER] = {"XDG_CACHE_HOME", ".cache"},
                  [PD_DOCUMENTS_FOLDER] = {"XDG_DOCUMENTS_DIR", "Documents"}};
    const char *given = getenv(places[folder].variable), *home = getenv("HOME");
    int length = -1;
    if (folder == PD_DOCUMENTS_FOLDER && find_configured_documents(name, path, size)) return true;
    if (given && *given == '/')
        length = snprintf(path, size, "%s/%s", given, name);
    else if (home && *home == '/')
        length = snprintf(path, size, "%s/%s/%s", home, places[folder].in_home, name);
    return length > 0 && (size_t)length < size;
}

bool pd_os_program_folder(char *folder, size_t size) {
    char program[PD_MAX_PATH];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0 || (size_t)length >= sizeof program - 1) return false;
    program[length] = '\0';
    pd_path_folder(program, folder, size);
    return true;
}

/* ---- Files and folders ---- */

static pd_path_status make_status(const struct stat *status) {
    pd_path_type type = S_ISREG(status->st_mode)   ? PD_PATH_FILE
                        : S_ISDIR(status->st_mode) ? PD_PATH_FOLDER
                        : S_ISLNK(status->st_mode) ? PD_PATH_LINK
                                                   : PD_PATH_OTHER;
#ifdef __APPLE__
    const struct timespec *changed = &status->st_mtimespec;
#else
    const struct timespec *changed = &status->st_mtim;
#endif
    return (pd_path_status){.type = type,
                            .size = status->st_size,
                            .changed = (int64_t)changed->tv_sec * 1000000000 + changed->tv_nsec,
                            .device = (uint64_t)status->st_dev,
                            .index = (uint64_t)status->st_ino,
                            .mode = status->st_mode & 07777};
}

pd_path_status pd_os_status(const char *path, bool follows_links) {
    struct stat status;
    if ((follows_links ? stat(path, &status) : lstat(path, &status)) == 0) return make_status(&status);
    return (pd_path_status){.error_number = errno};
}

bool pd_os_exists(const char *path) { return pd_os_status(path, false).type != PD_PATH_MISSING; }

bool pd_os_is_readable(const char *path) { return access(path, R_OK) == 0; }

bool pd_os_is_same(const pd_path_status *a, const pd_path_status *b) {
    return a->type && b->type && a->device == b->device && a->index == b->index;
}

int pd_os_check_folder(const char *folder) {
    pd_path_status status = pd_os_status(folder, true);
    if (status.type == PD_PATH_MISSING) return status.error_number;
    if (status.type != PD_PATH_FOLDER) return ENOTDIR;
    return access(folder, W_OK | X_OK) == 0 ? 0 : errno;
}

/* Without O_NONBLOCK, opening a pipe would wait for its writer. */
FILE *pd_os_open_regular(const char *path, bool follows_links, pd_path_status *found) {
    struct stat status;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (follows_links ? 0 : O_NOFOLLOW));
    pd_path_status opened = file >= 0 && fstat(file, &status) == 0 ? make_status(&status) : (pd_path_status){0};
    if (found) *found = opened;
    if (file < 0) return NULL;
    FILE *stream = opened.type == PD_PATH_FILE ? fdopen(file, "r") : NULL;
    int error_number = opened.type == PD_PATH_FILE ? errno : EINVAL;
    if (!stream) close(file);
    errno = error_number;
    return stream;
}

int pd_os_open_device(const char *path) { return open(path, O_WRONLY | O_CLOEXEC); }

int pd_os_write(int file, const void *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t wrote = write(file, (const char *)bytes + done, size - done);
        if (wrote >= 0)
            done += (size_t)wrote;
        else if (errno == EAGAIN || errno == EWOULDBLOCK)
            poll(&(struct pollfd){.fd = file, .events = POLLOUT}, 1, -1);
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

int64_t pd_os_seek(int file, int64_t offset, int whence) { return lseek(file, offset, whence); }

int pd_os_truncate(int file, int64_t size) { return ftruncate(file, size) == 0 ? 0 : errno; }

int pd_os_sync(int file) {
    return fsync(file) == 0 || errno == EINVAL || errno == ENOSYS ? 0 : errno; /* a pipe cannot be synced */
}

int pd_os_reserve(int file, int64_t size) {
    struct rlimit limit;
    /* A write beyond the process's file size limit would fail, even in reserved space. */
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && (rlim_t)size > limit.rlim_cur)
        return EFBIG;
#ifdef FALLOC_FL_KEEP_SIZE
    while (fallocate(file, FALLOC_FL_KEEP_SIZE, 0, size) != 0)
        if (errno != EINTR) return errno == ENOSPC || errno == EDQUOT || errno == EFBIG ? errno : 0;
#else
    (void)file;
#endif
    return 0;
}

int pd_os_duplicate(int file) { return fcntl(file, F_DUPFD_CLOEXEC, 3); }

void pd_os_set_mode(int file, unsigned mode) {
    if (fchmod(file, (mode_t)mode) != 0) errno = 0;
}

void pd_os_touch(const char *path) { utimensat(AT_FDCWD, path, NULL, 0); }

void pd_os_close(int file) { close(file); }

int pd_os_remove(const char *path) { return unlink(path) == 0 ? 0 : errno; }

int pd_os_remove_folder(const char *path) { return rmdir(path) == 0 ? 0 : errno; }

int pd_os_rename(const char *from, const char *to) { return rename(from, to) == 0 ? 0 : errno; }

int pd_os_create_folders(const char *path, bool is_private, size_t *created) {
    char part[PD_MAX_PATH];
    size_t length = 0, whole = strlen(path), first = 0;
    if (whole == 0 || whole >= sizeof part) return whole ? ENAMETOOLONG : ENOENT;
    do {
        length += 1 + strcspn(path + length + 1, "/"); /* path up to the next slash, or the whole path */
        snprintf(part, sizeof part, "%.*s", (int)length, path);
        if (mkdir(part, is_private ? 0700 : 0777) == 0) {
            if (!first) first = length;
        } else {
            int error_number = errno; /* some systems set another errno than EEXIST for an existing folder */
            if (error_number != EEXIST && access(part, F_OK) != 0) return error_number;
        }
        if (created) *created = first;
    } while (length < whole);
    return access(path, F_OK) == 0 ? 0 : errno;
}

pd_listing *pd_listing_open(const char *folder) { return (pd_listing *)opendir(folder); }

const char *pd_listing_next(pd_listing *listing) {
    struct dirent *entry = readdir((DIR *)listing);
    while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0))
        entry = readdir((DIR *)listing);
    return entry ? entry->d_name : NULL;
}

void pd_listing_close(pd_listing *listing) { closedir((DIR *)listing); }

/* ---- Locks ---- */

#ifdef F_OFD_SETLK
static bool is_byte_locked(int folder, off_t offset) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
    return fcntl(folder, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

static bool set_byte_lock(int folder, off_t offset, short type) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
    return fcntl(folder, F_OFD_SETLK, &lock) == 0;
}

/* Locks a byte of an open folder. Returns the descriptor or a PD_LOCK code. The lock is a read lock, which several processes can
 * have: a write lock would need a folder opened for writing, which is impossible. If two processes lock the byte at the same time,
 * both unlock it and retry after a delay that depends on the process's number. */
static int lock_byte(int folder, off_t offset) {
    enum { BITS = 4, ROUNDS = 8 }; /* bits of the process's number that choose a delay; greatest number of attempts */
    unsigned process = (unsigned)getpid();
    for (int round = 0; round < ROUNDS && !is_byte_locked(folder, offset); round++, process >>= BITS) {
        if (!set_byte_lock(folder, offset, F_RDLCK)) return PD_LOCK_NONE;
        if (!is_byte_locked(folder, offset)) return folder;
        set_byte_lock(folder, offset, F_UNLCK);
        pd_os_sleep((double)(process % (1 << BITS)) * 1e-3);
    }
    return PD_LOCK_REFUSED;
}

/* Each lock is on one byte of the folder that contains the file: a hash of the name. No file system knows such locks of folders; the
 * kernel has them itself, so that they hold on all. */
int pd_os_lock(const char *path, const char *name) {
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    for (const char *c = name; *c; c++) hash = (hash ^ (uint8_t)*c) * 0x100000001b3;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder <= 0) return PD_LOCK_NONE;
    /* off_t is signed, and the end of the lock, offset + 1, must fit too. */
    int lock = lock_byte(folder, (off_t)(hash >> 2));
    struct stat opened, named; /* another process may have removed the folder before the lock */
    if (lock > 0 && (fstat(lock, &opened) != 0 || stat(path, &named) != 0 || opened.st_ino != named.st_ino ||
                     opened.st_dev != named.st_dev))
        lock = PD_LOCK_REFUSED;
    if (lock != folder) close(folder);
    return lock;
}
#else
int pd_os_lock(const char *path, const char *name) {
    (void)path, (void)name;
    return PD_LOCK_NONE;
}
#endif

void pd_os_unlock(int *lock) {
    if (*lock > 0) close(*lock);
    *lock = PD_LOCK_NONE;
}

/* ---- Temporary files and folders ---- */

/* Writes the path in /proc of an open file. linkat() needs a privilege for a descriptor, but none for this path (open(2),
 * O_TMPFILE). */
static const char *proc_path(int file, char path[32]) {
    snprintf(path, 32, "/proc/self/fd/%d", file);
    return path;
}

int pd_os_open_nameless(const char *folder) {
#ifdef O_TMPFILE
    char path[32];
    int file = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0 || access(proc_path(file, path), F_OK) == 0) return file;
    close(file); /* without /proc, the file could not get a name */
#else
    (void)folder;
#endif
    return -1;
}

enum { NEW_FILE = -1, NEW_FOLDER = -2 };

/* Creates what `source` says under a new locked name: NEW_FILE, NEW_FOLDER, or a name for a nameless file. Returns a descriptor, 0 for
 * a folder, or -1 with errno. The name is short, since the target's name may be as long as names can be. */
static int create_temporary(const char *folder, int source, char *path, size_t size, int *lock) {
    enum { ATTEMPTS = 100 }; /* greatest number of names */
    static atomic_uint serial;
    char from[32];
    int error_number = EEXIST;
    for (int attempt = 0; attempt < ATTEMPTS && error_number == EEXIST; attempt++) {
        int file = 0, length = snprintf(path, size, "%s/.puddle-%ld-%u.tmp", folder, (long)getpid(),
                                        atomic_fetch_add(&serial, 1));
        error_number = length < (int)size ? 0 : ENAMETOOLONG;
        if (error_number) break;
        *lock = pd_os_lock(folder, pd_path_name(path));
        if (*lock == PD_LOCK_REFUSED)
            file = -1, errno = EEXIST;
        else if (source == NEW_FOLDER)
            file = mkdir(path, 0700);
        else if (source == NEW_FILE)
            file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        else
            file = linkat(AT_FDCWD, proc_path(source, from), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? source : -1;
        if (file >= 0) return file;
        error_number = errno;
        pd_os_unlock(lock);
    }
    *lock = PD_LOCK_NONE;
    *path = '\0';
    errno = error_number;
    return -1;
}

int pd_os_create_temporary(const char *folder, int nameless, char *path, size_t size, int *lock) {
    return create_temporary(folder, nameless >= 0 ? nameless : NEW_FILE, path, size, lock);
}

int pd_os_create_temporary_folder(const char *folder, char *path, size_t size, int *lock) {
    return create_temporary(folder, NEW_FOLDER, path, size, lock) >= 0 ? 0 : errno;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status, (void)type, (void)place;
    remove(path);
    return 0;
}

void pd_os_remove_temporary_folder(const char *path, int *lock) {
    nftw(path, remove_entry, 16,
         FTW_DEPTH | FTW_PHYS); /* 16: open folders; FTW_PHYS: removes links, not their targets */
    pd_os_unlock(lock);
}

/* Returns whether a name is one of create_temporary: ".puddle-123-4.tmp". */
static bool is_temporary_name(const char *name) {
    static const char *const before[] = {".puddle-", "-"};
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(before[i]), digits = 0;
        if (strncmp(name, before[i], length) != 0) return false;
        while (isdigit((unsigned char)name[length + digits])) digits++;
        if (digits == 0) return false;
        name += length + digits;
    }
    return strcmp(name, ".tmp") == 0;
}

/* Returns whether other machines may have mounted the file system of a folder. */
static bool is_on_shared_file_system(const char *folder) {
#ifdef __linux__
    static const uint32_t shared[] = {NFS_SUPER_MAGIC,   SMB_SUPER_MAGIC, CIFS_SUPER_MAGIC, SMB2_SUPER_MAGIC,
                                      AFS_SUPER_MAGIC,   AFS_FS_MAGIC,    CODA_SUPER_MAGIC, CEPH_SUPER_MAGIC,
                                      OCFS2_SUPER_MAGIC, V9FS_MAGIC,      FUSE_SUPER_MAGIC};
    struct statfs status;
    if (statfs(folder, &status) != 0) return true;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if ((uint32_t)status.f_type == shared[i]) return true;
#else
    (void)folder;
#endif
    return false;
}

/* Removes a temporary file or folder of this user if no process has its lock. Only a process with the lock gives a temporary name
 * away, so that the name cannot be another file meanwhile. */
static void remove_if_abandoned(const char *folder, const char *name) {
    char path[PD_MAX_PATH];
    struct stat status;
    int length = snprintf(path, sizeof path, "%s/%s", folder, name), lock = pd_os_lock(folder, name);
    bool own = lock > 0 && length < (int)sizeof path && lstat(path, &status) == 0 && status.st_uid == geteuid();
    if (own && S_ISREG(status.st_mode)) unlink(path);
    if (own && S_ISDIR(status.st_mode))
        pd_os_remove_temporary_folder(path, &lock);
    else
        pd_os_unlock(&lock);
}

void pd_os_remove_abandoned(const char *folder) {
    pd_listing *listing = is_on_shared_file_system(folder) ? NULL : pd_listing_open(folder);
    if (!listing) return;
    for (const char *name = pd_listing_next(listing); name; name = pd_listing_next(listing))
        if (is_temporary_name(name)) remove_if_abandoned(folder, name);
    pd_listing_close(listing);
}

/* ---- Standard streams, signals ---- */

bool pd_os_is_standard_output(const char *path) {
    return strcmp(path, PD_STANDARD_OUTPUT) == 0 || strcmp(path, "/dev/fd/1") == 0 ||
           strcmp(path, "/proc/self/fd/1") == 0;
}

int pd_os_open_standard_output(void) {
    int flags = fcntl(STDOUT_FILENO, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY) return pd_os_duplicate(STDOUT_FILENO);
    errno = EBADF;
    return -1;
}

void pd_os_open_standard_streams(void) {
    /* Standard output is opened for reading and standard input for writing, so that using the stream still fails. */
    for (int file = 0; file <= 2; file++)
        if (fcntl(file, F_GETFD) == -1 && errno == EBADF && open("/dev/null", file ? O_RDONLY : O_WRONLY) < 0) _exit(1);
}

bool pd_os_is_pipe_closed(void) {
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

bool pd_os_is_terminal(FILE *stream) { return isatty(fileno(stream)); }

static volatile sig_atomic_t caught; /* first caught signal; 0: none */

static void on_signal(int number) {
    if (!caught) caught = number;
}

static void catch_signal(int number, int flags) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void pd_os_catch_signals(void) {
    struct sigaction before;
    /* SIGINT and SIGTERM are handled once: a second Ctrl-C kills a program that does not end. */
    catch_signal(SIGINT, (int)SA_RESETHAND);
    catch_signal(SIGTERM, (int)SA_RESETHAND);
    /* SIGHUP is handled every time: when a terminal closes, both shell and kernel may send it. nohup ignores SIGHUP, and it
     * stays ignored. */
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) catch_signal(SIGHUP, 0);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int pd_os_caught_signal(bool *hung_up) {
    if (hung_up) *hung_up = caught == SIGHUP;
    return (int)caught;
}

/* ---- Processes ---- */

/* Adds what the process changes in its descriptors. ends: of a pipe; NULL: standard output and standard error stay. */
static int add_actions(posix_spawn_file_actions_t *actions, int lock, const int *ends) {
    int number = 0;
    if (ends) number = posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!number && ends) number = posix_spawn_file_actions_adddup2(actions, ends[1], STDERR_FILENO);
    /* A copy to the same descriptor clears FD_CLOEXEC. */
    if (!number && lock > 0) number = posix_spawn_file_actions_adddup2(actions, lock, lock);
    return number;
}

int pd_os_start_process(long *process, char *const *arguments, bool own, int lock, int *errors) {
    posix_spawn_file_actions_t actions;
    int ends[2], number = posix_spawn_file_actions_init(&actions);
    pid_t started = 0;
    if (number) return number;
    if (errors && pipe(ends) != 0) {
        number = errno;
        posix_spawn_file_actions_destroy(&actions);
        return number;
    }
    if (errors) {
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
    }
    number = add_actions(&actions, lock, errors ? ends : NULL);
    if (!number)
        number = own ? posix_spawn(&started, "/proc/self/exe", &actions, NULL, arguments, environ)
                     : posix_spawnp(&started, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    *process = number ? 0 : (long)started;
    if (!errors) return number;
    *errors = ends[0];
    close(ends[1]);
    if (number) close(ends[0]);
    return number;
}

bool pd_os_has_ended(long process, bool waits, bool *succeeded) {
    int status = 0;
    pid_t ended;
    do ended = waitpid((pid_t)process, &status, waits ? 0 : WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (succeeded) *succeeded = ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return ended != 0;
}

int pd_os_run_with_file(char *const *arguments, FILE *file, bool reads, double seconds, bool *succeeded) {
    enum { INTERVAL = 2000000 }; /* ns between two looks at the program */
    posix_spawn_file_actions_t actions;
    pid_t process;
    fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_init(&actions);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        posix_spawn_file_actions_addopen(&actions, i, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(file), reads ? STDIN_FILENO : STDOUT_FILENO);
    int number = posix_spawnp(&process, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (number) return number;
    for (double passed = 0; !pd_os_has_ended(process, false, succeeded); passed += 1e-9 * INTERVAL) {
        if (passed > seconds) kill(process, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = INTERVAL}, NULL);
    }
    return 0;
}

void pd_os_end_process(long process, bool kills) { kill((pid_t)process, kills ? SIGKILL : SIGTERM); }

int pd_os_read_pipe(int file, char *text, size_t size) { return (int)read(file, text, size); }

/* ---- Threads ---- */

int pd_os_core_count(void) {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 && online < INT_MAX ? (int)online : 1;
}

static _Thread_local sigset_t signals_before;

void pd_os_block_signals(void) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &signals_before);
}

void pd_os_unblock_signals(void) { pthread_sigmask(SIG_SETMASK, &signals_before, NULL); }

int pd_os_start_threads(pthread_t *threads, int count, void *(*main)(void *), void *context) {
    int started = 0;
    pd_os_block_signals();
    while (started < count && pthread_create(&threads[started], NULL, main, context) == 0) started++;
    pd_os_unblock_signals();
    return started;
}

static locale_t c_locale;
static void create_c_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

void *pd_os_begin_c_locale(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, create_c_locale);
    return c_locale ? (void *)uselocale(c_locale) : NULL;
}

void pd_os_restore_locale(void *before) {
    if (before) uselocale((locale_t)before);
}

/* ---- Time and memory ---- */

double pd_os_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void pd_os_sleep(double seconds) {
    struct timespec left = {.tv_sec = (time_t)seconds};
    left.tv_nsec = (long)(1e9 * (seconds - (double)left.tv_sec));
    nanosleep(&left, NULL);
}

double pd_os_peak_memory(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return NAN;
#ifdef __APPLE__
    return (double)usage.ru_maxrss / 1048576; /* in bytes on macOS, in KiB elsewhere */
#else
    return (double)usage.ru_maxrss / 1024;
#endif
}
