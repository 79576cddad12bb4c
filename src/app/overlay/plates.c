/* The list of the rectangles over the picture that hold text in this frame. */
#include "app/overlay/interface.h"

bool pd_plate_contains(const pd_plate *plate, float x, float y) {
    return x >= plate->x && x < plate->x + plate->width && y >= plate->y && y < plate->y + plate->height;
}

void pd_plate_add(pd_viewport *viewport, const pd_plate *plate) {
    if (viewport->hud.plate_count < PD_HUD_PLATES) viewport->hud.plates[viewport->hud.plate_count++] = *plate;
}

void pd_plate_draw(pd_screen *screen, const pd_plate *plate, float opacity) {
    ui_draw_plate(screen->gui, plate->x, plate->y, plate->width, plate->height, opacity);
    pd_plate_add(screen->viewport, plate);
}

bool pd_plate_is_free(const pd_viewport *viewport, const pd_plate *plate) {
    for (int i = 0; i < viewport->hud.plate_count; i++) {
        const pd_plate *other = &viewport->hud.plates[i];
        if (other->x < plate->x + plate->width && plate->x < other->x + other->width &&
            other->y < plate->y + plate->height && plate->y < other->y + other->height)
            return false;
    }
    return true;
}

bool pd_plate_covers_container(const pd_screen *screen, const pd_plate *plate) {
    pd_camera camera = pd_panes_camera(screen, 0);
    float scale = screen->display->scale;
    pd_vec2 low = {scale * plate->x, scale * plate->y};
    pd_vec2 high = {low.x + scale * plate->width, low.y + scale * plate->height};
    return pd_camera_rectangle_meets_container(&camera, &pd_world_scene(screen->session->world)->container, low, high);
}
