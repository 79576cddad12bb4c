/* Reservation of disk space. */
#ifndef PUDDLE_RECORD_RESERVE_H
#define PUDDLE_RECORD_RESERVE_H

#include <sys/types.h>

/* Reserves the first `size` bytes of a file on the disk, so that writing there cannot fail for lack of space. The
 * file's length stays. Returns 0, also if the system cannot reserve, or an errno such as ENOSPC. */
int pd_reserve(int file, off_t size);

#endif
