/* Text of manual pages in roff, the language of man(1). */
#include "cli/pages/roff.h"

#include <stdio.h>

void roff_print(const char *text) {
    if (*text == '.' || *text == '\'') fputs("\\&", stdout); /* at the beginning of a line these begin a request */
    for (; *text; text++) {
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-') /* roff would print a hyphen, which cannot be copied to a command line */
            fputs("\\-", stdout);
        else
            putchar(*text);
    }
}
