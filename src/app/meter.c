/* Where the time of the last frames went: the world's stages, and drawing as one more. */
#include "app/state.h"

#include <math.h>

void pd_meter_frame(pd_app *app, double elapsed, double drawing) {
    pd_meter *meter = &app->meter;
    const pd_profile *profile = pd_world_profile(app->world);
    if (meter->stages == 0 ||
        (profile->steps > 0 && meter->stages != profile->stage_count + 1)) { /* another method, or the first step */
        *meter = (pd_meter){.frame_sum = meter->frame_sum, .wall_sum = meter->wall_sum};
        meter->stages = profile->stage_count + 1;
    }
    float *ms = meter->ms[meter->next];
    for (int i = 0; i < meter->stages; i++) ms[i] = 0;
    for (int i = 0; profile->steps > 0 && i < profile->stage_count; i++) {
        meter->names[i] = profile->stage[i];
        ms[i] = (float)(profile->seconds[i] * 1e3);
    }
    meter->names[meter->stages - 1] = "drawing";
    ms[meter->stages - 1] = (float)(drawing * 1e3);
    meter->next = (meter->next + 1) % PD_METER_FRAMES;
    if (meter->count < PD_METER_FRAMES) meter->count++;
    pd_world_profile_reset(app->world);

    double keep = exp(-elapsed / 0.5);
    meter->frame_sum = keep * meter->frame_sum + 1;
    meter->wall_sum = keep * meter->wall_sum + elapsed;
}

double pd_meter_fps(const pd_meter *meter) { return meter->wall_sum > 0 ? meter->frame_sum / meter->wall_sum : 0; }
