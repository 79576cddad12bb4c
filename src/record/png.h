/* How a failed write is told. */
#ifndef PUDDLE_RECORD_PNG_H
#define PUDDLE_RECORD_PNG_H

#include <puddle/result.h>

/* FILE_UNWRITABLE, with what to do about an errno. */
pd_result pd_fail_write(pd_error *error, const char *path, int reason);

#endif
