/* Numbers as text in the C locale, text in buffers, edit distance, cells of comma-separated values. */
#include "core/text.h"

#include "core/math.h"
#include "core/memory.h"
#include "platform/platform.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a number of at most 15 digits without an exponent. The number is the quotient of two integers that a double holds
 * exactly, so that one division rounds as strtod does (Clinger 1990, "How to read floating point numbers accurately"). Returns
 * false for other text. */
static bool read_short_number(const char *text, double *number) {
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const char *c = text + (*text == '-' || *text == '+'), *first = c, *point = NULL;
    int64_t digits = 0;
    for (; (*c >= '0' && *c <= '9') || (*c == '.' && !point); c++) {
        if (c - first > 15) return false; /* 15 digits and a point */
        if (*c == '.')
            point = c;
        else
            digits = 10 * digits + (*c - '0');
    }
    ptrdiff_t count = c - first - (point != NULL);
    if (*c || count < 1 || count > 15) return false;
    double value = (double)digits / powers[point ? c - point - 1 : 0];
    *number = *text == '-' ? -value : value;
    return true;
}

bool pd_text_read_number(const char *text, double *number) {
    if (read_short_number(text, number)) return true;
    if (*text == '\0' || strspn(text, "+-.0123456789eE") != strlen(text)) return false;
    char *end;
    void *before = pd_os_begin_c_locale();
    *number = strtod(text, &end);
    pd_os_restore_locale(before);
    return *end == '\0' && isfinite(*number);
}

char *pd_text_write_float(float value, char text[PD_FLOAT_TEXT]) {
    if (isnan(value)) { /* printf may write -nan */
        memcpy(text, "nan", sizeof "nan");
        return text;
    }
    void *before = pd_os_begin_c_locale();
    if (value == truncf(value) && fabsf(value) < 1e9f) { /* 1000000 rather than 1e+06 */
        snprintf(text, PD_FLOAT_TEXT, "%.0f", (double)value);
    } else {
        for (int digits = 6; digits <= 9; digits++) { /* %g drops trailing zeros: start at six digits */
            snprintf(text, PD_FLOAT_TEXT, "%.*g", digits, (double)value);
            if (strtof(text, NULL) == value) break;
        }
    }
    pd_os_restore_locale(before);
    return text;
}

char *pd_text_write_double(double value, char text[PD_FLOAT_TEXT]) {
    if (!isfinite(value)) return pd_text_write_float((float)value, text);
    void *before = pd_os_begin_c_locale();
    if (value == trunc(value) && fabs(value) < 1e15) { /* 1000000 rather than 1e+06 */
        snprintf(text, PD_FLOAT_TEXT, "%.0f", value);
    } else {
        for (int digits = 6; digits <= 17; digits++) { /* %g drops trailing zeros: start at six digits */
            snprintf(text, PD_FLOAT_TEXT, "%.*g", digits, value);
            if (strtod(text, NULL) == value) break;
        }
    }
    pd_os_restore_locale(before);
    return text;
}

float pd_round_to_digits(float value, int digits) {
    if (value == 0 || !isfinite(value)) return value;
    double steps = pd_pow(10, digits - 1 - floor(pd_log10(fabs((double)value))));
    return (float)(round((double)value * steps) / steps);
}

char *pd_text_write_range(double low, double high, char text[PD_RANGE_TEXT]) {
    char from[PD_FLOAT_TEXT], to[PD_FLOAT_TEXT];
    snprintf(text, PD_RANGE_TEXT, "%s to %s", pd_text_write_float((float)low, from),
             pd_text_write_float((float)high, to));
    return text;
}

int pd_text_edit_distance(const char *a, const char *b) {
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

void pd_text_choose_nearer(pd_nearest_text *nearest, const char *name, const char *candidate) {
    int distance = pd_text_edit_distance(name, candidate);
    if (distance < nearest->distance) *nearest = (pd_nearest_text){candidate, distance};
}

void pd_text_write_csv_cell(FILE *stream, const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"') fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

/* Removes the last character of a text if some of its bytes are missing (UTF-8). */
static void remove_incomplete_character(char *text) {
    size_t length = strlen(text), first = length;
    while (first > 0 && ((unsigned char)text[first - 1] & 0xc0) == 0x80) first--;
    if (first == 0) return;
    unsigned char lead = (unsigned char)text[--first];
    size_t bytes = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (first + bytes > length) text[first] = '\0';
}

bool pd_text_ends_in(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

void pd_text_shorten(char *text, size_t size) {
    if (strlen(text) < size) return;
    text[size - 1] = '\0';
    remove_incomplete_character(text);
}

bool pd_text_append(char *text, size_t size, const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < size - used) return true;
    remove_incomplete_character(text);
    return false;
}

bool pd_text_append_word(char *text, size_t size, const char *separator, const char *word) {
    size_t used = strlen(text), gap = used ? strlen(separator) : 0;
    return used + gap + strlen(word) < size && pd_text_append(text, size, "%s%s", used ? separator : "", word);
}

/* ---- Base 64 ---- */

static const char DIGITS[] = PD_BASE64_DIGITS; /* the 64 digits, followed by the padding character */
enum { NO_DIGIT = 64, SKIPPED = 65 };

/* Encodes the next bytes, at most three, as four digits. remaining: number of bytes up to the end of the data. Returns
 * the position behind the digits. */
static char *encode_three_bytes(char *digits, const uint8_t *bytes, size_t remaining) {
    uint32_t three = (uint32_t)bytes[0] << 16;
    if (remaining > 1) three |= (uint32_t)bytes[1] << 8;
    if (remaining > 2) three |= bytes[2];
    *digits++ = DIGITS[three >> 18];
    *digits++ = DIGITS[three >> 12 & 63];
    *digits++ = remaining > 1 ? DIGITS[three >> 6 & 63] : '=';
    *digits++ = remaining > 2 ? DIGITS[three & 63] : '=';
    return digits;
}

void pd_base64_write(FILE *out, const void *from, size_t size, size_t bytes_per_line) {
    const uint8_t *bytes = from;
    for (size_t i = 0; i < size; i += 3) {
        char digits[4];
        encode_three_bytes(digits, bytes + i, size - i);
        for (int k = 0; k < 4; k++) putc_unlocked(digits[k], out);
        if (bytes_per_line > 0 && (i % bytes_per_line == bytes_per_line - 3 || i + 3 >= size)) putc_unlocked('\n', out);
    }
}

char *pd_base64_encode(const void *from, size_t size) {
    const uint8_t *bytes = from;
    char *text = pd_memory_new((size + 2) / 3 * 4 + 1), *digits_end = text;
    for (size_t i = 0; text && i < size; i += 3) digits_end = encode_three_bytes(digits_end, bytes + i, size - i);
    if (text) *digits_end = '\0';
    return text;
}

void *pd_base64_decode(const char *text, size_t length, size_t *size) {
    uint8_t values[256], *bytes = pd_memory_new(length / 4 * 3 + 4);
    uint32_t bits = 0;
    int bit_count = 0;
    memset(values, NO_DIGIT, sizeof values);
    for (int i = 0; i < 64; i++) values[(unsigned char)DIGITS[i]] = (uint8_t)i;
    values['\n'] = values['='] = SKIPPED;
    *size = 0;
    for (size_t i = 0; bytes && i < length; i++) {
        uint8_t value = values[(unsigned char)text[i]];
        if (value == SKIPPED) continue;
        if (value == NO_DIGIT) {
            pd_memory_free(bytes);
            return NULL;
        }
        bits = bits << 6 | value;
        bit_count += 6;
        if (bit_count < 8) continue;
        bit_count -= 8;
        bytes[(*size)++] = (uint8_t)(bits >> bit_count);
    }
    return bytes;
}
