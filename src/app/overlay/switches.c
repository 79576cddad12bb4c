/* Rows of the panel that switch parts of the picture on and off, in recordings and screenshots too. */
#include "app/overlay/interface.h"

#include "app/io/settings.h"
#include <stdio.h>
#include <string.h>

enum { LONGEST = 96 };
static const char NO_OUTLINE[] = "no-outline ", NO_SOURCES[] = "no-sources ", NO_LEGEND[] = "no-legend ",
                  PLAIN[] = "plain ", RULER[] = "ruler ", VALUES[] = "values ";

/* Writes the setting: "no-legend plain #203040". */
static void write_setting(const pd_picture_switches *switches, char text[LONGEST]) {
    const uint8_t *colour = switches->background;
    snprintf(text, LONGEST, "%s%s%s%s%s%s#%02x%02x%02x", switches->no_outline ? NO_OUTLINE : "",
             switches->no_sources ? NO_SOURCES : "", switches->no_legend ? NO_LEGEND : "", switches->plain ? PLAIN : "",
             switches->ruler ? RULER : "", switches->values ? VALUES : "", colour[0], colour[1], colour[2]);
}

void pd_switches_read(pd_picture_switches *switches) {
    char text[LONGEST];
    unsigned colour = 0xffffff;
    if (!pd_settings_read(PD_SETTING_PICTURE, text, sizeof text)) *text = '\0';
    const char *sign = strchr(text, '#');
    if (sign) sscanf(sign, "#%6x", &colour);
    *switches = (pd_picture_switches){.no_outline = strstr(text, NO_OUTLINE),
                                      .no_sources = strstr(text, NO_SOURCES),
                                      .no_legend = strstr(text, NO_LEGEND),
                                      .plain = strstr(text, PLAIN),
                                      .ruler = strstr(text, RULER),
                                      .values = strstr(text, VALUES)};
    for (int i = 0; i < 3; i++) switches->background[i] = (uint8_t)(colour >> (16 - 8 * i));
}

pd_result pd_switches_save(const pd_picture_switches *switches, pd_error *error) {
    pd_picture_switches saved;
    char text[LONGEST], before[LONGEST];
    pd_switches_read(&saved);
    write_setting(&saved, before);
    write_setting(switches, text);
    return strcmp(text, before) == 0 ? PD_OK : pd_settings_save(PD_SETTING_PICTURE, text, error);
}

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
        {"Legend",
         "The scale of the colours, in views of speed, pressure and the like. In recordings also the names and the "
         "graph of two panes",
         &switches->no_legend, true},
        {"Scale bar", "A length in metres, also in recordings (S)", &switches->ruler, false},
        {"Values at the pointer", "Place, speed, pressure and other values of the fluid where the pointer rests (I)",
         &switches->values, false},
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
