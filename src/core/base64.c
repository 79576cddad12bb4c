/* Base 64: encoder and decoder. */
#include "core/base64.h"
#include "core/memory.h"

#include <stdint.h>
#include <string.h>

static const char DIGITS[] = PD_BASE64_DIGITS; /* 64 digits, then the padding character */
enum { NO_DIGIT = 64, PASSED_OVER = 65 };

/* Encodes up to three bytes as four digits. left: number of remaining bytes. Returns the position behind the digits. */
static char *write_three(char *to, const uint8_t *bytes, size_t left) {
    uint32_t three = (uint32_t)bytes[0] << 16;
    if (left > 1) three |= (uint32_t)bytes[1] << 8;
    if (left > 2) three |= bytes[2];
    *to++ = DIGITS[three >> 18];
    *to++ = DIGITS[three >> 12 & 63];
    *to++ = left > 1 ? DIGITS[three >> 6 & 63] : '=';
    *to++ = left > 2 ? DIGITS[three & 63] : '=';
    return to;
}

void pd_base64_write(FILE *out, const void *from, size_t size, size_t per_line) {
    const uint8_t *bytes = from;
    for (size_t i = 0; i < size; i += 3) {
        char digits[4];
        write_three(digits, bytes + i, size - i);
        for (int k = 0; k < 4; k++) putc_unlocked(digits[k], out);
        if (per_line > 0 && (i % per_line == per_line - 3 || i + 3 >= size)) putc_unlocked('\n', out);
    }
}

char *pd_base64_text(const void *from, size_t size) {
    const uint8_t *bytes = from;
    char *text = pd_memory_new((size + 2) / 3 * 4 + 1), *to = text;
    for (size_t i = 0; text && i < size; i += 3) to = write_three(to, bytes + i, size - i);
    if (text) *to = '\0';
    return text;
}

void *pd_base64_read(const char *text, size_t length, size_t *size) {
    uint8_t values[256], *bytes = pd_memory_new(length / 4 * 3 + 4);
    uint32_t bits = 0;
    int held = 0;
    memset(values, NO_DIGIT, sizeof values);
    for (int i = 0; i < 64; i++) values[(unsigned char)DIGITS[i]] = (uint8_t)i;
    values['\n'] = values['='] = PASSED_OVER;
    *size = 0;
    for (size_t i = 0; bytes && i < length; i++) {
        uint8_t value = values[(unsigned char)text[i]];
        if (value == PASSED_OVER) continue;
        if (value == NO_DIGIT) {
            pd_memory_free(bytes);
            return NULL;
        }
        bits = bits << 6 | value;
        held += 6;
        if (held < 8) continue;
        held -= 8;
        bytes[(*size)++] = (uint8_t)(bits >> held);
    }
    return bytes;
}
