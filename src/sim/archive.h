/* A byte buffer of a snapshot. The same function reads, writes or hashes a value, so that only one piece of code describes
 * the layout of a snapshot. */
#ifndef PUDDLE_SIM_ARCHIVE_H
#define PUDDLE_SIM_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pd_archive {
    uint8_t *bytes;        /* the buffer; NULL while hashing */
    size_t size, capacity; /* writing: bytes used and allocated; reading: next position and end */
    bool reading;          /* pd_archive_transfer reads from the buffer; else it writes */
    bool hashing;          /* the bytes only update `hash` and are not stored */
    uint64_t hash;         /* hash of all bytes so far; any initial value */
    bool failed;           /* out of memory, or read past the end; pd_archive_transfer then does nothing */
} pd_archive;

/* Reads, writes or hashes `size` bytes of `data`, depending on archive->reading and archive->hashing. */
void pd_archive_transfer(pd_archive *archive, void *data, size_t size);
/* Returns the hash of `size` bytes. hash: initial value, for example the hash of earlier bytes. A change within one word of
 * eight bytes always changes the hash. The hash is not cryptographic. */
uint64_t pd_archive_hash(uint64_t hash, const void *bytes, size_t size);

#endif
