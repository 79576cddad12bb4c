/* Rows of the panel that switch parts of the picture on and off, in the window and in recordings and screenshots. */
#include "app/overlay/interface.h"

typedef struct switch_row {
    const char *label, *help;
    bool *value;     /* Value of the switch. */
    bool hides_part; /* true: the box is checked while *value is false. */
} switch_row;

void pd_panel_draw_switches(const pd_screen *screen) {
    pd_picture_switches *switches = &screen->viewport->switches;
    const switch_row rows[] = {
        {"Outline", "The line along the wall of the container", &switches->no_outline, true},
        {"Emitters, drains", "The dashes of drains and the nozzles of emitters", &switches->no_sources, true},
        {"Legend", "The scale of the colours, also in recordings and screenshots", &switches->no_legend, true},
        {"Plain background", "A background of one colour, such as white for a print", &switches->plain, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool checked = *rows[i].value != rows[i].hides_part;
        ui_change change = ui_draw_check_box(screen->gui, rows[i].label, rows[i].help, *rows[i].value, &checked);
        if (change == UI_MOVED) *rows[i].value = checked != rows[i].hides_part;
        if (change == UI_RESET) *rows[i].value = false;
    }
    if (switches->plain) ui_edit_colour(screen->gui, "Background", "Colour of the background", switches->background);
}
