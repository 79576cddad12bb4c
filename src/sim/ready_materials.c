/* Ready-made materials. Their values were found by trials, starting from the bundled scenes honey, jelly, mud and
 * slime-on-the-ceiling. tests/sim/test_ready_materials.c measures the materials' behaviour. */
#include "core/error.h"
#include "sim/world.h"

#include <math.h>

/* All materials have their own weight: they float or sink in any scene, whose other materials weigh what they weighed.
 *
 * Properties are in the order of pd_property. NAN: the method's parameter applies. Water and oil set elasticity and stickiness
 * to 0, so that parameters of the scene do not make them elastic or sticky.
 *
 * Mercury was measured with 50 to 150 particles on the floor of a box 1.2 m high, 15 s after they formed a slab:
 * - Tension: about the greatest value at which the fluid comes to rest under `ddr`. Particles move with 0.025 m/s
 *   (0.045 m/s at 1.5 x tension).
 * - Contact angle: 90 degrees instead of the true 140. With 120 or 140, `ddr` leaves a flat film that moves with 0.06 to
 *   0.15 m/s, mostly off the floor. With 90, particles form drops. Moments of the drops' shapes correspond to contact angles of
 *   93 to 98 degrees under `ddr`, 84 to 106 under `sph`, 91 to 96 under `pbf`. */
static const pd_ready_material materials[] = {
    {"runs and splashes", {"water", 58, 143, 255, true, 1, {4, 0, NAN, NAN, 0, NAN, NAN}}},
    {"floats on water", {"oil", 232, 201, 60, true, 0.7f, {12, 0, NAN, NAN, 0, NAN, NAN}}},
    {"flows slowly, in threads", {"honey", 255, 160, 20, true, 1.2f, {1000, 2300, 4, 0, 120, NAN, NAN}}},
    {"wobbles, and keeps its shape", {"jelly", 255, 63, 110, true, 1, {40, 5000, 0, NAN, 10, NAN, NAN}}},
    {"bounces", {"rubber", 38, 166, 154, true, 1, {30, 15000, 0, NAN, 0, NAN, NAN}}},
    {"stays in a heap", {"mud", 128, 85, 47, true, 1.5f, {1000, 3600, 6, 0.12f, 220, NAN, NAN}}},
    {"clings, stretches and creeps", {"slime", 111, 227, 58, true, 1, {1200, 1200, 0.6f, 0, 4000, NAN, NAN}}},
    {"heavy, gathers in puddles, sinks in water",
     {"mercury", 190, 200, 215, true, 2.5f, {1, 0, NAN, NAN, 0, 90, 0.025f}}},
    {"thick and heavy, creeps", {"lava", 255, 72, 16, true, 2, {1500, 1500, 2, 0, 200, NAN, NAN}}},
};

int pd_ready_material_count(void) { return (int)(sizeof materials / sizeof *materials); }

const pd_ready_material *pd_ready_material_at(int index) {
    PD_ASSERT_INDEX("material", index, pd_ready_material_count());
    return &materials[index];
}

pd_material pd_world_ready_material(const pd_world *world, int index) {
    PD_ASSERT_INDEX("material", index, pd_ready_material_count());
    pd_material made = materials[index].material;
    for (int p = 0; p < PD_PROPERTIES; p++) {
        if (!(made.property[p] > 0)) continue; /* 0 and NAN do not depend on the resolution */
        pd_parameter like = *pd_property_at(p)->parameter;
        like.default_value = made.property[p];
        if (p == PD_TENSION) like.follows.resolution = 1; /* the tension decreases with the spacing, as pressures do */
        made.property[p] = pd_resolution_compute_parameter_default(&world->resolution, &like);
    }
    return made;
}
