/* Standard output as a file that outputs are written to: how it is opened, written and reported. */
#ifndef PUDDLE_CORE_FILE_STANDARD_OUTPUT_H
#define PUDDLE_CORE_FILE_STANDARD_OUTPUT_H

#include <puddle/result.h>
#include <stdbool.h>
#include <stddef.h>

#define PD_STANDARD_OUTPUT "/dev/stdout" /* path of standard output; pd_output_open opens it like any other file */

/* Returns whether a path names standard output: "/dev/stdout", "/dev/fd/1" or "/proc/self/fd/1". */
bool pd_standard_output_is_path(const char *path);
/* Opens another descriptor of standard output. Opening the path instead would begin a redirected file anew, and would open
 * the /dev/null that replaces a closed standard output. Returns -1 with errno EBADF if standard output is closed or is only
 * open for reading. */
int pd_standard_output_open(void);
/* Fails with FILE_UNWRITABLE if pd_standard_output_open would fail. Call before long work. */
pd_result pd_standard_output_check(pd_error *error);
/* Writes all bytes to a file descriptor. Waits if the file was opened with O_NONBLOCK, and repeats an interrupted write.
 * Returns 0 or an errno. */
int pd_write_whole(int file, const void *bytes, size_t size);
/* Fails with STANDARD_OUTPUT_CLOSED if error_number (an errno) is EPIPE, else with FILE_UNWRITABLE. */
pd_result pd_fail_standard_output(int error_number, pd_error *error);

#endif
