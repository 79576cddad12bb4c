#ifndef PUDDLE_RECORD_RESERVE_H
#define PUDDLE_RECORD_RESERVE_H

#include <sys/types.h>

/* Reserves the first `size` bytes of a file on the disk, without a change of the file's length, so that writing there
 * cannot fail for lack of space. Returns 0, also where the system cannot reserve, or ENOSPC and the like. */
int pd_reserve(int file, off_t size);

#endif
