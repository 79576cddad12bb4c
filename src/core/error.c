#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

pd_result pd_item_result(pd_item item) {
    static const pd_result results[] = {
#define X(name, result) [PD_ITEM_##name] = result,
        PD_ITEMS(X)
#undef X
    };
    return results[item];
}

const char *pd_item_name(pd_item item) {
    static const char *const names[] = {
#define X(name, result) [PD_ITEM_##name] = #name,
        PD_ITEMS(X)
#undef X
    };
    return names[item];
}

pd_result pd_fail(pd_error *error, pd_item item, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->item = item;
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        for (char *c = error->message; *c; c++)
            if ((unsigned char)*c < ' ' || *c == 127) *c = ' '; /* one line, whatever a file's name holds */
    }
    return pd_item_result(item);
}

void pd_assert_failed(const char *condition, const char *file, int line) {
    fprintf(stderr, "puddle: internal error: %s is false at %s:%d (please report this)\n", condition, file, line);
    abort();
}
