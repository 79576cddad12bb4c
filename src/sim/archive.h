/* A byte buffer that is written or read by the same code: one function describes a layout for both directions, and for a
 * hash of what would be written. */
#ifndef PUDDLE_SIM_ARCHIVE_H
#define PUDDLE_SIM_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pd_archive {
    uint8_t *bytes;
    size_t size, capacity; /* reading: size is the position of the next read, capacity the end */
    bool reading;
    bool hashing;  /* nothing is kept: hash changes with every byte and call */
    uint64_t hash; /* any value at the beginning */
    bool failed;   /* out of memory, or read past the end; later calls do nothing */
} pd_archive;

void pd_archive_bytes(pd_archive *archive, void *data, size_t size);
/* Hash of 64 bits, eight bytes at a time; detects damage, not tampering: any change within eight of the bytes changes it. */
uint64_t pd_archive_hash(uint64_t hash, const void *bytes, size_t size);

#endif
