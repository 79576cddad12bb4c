/* A byte buffer. One function reads, writes or hashes values, so that the layout of a snapshot is described only once. */
#ifndef PUDDLE_SIM_ARCHIVE_H
#define PUDDLE_SIM_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pd_archive {
    uint8_t *bytes;
    size_t size, capacity; /* writing: bytes used and allocated; reading: next position and end */
    bool reading;
    bool hashing;  /* the bytes only update `hash` and are not stored */
    uint64_t hash; /* hash of all bytes so far; any initial value */
    bool failed;   /* out of memory, or read past the end; pd_archive_transfer then does nothing */
} pd_archive;

/* Reads, writes or hashes `size` bytes, as the archive's members say. */
void pd_archive_transfer(pd_archive *archive, void *data, size_t size);
/* Returns the hash of `size` bytes, beginning with `hash`. It detects damage (a change within one word of eight bytes
 * always changes it), not tampering. */
uint64_t pd_archive_hash(uint64_t hash, const void *bytes, size_t size);

#endif
