/* The layers of the interface in drawing order, and the distribution of input to them. */
#include "app/overlay/interface.h"

static const pd_layer *const layers[] = {
    &pd_zoom_layer,  &pd_ghost_layer,    &pd_hud_layer,     &pd_panes_layer,  &pd_toolbar_layer,
    &pd_bar_layer,   &pd_timeline_layer, &pd_offer_layer,   &pd_hint_layer,   &pd_probe_layer,
    &pd_panel_layer, &pd_export_layer,   &pd_opening_layer, &pd_dialog_layer, &pd_material_palette_layer,
    &pd_help_layer,  &pd_browser_layer,  &pd_message_layer,
};
enum { LAYERS = sizeof layers / sizeof *layers };

static bool is_open(const pd_screen *screen, int layer) {
    return layers[layer]->is_open && layers[layer]->is_open(screen);
}

static bool is_modal(const pd_screen *screen, int layer) { return layers[layer]->modal && is_open(screen, layer); }

/* Returns the index of the lowest visible layer: the highest open one that fills the window, or 0. */
static int lowest(const pd_screen *screen) {
    int layer = LAYERS - 1;
    while (layer > 0 && !(layers[layer]->hides && is_open(screen, layer))) layer--;
    return layer;
}

bool pd_layers_hide_picture(const pd_screen *screen) { return lowest(screen) > 0; }

bool pd_layers_stop_time(const pd_screen *screen) {
    for (int i = 0; i < LAYERS; i++)
        if (layers[i]->stops && is_open(screen, i)) return true;
    return pd_layers_hide_picture(screen);
}

void pd_layers_draw(pd_screen *screen) {
    for (int i = lowest(screen); i < LAYERS; i++) layers[i]->draw(screen);
}

bool pd_layers_any_fading(const pd_screen *screen) {
    for (int i = lowest(screen); i < LAYERS; i++)
        if (layers[i]->is_fading && layers[i]->is_fading(screen)) return true;
    return false;
}

const pd_layer *pd_layers_find_at_pointer(const pd_screen *screen) {
    for (int i = LAYERS - 1; i >= 0; i--)
        if (is_modal(screen, i) || (layers[i]->covers_pointer && layers[i]->covers_pointer(screen))) return layers[i];
    return NULL;
}

bool pd_layers_any_modal(const pd_screen *screen) {
    for (int i = 0; i < LAYERS; i++)
        if (is_modal(screen, i)) return true;
    return false;
}

int pd_layers_count_open(const pd_screen *screen) {
    int count = 0;
    for (int i = 0; i < LAYERS; i++) count += is_open(screen, i);
    return count;
}

bool pd_layers_close_highest(pd_screen *screen) {
    for (int i = LAYERS - 1; i >= 0; i--) {
        if (!is_open(screen, i)) continue;
        layers[i]->close(screen);
        return true;
    }
    return false;
}

/* While a press in the world lasts, other buttons are for the world too, unless a modal layer is open. */
bool pd_layers_press(pd_screen *screen, bool left) {
    bool busy = pd_pointer_has_press(screen->pointer);
    for (int i = LAYERS - 1; i >= 0; i--) {
        bool modal = is_modal(screen, i);
        if (layers[i]->handle_press && (modal || !busy) && layers[i]->handle_press(screen, left)) return true;
        if (modal) return true;
    }
    return false;
}

bool pd_layers_key(pd_screen *screen, int code, int modifiers, bool repeats) {
    for (int i = LAYERS - 1; i >= 0; i--)
        if ((layers[i]->handle_key && layers[i]->handle_key(screen, code, modifiers, repeats)) || is_modal(screen, i))
            return true;
    return false;
}

bool pd_layers_wheel(pd_screen *screen, float notches) {
    for (int i = LAYERS - 1; i >= 0; i--)
        if ((layers[i]->handle_wheel && layers[i]->handle_wheel(screen, notches)) || is_modal(screen, i)) return true;
    return false;
}

void pd_layers_pointer_moved(pd_screen *screen, bool arrives) {
    for (int i = LAYERS - 1; i >= 0; i--)
        if (layers[i]->pointer_moved) layers[i]->pointer_moved(screen, arrives);
}
