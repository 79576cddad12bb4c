/* Archive: a buffer of bytes that is read, written, hashed or checked. One function, pd_archive_transfer, does all four, so
 * that the layout of a snapshot and the limits of its values are described only once. */
#ifndef PUDDLE_CORE_ARCHIVE_H
#define PUDDLE_CORE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pd_archive {
    uint8_t *bytes;  /* the buffer; NULL while hashing */
    size_t size;     /* writing: number of bytes written; reading: position of the next byte */
    size_t capacity; /* writing: allocated bytes; reading: number of all bytes */
    bool reading;    /* true: pd_archive_transfer reads from the buffer; false: it writes */
    bool hashing;    /* pd_archive_transfer updates `hash` and stores no bytes */
    bool checking;   /* pd_archive_transfer does nothing: present values are validated as values that were read */
    uint64_t hash;   /* hashing: hash of all bytes so far */
    bool failed; /* memory ran out, the end was passed or a value is invalid; pd_archive_transfer then does nothing */
} pd_archive;

/* Reads, writes, hashes or skips `size` bytes of `data`: archive->reading, ->hashing, ->checking. */
void pd_archive_transfer(pd_archive *archive, void *data, size_t size);
/* Returns whether the caller must validate the values that it has transferred, and set archive->failed if one is invalid. */
static inline bool pd_archive_validates(const pd_archive *archive) { return archive->reading || archive->checking; }
/* Returns the hash of earlier bytes (`hash`; at first any value) and of `size` further bytes. A change within one word of
 * eight bytes always changes the hash. The hash is not cryptographic. */
uint64_t pd_archive_hash(uint64_t hash, const void *bytes, size_t size);

#endif
