/* Reservation of disk space. */
#ifndef PUDDLE_RECORD_RESERVE_H
#define PUDDLE_RECORD_RESERVE_H

#include <sys/types.h>

/* Reserves disk space for the first `size` bytes of a file, so that writing them cannot fail on a full disk. The length
 * of the file does not change. Returns 0, also if the system cannot reserve, or an errno such as ENOSPC. */
int pd_reserve_disk_space(int descriptor, off_t size);

#endif
