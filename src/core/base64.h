/* Base 64 (RFC 4648): bytes as text. */
#ifndef PUDDLE_CORE_BASE64_H
#define PUDDLE_CORE_BASE64_H

#include <stddef.h>
#include <stdio.h>

/* The 64 digits and the padding character. */
#define PD_BASE64_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="

/* Writes bytes as base 64. bytes_per_line: bytes encoded in each line, a multiple of 3; 0: all in one line without a line
 * end. */
void pd_base64_write(FILE *out, const void *bytes, size_t size, size_t bytes_per_line);
/* Returns bytes encoded as base 64 in one line, or NULL if memory runs out. Free with pd_memory_free. */
char *pd_base64_encode(const void *bytes, size_t size);
/* Decodes base 64, skipping line ends. *size: number of decoded bytes. Returns NULL for invalid text or if memory runs
 * out. Free with pd_memory_free. */
void *pd_base64_decode(const char *text, size_t length, size_t *size);

#endif
