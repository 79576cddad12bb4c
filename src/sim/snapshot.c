/* Snapshots: the whole state of a world. A restored world computes the same steps bit for bit.
 *
 * Layout, little-endian: a header with a checksum, the scene as YAML text (checked like any scene), the state. The buckets of
 * the cell sort are not saved, since each substep computes them anew. */

#include "core/archive.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "scene/content/cells.h"
#include "scene/features.h"
#include "scene/geometry.h"
#include "sim/particles/ramp.h"
#include "sim/step.h"
#include "sim/world.h"
#include "sim/world_bodies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SNAPSHOT_VERSION = 1 };
static const char MAGIC[8] = {'P', 'U', 'D', 'D', 'L', 'E', '\n', 0x1a};
/* Size limit, bytes; enough for ten million particles with springs. */
static const size_t LARGEST_FILE = (size_t)1 << 33;

typedef struct header {
    char magic[8];       /* MAGIC */
    uint32_t version;    /* SNAPSHOT_VERSION */
    uint32_t byte_order; /* a number whose bytes show the byte order */
    uint64_t sum;        /* checksum of the file with sum = 0 */
    uint64_t text_size;  /* size of the scene's text, bytes */
} header;

/* Reads, writes or hashes a column of the method: one byte (1: the column is allocated, 0: it is not), then its values. */
static void save_or_load_method_column(pd_archive *archive, pd_particles *p, int index) {
    uint8_t present = p->method[index] != NULL;
    pd_archive_transfer(archive, &present, sizeof present);
    if (archive->reading && !present)
        pd_particles_free_column(p, index); /* the world that is read into may have allocated it */
    if (!present || archive->failed) return;
    void *array = pd_particles_require_column(p, index);
    if (array)
        pd_archive_transfer(archive, array, (size_t)p->count * p->method_columns[index].width);
    else
        archive->failed = true;
}

static void save_or_load_particles(pd_archive *archive, pd_particles *p) {
    int world_columns = pd_particles_column_count(p) - p->method_column_count;
    pd_archive_transfer(archive, &p->next_id, sizeof p->next_id);
    for (int k = 0; k < world_columns; k++) {
        const pd_column *column = pd_particles_column(p, k);
        if (column->saved)
            pd_archive_transfer(archive, pd_particles_column_array(p, k), (size_t)p->count * column->width);
    }
    for (int k = 0; k < p->method_column_count; k++)
        if (p->method_columns[k].saved) save_or_load_method_column(archive, p, k);
}

/* Reads, writes or hashes a number of 32 bits. When reading, ignores `value`. Returns the number. */
static int32_t save_or_load_int32(pd_archive *archive, int value) {
    int32_t number = (int32_t)value;
    pd_archive_transfer(archive, &number, sizeof number);
    return number;
}

static void save_or_load_tool(pd_archive *archive, pd_world *world) {
    /* One number encodes the tool's kind and pd_calm_steps_to_oldest_stroke (number of strokes in world->poured). */
    enum { KINDS = 256 };
    int32_t tool = save_or_load_int32(archive, (int)world->tool.kind + KINDS * pd_calm_steps_to_oldest_stroke(world));
    int32_t kind = tool % KINDS, steps = tool / KINDS;
    world->tool.kind = kind >= PD_TOOL_NONE && kind <= PD_TOOL_ERASE ? (pd_tool_kind)kind : PD_TOOL_NONE;
    if (steps < 0 || steps > PD_POURED_STEPS) archive->failed = true;
    if (!archive->failed) pd_archive_transfer(archive, world->poured, (size_t)steps * sizeof *world->poured);
    world->tool.material = save_or_load_int32(archive, world->tool.material);
    world->tool.obstacle = save_or_load_int32(archive, world->tool.obstacle);
    size_t obstacles = (size_t)world->scene.obstacle_count;
    pd_archive_transfer(archive, world->obstacle_offset, obstacles * sizeof *world->obstacle_offset);
    pd_archive_transfer(archive, &world->tool.position, sizeof world->tool.position);
    pd_archive_transfer(archive, &world->tool.velocity, sizeof world->tool.velocity);
    pd_archive_transfer(archive, &world->tool.radius, sizeof world->tool.radius);
    pd_archive_transfer(archive, &world->tool_from, sizeof world->tool_from);
}

static bool is_valid_offset(pd_vec2 offset) {
    /* Limit of both coordinates, m. The tool can hold an obstacle back for centuries, whose path goes on at PD_FASTEST. Poses
     * are doubles, so their squares do not overflow. */
    static const float FARTHEST = 1e15f;
    return fabsf(offset.x) < FARTHEST && fabsf(offset.y) < FARTHEST;
}

/* Returns whether the obstacles' offsets are in the allowed range, and the duration of their last motion is at most a
 * step. */
static bool has_valid_obstacle_motion(const pd_world *world) {
    const pd_wall_motion *motion = &world->wall_motion;
    double seconds = pd_world_time(world) - motion->begin;
    for (int i = 0; i < world->scene.obstacle_count; i++)
        if (!is_valid_offset(world->obstacle_offset[i])) return false;
    return motion->obstacle >= -1 && motion->obstacle < world->scene.obstacle_count && is_valid_offset(motion->from) &&
           seconds >= 0 && seconds <= 1.001 * (double)world->scene.dt;
}

/* Reads, writes or hashes world->wall_motion. Snapshots of worlds without obstacles and bodies do not contain it. */
static void save_or_load_wall_motion(pd_archive *archive, pd_world *world) {
    pd_wall_motion *motion = &world->wall_motion;
    if (archive->reading) *motion = (pd_wall_motion){.begin = pd_world_time(world), .obstacle = -1};
    if (world->scene.obstacle_count == 0 && world->scene.body_count == 0) return;
    pd_archive_transfer(archive, &motion->begin, sizeof motion->begin);
    motion->obstacle = save_or_load_int32(archive, motion->obstacle);
    pd_archive_transfer(archive, &motion->from, sizeof motion->from);
}

static void save_or_load_clock(pd_archive *archive, pd_world *world) {
    pd_archive_transfer(archive, &world->step, sizeof world->step);
    pd_archive_transfer(archive, &world->substep_total, sizeof world->substep_total);
    pd_archive_transfer(archive, &world->substeps, sizeof world->substeps);
    pd_archive_transfer(archive, &world->random, sizeof world->random);
    pd_archive_transfer(archive, &world->resolution, sizeof world->resolution);
}

/* Reads, writes or hashes the state except the particles. The method's state comes last, because its serialize function needs
 * the obstacles in their present poses. */
static void save_or_load_state_except_particles(pd_archive *archive, pd_world *world) {
    save_or_load_clock(archive, world);
    pd_archive_transfer(archive, &world->ramp, sizeof world->ramp);
    pd_archive_transfer(archive, &world->ramp_kept, sizeof world->ramp_kept);
    pd_archive_transfer(archive, &world->ramp_gravity, sizeof world->ramp_gravity);
    size_t emitters = (size_t)world->scene.emitter_count;
    pd_archive_transfer(archive, world->emitted_fraction, emitters * sizeof *world->emitted_fraction);
    pd_archive_transfer(archive, world->emitted, emitters * sizeof *world->emitted);
    save_or_load_tool(archive, world);
    save_or_load_wall_motion(archive, world);
    pd_world_save_or_load_bodies(world, archive);
    if (pd_archive_validates(archive) && !has_valid_obstacle_motion(world)) archive->failed = true;
    if (archive->reading && !archive->failed) pd_world_restore_obstacle_motion(world);
    pd_method_save_or_load_state(world, archive);
}

/* Returns the checksum of header and body, with head.sum set to 0. A change of one byte always changes the checksum. */
static uint64_t compute_checksum(header head, const uint8_t *body, size_t size) {
    head.sum = 0;
    return pd_archive_hash(pd_archive_hash(0, &head, sizeof head), body, size);
}

/* Reads, writes or hashes the part of a snapshot after the scene. */
static void save_or_load_state(pd_archive *archive, pd_world *world) {
    int32_t count = world->particles.count;
    pd_archive_transfer(archive, &count, sizeof count);
    save_or_load_state_except_particles(archive, world);
    save_or_load_particles(archive, &world->particles);
}

uint64_t pd_world_hash(const pd_world *hashed) {
    pd_world *world = (pd_world *)(uintptr_t)hashed; /* hashing does not change the world */
    pd_archive archive = {.hashing = true};
    char *text;
    size_t length;
    if (pd_scene_write_snapshot_text(&world->scene, &text, &length, NULL) != PD_OK) return 0;
    pd_archive_transfer(&archive, text, length);
    pd_memory_free(text);
    save_or_load_state(&archive, world);
    return archive.hash;
}

pd_result pd_world_save_to_memory(const pd_world *saved, void **bytes, size_t *size, pd_error *error) {
    pd_world *world = (pd_world *)(uintptr_t)saved; /* writing does not change the world */
    pd_archive archive = {0};
    char *text;
    size_t length;
    if (pd_world_stepping(world)) return pd_fail_within_step(error);
    pd_result result = pd_scene_write_snapshot_text(&world->scene, &text, &length, error);
    if (result != PD_OK) return result;
    header head = {.version = SNAPSHOT_VERSION, .byte_order = 0x01020304, .text_size = length};
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    pd_archive_transfer(&archive, &head, sizeof head);
    pd_archive_transfer(&archive, text, length);
    save_or_load_state(&archive, world);
    pd_memory_free(text);
    if (archive.failed) {
        pd_memory_free(archive.bytes);
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for a snapshot of %d particles (close other programs)",
                       world->particles.count);
    }
    head.sum = compute_checksum(head, archive.bytes + sizeof head, archive.size - sizeof head);
    memcpy(archive.bytes, &head, sizeof head);
    *bytes = archive.bytes;
    *size = archive.size;
    return PD_OK;
}

size_t pd_world_snapshot_size(const pd_world *world) {
    /* Estimated greatest size of a text, bytes: scene without items; an obstacle; a point of an obstacle; a listed
     * particle. BODY and JOINT include the state. */
    enum { SCENE = 4096, OBSTACLE = 100, POINT = 20, PLACED = 27, BODY = 600, JOINT = 500 };
    size_t walls = 0;
    for (int i = 0; i < world->scene.obstacle_count; i++)
        walls += OBSTACLE + POINT * (size_t)world->scene.obstacles[i].area.point_count;
    for (int i = 0; i < world->scene.body_count; i++)
        walls += BODY + POINT * (size_t)world->scene.bodies[i].area.point_count;
    walls += JOINT * (size_t)world->scene.joint_count;
    size_t pixels = 2 * (size_t)pd_scene_image_pixel_count(&world->scene);
    size_t cells = 16 * pd_cells_value_count(&world->scene.cells) / 3; /* size of the cells' text in base 64, bytes */
    for (int i = 0; i < world->scene.region_count; i++)
        if (world->scene.regions[i].area.shape == PD_SHAPE_PARTICLES)
            walls += PLACED * (size_t)world->scene.regions[i].count;
    return pd_particles_saved_bytes_per_particle(&world->particles) * (size_t)world->particles.count + SCENE + walls +
           pixels + cells + pd_method_serialized_bytes(world);
}

static pd_result fail_broken_snapshot(const char *name, const char *reason, pd_error *error) {
    return pd_fail(error, PD_ERROR_SNAPSHOT_BROKEN, "%.300s: %s (use a snapshot that puddle wrote)", name, reason);
}

static pd_result read_header(pd_archive *archive, header *head, const char *name, pd_error *error) {
    pd_archive_transfer(archive, head, sizeof *head);
    if (archive->failed || memcmp(head->magic, MAGIC, sizeof MAGIC) != 0)
        return fail_broken_snapshot(name, "this is not a snapshot", error);
    if (head->byte_order != 0x01020304)
        return fail_broken_snapshot(name, "the snapshot is damaged, or from a machine of another byte order", error);
    if (head->version != SNAPSHOT_VERSION)
        return pd_fail(error, PD_ERROR_SNAPSHOT_VERSION,
                       "%.300s: snapshot of version %u (this puddle reads version %d)", name, head->version,
                       SNAPSHOT_VERSION);
    if (head->sum != compute_checksum(*head, archive->bytes + archive->size, archive->capacity - archive->size))
        return fail_broken_snapshot(name, "the snapshot is damaged or cut short", error);
    if (head->text_size > archive->capacity - archive->size)
        return fail_broken_snapshot(name, "the snapshot is cut short", error);
    return PD_OK;
}

static bool are_all_finite(const float *values, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

/* Returns whether all particles are within 2 x WORLD_EDGE (sim/walls/boundary.c) of the origin. Greater squared
 * distances could overflow: one such particle would make the coordinates of all others NaN. */
static bool are_all_particles_in_range(const pd_particles *p) {
    static const float FARTHEST = 2e6f; /* limit of both coordinates, m */
    const float *arrays[] = {p->x, p->y, p->previous_x, p->previous_y};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
        for (int i = 0; i < p->count; i++)
            if (!(fabsf(arrays[a][i]) <= FARTHEST)) return false;
    return true;
}

/* Greatest valid number of particles that an emitter has emitted. Emitters compute with this number and its fraction in
 * doubles. At the greatest rate an emitter reaches this limit after three years. */
static const uint64_t MOST_EMITTED = (uint64_t)1 << 50;

/* Returns whether a length (m) or gravity (m/s^2) is in a range in which its square is a normal float. Values of scenes are
 * far within this range. */
static bool is_valid_scale(float value) { return value >= 1e-15f && value <= 1e15f; }

static const float FARTHEST_CENTER = 2e6f; /* limit of the coordinates of the fluid at the start, m */

static bool is_valid_resolution(const pd_resolution *r) {
    return is_valid_scale(r->spacing) && is_valid_scale(r->length) && is_valid_scale(r->gravity) &&
           fabsf(r->center.x) <= FARTHEST_CENTER && fabsf(r->center.y) <= FARTHEST_CENTER && r->relative_depth >= 0 &&
           r->relative_depth <= 1e30f;
}

/* Returns whether the values are valid that belong neither to the method, nor to bodies and obstacles: a forged file may have
 * a correct checksum and wrong values. */
static bool is_valid_state(const pd_world *world) {
    const pd_particles *p = &world->particles;
    for (int k = 0; k < pd_particles_column_count(p); k++) {
        const pd_column *column = pd_particles_column(p, k);
        const float *values = pd_particles_column_array(p, k);
        if (column->saved && column->real && values && !are_all_finite(values, p->count)) return false;
    }
    if (!are_all_particles_in_range(p)) return false;
    for (int i = 0; i < p->count; i++)
        if (p->material[i] >= world->scene.material_count) return false;
    for (int i = 0; i < world->scene.emitter_count; i++)
        if (!(world->emitted_fraction[i] >= 0 && world->emitted_fraction[i] <= 1) || world->emitted[i] > MOST_EMITTED)
            return false;
    if (!pd_density_ramp_is_valid(world)) return false;
    return is_valid_resolution(&world->resolution) && world->substeps >= 0 && world->substeps <= PD_MAX_SUBSTEPS;
}

bool pd_world_has_valid_state(const pd_world *checked) {
    pd_world *world = (pd_world *)(uintptr_t)checked; /* checking does not change the world */
    pd_archive archive = {.checking = true};
    save_or_load_state(&archive, world);
    return !archive.failed && is_valid_state(world);
}

void pd_world_assert_valid_state(const pd_world *world) {
#ifdef PUDDLE_VALIDATES_STATES
    PD_ASSERT(pd_world_has_valid_state(world));
#else
    (void)world;
#endif
}

static pd_result read_state(pd_archive *archive, pd_world *world, const char *name, pd_error *error) {
    int32_t count = 0;
    pd_archive_transfer(archive, &count, sizeof count);
    size_t left = archive->capacity - archive->size;
    if (count < 0 || count > PD_MAX_PARTICLES || (size_t)count > left) /* each particle needs at least one byte */
        return fail_broken_snapshot(name, "its number of particles is wrong", error);
    pd_result result = pd_world_reserve_particles(world, count + 1, error);
    if (result != PD_OK) return result;
    save_or_load_state_except_particles(archive, world);
    world->particles.count = count;
    save_or_load_particles(archive, &world->particles);
    if (archive->failed || archive->size != archive->capacity || !is_valid_state(world))
        return fail_broken_snapshot(name, "its state does not match its scene", error);
    pd_tool tool = world->tool;
    pd_world_set_tool(world, &tool);
    pd_world_update_parameters(world);
    return PD_OK;
}

/* Reads only the resolution, from a copy of the archive. The resolution is near the beginning of the state. Returns false if
 * the state is damaged. */
static bool read_resolution(pd_archive archive, pd_resolution *resolution) {
    int32_t count;
    pd_world world;
    pd_archive_transfer(&archive, &count, sizeof count);
    save_or_load_clock(&archive, &world);
    *resolution = world.resolution;
    return !archive.failed && is_valid_resolution(resolution);
}

static pd_result read_snapshot(pd_world **world, const void *bytes, size_t size, const char *name, int threads,
                               pd_error *error) {
    pd_archive archive = {.bytes = (uint8_t *)(uintptr_t)bytes, .capacity = size, .reading = true};
    header head;
    pd_result result = read_header(&archive, &head, name, error);
    if (result != PD_OK) return result;
    pd_scene scene;
    result =
        pd_scene_read_snapshot_text((const char *)archive.bytes + archive.size, head.text_size, name, &scene, error);
    if (result != PD_OK) return result;
    archive.size += head.text_size;
    pd_resolution resolution;
    bool has_resolution = read_resolution(archive, &resolution);
    result = pd_world_create_at_resolution(world, &scene, has_resolution ? &resolution : NULL, threads, error);
    pd_scene_free(&scene);
    if (result != PD_OK) return result;
    size_t refusals = pd_memory_refused_request_count();
    result = read_state(&archive, *world, name, error);
    if (pd_memory_refused_request_count() != refusals)
        result =
            pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the state of %.300s (close other programs)", name);
    if (result != PD_OK) {
        pd_world_destroy(*world);
        *world = NULL;
    }
    return result;
}

pd_result pd_world_save(const pd_world *world, const char *path, pd_error *error) {
    void *bytes = NULL;
    size_t size = 0;
    pd_result result = pd_world_save_to_memory(world, &bytes, &size, error);
    if (result != PD_OK) return result;
    result = pd_file_write(path, bytes, size, error);
    pd_memory_free(bytes);
    return result;
}

pd_result pd_world_load(pd_world **world, const char *path, const pd_world_def *def, pd_error *error) {
    void *bytes = NULL;
    size_t size = 0;
    *world = NULL;
    pd_result result = pd_world_check_def(def, error);
    if (result == PD_OK) result = pd_file_read(path, LARGEST_FILE, &bytes, &size, error);
    if (result != PD_OK) return result;
    result = read_snapshot(world, bytes, size, path, def->threads, error);
    pd_memory_free(bytes);
    return result;
}

pd_result pd_world_restore_from_memory(pd_world *world, const void *bytes, size_t size, pd_error *error) {
    pd_world *restored;
    pd_result result = read_snapshot(&restored, bytes, size, "snapshot", 1, error);
    if (result != PD_OK) return result;
    pd_world before = *world;
    *world = *restored;
    *restored = before;
    restored->pool = world->pool;
    world->pool = before.pool;
    pd_world_destroy(restored);
    return PD_OK;
}
