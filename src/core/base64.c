#include "core/base64.h"
#include "core/memory.h"

#include <stdint.h>
#include <string.h>

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
enum { NO_DIGIT = 64, PASSED_OVER = 65 };

void pd_base64_write(FILE *out, const void *from, size_t size, size_t per_line) {
    const uint8_t *bytes = from; /* no other thread has the stream; locking it for each digit takes twice as long */
    for (size_t i = 0; i < size; i += 3) {
        uint32_t three = (uint32_t)bytes[i] << 16;
        if (i + 1 < size) three |= (uint32_t)bytes[i + 1] << 8;
        if (i + 2 < size) three |= bytes[i + 2];
        putc_unlocked(DIGITS[three >> 18], out);
        putc_unlocked(DIGITS[three >> 12 & 63], out);
        putc_unlocked(i + 1 < size ? DIGITS[three >> 6 & 63] : '=', out);
        putc_unlocked(i + 2 < size ? DIGITS[three & 63] : '=', out);
        if (per_line > 0 && (i % per_line == per_line - 3 || i + 3 >= size)) putc_unlocked('\n', out);
    }
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
