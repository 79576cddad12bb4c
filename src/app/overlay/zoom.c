/* The shown part of the picture: Ctrl+Wheel zooms, a drag with Space moves the picture, Home shows all. All panes, recordings
 * and screenshots show this part. The log has no place for views, so a replay shows all. */
#include "app/overlay/interface.h"

#include <math.h>
#include <stdio.h>

static const float NOTCH = 1.2f;         /* magnification per notch of the wheel */
static const float MOST = 40;            /* greatest magnification */
static const float HEIGHT = 20;          /* units: height of the button in the strip */
static const float MARGIN = 7, GAP = 14; /* units: beside the text of the button; after the button */
static const char ALL[] = "All (Home)";

/* Returns the point of the world at the pointer. */
static pd_vec2 point_at_pointer(const pd_screen *screen) {
    return pd_camera_pixels_to_world(&pd_screen_pane(screen)->camera, screen->pointer->pixel_x,
                                     screen->pointer->pixel_y);
}

/* Shifts the picture so that the pointer is at a point of the world. The middle of the picture stays in the container, and the
 * whole container has no shift. */
static void bring_to_pointer(pd_screen *screen, pd_vec2 point) {
    pd_zoom *zoom = &screen->viewport->zoom;
    pd_layout_update(screen); /* the camera of the present magnification and shift */
    const pd_view *view = pd_screen_pane(screen)->view;
    pd_vec2 there = point_at_pointer(screen);
    float fraction = fminf(1, 2 * (1 - 1 / fmaxf(zoom->factor, 1)));
    float x = 0.5f * fraction * (view->high.x - view->low.x), y = 0.5f * fraction * (view->high.y - view->low.y);
    zoom->shift.x = fminf(fmaxf(zoom->shift.x + point.x - there.x, -x), x);
    zoom->shift.y = fminf(fmaxf(zoom->shift.y + point.y - there.y, -y), y);
}

/* Returns whether a layer above this one covers the pointer. */
static bool is_covered(const pd_screen *screen) { return screen->at_pointer && screen->at_pointer != &pd_zoom_layer; }

/* Zooms around the pointer. */
static bool handle_wheel(pd_screen *screen, float notches) {
    pd_zoom *zoom = &screen->viewport->zoom;
    if (!screen->pointer->control || is_covered(screen)) return false;
    pd_vec2 point = point_at_pointer(screen);
    zoom->factor = fminf(fmaxf(fmaxf(zoom->factor, 1) * powf(NOTCH, notches), 1), MOST);
    if (zoom->factor < 1.005f) zoom->factor = 1;
    bring_to_pointer(screen, point);
    return true;
}

/* Space pauses on its release, unless a drag has moved the picture. */
static bool handle_key(pd_screen *screen, int code, int modifiers, bool repeats) {
    pd_zoom *zoom = &screen->viewport->zoom;
    if (code != ' ' || modifiers != 0) return false;
    if (!repeats) zoom->moved = false;
    zoom->space_down = true;
    return true;
}

bool pd_zoom_release_space(pd_viewport *viewport) {
    bool pauses = viewport->zoom.space_down && !viewport->zoom.moved;
    viewport->zoom.space_down = false;
    return pauses;
}

static bool covers_pointer(const pd_screen *screen) {
    const pd_zoom *zoom = &screen->viewport->zoom;
    return (zoom->space_down && !pd_pointer_has_press(screen->pointer)) || zoom->dragged;
}

static bool handle_press(pd_screen *screen, bool left) {
    (void)left;
    pd_zoom *zoom = &screen->viewport->zoom;
    if (!zoom->space_down || is_covered(screen)) return false;
    zoom->held = point_at_pointer(screen);
    zoom->dragged = zoom->moved = true;
    return true;
}

static void pointer_moved(pd_screen *screen, bool arrives) {
    pd_zoom *zoom = &screen->viewport->zoom;
    (void)arrives;
    if (zoom->dragged) bring_to_pointer(screen, zoom->held);
    if (!screen->pointer->buttons) zoom->dragged = false;
}

float pd_zoom_draw_in_strip(pd_screen *screen, float x, float end) {
    float factor = screen->viewport->zoom.factor;
    ui *gui = screen->gui;
    char text[16], help[64];
    if (factor <= 1) return x;
    snprintf(help, sizeof help, "Show the whole container\nKey: %s", pd_key_name_of_action(PD_ACTION_SHOW_ALL));
    snprintf(text, sizeof text, "%.0f %%", 100 * (double)factor);
    float number = ui_text_width(gui, UI_SMALL, text), line = ui_line_height(gui, UI_SMALL);
    float width = ui_text_width(gui, UI_SMALL, ALL) + 2 * MARGIN, middle = screen->layout.height - 0.5f * THEME_STRIP;
    if (x + number + MARGIN + width > end) return x;
    ui_draw_text(gui, x, middle - 0.5f * line, UI_SMALL, UI_PLAIN, 1, 0, text);
    x += number + MARGIN;
    /* the colour of a chosen button shows that the text is a button */
    ui_push all = {
        .name = ALL, .help = help, .text = ALL, .width = width, .height = HEIGHT, .chosen = true, .small = true};
    ui_window_begin(gui, "zoom", x, middle - 0.5f * HEIGHT, width, HEIGHT, 0, screen->viewport->bar_opacity);
    if (ui_draw_push_button(gui, &all)) pd_screen_request(screen, PD_ACTION_SHOW_ALL, 0);
    ui_window_end(gui);
    return x + width + GAP;
}

/* Shows a hand while a drag would move the picture. */
static void draw(pd_screen *screen) {
    if (covers_pointer(screen) && !is_covered(screen)) ui_show_hand_pointer(screen->gui);
}

const pd_layer pd_zoom_layer = {.covers_pointer = covers_pointer,
                                .handle_press = handle_press,
                                .handle_key = handle_key,
                                .handle_wheel = handle_wheel,
                                .pointer_moved = pointer_moved,
                                .draw = draw};
