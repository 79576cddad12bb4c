/* Fills errors and looks up the names and results of error codes. */
#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const struct code {
    pd_result result;
    const char *name;
}
#define X(name, result) {result, #name},
codes[] = {PD_ERROR_CODES(X)},
    program_codes[] = {PD_PROGRAM_ERROR_CODES(X)};
#undef X

static struct code find_error_code(int code) {
    int count = (int)(sizeof codes / sizeof *codes), own = (int)(sizeof program_codes / sizeof *program_codes);
    if (code >= 0 && code < count) return codes[code];
    if (code >= PD_ERROR_PROGRAM && code - PD_ERROR_PROGRAM < own) return program_codes[code - PD_ERROR_PROGRAM];
    return (struct code){PD_FAILED, ""};
}

pd_result pd_error_result(int code) { return find_error_code(code).result; }

const char *pd_error_name(int code) { return find_error_code(code).name; }

pd_result pd_fail(pd_error *error, int code, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->code = (pd_error_code)code;
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        for (char *c = error->message; *c; c++)
            if ((unsigned char)*c < ' ' || *c == 127)
                *c = ' '; /* a message is one line, even if a file's name has line ends */
    }
    return pd_error_result(code);
}

pd_result pd_fail_memory(pd_error *error, const char *purpose) {
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %s (close other programs)", purpose);
}

void pd_abort_on_failed_assert(const char *condition, const char *file, int line) {
    fprintf(stderr, "puddle: internal error: %s is false at %s:%d (please report this)\n", condition, file, line);
    abort();
}

void pd_abort_on_bad_index(const char *function, const char *noun, int index, int count) {
    char valid[32] = "there are none";
    if (count > 0) snprintf(valid, sizeof valid, "use 0 to %d", count - 1);
    fprintf(stderr, "puddle: %s failed: no %s %d (%s)\n", function, noun, index, valid);
    abort();
}
