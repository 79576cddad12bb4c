/* An allocator that counts requests and blocks, and refuses memory from a chosen request on. A small request, which must
 * not fail, is refused too, but is given when the library requests again: the refusal then meets the next request. */
#ifndef PUDDLE_TESTS_REFUSING_H
#define PUDDLE_TESTS_REFUSING_H

#include "sanitizers.h"

#include <puddle/memory.h>
#include <stdlib.h>
#include <string.h>

/* Header of each block; the block is aligned like that of malloc. */
typedef union block_head {
    struct {
        size_t size;
        uint64_t mark;
    } of;
    max_align_t align;
} block_head;

static const uint64_t LIVE = 0x6c69766520626c6b;

/* Which requests are refused. */
typedef enum refusal { REFUSE_NONE, REFUSE_ONE, REFUSE_ALL_FROM } refusal;

static struct {
    refusal mode;
    long requests, refused_from; /* since refuse(): number of requests; number of the first refused one, from 1 */
    long blocks;                 /* number of live blocks */
    size_t bytes;                /* bytes of live blocks */
    bool given;                  /* the next request repeats a refused small one */
} memory;

static inline bool is_refused(void) {
    if (memory.mode == REFUSE_NONE || memory.given) return memory.given = false;
    memory.requests++;
    return memory.mode == REFUSE_ONE ? memory.requests == memory.refused_from : memory.requests >= memory.refused_from;
}

static inline void *begin_block(block_head *head, size_t size) {
    if (!head) abort(); /* the test itself is out of memory */
    head->of.size = size;
    head->of.mark = LIVE;
    memory.blocks++;
    memory.bytes += size;
    return head + 1;
}

/* Returns the header of a block that is freed. */
static inline block_head *end_block(void *block) {
    block_head *head = (block_head *)block - 1;
    if (head->of.mark != LIVE) abort(); /* of another allocator, or already freed */
    head->of.mark = 0;
    memory.blocks--;
    memory.bytes -= head->of.size;
    return head;
}

static inline void *refusing_allocate(size_t size, void *user) {
    (void)user;
    return is_refused() ? NULL : begin_block((block_head *)malloc(sizeof(block_head) + size), size);
}

static inline void *refusing_resize(void *block, size_t size, void *user) {
    (void)user;
    if (is_refused()) return NULL;
    block_head *head = end_block(block);
    return begin_block((block_head *)realloc(head, sizeof *head + size), size);
}

static inline void refusing_release(void *block, void *user) {
    (void)user;
    if (block) free(end_block(block));
}

static inline void give_small_request(size_t size, void *user) {
    (void)size, (void)user;
    memory.given = true;
    memory.requests--;
}

static inline void set_refusing_allocator(void) {
    pd_set_allocator(&(pd_allocator){refusing_allocate, refusing_resize, refusing_release, NULL, give_small_request});
}

static inline void refuse(refusal mode, long from) {
    memory.mode = mode;
    memory.requests = 0;
    memory.refused_from = from;
}

/* Ends the refusals. Returns whether a request was refused. */
static inline bool was_refused(void) {
    bool refused = memory.mode != REFUSE_NONE && memory.requests >= memory.refused_from;
    memory.mode = REFUSE_NONE;
    return refused;
}

#endif
