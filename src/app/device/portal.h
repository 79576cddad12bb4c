/* Dialogs of the desktop that choose a file to open or to save, by a portal (libportal). One is open at a time. */
#ifndef PUDDLE_APP_DEVICE_PORTAL_H
#define PUDDLE_APP_DEVICE_PORTAL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pd_portal pd_portal;

typedef enum pd_portal_answer {
    PD_PORTAL_NONE,      /* no dialog was open, or it still is */
    PD_PORTAL_CHOSEN,    /* the user has chosen a file */
    PD_PORTAL_CANCELLED, /* the user has closed the dialog */
    PD_PORTAL_FAILED,    /* the desktop has no such dialog */
} pd_portal_answer;

/* Endings of files that a dialog shows: {"Scenes", "yaml", "yml", NULL}. */
enum { PD_PORTAL_ENDINGS = 8 };
typedef struct pd_portal_filter {
    const char *title;
    const char *endings[PD_PORTAL_ENDINGS];
} pd_portal_filter;

/* Connects to the portal of the session. NULL: there is none. */
pd_portal *pd_portal_open(void);
void pd_portal_close(pd_portal *portal);
/* Begin a dialog. False: one is open already. folder, name: what the dialog suggests. */
bool pd_portal_begin_opening(pd_portal *portal, const char *title, const pd_portal_filter *filters, int count);
bool pd_portal_begin_saving(pd_portal *portal, const char *title, const char *folder, const char *name,
                            const pd_portal_filter *filter);
/* Returns the user's answer, once. Call at least a few times a second. path: of the chosen file. portal: may be
 * NULL. */
pd_portal_answer pd_portal_poll(pd_portal *portal, char *path, size_t size);

#endif
