/* Bytes as text in base 64 (RFC 4648). */
#ifndef PUDDLE_CORE_BASE64_H
#define PUDDLE_CORE_BASE64_H

#include <stddef.h>
#include <stdio.h>

/* The characters of such a text in one line. */
#define PD_BASE64_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="

/* per_line: bytes in a line, a multiple of 3; 0: all in one, without a line end. */
void pd_base64_write(FILE *out, const void *bytes, size_t size, size_t per_line);
/* Returns the bytes as base 64 in one line, to be freed. NULL: there is no memory. */
char *pd_base64_text(const void *bytes, size_t size);
/* Decodes text, in which line ends are passed over. The result is to be freed; NULL: it is not base 64, or out of memory. */
void *pd_base64_read(const char *text, size_t length, size_t *size);

#endif
