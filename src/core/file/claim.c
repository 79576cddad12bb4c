/* Claims on file names, each a lock on one byte of the folder. */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "core/file/claim.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef F_OFD_SETLK
/* Returns the offset of the folder's byte that a claim on a file name locks: a hash of the name. */
static off_t lock_offset_of_name(const char *name) {
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    for (const char *c = name; *c; c++) hash = (hash ^ (uint8_t)*c) * 0x100000001b3;
    return (off_t)(hash >> 2); /* off_t is signed, and the end of the lock, offset + 1, must fit too */
}

static bool is_byte_locked(int folder_descriptor, off_t offset) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
    return fcntl(folder_descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

static bool set_byte_lock(int folder_descriptor, off_t offset, short lock_type) {
    struct flock lock = {.l_type = lock_type, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
    return fcntl(folder_descriptor, F_OFD_SETLK, &lock) == 0;
}

/* Locks a byte of a folder. Returns the folder's descriptor, or a PD_CLAIM code. The lock is a read lock, which several
 * processes can have: a write lock would need a folder opened for writing, which is impossible. If two processes lock
 * the byte at the same time, both unlock it and retry after a delay that depends on the process's number. */
static int claim_byte(int folder_descriptor, off_t offset) {
    enum { BITS = 4, ROUNDS = 8 }; /* bits of the process's number that choose a delay; greatest number of attempts */
    static const long MILLISECOND = 1000000; /* ns */
    unsigned process = (unsigned)getpid();
    for (int round = 0; round < ROUNDS && !is_byte_locked(folder_descriptor, offset); round++, process >>= BITS) {
        if (!set_byte_lock(folder_descriptor, offset, F_RDLCK)) return PD_CLAIM_NONE;
        if (!is_byte_locked(folder_descriptor, offset)) return folder_descriptor;
        set_byte_lock(folder_descriptor, offset, F_UNLCK);
        nanosleep(&(struct timespec){.tv_nsec = (long)(process % (1 << BITS)) * MILLISECOND}, NULL);
    }
    return PD_CLAIM_REFUSED;
}
#endif

int pd_claim_file_name(const char *folder, const char *name) {
    int claim = PD_CLAIM_NONE;
#ifdef F_OFD_SETLK
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    claim = file > 0 ? claim_byte(file, lock_offset_of_name(name)) : PD_CLAIM_NONE;
    if (file >= 0 && claim != file) close(file);
#else
    (void)folder, (void)name;
#endif
    return claim;
}
