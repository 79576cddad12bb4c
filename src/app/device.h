/* The device: window, user interface, renderer, pointer, recorder and thumbnails of the running program. */
#ifndef PUDDLE_APP_DEVICE_H
#define PUDDLE_APP_DEVICE_H

#include "app/device/display.h"
#include "app/device/exporter.h"
#include "app/device/pointer.h"
#include "app/device/recorder.h"
#include "app/device/thumbnails.h"
#include "app/ui/ui.h"
#include "render/renderer.h"

typedef struct pd_device {
    pd_display display;
    ui *ui;
    pd_renderer *renderer;
    pd_pointer pointer;
    bool key_repeats; /* whether the last key event was an automatic repetition, because the key is held down */
    pd_recorder recorder;
    pd_exporter exporter;
    pd_thumbnailer thumbnailer;
} pd_device;

#endif
