/* The layout of snapshots (sim/snapshot.c), for tests that damage them and then correct the checksum. */
#ifndef PUDDLE_TESTS_SNAPSHOTS_H
#define PUDDLE_TESTS_SNAPSHOTS_H

#include "core/archive.h"

#include <string.h>

/* Offsets in the header: magic, version, byte order, checksum, size of the scene's text. Behind it are the text and the
 * state. */
enum { VERSION_AT = 8, BYTE_ORDER_AT = 12, SUM_AT = 16, TEXT_SIZE_AT = 24, HEADER_SIZE = 32 };

/* Sets the checksum of a snapshot. */
static inline void snapshot_sign(uint8_t *bytes, size_t size) {
    memset(bytes + SUM_AT, 0, sizeof(uint64_t));
    uint64_t sum = pd_archive_hash(pd_archive_hash(0, bytes, HEADER_SIZE), bytes + HEADER_SIZE, size - HEADER_SIZE);
    memcpy(bytes + SUM_AT, &sum, sizeof sum);
}

/* Returns the offset of the state. */
static inline size_t snapshot_state(const uint8_t *bytes) {
    uint64_t text;
    memcpy(&text, bytes + TEXT_SIZE_AT, sizeof text);
    return HEADER_SIZE + (size_t)text;
}

#endif
