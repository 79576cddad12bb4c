#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

pd_result pd_error_result(pd_error_code code) {
    static const pd_result results[] = {
#define X(name, result) [PD_ERROR_##name] = result,
        PD_ERROR_CODES(X)
#undef X
    };
    return results[code];
}

const char *pd_error_name(pd_error_code code) {
    static const char *const names[] = {
#define X(name, result) [PD_ERROR_##name] = #name,
        PD_ERROR_CODES(X)
#undef X
    };
    return names[code];
}

pd_result pd_fail(pd_error *error, pd_error_code code, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->code = code;
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        for (char *c = error->message; *c; c++)
            if ((unsigned char)*c < ' ' || *c == 127) *c = ' '; /* one line, also of file names with newlines */
    }
    return pd_error_result(code);
}

void pd_assert_failed(const char *condition, const char *file, int line) {
    fprintf(stderr, "puddle: internal error: %s is false at %s:%d (please report this)\n", condition, file, line);
    abort();
}
