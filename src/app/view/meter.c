/* Measured wall time of the last frames for each stage of a step, and the pressure solver's density error. */
#include "app/view/viewport.h"

#include <math.h>
#include <string.h>

/* Returns the index of a stage by its name. Adds an unknown stage before the last stage, which is "drawing". A frame within
 * a long step may not run all stages, so a stage may be unknown for some frames. */
static int find_or_add_stage(pd_meter *meter, const char *name) {
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

float pd_chart_choose_axis_maximum(float present_top, float value) {
    static const float least = 1e-3f, steps[] = {1, 2, 5};
    if (value <= present_top && value > 0.2f * present_top) return present_top;
    for (float decade = least;; decade *= 10)
        for (int i = 0; i < 3; i++)
            if (decade * steps[i] >= value || !(value < 1e6f)) return decade * steps[i];
}

/* Updates meter->error, the density errors at the first PD_METER_ERRORS iterations of the last substep, smoothed in time. */
static void smooth_density_errors(pd_meter *meter, const pd_world *world, double frame_seconds) {
    const float *now;
    int count = pd_world_density_errors(world, &now);
    if (count > PD_METER_ERRORS) count = PD_METER_ERRORS;
    float decay = count == meter->errors ? (float)exp(-frame_seconds / 0.5) : 0, largest = 0;
    for (int i = 0; i < count; i++) {
        meter->error[i] = decay * meter->error[i] + (1 - decay) * now[i];
        largest = fmaxf(largest, meter->error[i]);
    }
    meter->errors = count;
    meter->error_top = pd_chart_choose_axis_maximum(meter->error_top, largest);
}

void pd_meter_add_frame(pd_meter *meter, pd_world *world, double frame_seconds, double drawing_seconds) {
    const pd_profile *profile = pd_world_profile(world);
    if (meter->stages == 0) meter->stages = 1;
    int stage_index[PD_MAX_STAGES];
    for (int i = 0; i < profile->stage_count; i++) stage_index[i] = find_or_add_stage(meter, profile->stage[i]);
    float *ms = meter->ms[meter->next];
    for (int i = 0; i < meter->stages; i++) ms[i] = 0;
    for (int i = 0; i < profile->stage_count; i++) ms[stage_index[i]] = (float)(profile->seconds[i] * 1e3);
    meter->names[meter->stages - 1] = "drawing";
    ms[meter->stages - 1] = (float)(drawing_seconds * 1e3);
    meter->next = (meter->next + 1) % PD_METER_FRAMES;
    if (meter->count < PD_METER_FRAMES) meter->count++;
    pd_world_reset_profile(world);
    smooth_density_errors(meter, world, frame_seconds);

    double decay = exp(-frame_seconds / 0.5);
    meter->frame_sum = decay * meter->frame_sum + 1;
    meter->wall_sum = decay * meter->wall_sum + frame_seconds;
}

double pd_meter_fps(const pd_meter *meter) { return meter->wall_sum > 0 ? meter->frame_sum / meter->wall_sum : 0; }
