/* Bytes in a row, written or read by the same code: one function describes a thing's layout for both directions. */
#ifndef PUDDLE_SIM_ARCHIVE_H
#define PUDDLE_SIM_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pd_archive {
    uint8_t *bytes;
    size_t size, capacity; /* reading: size is where the next read begins, capacity the end */
    bool reading;
    bool failed; /* out of memory, or read past the end; everything after does nothing */
} pd_archive;

void pd_archive_bytes(pd_archive *archive, void *data, size_t size);
/* FNV-1a, 64 bits: finds damage, not malice. */
uint64_t pd_archive_sum(const uint8_t *bytes, size_t size);

#endif
