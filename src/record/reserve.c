/* Reserves disk space by fallocate(). */
#define _GNU_SOURCE /* fallocate */
#include "record/reserve.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

int pd_reserve_disk_space(int descriptor, off_t size) {
    struct rlimit limit;
    /* A write beyond the process's file size limit would fail, even in reserved space. */
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && (rlim_t)size > limit.rlim_cur)
        return EFBIG;
#ifdef FALLOC_FL_KEEP_SIZE
    while (fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, size) != 0) {
        if (errno == EINTR) continue;
        return errno == ENOSPC || errno == EDQUOT || errno == EFBIG ? errno : 0;
    }
#else
    (void)descriptor;
#endif
    return 0;
}
