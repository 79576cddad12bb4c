/* A byte buffer that is written or read by the same code: one function describes a layout for both directions. */
#ifndef PUDDLE_SIM_ARCHIVE_H
#define PUDDLE_SIM_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pd_archive {
    uint8_t *bytes;
    size_t size, capacity; /* reading: size is the position of the next read, capacity the end */
    bool reading;
    bool failed; /* out of memory, or read past the end; later calls do nothing */
} pd_archive;

void pd_archive_bytes(pd_archive *archive, void *data, size_t size);
/* Checksum, FNV-1a of 64 bits: detects damage, not tampering. */
uint64_t pd_archive_sum(const uint8_t *bytes, size_t size);

#endif
