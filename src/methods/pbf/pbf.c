/* Position based fluids.
 *
 * Macklin, Müller: Position Based Fluids, SIGGRAPH 2013: every particle has the constraint that density is rest
 * density, and a few Jacobi iterations move all particles towards positions that satisfy it.
 *
 * Densities are number densities: heavy particles occupy the same area as light ones, and differ in inertia only. */
#include "methods/pbf/pbf.h"

#include "core/error.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/simd.h"
#include "core/timer.h"
#include "sim/archive.h"
#include "sim/particles/ramp.h"
#include "sim/step.h"
#include "sim/units.h"
#include "sim/view.h"

#include <string.h>

static const float PI = 3.14159265f;

static void free_arrays(pbf_state *state) {
    pd_free(state->position);
    pd_free(state->lambda);
    pd_free(state->velocity);
    pd_free(state->correction_x);
    pd_free(state->correction_y);
    pd_free(state->corrected_x);
    pd_free(state->corrected_y);
    pd_free(state->excess);
}

static void destroy(void *memory) {
    pbf_state *state = memory;
    free_arrays(state);
    pd_lists_free(&state->lists);
    pd_kept_free(&state->kept);
    pd_walls_free(&state->walls);
    tension_free(&state->tension);
    springs_free(&state->springs);
}

static void reset(pd_world *world, void *memory) {
    pbf_state *state = memory;
    springs_reset(&state->springs, &world->particles, PBF_SPRING_SLOT);
}

static pd_result adapt(pd_world *world, void *memory, pd_error *error) {
    pbf_state *state = memory;
    return tension_want(&state->tension, tension_greatest(world) > 0, error);
}

static pd_result resize(void *memory, int capacity, pd_error *error) {
    pbf_state *state = memory, larger = *state;
    size_t padded = (size_t)capacity + PD_PADDING;
    larger.position = pd_allocate(padded, sizeof(pbf_record));
    larger.lambda = pd_allocate(padded, sizeof(pbf_record));
    larger.velocity = pd_allocate(padded, sizeof(pbf_record));
    larger.correction_x = pd_allocate(padded, sizeof(float));
    larger.correction_y = pd_allocate(padded, sizeof(float));
    larger.corrected_x = pd_allocate(padded, sizeof(float));
    larger.corrected_y = pd_allocate(padded, sizeof(float));
    larger.excess = pd_allocate((size_t)capacity / PD_LIST_GRAIN + 1, sizeof(double));
    pd_result result = PD_OK;
    if (!larger.position || !larger.lambda || !larger.velocity || !larger.correction_x || !larger.correction_y ||
        !larger.corrected_x || !larger.corrected_y || !larger.excess || !pd_kept_reserve(&state->kept, capacity))
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d particles (use fewer)", capacity);
    if (result == PD_OK) result = pd_lists_reserve(&state->lists, capacity, error);
    if (result == PD_OK) result = pd_walls_reserve(&state->walls, capacity, error);
    if (result == PD_OK) result = tension_resize(&state->tension, capacity, error);
    if (result != PD_OK) {
        free_arrays(&larger);
        return result;
    }
    free_arrays(state);
    larger.lists = state->lists;
    larger.kept = state->kept;
    larger.walls = state->walls;
    larger.tension = state->tension;
    larger.springs = state->springs;
    *state = larger;
    return PD_OK;
}

/* At depth d a fluid at rest is compressed by about g d dt^2 (epsilon h^2 + 2.5)/(iterations h^2), relative to its
 * density; half of that on average. This substep keeps the compression at 1 to 2 % with the default parameters; it
 * decreases with more iterations and grows with the relaxation. */
static const float SUBSTEP_FACTOR = 0.14f, LEAST_GRAVITY = 0.25f;

/* sqrt(g L), m/s: the scale of speeds that gravity causes. least: the lower bound of g, in units of the gravity that
 * the defaults follow. */
static float gravity_speed(const pd_world *world, float least) {
    float gravity = pd_hypotf(world->scene.gravity.x, world->scene.gravity.y);
    return sqrtf(fmaxf(gravity, least * world->resolution.gravity) * world->resolution.length);
}

static const float TENSION_RADIUS = 1.5f; /* of the surface tension, over h */

/* Of g L H, per mass. Measured with drops of 300 and 1,500 particles of mass 1 and 0.1, 5 s after they were 2 : 1: at most 0.16 m/s
 * with 0.25, 0.7 m/s with 0.35, and from 0.5 on they tear. Displacements do not depend on the mass that all have, and tension is a
 * force: so heavy particles carry more. */
static const float MOST_TENSION = 0.25f;

static tension_force tension_of(const pd_world *world) {
    float radius = TENSION_RADIUS * world->parameter[PBF_RADIUS];
    float most = MOST_TENSION * world->resolution.gravity * world->resolution.length * radius;
    tension_force force = {.radius = radius,
                           .rest_density = world->parameter[PBF_REST_DENSITY],
                           .wall_density = world->parameter[PBF_WALL_DENSITY],
                           .outside = PD_WALL_OUTSIDE / TENSION_RADIUS};
    for (int m = 0; m < world->scene.material_count; m++)
        tension_set(&force, world, m, most * world->scene.materials[m].mass, "a higher mass, or fewer particles", 90);
    return force;
}

static bool warning(const pd_world *world, const void *memory, int index, char *text, size_t size) {
    tension_force force = tension_of(world);
    (void)memory;
    return index == 0 && tension_warning(&force, world, text, size);
}

static int substep_limits(const pd_world *world, const void *memory, pd_substep_limit *limits) {
    (void)memory;
    float h = world->parameter[PBF_RADIUS];
    limits[0] = (pd_substep_limit){PBF_RADIUS, h, SUBSTEP_FACTOR * h / gravity_speed(world, LEAST_GRAVITY)};
    limits[1] = pd_motion_limit(world, h);
    tension_force force = tension_of(world);
    limits[2] = (pd_substep_limit){PBF_SURFACE_TENSION, tension_greatest(world), tension_substep(&force, world)};
    limits[3] = springs_limit(world, PBF_SPRING_STIFFNESS);
    limits[4] = stick_limit(world, PBF_STICKINESS);
    return 5;
}

typedef struct stage {
    pd_motion motion;
    pbf_state *state;
    pbf_pass pass;
    pd_loop_body *displace;
    int grain;          /* particles in a chunk of the loop that adds impulses */
    float solver_speed; /* m/s: the solver does not accelerate particles beyond this */
} stage;

/* Apply external forces; then predict positions without interaction (algorithm 1, lines 1 to 4). */
static void predict_range(void *context, int begin, int end) {
    const stage *s = context;
    const pd_particles *p = &s->motion.world->particles;
    pd_motion_apply_external_forces(&s->motion, begin, end);
    for (int i = begin; i < end; i++) {
        p->old_x[i] = p->x[i];
        p->old_y[i] = p->y[i];
        p->x[i] += p->vx[i] * s->motion.dt;
        p->y[i] += p->vy[i] * s->motion.dt;
    }
}

static void record_range(void *context, int begin, int end) {
    const stage *s = context;
    const pd_particles *p = &s->motion.world->particles;
    pd_motion_separate_coincident(&s->motion, begin, end);
    for (int i = begin; i < end; i++) {
        float *record = s->state->position[i];
        record[0] = p->x[i] * s->pass.inverse_h;
        record[1] = p->y[i] * s->pass.inverse_h;
        record[2] = s->motion.inverse_mass[p->material[i]];
        s->state->correction_x[i] = 0;
        s->state->correction_y[i] = 0;
    }
}

static void record_sentinels(pbf_state *state, int count) {
    for (int i = count; i <= pd_lists_sentinel(count); i++) {
        memcpy(state->position[i], (pbf_record){PD_SENTINEL_POSITION, PD_SENTINEL_POSITION, 1, 0}, sizeof(pbf_record));
        memcpy(state->lambda[i], (pbf_record){PD_SENTINEL_POSITION, PD_SENTINEL_POSITION, 0, 1}, sizeof(pbf_record));
        memset(state->velocity[i], 0, sizeof(pbf_record));
    }
}

/* Momentum per displacement of particle i in this substep, 1/s times its mass. */
static float per_metre(const stage *s, int i) {
    return 1 / (s->motion.inverse_mass[s->motion.world->particles.material[i]] * s->motion.dt);
}

static void contain(const stage *s, int begin, int i) {
    const pd_particles *p = &s->motion.world->particles;
    pbf_state *state = s->state;
    pd_vec2 now = {state->corrected_x[i], state->corrected_y[i]};
    pd_contact wall;
    pd_boundary_contain(s->motion.world->boundary, (pd_vec2){p->old_x[i], p->old_y[i]}, &now, &wall);
    if (now.x == state->corrected_x[i] && now.y == state->corrected_y[i]) return;
    float to_wall_x = state->corrected_x[i] - now.x, to_wall_y = state->corrected_y[i] - now.y;
    if (isfinite(to_wall_x) && isfinite(to_wall_y))
        pd_impulse_add(pd_boundary_impulses(s->motion.world->boundary), begin, s->grain, wall.wall,
                       (double)(per_metre(s, i) * to_wall_x), (double)(per_metre(s, i) * to_wall_y));
    state->correction_x[i] = now.x - p->x[i];
    state->correction_y[i] = now.y - p->y[i];
    state->corrected_x[i] = now.x;
    state->corrected_y[i] = now.y;
    state->position[i][0] = now.x * s->pass.inverse_h;
    state->position[i][1] = now.y * s->pass.inverse_h;
}

/* Displacements, followed by contacts with walls in every iteration (lines 13 to 15). */
static void displace_range(void *context, int begin, int end) {
    stage *s = context;
    const pd_particles *p = &s->motion.world->particles;
    const float *x = s->state->corrected_x, *y = s->state->corrected_y;
    const pd_walls *walls = &s->state->walls;
    s->displace(&s->pass, begin, end);
    for (int i = begin; i < end; i++)
        if (walls->index[i])
            pd_walls_react(pd_boundary_impulses(s->motion.world->boundary), begin, s->grain,
                           &walls->weight[walls->index[i]], per_metre(s, i));
    pd_near_paths near = pd_near_paths_of(s->motion.world->boundary, begin, end, p->old_x, p->old_y, x, y);
    for (int i; (i = pd_near_paths_next(&near)) >= 0;) contain(s, begin, i);
}

/* The solver may accelerate particles up to the greater of these times gravity_speed and the greatest speed of a
 * particle. */
static const float GRAVITY_SPEEDS = 6, FASTEST_SPEEDS = 0.9f;

/* Velocities from displacements (line 21). In over-compressed fluid the displacements hardly depend on the substep:
 * without a limit higher speeds would shorten the substep, and shorter substeps would raise the speeds. */
static void finish_range(void *context, int begin, int end) {
    const stage *s = context;
    const pd_particles *p = &s->motion.world->particles;
    for (int i = begin; i < end; i++) {
        float *velocity = s->state->velocity[i];
        p->x[i] = s->state->corrected_x[i];
        p->y[i] = s->state->corrected_y[i];
        float vx = p->vx[i] + s->state->correction_x[i] / s->motion.dt;
        float vy = p->vy[i] + s->state->correction_y[i] / s->motion.dt;
        float speed2 = vx * vx + vy * vy, allowed2 = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i];
        allowed2 = fmaxf(allowed2, s->solver_speed * s->solver_speed);
        if (speed2 > allowed2) {
            float slow = sqrtf(allowed2 / speed2);
            vx *= slow;
            vy *= slow;
        }
        p->vx[i] = vx;
        p->vy[i] = vy;
        velocity[0] = vx;
        velocity[1] = vy;
        velocity[2] = s->pass.root_xsph[p->material[i]];
    }
}

static void hold_range(void *context, int begin, int end) {
    const stage *s = context;
    pd_motion_hold_thick(&s->motion, s->grain, begin, end);
}

static const pbf_kernels *kernels(void) { return PD_SIMD_PICK(pbf_kernels); }

/* Added to the XSPH viscosity at the start of the rest-density ramp, which damps the transient. */
static const float RAMP_XSPH = 0.3f;

/* The kernels in 2-D, normalised to 1: W6 = 4/(pi h^2) (1 - r^2/h^2)^3 for smoothing, and the spiky kernel 10/(pi h^2)
 * (1 - r/h)^3 for the density and its gradient. The paper computes the density with W6: then the displacements are not
 * along the gradient of the constraint, and the error becomes motion: a pool does not come to rest, less so with
 * shorter substeps (measured: speeds of 15 to 44 % of sqrt(g L), against 1 %). */
static pbf_pass pass_of(const pd_world *world, const pd_motion *motion, pbf_state *state) {
    float h = motion->radius, rest_density = world->parameter[PBF_REST_DENSITY];
    float area = PI * h * h * rest_density, reach = world->parameter[PBF_SCORR_DISTANCE];
    float frames = motion->dt * 60;
    bool poly = world->parameter[PBF_KERNEL] != 0;
    pbf_pass pass = {
        .motion = motion,
        .particles = &world->particles,
        .neighbours = &world->neighbours,
        .state = state,
        .h = h,
        .inverse_h = 1 / h,
        .density_factor = (poly ? 4 : 10) / area,
        .smoothing_factor = 4 / area,
        .poly = poly,
        .gradient_factor = 30 / area,
        .relaxation = world->parameter[PBF_RELAXATION],
        .strength = world->parameter[PBF_SCORR_STRENGTH],
        .inverse_reach = 1 / (1 - reach * reach),
        .exponent = (int)world->parameter[PBF_SCORR_EXPONENT],
        .xsph = fminf((world->parameter[PBF_XSPH] + RAMP_XSPH * world->ramp) * frames, 1),
        .vorticity = world->parameter[PBF_VORTICITY] * motion->dt,
        .rest_density = rest_density,
        .ramped = world->ramp > 0,
        .cohesion = world->parameter[PBF_COHESION] != 0,
    };
    pass.thick = world->thick && pass.xsph > 0;
    for (int m = 0; m < world->scene.material_count; m++) {
        float xsph = world->parameter[PBF_XSPH] * world->thickness[m];
        pass.lasting[m] = world->property[m][PD_ELASTICITY] > 0 && world->property[m][PD_PLASTICITY] == 0;
        if (pass.lasting[m] && pass.cohesion) pass.selective = true;
        pass.root_xsph[m] = sqrtf(fminf((xsph + RAMP_XSPH * world->ramp) * frames, 1));
    }
    for (int m = 0; m < world->scene.material_count; m++)
        if (motion->inverse_mass[m] > PBF_LIGHT) pass.light = true;
    for (int m = 1; m < world->scene.material_count; m++)
        if (motion->inverse_mass[m] != motion->inverse_mass[0]) pass.materials = true;
    return pass;
}

/* Appends the mean over all particles of the sums in state->excess to the errors. */
static void record_error(pbf_state *state, int count) {
    double sum = 0;
    for (int b = 0; b * PD_LIST_GRAIN < count; b++) sum += state->excess[b];
    state->error[state->errors] = (float)(sum / fmax(count, 1));
    state->errors++;
}

static void find_walls(const stage *s, const float *x, const float *y) {
    pd_world *world = s->motion.world;
    pd_walls_rule rule = {.radius = s->motion.radius,
                          .outside = PD_WALL_OUTSIDE,
                          .weight = world->parameter[PBF_WALL_DENSITY],
                          .smooth = s->pass.poly,
                          .x = x,
                          .y = y};
    pd_walls_find(&s->state->walls, world, &rule);
}

static void solve(stage *s, double *since) {
    pd_world *world = s->motion.world;
    int count = world->particles.count, iterations = (int)world->parameter[PBF_ITERATIONS];
    s->state->errors = 0;
    for (int iteration = 0; iteration < iterations; iteration++) {
        find_walls(s, iteration > 0 ? s->state->corrected_x : NULL, iteration > 0 ? s->state->corrected_y : NULL);
        pd_stage_end(world, "walls", since);
        pd_parallel_for(world->pool, count, PD_LIST_GRAIN, kernels()->compute_lambda, &s->pass);
        record_error(s->state, count);
        pd_stage_end(world, "lambda", since);
        pd_parallel_for(world->pool, count, s->grain, displace_range, s);
        pd_stage_end(world, "displacement", since);
    }
}

/* Cells and neighbour lists of an earlier substep where they serve (true), or a sort. Not with surface tension: drops of 1,500
 * particles whose lists are kept stay a little crystalline, and 2:1 becomes 1.14 in place of 1.07 (means of 36 starts). */
static bool keep_or_sort(stage *s) {
    pd_world *world = s->motion.world;
    bool kept = !(tension_greatest(world) > 0) && pd_kept_serve(&s->state->kept, world, s->motion.radius) &&
                !springs_need_cells(world, PBF_SPRING_SLOT);
    if (!kept) pd_neighbours_sort(&world->neighbours, &world->particles, s->motion.radius, world->pool);
    return kept;
}

/* Displacements of the predicted positions, before the solver. It counts its own from there, so the velocities get them here. */
static void apply_springs(const stage *s, pd_world *world) {
    springs_rule rule = {
        .column = PBF_SPRING_SLOT, .h = s->motion.radius, .dt = s->motion.dt, .moves = true, .kicks = true};
    springs_step(world, &s->state->springs, &rule);
}

static void find_neighbours(stage *s, bool kept) {
    pd_world *world = s->motion.world;
    pd_particles *p = &world->particles;
    pbf_state *state = s->state;
    pd_parallel_for(world->pool, p->count, PD_MOTION_GRAIN, record_range, s);
    record_sentinels(state, p->count);
    if (kept) return;
    state->kept.count = 0;
    if (pd_lists_make(&state->lists, p->count, world->pool, kernels()->find, &s->pass))
        pd_kept_begin(&state->kept, world, s->motion.radius);
}

static void step(pd_world *world, void *memory, float dt) {
    pbf_state *state = memory;
    const pd_particles *p = &world->particles;
    stage s = {.motion = pd_motion_begin(world, world->parameter[PBF_RADIUS], dt),
               .state = state,
               .displace = kernels()->displace,
               .grain = pd_impulse_grain(p->count)};
    s.pass = pass_of(world, &s.motion, state);
    double since = pd_now();

    tension_force tension = tension_of(world);
    tension_apply(&s.state->tension, world, &tension, dt, s.motion.fastest);
    pd_stage_end(world, "tension", &since);
    if (world->thick) pd_parallel_for(world->pool, p->count, s.grain, hold_range, &s);
    stick_apply(&s.motion, world->parameter[PBF_STICK_DISTANCE], s.grain);
    pd_parallel_for(world->pool, p->count, PD_MOTION_GRAIN, predict_range, &s);
    s.solver_speed = fmaxf(FASTEST_SPEEDS * pd_motion_fastest(world), GRAVITY_SPEEDS * gravity_speed(world, 1));
    pd_stage_end(world, "forces", &since);
    bool kept = keep_or_sort(&s);
    pd_stage_end(world, "neighbours", &since);
    apply_springs(&s, world);
    pd_stage_end(world, "springs", &since);
    find_neighbours(&s, kept);
    pd_stage_end(world, "neighbours", &since);
    solve(&s, &since);
    pd_parallel_for(world->pool, p->count, PD_MOTION_GRAIN, finish_range, &s);
    pd_stage_end(world, "velocity", &since);
    pd_parallel_for(world->pool, p->count, PD_LIST_GRAIN, kernels()->smooth, &s.pass);
    record_error(state, p->count);
    if (s.pass.vorticity > 0) pd_parallel_for(world->pool, p->count, PD_LIST_GRAIN, kernels()->confine, &s.pass);
    pd_stage_end(world, "smoothing", &since);
}

static float same(const float *parameter, float density) {
    (void)parameter;
    return density;
}

static const pd_density_law law = {.particles_per_area = same, .density_of = same, .ramp_column = PBF_RAMP};

static const pd_column columns[PBF_COLUMNS] = {
    [PBF_RAMP] = PD_RAMP_COLUMN,
    [PBF_SPRING_SLOT] = SPRINGS_SLOT_COLUMN,
};

static int convergence(const void *memory, const float **errors) {
    const pbf_state *state = memory;
    *errors = state->error;
    return state->errors;
}

enum { FIELD_SPEED, FIELD_DENSITY, FIELD_PRESSURE, FIELDS };

static const pd_field_info fields[FIELDS] = {
    [FIELD_SPEED] = PD_SPEED_FIELD,
    [FIELD_DENSITY] = {"density", "density", "1/m²", PD_FIELD_OF_PARTICLES},
    [FIELD_PRESSURE] = {"pressure", "pressure", "Pa", PD_FIELD_OF_PARTICLES},
};

static const pd_view_mode views[] = {
    PD_PARTICLE_VIEWS,
    {"density", PD_VIEW_PARTICLES, "density"},
    {"pressure", PD_VIEW_PARTICLES, "pressure"},
};

/* Densities of the kernel over the particles per area, at the default radius; and the sum of the squared gradients of the
 * constraint. Measured against the weight of pools: 1.100 to 1.105; 1.83 with 2 to 4 iterations, 1.65 with 10. */
static const float KERNEL_DENSITY = 1.102f, SLOPES = 1.83f;

/* The pressure of which the solver's displacements are the work: in each iteration particles move as if by
 * lambda = -C / (SLOPES / mass + relaxation), in h^2, and in a pool at rest C hardly changes from one to the next. */
static void field_of_pressure(const pd_world *world, int index, pd_field *field) {
    const pd_particles *p = &world->particles;
    const float rest_density = world->parameter[PBF_REST_DENSITY], h = world->parameter[PBF_RADIUS];
    const float dt = world->scene.dt / (float)(world->substeps > 0 ? world->substeps : 1);
    const float unit =
        (float)pd_units_particle_mass(world) * world->parameter[PBF_ITERATIONS] * h * h / (dt * dt * KERNEL_DENSITY);
    const bool cohesion = world->parameter[PBF_COHESION] != 0;
    float *values = pd_field_buffer(world, index, (size_t)p->count);
    for (int i = 0; values && i < p->count; i++) {
        float error = p->density[i] / rest_density - 1;
        float slopes = SLOPES / world->scene.materials[p->material[i]].mass + world->parameter[PBF_RELAXATION];
        values[i] = cohesion || error > 0 ? unit * p->density[i] * error / slopes : 0;
    }
    field->values = values;
    field->high = (float)(2 * PD_DENSITY_OF_MASS_1) * world->resolution.gravity * world->resolution.length;
    field->low = -field->high;
}

static void field(const pd_world *world, void *memory, int index, pd_field *field) {
    (void)memory;
    if (index == FIELD_SPEED) pd_field_of_speed(world, index, field);
    if (index == FIELD_DENSITY) pd_field_of_density(world, world->parameter[PBF_REST_DENSITY], field);
    if (index == FIELD_PRESSURE) field_of_pressure(world, index, field);
}

static void view(const pd_world *world, const void *memory, pd_view *view) {
    (void)memory;
    view->rest_density = world->parameter[PBF_REST_DENSITY];
    view->radius = world->parameter[PBF_RADIUS];
}

static pd_result edit(pd_world *world, void *memory, const pd_edited *edit, const pd_boundary *before,
                      pd_error *error) {
    pbf_state *state = memory;
    (void)world, (void)before, (void)error;
    springs_edit(&state->springs, edit->material_to);
    return PD_OK;
}

static void serialize(pd_world *world, void *memory, pd_archive *archive) {
    pbf_state *state = memory;
    (void)world;
    springs_serialize(&state->springs, archive);
}

static size_t saved_bytes(const void *memory) {
    const pbf_state *state = memory;
    return springs_saved_bytes(&state->springs);
}

extern const pd_method pd_method_pbf;
const pd_method pd_method_pbf = {
    .info =
        {
            .name = "pbf",
            .title = "Position based fluids",
            .source = "Macklin, Müller: Position Based Fluids, SIGGRAPH 2013",
            .parameter_count = PBF_PARAMETERS,
            .field_count = FIELDS,
            .view_count = sizeof views / sizeof *views,
            .features = PD_FEATURE_VISCOSITY | PD_FEATURE_TENSION | PD_FEATURE_SPRINGS | PD_FEATURE_STICKINESS,
        },
    .parameters = pbf_parameters,
    .fields = fields,
    .views = views,
    .state_size = sizeof(pbf_state),
    .columns = columns,
    .column_count = PBF_COLUMNS,
    .law = &law,
    .init = adapt,
    .resize = resize,
    .adapt = adapt,
    .edit = edit,
    .substep_limits = substep_limits,
    .step = step,
    .warning = warning,
    .convergence = convergence,
    .view = view,
    .field = field,
    .reset = reset,
    .serialize = serialize,
    .saved_bytes = saved_bytes,
    .destroy = destroy,
};
