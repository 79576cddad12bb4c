#include "core/archive.h"
#include "core/memory.h"

#include <string.h>

static bool reserve_bytes(pd_archive *archive, size_t size) {
    if (archive->size + size <= archive->capacity) return true;
    size_t capacity = (archive->size + size) * 3 / 2 + 4096;
    uint8_t *bytes = pd_memory_resize(archive->bytes, capacity);
    if (!bytes) return false;
    archive->bytes = bytes;
    archive->capacity = capacity;
    return true;
}

void pd_archive_transfer(pd_archive *archive, void *data, size_t size) {
    if (archive->failed || archive->checking || size == 0) return;
    if (archive->hashing) {
        archive->hash = pd_archive_hash(archive->hash, data, size);
        return;
    }
    bool fits = archive->reading ? size <= archive->capacity - archive->size : reserve_bytes(archive, size);
    if (!fits) {
        archive->failed = true;
        return;
    }
    if (archive->reading)
        memcpy(data, archive->bytes + archive->size, size);
    else
        memcpy(archive->bytes + archive->size, data, size);
    archive->size += size;
}

/* Adds a word to a hash and returns the new hash. The function is a bijection of each argument, so that a change of one
 * word always changes the final hash. */
static uint64_t hash_word(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

uint64_t pd_archive_hash(uint64_t hash, const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    uint64_t word;
    size_t left = size;
    for (; left >= sizeof word; left -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = hash_word(hash, word);
    }
    word = 0;
    memcpy(&word, at, left);
    return hash_word(hash_word(hash, word), size);
}
