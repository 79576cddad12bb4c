/* Base 64: encoder and decoder. */
#include "core/base64.h"
#include "core/memory.h"

#include <stdint.h>
#include <string.h>

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
