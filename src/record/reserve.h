/* Reservation of disk space. */
#ifndef PUDDLE_RECORD_RESERVE_H
#define PUDDLE_RECORD_RESERVE_H

#include <sys/types.h>

/* Reserves disk space for the first `size` bytes of a file, so that writing them cannot fail on a full disk. The file's
 * length does not change. Returns 0 or an errno such as ENOSPC. Returns 0 also if the file system cannot reserve
 * space. */
int pd_reserve_disk_space(int descriptor, off_t size);

#endif
