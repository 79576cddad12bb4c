/* The inner loops of double density relaxation: all that costs time is here. See ddr.h for how the sweeps run. */
#include "methods/ddr.h"

#include <math.h>

enum { MAX_NEIGHBOURS = 256, ROW_GRAIN = 1 };

typedef struct sweep {
    const pd_neighbours *neighbours;
    pd_particles *particles;
    const float *inverse_mass;
    bool backwards;
    int colour;
    float h2, inverse_h;
    float stiffness, near_stiffness, rest_density; /* times dt^2 the first two */
    float farthest;                                /* largest displacement of one pair */
    float linear, quadratic;                       /* times dt */
} sweep;

/* Neighbours of one particle, copied together so that the arithmetic runs over contiguous numbers. */
typedef struct neighbourhood {
    int count;
    int index[MAX_NEIGHBOURS];
    float dx[MAX_NEIGHBOURS], dy[MAX_NEIGHBOURS], r2[MAX_NEIGHBOURS];
} neighbourhood;

static void gather(const sweep *s, int i, const pd_ranges *ranges, neighbourhood *found) {
    const float *x = s->particles->x, *y = s->particles->y;
    float xi = x[i], yi = y[i];
    int count = 0;
    for (int r = 0; r < ranges->count; r++)
        for (int j = ranges->begin[r]; j < ranges->end[r] && count < MAX_NEIGHBOURS - 1; j++) {
            float dx = x[j] - xi, dy = y[j] - yi, r2 = dx * dx + dy * dy;
            found->index[count] = j;
            found->dx[count] = dx;
            found->dy[count] = dy;
            found->r2[count] = r2;
            count += (r2 < s->h2) & (j != i); /* a branch would be mispredicted every third time */
        }
    found->count = count;
}

/* Two particles at one point have no direction between them: one that depends on their ids alone, opposite for both. */
static void part(const sweep *s, int i, int j, float *dx, float *dy) {
    uint32_t a = s->particles->id[i], b = s->particles->id[j];
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    float angle = (float)(pd_random_mix(low << 32 | high) >> 40) * 0x1p-24f * 6.2831853f;
    float sign = a < b ? 1 : -1;
    *dx = sign * cosf(angle);
    *dy = sign * sinf(angle);
}

static void relax_particle(const sweep *s, int i, const pd_ranges *ranges) {
    neighbourhood found;
    gather(s, i, ranges, &found);
    float r[MAX_NEIGHBOURS], q[MAX_NEIGHBOURS];
    float density = 0, near_density = 0;
    for (int k = 0; k < found.count; k++) {
        r[k] = sqrtf(found.r2[k]);
        q[k] = 1 - r[k] * s->inverse_h;
    }
    for (int k = 0; k < found.count; k++) {
        density += q[k] * q[k];
        near_density += q[k] * q[k] * q[k];
    }
    pd_particles *p = s->particles;
    p->density[i] = density;
    float pressure = s->stiffness * (density - s->rest_density), near_pressure = s->near_stiffness * near_density;
    float wi = s->inverse_mass[i], move_x = 0, move_y = 0;
    for (int k = 0; k < found.count; k++) {
        int j = found.index[k];
        float nx = found.dx[k], ny = found.dy[k], inverse_r = 1 / r[k];
        if (found.r2[k] < 1e-12f * s->h2) {
            part(s, i, j, &nx, &ny);
            inverse_r = 1;
        }
        float d = (pressure + near_pressure * q[k]) * q[k];
        d = fminf(fmaxf(d, -s->farthest), s->farthest) * inverse_r;
        float wj = s->inverse_mass[j], share = wi / (wi + wj);
        float to_i = d * share, to_j = d * (1 - share);
        move_x -= to_i * nx;
        move_y -= to_i * ny;
        p->x[j] += to_j * nx;
        p->y[j] += to_j * ny;
    }
    p->x[i] += move_x;
    p->y[i] += move_y;
}

/* Only pairs with j behind i (by cells): each pair once. */
static void viscosity_particle(const sweep *s, int i, const pd_ranges *ranges) {
    pd_particles *p = s->particles;
    neighbourhood found;
    gather(s, i, ranges, &found);
    float wi = s->inverse_mass[i], vx = p->vx[i], vy = p->vy[i];
    for (int k = 0; k < found.count; k++) {
        int j = found.index[k];
        float r = sqrtf(found.r2[k]);
        if (r == 0) continue;
        float nx = found.dx[k] / r, ny = found.dy[k] / r;
        float u = (vx - p->vx[j]) * nx + (vy - p->vy[j]) * ny; /* approach, m/s */
        if (u <= 0) continue;
        float impulse = (1 - r * s->inverse_h) * (s->linear * u + s->quadratic * u * u);
        impulse = fminf(impulse, u);
        float wj = s->inverse_mass[j], share = wi / (wi + wj);
        vx -= impulse * share * nx;
        vy -= impulse * share * ny;
        p->vx[j] += impulse * (1 - share) * nx;
        p->vy[j] += impulse * (1 - share) * ny;
    }
    p->vx[i] = vx;
    p->vy[i] = vy;
}

static void relax_cell(const sweep *s, int column, int row, int begin, int end) {
    pd_ranges ranges;
    pd_neighbours_around(s->neighbours, column, row, &ranges);
    if (s->backwards)
        for (int i = end - 1; i >= begin; i--) relax_particle(s, i, &ranges);
    else
        for (int i = begin; i < end; i++) relax_particle(s, i, &ranges);
}

/* The half of the neighbourhood that comes after: the rest of the cell, the cell to the right, the three above. */
static void viscosity_cell(const sweep *s, int column, int row, int begin, int end) {
    const pd_neighbours *n = s->neighbours;
    int right = row * n->columns + (column + 1) % n->columns;
    pd_ranges ranges = {.count = 2};
    ranges.begin[1] = n->start[right];
    ranges.end[1] = n->start[right + 1];
    int upper = (row + 1) % n->rows * n->columns;
    for (int side = -1; side <= 1; side++) {
        int bucket = upper + (column + side + n->columns) % n->columns;
        ranges.begin[ranges.count] = n->start[bucket];
        ranges.end[ranges.count++] = n->start[bucket + 1];
    }
    for (int k = begin; k < end; k++) {
        int i = s->backwards ? end - 1 - (k - begin) : k;
        ranges.begin[0] = i + 1;
        ranges.end[0] = end;
        viscosity_particle(s, i, &ranges);
    }
}

typedef void cell_body(const sweep *s, int column, int row, int begin, int end);

static void sweep_rows(const sweep *s, int begin, int end, cell_body *cell) {
    const pd_neighbours *n = s->neighbours;
    for (int k = begin; k < end; k++) {
        int row = k * PD_COLOURS + s->colour;
        const int *start = n->start + (size_t)row * (size_t)n->columns;
        if (start[0] == start[n->columns]) continue;
        for (int c = 0; c < n->columns; c++) {
            int column = s->backwards ? n->columns - 1 - c : c;
            if (start[column] < start[column + 1]) cell(s, column, row, start[column], start[column + 1]);
        }
    }
}

static void relax_rows(void *context, int begin, int end) {
    sweep_rows(context, begin, end, relax_cell);
}
static void viscosity_rows(void *context, int begin, int end) {
    sweep_rows(context, begin, end, viscosity_cell);
}

static void run_sweep(pd_world *world, sweep *s, pd_body *rows) {
    for (int c = 0; c < PD_COLOURS; c++) {
        s->colour = s->backwards ? PD_COLOURS - 1 - c : c;
        pd_parallel_for(world->pool, world->neighbours.rows / PD_COLOURS, ROW_GRAIN, rows, s);
    }
}

static sweep sweep_of(pd_world *world, const ddr_state *state) {
    float h = world->parameter[DDR_RADIUS];
    return (sweep){
        .neighbours = &world->neighbours,
        .particles = &world->particles,
        .inverse_mass = state->inverse_mass,
        .backwards = world->substep_total & 1,
        .h2 = h * h,
        .inverse_h = 1 / h,
        .farthest = h / 4,
    };
}

void ddr_relax(pd_world *world, ddr_state *state, float dt) {
    sweep s = sweep_of(world, state);
    s.stiffness = world->parameter[DDR_STIFFNESS] * dt * dt;
    s.near_stiffness = world->parameter[DDR_NEAR_STIFFNESS] * dt * dt;
    s.rest_density = world->parameter[DDR_REST_DENSITY];
    run_sweep(world, &s, relax_rows);
}

void ddr_viscosity(pd_world *world, ddr_state *state, float dt) {
    sweep s = sweep_of(world, state);
    s.linear = world->parameter[DDR_LINEAR_VISCOSITY] * dt;
    s.quadratic = world->parameter[DDR_QUADRATIC_VISCOSITY] * dt;
    if (s.linear > 0 || s.quadratic > 0) run_sweep(world, &s, viscosity_rows);
}
