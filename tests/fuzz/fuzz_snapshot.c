/* Fuzzer of snapshots: any bytes are restored, or refused with a message of one line. A restored world can be stepped with
 * every method and saved again, and what was saved goes on in the same way. Mutations correct the header and its checksum, so that damaged contents are read at all. */
#include "fuzz.h"
#include "snapshots.h"

enum { MOST_PARTICLES = 2000 };

/* Saves the world and restores that into another one, which then has the same hash. */
static void copy_world(const pd_world *world, pd_world *copy) {
    void *saved;
    size_t size;
    pd_error error;
    fuzz_require(pd_world_save_to_memory(world, &saved, &size, &error), &error);
    fuzz_require(pd_world_restore_from_memory(copy, saved, size, &error), &error);
    free(saved);
    if (pd_world_hash(copy) != pd_world_hash(world)) fuzz_fail("a snapshot restores another world");
}

/* Steps both worlds while that takes little time. */
static void step_alike(pd_world *world, pd_world *copy) {
    fuzz_step(world);
    if (pd_world_stepping(world)) return;
    copy_world(world, copy);
    fuzz_step(world);
    fuzz_step(copy);
    if (pd_world_stepping(world) || pd_world_stepping(copy)) return;
    if (pd_world_hash(copy) != pd_world_hash(world)) fuzz_fail("a restored world goes on in another way");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static pd_world *world, *copy;
    pd_error error;
    fuzz_begin();
    if (!world) world = fuzz_world_of("puddle: 1\n", "ddr");
    if (!copy) copy = fuzz_world_of("puddle: 1\n", "ddr");
    if (pd_world_restore_from_memory(world, bytes, size, &error) != PD_OK) {
        fuzz_expect_message(&error);
        return 0;
    }
    fuzz_count.read++;
    if (pd_world_particles(world) > MOST_PARTICLES) return 0;
    fuzz_count.reached++;
    /* The input may be forged, so the comparison starts from a snapshot that puddle saved itself. */
    void *saved;
    size_t saved_size;
    fuzz_require(pd_world_save_to_memory(world, &saved, &saved_size, &error), &error);
    copy_world(world, copy);
    fuzz_require(pd_world_restore_from_memory(world, saved, saved_size, &error), &error);
    step_alike(world, copy);
    /* One of the methods for each input: the checksum chooses it. */
    const char *method = pd_method_at(bytes[SUM_AT] % pd_method_count())->name;
    fuzz_require(pd_world_restore_from_memory(world, saved, saved_size, &error), &error);
    free(saved);
    if (pd_world_set_method(world, method, &error) == PD_OK)
        step_alike(world, copy);
    else
        fuzz_expect_message(&error);
    return 0;
}

/* ---- Mutations ---- */

/* Scenes for snapshots with all kinds of contents: springs, an emitter, moving obstacles, a change of materials, vortices.
 * Grids and vortons are coarse, or their snapshots would be longer than the inputs. */
#define COARSE "parameters: {grid: {resolution: 8}, flip: {resolution: 8}, vortex: {core: 0.3, tracers: 20}}\n"
static const char *const SEEDS[] = {
    "puddle: 1\nparticles: 20\nmaterials: {a: {color: '#ffffff', elasticity: 800, plasticity: 3}, b: {color: "
    "'#ffffff'}}\n"
    "regions: [{shape: circle, center: [0, 0], radius: 0.2, material: a}]\n"
    "changes: [{shape: circle, center: [0, 0], radius: 0.1, from: a, to: b}]\n" COARSE,
    "puddle: 1\nparticles: 30\ncontainer: {shape: box, width: 2, height: 1}\n"
    "regions: [{shape: box, center: [0.4, -0.3], size: [0.5, 0.3]}]\n"
    "emitters: [{position: [0, 0.4], direction: [0.2, -1], speed: 0.5, width: 0.2, rate: 60}]\n"
    "drains: [{shape: circle, center: [0.9, -0.4], radius: 0.05}]\n"
    "obstacles: [{shape: box, center: [0, -0.2], size: [0.3, 0.05], spin: 40}]\n" COARSE,
    "puddle: 1\nvortons: [{position: [0.2, 0], circulation: 1, core: 0.1}, {position: [-0.3, 0], circulation: -1, "
    "core: 0.2}]\n"
    "materials: {a: {color: '#ffffff', mass: 0.7}}\nparticles: 20\n"
    "regions: [{shape: box, center: [0, 0.2], size: [0.4, 0.3], material: a}]\n" COARSE,
    "puddle: 1\nparticles: 12\ncontainer: {shape: none}\nregions: [{shape: circle, center: [0, 0], radius: "
    "0.2}]\n" COARSE};

static uint32_t snapshot_version; /* that this puddle writes */

/* Writes a snapshot of one of the scenes after up to 3 steps, half of them after a change of method. Returns its size,
 * 0 where it does not fit. */
static size_t make_seed(uint8_t *bytes, size_t most) {
    const char *methods[16];
    size_t count = 0, size;
    void *saved;
    pd_error error;
    for (int m = 0; m < pd_method_count() && count < 16; m++) methods[count++] = pd_method_at(m)->name;
    pd_world *world = fuzz_world_of(SEEDS[fuzz_pick(sizeof SEEDS / sizeof *SEEDS)], methods[fuzz_pick(count)]);
    for (size_t i = 0, steps = fuzz_pick(4); i < steps; i++) pd_world_step(world);
    if (fuzz_pick(2) && pd_world_set_method(world, methods[fuzz_pick(count)], &error) != PD_OK)
        fuzz_fail(error.message);
    if (pd_world_save_to_memory(world, &saved, &size, &error) != PD_OK) fuzz_fail(error.message);
    if (pd_world_restore_from_memory(world, saved, size, &error) != PD_OK) fuzz_fail(error.message);
    memcpy(&snapshot_version, (const uint8_t *)saved + VERSION_AT, sizeof snapshot_version);
    if (size <= most) memcpy(bytes, saved, size);
    free(saved);
    pd_world_destroy(world);
    return size <= most ? size : 0;
}

/* Replaces four bytes of the state by a typical or extreme number or by a copy of other four bytes, flips a bit, or
 * changes a byte by up to 4. */
static void change_state(uint8_t *bytes, size_t state, size_t size) {
    static const float floats[] = {0, -0.0f, 1, -1, 1e-38f, 1e38f, -1e38f, NAN, INFINITY, 0.5f, 1000, 1e-3f, 1e6f};
    static const uint32_t integers[] = {0,   1,   2,     3,          16,         63,         64,      65,
                                        255, 256, 65536, 0x7fffffff, 0x80000000, 0xffffffff, 10000000};
    if (size < state + 8) return;
    size_t at = state + fuzz_pick(size - state - 4), from = state + fuzz_pick(size - state - 4);
    switch (fuzz_pick(5)) {
    case 0:
        memcpy(bytes + at, &floats[fuzz_pick(sizeof floats / sizeof *floats)], 4);
        break;
    case 1:
        memcpy(bytes + at, &integers[fuzz_pick(sizeof integers / sizeof *integers)], 4);
        break;
    case 2:
        memmove(bytes + at, bytes + from, 4);
        break;
    case 3:
        bytes[at] ^= (uint8_t)(1u << fuzz_pick(8));
        break;
    default:
        bytes[at] = (uint8_t)(bytes[at] + fuzz_pick(9) - 4);
    }
}

/* Mutates the state, which follows the scene: in place, or in one of 20 cases as bytes of any length. In one of 20
 * cases the scene is mutated, too; fuzz_scene.c has better mutations for it. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
    static const uint8_t magic[8] = {'P', 'U', 'D', 'D', 'L', 'E', '\n', 0x1a};
    const uint32_t byte_order = 0x01020304;
    fuzz_state = seed * 2654435761u + 1;
    fuzz_pick(1);
    if (size < HEADER_SIZE + 20 || fuzz_pick(40) == 0) size = make_seed(bytes, most);
    if (size < HEADER_SIZE) return LLVMFuzzerMutate(bytes, size, most);
    memcpy(bytes, magic, sizeof magic);
    if (snapshot_version) memcpy(bytes + VERSION_AT, &snapshot_version, sizeof snapshot_version);
    memcpy(bytes + BYTE_ORDER_AT, &byte_order, sizeof byte_order);
    uint64_t body = size - HEADER_SIZE, text;
    memcpy(&text, bytes + TEXT_SIZE_AT, sizeof text);
    if (text > body) text = body;
    memcpy(bytes + TEXT_SIZE_AT, &text, sizeof text);
    size_t state = snapshot_state(bytes), kind = fuzz_pick(20);
    if (kind == 0)
        size = HEADER_SIZE + LLVMFuzzerMutate(bytes + HEADER_SIZE, (size_t)body, most - HEADER_SIZE);
    else if (kind == 1)
        size = state + LLVMFuzzerMutate(bytes + state, size - state, most - state);
    else
        for (size_t i = 0, changes = 1 + fuzz_pick(4); i < changes; i++) change_state(bytes, state, size);
    snapshot_sign(bytes, size);
    return size;
}
