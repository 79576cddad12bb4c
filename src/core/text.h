/* Numbers as text, text in buffers, edit distance, CSV cells, base 64. */
#ifndef PUDDLE_CORE_TEXT_H
#define PUDDLE_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
    PD_FLOAT_TEXT = 32,                    /* size, in bytes, that is enough for the text of any float or double */
    PD_RANGE_TEXT = 2 * PD_FLOAT_TEXT + 4, /* size, in bytes, that is enough for the text of pd_text_write_range */
};

/* Reads a decimal number ("-1.5e-3") in any locale. Returns false for any other text, including nan, inf,
 * hexadecimal numbers and overflow (1e999). */
bool pd_text_read_number(const char *text, double *number);
/* Writes the shortest decimal number from which reading gets the same float (0.1, not 0.100000001), in any locale.
 * Values that are not finite become nan, inf or -inf. Returns `text`. */
char *pd_text_write_float(float value, char text[PD_FLOAT_TEXT]);
/* Rounds a value to `digits` significant digits, for display. */
float pd_round_to_digits(float value, int digits);
/* Writes the shortest decimal number from which reading gets the same double, in the format of pd_text_write_float.
 * Returns `text`. */
char *pd_text_write_double(double value, char text[PD_FLOAT_TEXT]);
/* Writes a range for messages: "0 to 1000000". Both numbers have the format of pd_text_write_float. Returns `text`. */
char *pd_text_write_range(double low, double high, char text[PD_RANGE_TEXT]);
/* Returns the edit distance of two texts: the least number of characters to insert, delete or replace. Compares the
 * first 63 characters, case-insensitively. For suggestions ("did you mean"). */
int pd_text_edit_distance(const char *a, const char *b);
/* The text that is most similar to a name, for suggestions. Begin with a NULL text and the least distance that is too large. */
typedef struct pd_nearest_text {
    const char *text; /* NULL: none so far */
    int distance;     /* edit distance between `text` and the name */
} pd_nearest_text;
/* Replaces nearest->text by `candidate` if that is more similar to `name`. */
void pd_text_choose_nearer(pd_nearest_text *nearest, const char *name, const char *candidate);
/* Returns whether a text ends in another one: a path in ".csv". */
bool pd_text_ends_in(const char *text, const char *ending);
/* Cuts a text to fewer than `size` bytes, at the end of a UTF-8 character. */
void pd_text_shorten(char *text, size_t size);
/* Appends to the text in a buffer of `size` bytes. Cuts what does not fit, at the end of a UTF-8 character. Returns false
 * if something was cut. */
bool pd_text_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Appends a word to a list of words in a buffer of `size` bytes. The separator precedes every word but the first. Returns
 * false without a change if the word does not fit. */
bool pd_text_append_word(char *text, size_t size, const char *separator, const char *word);
/* Writes a cell of a CSV file, in quotes if the text contains separators (RFC 4180). */
void pd_text_write_csv_cell(FILE *stream, const char *text);

/* ---- Base 64 (RFC 4648): bytes as text ---- */

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
