/* Services of the operating system: files, locks, paths, threads, processes, signals and time. posix.c is the one for Linux, macOS
 * and the BSDs; another system has a file beside it. Only the files of this folder include headers of the system. Threads, mutexes
 * and conditions are those of <pthread.h>, which Windows (winpthreads) and the web (Emscripten) have too.
 *
 * A file descriptor is an int. A function that returns "0 or an errno" has no message: core/file.h makes it. */
#ifndef PUDDLE_PLATFORM_PLATFORM_H
#define PUDDLE_PLATFORM_PLATFORM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PD_MAX_PATH = 1024 }; /* size of a buffer for a path, bytes */

/* ---- Paths ---- */

/* Returns the part of a path after its last separator. */
const char *pd_path_name(const char *path);
/* Writes the folder of a path: "." for a path without a separator. */
void pd_path_folder(const char *path, char *folder, size_t size);
/* Follows symbolic links from a path to a file, which may be missing. Returns 0 or an errno. */
int pd_os_resolve_links(const char *path, char *target, size_t size);
/* Writes the absolute path without symbolic links, "." and "..". The end of the path need not exist. The root folder becomes "".
 * Returns 0 or an errno. */
int pd_os_canonical_path(const char *path, char *target, size_t size);
/* Writes a path that begins at the root. "~" stands for the user's home. Other paths are relative to `folder`, or to the current
 * folder if `folder` is NULL. */
void pd_os_absolute_path(const char *path, const char *folder, char *absolute, size_t size);

/* Folders of the user, by the XDG base directory specification. */
typedef enum pd_user_folder { PD_CONFIG_FOLDER, PD_STATE_FOLDER, PD_CACHE_FOLDER, PD_DOCUMENTS_FOLDER } pd_user_folder;
/* Writes the path of `name` in a folder of the user: "/home/ada/.cache/puddle". False: the user has no home, or the path is too
 * long. */
bool pd_os_user_folder(pd_user_folder folder, const char *name, char *path, size_t size);
/* Writes the folder of the running program. False: the system does not tell. */
bool pd_os_program_folder(char *folder, size_t size);

/* ---- Files and folders ---- */

typedef enum pd_path_type { PD_PATH_MISSING, PD_PATH_FILE, PD_PATH_FOLDER, PD_PATH_LINK, PD_PATH_OTHER } pd_path_type;

/* Status of a path. PD_PATH_OTHER: device, pipe or socket. */
typedef struct pd_path_status {
    pd_path_type type;
    int error_number;       /* errno if the type is PD_PATH_MISSING */
    int64_t size;           /* size of a file, bytes */
    int64_t changed;        /* time of the last change of the content, ns since 1970 */
    uint64_t device, index; /* identity of the file: equal for all its paths */
    unsigned mode;          /* permissions */
} pd_path_status;

/* Returns the status of a path. follows_links: of what a symbolic link leads to. */
pd_path_status pd_os_status(const char *path, bool follows_links);
/* Returns whether a file, folder or link exists at a path. A link whose target is missing exists too. */
bool pd_os_exists(const char *path);
bool pd_os_is_readable(const char *path);
/* Returns whether two existing paths lead to the same file. */
bool pd_os_is_same(const pd_path_status *a, const pd_path_status *b);
/* Returns 0 if files can be created in a folder, else an errno. */
int pd_os_check_folder(const char *folder);

/* Opens a regular file for reading. Returns NULL at once, with errno, for a pipe, a device or a folder. status: NULL, or receives the
 * status of what was opened. */
FILE *pd_os_open_regular(const char *path, bool follows_links, pd_path_status *status);
/* Opens a device, pipe or existing file for writing. Returns -1 with errno on a failure. */
int pd_os_open_device(const char *path);
/* Writes all bytes to a file. Waits if the file was opened without waiting, and repeats an interrupted write. Returns 0 or an
 * errno. */
int pd_os_write(int file, const void *bytes, size_t size);
/* Moves the position of a file as lseek() does. Returns the position, or -1 with errno. */
int64_t pd_os_seek(int file, int64_t offset, int whence);
/* Cuts a file to `size` bytes. Returns 0 or an errno. */
int pd_os_truncate(int file, int64_t size);
/* Waits until the content of a file is on the disk. Returns 0 or an errno. */
int pd_os_sync(int file);
/* Reserves disk space for the first `size` bytes of a file, so that writing them cannot fail on a full disk. The file's length does
 * not change. Returns 0 or an errno such as ENOSPC. Returns 0 also if the file system cannot reserve space. */
int pd_os_reserve(int file, int64_t size);
/* Returns another descriptor of an open file, or -1 with errno. */
int pd_os_duplicate(int file);
/* Gives a file the permissions of another one, if possible. */
void pd_os_set_mode(int file, unsigned mode);
/* Sets the time of a file's last change to now. */
void pd_os_touch(const char *path);
void pd_os_close(int file);
/* Removes a file. Returns 0 or an errno. */
int pd_os_remove(const char *path);
/* Removes a folder if it is empty. Returns 0 or an errno. */
int pd_os_remove_folder(const char *path);
/* Renames a file; an existing one at the new path is replaced at once. Returns 0 or an errno. */
int pd_os_rename(const char *from, const char *to);
/* Creates a folder and its missing parents. is_private: only the user may enter the created ones. created: NULL, or receives the
 * length of the path of the first folder that was created; 0: none. Returns 0 or an errno. */
int pd_os_create_folders(const char *path, bool is_private, size_t *created);

/* Names of the entries of a folder, without "." and "..". pd_listing_next returns NULL at the end. */
typedef struct pd_listing pd_listing;
pd_listing *pd_listing_open(const char *folder); /* NULL with errno on a failure */
const char *pd_listing_next(pd_listing *listing);
void pd_listing_close(pd_listing *listing);

/* ---- Locks ---- */

/* A lock belongs to a file name in a folder: the file need not exist. The lock ends with the process, and with the last process that
 * inherited its descriptor. It excludes processes of the same machine. */
enum { PD_LOCK_NONE = 0, PD_LOCK_REFUSED = -1 };
/* Locks a file name in a folder. Returns a file descriptor, or one of the codes.
 * - PD_LOCK_NONE: the folder cannot be opened, or its file system has no locks.
 * - PD_LOCK_REFUSED: this process or another one has the lock, or the folder was removed meanwhile. */
int pd_os_lock(const char *folder, const char *name);
/* Ends a lock and sets it to PD_LOCK_NONE. Does nothing for the codes. */
void pd_os_unlock(int *lock);

/* ---- Temporary files and folders ---- */

/* Outputs are written under temporary names beside their target: .puddle-PROCESS-NUMBER.tmp. A process locks the name until the file
 * has its final name or is removed. A killed process thus leaves files without a lock, which the next process removes. */

/* Opens a nameless file for writing on the file system of a folder. The system removes it when its process is killed. Returns -1 if
 * the system cannot create such a file, or cannot name it later. */
int pd_os_open_nameless(const char *folder);
/* Creates a file with a temporary name, and locks the name. nameless: descriptor of a nameless file, which gets the name instead; -1:
 * none. Returns a descriptor, or -1 with errno and an empty path. */
int pd_os_create_temporary(const char *folder, int nameless, char *path, size_t size, int *lock);
/* Creates a folder with a temporary name, and locks the name. Returns 0, or an errno and an empty path. */
int pd_os_create_temporary_folder(const char *folder, char *path, size_t size, int *lock);
/* Removes a temporary folder with all that it contains. */
void pd_os_remove_temporary_folder(const char *path, int *lock);
/* Removes the temporary files and folders that killed processes of this user have left in a folder. Removes nothing on file systems
 * that several machines mount: there another machine may have the lock. */
void pd_os_remove_abandoned(const char *folder);

/* ---- Standard streams, signals ---- */

#define PD_STANDARD_OUTPUT "/dev/stdout" /* path of standard output */
/* Returns whether a path names standard output: "/dev/stdout", "/dev/fd/1" or "/proc/self/fd/1". */
bool pd_os_is_standard_output(const char *path);
/* Opens another descriptor of standard output. Opening the path instead would begin a redirected file anew, and would open the
 * /dev/null that replaces a closed standard output. Returns -1 with EBADF if standard output is closed or only open for reading. */
int pd_os_open_standard_output(void);
/* Opens /dev/null for each closed standard stream. A file opened later would get its descriptor, and messages would go there. */
void pd_os_open_standard_streams(void);
/* Returns whether standard output is a pipe whose reader has closed it, as `head` does after its lines. */
bool pd_os_is_pipe_closed(void);
bool pd_os_is_terminal(FILE *stream);

enum {
    PD_EXIT_SIGNAL = 128,
    PD_EXIT_CLOSED_PIPE = PD_EXIT_SIGNAL + 13
}; /* exit codes of a program that a signal ended */
/* Catches the signals that end a program: an interrupt from the keyboard, a request to end, a closed terminal. A second interrupt
 * ends the program. Writing to a closed pipe or beyond the limit of a file's size becomes a failed write. */
void pd_os_catch_signals(void);
/* Returns the number of the first caught signal; 0: none. hung_up: NULL, or receives whether the terminal was closed. */
int pd_os_caught_signal(bool *hung_up);

/* ---- Processes ---- */

/* Starts a program. arguments: its name and its arguments, ended by NULL. own: this program runs again, else the system searches the
 * name. lock: the process inherits this lock; a code: none. errors: NULL, or receives the descriptor from which pd_os_read_pipe reads
 * what the process writes to standard error; its standard output is then discarded. Returns 0 or an errno. */
int pd_os_start_process(long *process, char *const *arguments, bool own, int lock, int *errors);
/* Runs a program with a file as its standard input (reads), or else its standard output. A file never blocks, and a process that the
 * program leaves in the background goes on. Kills the program after `seconds`. Returns 0, with *succeeded: whether its exit code is
 * 0; or an errno: it cannot start. */
int pd_os_run_with_file(char *const *arguments, FILE *file, bool reads, double seconds, bool *succeeded);
/* Returns whether a process has ended. waits: returns only then. succeeded: NULL, or receives whether its exit code is 0. */
bool pd_os_has_ended(long process, bool waits, bool *succeeded);
/* Asks a process to end. kills: ends it. */
void pd_os_end_process(long process, bool kills);
/* Reads what is in a pipe. Returns the number of bytes; 0: its writer has closed it; -1: nothing yet. */
int pd_os_read_pipe(int file, char *text, size_t size);

/* ---- Threads ---- */

/* Returns the number of cores that this process may use. */
int pd_os_core_count(void);
/* Blocks all signals in the calling thread, and in the threads that start meanwhile: signals reach only the program's own threads. */
void pd_os_block_signals(void);
void pd_os_unblock_signals(void);
/* Starts threads that run `main`, with all signals blocked, until one cannot be started. Returns the number of started threads. */
int pd_os_start_threads(pthread_t *threads, int count, void *(*main)(void *), void *context);
/* Sets this thread's locale to C, in which numbers have a decimal point. Returns the former one, for pd_os_restore_locale. */
void *pd_os_begin_c_locale(void);
void pd_os_restore_locale(void *before);

/* ---- Time and memory ---- */

/* Returns the time of the monotonic clock, s. */
double pd_os_now(void);
void pd_os_sleep(double seconds);
/* Returns the most memory that this process has used, MiB. NAN: the system does not tell. */
double pd_os_peak_memory(void);

#endif
