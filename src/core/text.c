#include "core/text.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static locale_t c_locale;
static void make_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

bool pd_text_number(const char *text, double *number) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_locale);
    if (*text == '\0' || strspn(text, "+-.0123456789eE") != strlen(text)) return false;
    char *end;
    locale_t before = c_locale ? uselocale(c_locale) : (locale_t)0;
    *number = strtod(text, &end);
    if (c_locale) uselocale(before);
    return *end == '\0' && isfinite(*number);
}

int pd_text_distance(const char *a, const char *b) {
    enum { LONGEST = 63 };
    int row[LONGEST + 1];
    int width = (int)strnlen(b, LONGEST);
    for (int j = 0; j <= width; j++) row[j] = j;
    for (int i = 0; i < LONGEST && a[i]; i++) {
        int diagonal = row[0];
        row[0] = i + 1;
        for (int j = 0; j < width; j++) {
            int above = row[j + 1];
            int best = diagonal + (tolower((unsigned char)a[i]) != tolower((unsigned char)b[j]));
            if (above + 1 < best) best = above + 1;
            if (row[j] + 1 < best) best = row[j] + 1;
            diagonal = above;
            row[j + 1] = best;
        }
    }
    return row[width];
}
