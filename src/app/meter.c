/* Where the time of the last frames went: the world's stages, and drawing as one more. */
#include "app/state.h"

#include <math.h>
#include <string.h>

/* The stage's place in the table; the last one is drawing. Stages that were not seen before come in before it: a frame in which
 * a long step only goes on has not all of them. */
static int place_of(pd_meter *meter, const char *name) {
    for (int i = 0; i + 1 < meter->stages; i++)
        if (strcmp(meter->names[i], name) == 0) return i;
    if (meter->stages == PD_METER_STAGES) return meter->stages - 1;
    meter->count = meter->next = 0;
    meter->names[meter->stages - 1] = name;
    return meter->stages++ - 1;
}

void pd_meter_frame(pd_app *app, double elapsed, double drawing) {
    pd_meter *meter = &app->meter;
    const pd_profile *profile = pd_world_profile(app->world);
    if (meter->stages == 0) /* another world */
        *meter = (pd_meter){.stages = 1, .frame_sum = meter->frame_sum, .wall_sum = meter->wall_sum};
    int place[PD_MAX_STAGES];
    for (int i = 0; i < profile->stage_count; i++) place[i] = place_of(meter, profile->stage[i]);
    float *ms = meter->ms[meter->next];
    for (int i = 0; i < meter->stages; i++) ms[i] = 0;
    for (int i = 0; i < profile->stage_count; i++) ms[place[i]] = (float)(profile->seconds[i] * 1e3);
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
