/* Small worlds that run each parallel loop of the library in two threads, for ThreadSanitizer. Under ThreadSanitizer the test fails
 * if a call of pd_parallel_for or a loop body did not run in two threads; unreached.sh finds both in the source. */
#include "vortices.h"
#include "worlds.h"

#include "mac/poisson/poisson.h"

#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

/* ---- Loops in two threads ---- */

/* The linker replaces pd_parallel_for by __wrap_pd_parallel_for in all calls (CMakeLists.txt). */
void __real_pd_parallel_for(pd_pool *pool, int count, int grain, pd_loop_body *body, void *context);
void __wrap_pd_parallel_for(pd_pool *pool, int count, int grain, pd_loop_body *body, void *context);

enum { MOST_REACHED = 1000 };

static struct {
    bool active, end; /* active: loops run in two threads; end: the second thread ends */
    sem_t begin, done;
    pd_loop_body *body;
    void *context;
    int count, grain;
    uintptr_t reached[MOST_REACHED]; /* addresses of loop bodies, and of the calls of pd_parallel_for */
    int reached_count;
} loop;

static void record(uintptr_t address) {
    for (int i = 0; i < loop.reached_count; i++)
        if (loop.reached[i] == address) return;
    assert_true(loop.reached_count < MOST_REACHED);
    loop.reached[loop.reached_count++] = address;
}

static void run_every_second_chunk(int first) {
    for (int64_t begin = (int64_t)first * loop.grain; begin < loop.count; begin += 2 * (int64_t)loop.grain)
        loop.body(loop.context, (int)begin, loop.count - begin > loop.grain ? (int)begin + loop.grain : loop.count);
}

static void *run_odd_chunks(void *unused) {
    for (;;) {
        sem_wait(&loop.begin);
        if (loop.end) return unused;
        run_every_second_chunk(1);
        sem_post(&loop.done);
    }
}

/* Runs the even chunks in the calling thread and the odd chunks in a second thread. The threads synchronise only at the beginning
 * and at the end of a loop. ThreadSanitizer thus sees a race of an even and an odd chunk at any timing. */
void __wrap_pd_parallel_for(pd_pool *pool, int count, int grain, pd_loop_body *body, void *context) {
    if (!loop.active || count <= grain || pd_pool_thread_count(pool) == 1) {
        __real_pd_parallel_for(pool, count, grain, body, context);
        return;
    }
    record((uintptr_t)__builtin_return_address(0) - 1); /* within the call */
    record((uintptr_t)body);
    loop.body = body;
    loop.context = context;
    loop.count = count;
    loop.grain = grain;
    sem_post(&loop.begin);
    run_every_second_chunk(0);
    sem_wait(&loop.done);
}

/* Fails if unreached.sh prints a call or a loop body. */
static void expect_all_reached(void) {
    char command[5000];
    snprintf(command, sizeof command, "sh '%s/threads/unreached.sh' /proc/%d/exe", PUDDLE_TESTS_DIR, (int)getpid());
    FILE *script = popen(command, "w");
    assert_non_null(script);
    for (int i = 0; i < loop.reached_count; i++)
        fprintf(script, "%#jx\n", (uintmax_t)(loop.reached[i] - _r_debug.r_map->l_addr));
    assert_int_equal(pclose(script), 0);
}

/* ---- Worlds ---- */

/* Two liquids that flow, with everything that acts on them. The particles are several chunks of each loop. */
#define WORLD                                                                                                          \
    "particles: 4500\nsubsteps: 3\n"                                                                                   \
    "regions:\n"                                                                                                       \
    "  - {shape: box, center: [-1, -0.8], size: [1.5, 1.4], material: a, velocity: [1, 0]}\n"                          \
    "  - {shape: box, center: [1, -0.8], size: [1.5, 1.4], material: b, velocity: [1, 0]}\n"                           \
    "obstacles:\n"                                                                                                     \
    "  - {shape: circle, center: [0, -0.8], radius: 0.2, velocity: [0.5, 0], turn: 1}\n"                               \
    "  - {shape: polygon, points: [[1.8, -1.6], [2.2, -1.4], [1.8, -0.6]]}\n"                                          \
    "  - {shape: polyline, points: [[-2, -1.6], [-1, -1.5], [0, -1.6]], thickness: 0.05}\n"                            \
    "bodies: [{shape: box, center: [-1, 0.1], size: [0.3, 0.2]}]\n"                                                    \
    "emitters: [{position: [0, 1], direction: [0.2, -1], speed: 1, width: 0.1, rate: 300, material: b}]\n"             \
    "drains: [{shape: box, center: [1.6, -0.6], size: [0.2, 0.2]}]\n"                                                  \
    "changes: [{shape: box, center: [-1, -0.6], size: [0.2, 0.2], from: a, to: b}]\n"
#define BOX    "container: {shape: box, width: 6, height: 4}\n"
#define CIRCLE "container: {shape: circle, radius: 3}\n"
#define PLAIN  "materials: {a: {color: '#3a8fff'}, b: {color: '#ff3d6e'}}\n"
#define SLIME                                                                                                          \
    "b: {color: '#ff3d6e', mass: 1.5, viscosity: 20, elasticity: 500, plasticity: 1, stickiness: 50}}\n"               \
    "attractions: [{between: [a, b], factor: 0.5}]\n"
#define THICK "materials: {a: {color: '#3a8fff'}, " SLIME
#define TENSE "materials: {a: {color: '#3a8fff', surface_tension: 0.1}, " SLIME

static pd_world *stepped_world(const char *method, const char *parameters, const char *container,
                               const char *materials) {
    char text[4000];
    pd_view view;
    snprintf(text, sizeof text, "puddle: 1\nmethod: %s\nparameters: {%s: {%s}}\n" WORLD "%s%s", method, method,
             parameters, container, materials);
    pd_world *world = world_of_text(text, 2);
    pd_world_set_tool(world, &(pd_tool){PD_TOOL_DRAG, {-1, -1}, {1, 0}, 0.3f});
    pd_world_step(world);
    pd_world_view(world, &view);
    for (int k = 0; k < view.field_count; k++) pd_view_field(&view, view.fields[k]->info.name);
    return world;
}

static void step_worlds(void) {
    static const char *const worlds[][3] = {
        {"ddr", "", THICK},
        {"ddr", "", TENSE},
        {"ddr", "radius: 0.4", THICK}, /* with too many neighbours for lists */
        {"sph", "", THICK},
        {"sph", "", TENSE},
        {"pbf", "vorticity: 0.1", THICK},
        {"pbf", "kernel: poly6", TENSE},
        {"flip", "resolution: 200, transfer: pic, viscosity: 0.01", THICK},
        {"flip", "transfer: flip", THICK},
        {"flip", "transfer: apic", THICK},
        {"grid", "resolution: 120, viscosity: 0.01, vorticity: 1", THICK},
        {"vortex", "core: 0.1, viscosity: 0.001", THICK},
    };
    for (size_t k = 0; k < sizeof worlds / sizeof *worlds; k++)
        pd_world_destroy(stepped_world(worlds[k][0], worlds[k][1], BOX, worlds[k][2]));
}

/* Adds a body to a world, which then continues with each method. Returns the hash of its last state. */
static uint64_t change_world(void) {
    static const char *const route[] = {"sph", "pbf", "flip", "vortex", "grid", "ddr"};
    pd_world *world = stepped_world("ddr", "", CIRCLE, PLAIN);
    pd_scene_body body = pd_body_default();
    pd_error error;
    body.area = (pd_area){.shape = PD_SHAPE_CIRCLE, .center = {1, -1}, .radius = 0.2f};
    must(pd_world_add_body(world, &body, &error), &error);
    for (size_t k = 0; k < sizeof route / sizeof *route; k++) {
        must(pd_world_set_method(world, route[k], &error), &error);
        pd_world_step(world);
    }
    uint64_t hash = pd_world_hash(world);
    pd_world_destroy(world);
    return hash;
}

/* ---- Loops that no small world reaches ---- */

/* Solves a pressure equation by Gauss-Seidel, with a right-hand side so large that the solver scales it. */
static void solve_equation(void) {
    pd_poisson *p;
    pd_error error;
    pd_pool *pool = pool_of(2);
    must(pd_poisson_create(&p, 100, 100, &error), &error);
    for (size_t k = 0; k < p->layout.count; k++) {
        p->face_x[k] = p->face_y[k] = 1;
        p->rhs[k] = k % 2 ? 1e8f : -1e8f;
    }
    pd_poisson_prepare(p, pool);
    pd_poisson_solve(p, &(pd_poisson_method){PD_GAUSS_SEIDEL, 3, 1.5f, 0}, pool, NULL);
    pd_poisson_destroy(p);
    pd_pool_destroy(pool);
}

static void induce_velocities(void) {
    enum { VORTICES = 4200, POSITIONS = 600 };
    static float vx[POSITIONS], vy[POSITIONS];
    for (walls_kind w = 0; w < WALLS; w++) {
        vortex_set *set = set_of(EVEN, w, VORTICES, true, 1);
        pd_vortices vortices = vortices_of(set);
        pd_induction_walls walls = walls_of(w);
        if (w == NARROW_BOX) walls.size.y = 0.02f; /* narrow enough for slabs */
        velocities(&walls, &vortices, PD_INDUCTION_DIRECT, 0, 2, POSITIONS, set->x, set->y, vx, vy);
        velocities(&walls, &vortices, PD_INDUCTION_TREE, 1e-2, 2, POSITIONS, set->x, set->y, vx, vy);
        free(set);
    }
}

static void every_loop_in_two_threads(void **state) {
    (void)state;
    pthread_t second;
    sem_init(&loop.begin, 0, 0);
    sem_init(&loop.done, 0, 0);
    assert_int_equal(pthread_create(&second, NULL, run_odd_chunks, NULL), 0);
    uint64_t hash = change_world(); /* in two threads of the pool */
    loop.active = true;
    assert_true(change_world() == hash);
    step_worlds();
    solve_equation();
    induce_velocities();
    loop.active = false;
    loop.end = true;
    sem_post(&loop.begin);
    assert_int_equal(pthread_join(second, NULL), 0);
    if (UNDER_THREAD_SANITIZER) expect_all_reached(); /* other builds have no lines, or other SIMD levels */
}

TEST_GROUP(parallel_loops) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_loop_in_two_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
