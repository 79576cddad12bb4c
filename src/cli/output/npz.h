/* Writes NumPy's .npz files: zip files of arrays, without compression. numpy.load reads them. The bytes depend on the arrays
 * alone: every entry has the date 1980-01-01, the first one of the format. */
#ifndef PUDDLE_CLI_OUTPUT_NPZ_H
#define PUDDLE_CLI_OUTPUT_NPZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { NPZ_MAX_ARRAYS = 48, NPZ_MAX_NAME = 32 };

/* An array: its name with the ending .npy, and the place in the file. */
typedef struct npz_entry {
    char name[NPZ_MAX_NAME];
    uint32_t checksum, size, offset; /* CRC-32 of the .npy file; its size and offset, bytes */
} npz_entry;

typedef struct npz {
    FILE *stream;
    npz_entry entries[NPZ_MAX_ARRAYS];
    int count;
    uint64_t size;  /* bytes written so far */
    bool too_large; /* the file would pass 4 GiB, the limit of the zip format without extensions */
} npz;

/* Adds an array. type: NumPy's name of the elements' type ("<f4"); shape: `dimensions` lengths, at most 3; the array lies in
 * memory in C order and has `element_size` bytes for each element. */
void npz_add(npz *npz, const char *name, const char *type, size_t element_size, int dimensions, const size_t *shape,
             const void *elements);
/* Ends the file with its directory. */
void npz_end(npz *npz);

#endif
