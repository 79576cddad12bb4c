/* Measured wall time of the last frames by stage, and the pressure solver's density error. */
#include "app/view/viewport.h"

#include <math.h>
#include <string.h>

/* Returns the index of a stage, and adds an unknown stage before the last one, which is drawing. A frame that continues a long step
 * may not have had all stages. */
static int stage_index(pd_meter *meter, const char *name) {
    for (int i = 0; i + 1 < meter->stages; i++)
        if (strcmp(meter->names[i], name) == 0) return i;
    if (meter->stages == PD_METER_STAGES) return meter->stages - 1;
    meter->count = meter->next = 0;
    meter->names[meter->stages - 1] = name;
    return meter->stages++ - 1;
}

void pd_meter_restart(pd_meter *meter) {
    *meter = (pd_meter){.frame_sum = meter->frame_sum, .wall_sum = meter->wall_sum};
}

float pd_chart_axis_maximum(float top, float value) {
    static const float least = 1e-3f, steps[] = {1, 2, 5};
    if (value <= top && value > 0.2f * top) return top;
    for (float decade = least;; decade *= 10)
        for (int i = 0; i < 3; i++)
            if (decade * steps[i] >= value || !(value < 1e6f)) return decade * steps[i];
}

/* Records the density errors of the iterations in the last substep, at most PD_METER_ERRORS. */
static void record_errors(pd_meter *meter, const pd_world *world, double elapsed) {
    const float *now;
    int count = pd_world_density_errors(world, &now);
    if (count > PD_METER_ERRORS) count = PD_METER_ERRORS;
    float decay = count == meter->errors ? (float)exp(-elapsed / 0.5) : 0, largest = 0;
    for (int i = 0; i < count; i++) {
        meter->error[i] = decay * meter->error[i] + (1 - decay) * now[i];
        largest = fmaxf(largest, meter->error[i]);
    }
    meter->errors = count;
    meter->error_top = pd_chart_axis_maximum(meter->error_top, largest);
}

void pd_meter_add_frame(pd_meter *meter, pd_world *world, double elapsed, double drawing) {
    const pd_profile *profile = pd_world_profile(world);
    if (meter->stages == 0) meter->stages = 1;
    int slot[PD_MAX_STAGES];
    for (int i = 0; i < profile->stage_count; i++) slot[i] = stage_index(meter, profile->stage[i]);
    float *ms = meter->ms[meter->next];
    for (int i = 0; i < meter->stages; i++) ms[i] = 0;
    for (int i = 0; i < profile->stage_count; i++) ms[slot[i]] = (float)(profile->seconds[i] * 1e3);
    meter->names[meter->stages - 1] = "drawing";
    ms[meter->stages - 1] = (float)(drawing * 1e3);
    meter->next = (meter->next + 1) % PD_METER_FRAMES;
    if (meter->count < PD_METER_FRAMES) meter->count++;
    pd_world_reset_profile(world);
    record_errors(meter, world, elapsed);

    double decay = exp(-elapsed / 0.5);
    meter->frame_sum = decay * meter->frame_sum + 1;
    meter->wall_sum = decay * meter->wall_sum + elapsed;
}

double pd_meter_fps(const pd_meter *meter) { return meter->wall_sum > 0 ? meter->frame_sum / meter->wall_sum : 0; }
