/* A byte buffer with one function for reading, writing and hashing, so that a layout is described once. */
#ifndef PUDDLE_SIM_ARCHIVE_H
#define PUDDLE_SIM_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pd_archive {
    uint8_t *bytes;
    size_t size, capacity; /* writing: bytes used and allocated; reading: next position and end */
    bool reading;
    bool hashing;  /* only `hash` is updated with the bytes; nothing is stored */
    uint64_t hash; /* hash of all bytes so far; starts with any value */
    bool failed;   /* out of memory, or read past the end; later calls do nothing */
} pd_archive;

void pd_archive_transfer(pd_archive *archive, void *data, size_t size);
/* Returns a hash of 64 bits, computed from words of eight bytes. It detects damage, not tampering: a change within
 * one word always changes the hash. */
uint64_t pd_archive_hash(uint64_t hash, const void *bytes, size_t size);

#endif
