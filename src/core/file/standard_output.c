/* Standard output as a file that outputs are written to. */
#include "core/file/standard_output.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool pd_standard_output_is_path(const char *path) {
    return strcmp(path, PD_STANDARD_OUTPUT) == 0 || strcmp(path, "/dev/fd/1") == 0 ||
           strcmp(path, "/proc/self/fd/1") == 0;
}

static bool is_writable(void) {
    int flags = fcntl(STDOUT_FILENO, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

int pd_standard_output_open(void) {
    if (is_writable()) return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    errno = EBADF;
    return -1;
}

pd_result pd_standard_output_check(pd_error *error) {
    return is_writable() ? PD_OK : pd_fail_standard_output(EBADF, error);
}

int pd_write_whole(int file, const void *bytes, size_t size) {
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

pd_result pd_fail_standard_output(int error_number, pd_error *error) {
    int code = error_number == EPIPE ? PD_ERROR_STANDARD_OUTPUT_CLOSED : PD_ERROR_FILE_UNWRITABLE;
    char reason[80] = "it is closed";
    if (error_number != EBADF && strerror_r(error_number, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", error_number);
    return pd_fail(error, code, "cannot write to standard output: %s (check where it goes)", reason);
}
