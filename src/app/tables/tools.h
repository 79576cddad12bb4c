/* Settings of the window for each method, and the table of tools of the left mouse button. Read by the tool bar, the table of keys, previews and messages. */
#ifndef PUDDLE_APP_TABLES_TOOLS_H
#define PUDDLE_APP_TABLES_TOOLS_H

#include "app/tables/keys.h"
#include <puddle/method.h>
#include <puddle/puddle.h>

/* Tools in the order of the tool bar. */
typedef enum pd_bar_tool {
    PD_BAR_HAND,
    PD_BAR_PUSH,
    PD_BAR_PULL,
    PD_BAR_POUR,
    PD_BAR_ERASE,
    PD_BAR_WALL,
    PD_BAR_SHAPE,
    PD_BAR_BODY,
    PD_BAR_JOINT,
    PD_BAR_EMITTER,
    PD_BAR_DRAIN,
    PD_BAR_MOVE,
    PD_BAR_TOOLS,
} pd_bar_tool;

/* Choices of the tool Erase: what the tool removes. PD_CHOICE_OBJECTS: obstacles, bodies, joints, emitters and drains. */
enum { PD_CHOICE_FLUID, PD_CHOICE_OBJECTS, PD_CHOICE_BOTH };
/* Choices of the tools Shape and Body: the drawn shape. */
enum { PD_CHOICE_CIRCLE, PD_CHOICE_BOX, PD_CHOICE_POLYGON };
/* Choices of the tool Joint: the type of the joint. */
enum { PD_CHOICE_HINGE, PD_CHOICE_ROPE, PD_CHOICE_WELD, PD_CHOICE_MOTOR };
enum { PD_MAX_CHOICES = 4 };

/* Preview that a tool shows at the pointer (ghost.c). */
typedef enum pd_ghost {
    PD_GHOST_NONE, /* No preview. The picture shows a circle around the pointer. */
    PD_GHOST_POUR,
    PD_GHOST_ERASE,
    PD_GHOST_MOVE,
    PD_GHOST_DRAFT, /* The item that a drag or a click would make. */
    PD_GHOST_JOINT, /* The joint that a drag or a click would make, and all joints. */
} pd_ghost;

/* Thickness of a drawn wall, in units of the tool's radius. */
#define PD_WALL_THICKNESS 0.2f

typedef struct pd_bar_row {
    const char *name;  /* Name on the button: "Pour". */
    pd_key key;        /* Key that selects the tool. */
    const char *about; /* Second line of the button's tip. NULL: none. */
    /* Kind of tool that a press applies to the world. PD_TOOL_NONE: a drag draws an item instead (draft.h). */
    pd_tool_kind kind;
    pd_ghost ghost;        /* Preview at the pointer. */
    bool needs_material;   /* The tool uses the selected material. */
    bool needs_item;       /* A press begins only at an item (obstacle, body, emitter, drain). */
    bool moves_bodies;     /* A press on a body drags the body. */
    bool shows_emitters;   /* The preview shows all emitters, which the picture of the world does not. */
    bool turns;            /* While an item is drawn, the wheel turns the item. */
    const char *size_name; /* Name of the size that the wheel changes: "Wall thickness". NULL: "Tool size". */
    float size_factor;     /* Size that the window announces, in units of the tool's radius. 0 means 1. */
    const char *choices[PD_MAX_CHOICES]; /* Names of the things that the tool can draw or erase: "box". NULL: none. */
} pd_bar_row;

/* Returns the row of a tool. */
const pd_bar_row *pd_bar_tool_row(pd_bar_tool tool);
/* Returns the number of choices of a tool (pd_bar_row.choices). */
int pd_bar_tool_choice_count(pd_bar_tool tool);
/* Returns the name of the key that selects a tool: "F5". */
const char *pd_bar_tool_key_name(pd_bar_tool tool);

/* Settings of a method: parameters of the keys, and initial radius of the tool. */
typedef struct pd_controls {
    const char *method;    /* name of the method: "ddr" */
    const char *stiffness; /* key of the parameter that Up and Down change: "stiffness"; NULL: none */
    const char *viscosity; /* key of the parameter that [ and ] change; NULL: none */
    float tool_size;       /* initial radius of the tool, in units of half the smaller side of the view */
} pd_controls;

/* Returns the settings of a method. A method that is not in the table has default settings without parameters. */
const pd_controls *pd_controls_of_method(const pd_method_info *method);

/* Returns the key that selects a method: '1' for the first method, ..., '9' for the ninth. 0: no key. */
char pd_controls_method_key(const pd_method_info *method);
/* Returns the method that a key ('1' to '9') selects. NULL: none. */
const pd_method_info *pd_controls_method_of_key(char key);

/* Returns the key of the last method: '6'. */
char pd_controls_last_method_key(void);

/* Returns the value of a parameter after one press of its key: larger (`direction` 1) or smaller (-1), within the range.
 *
 *     scale of the parameter    change
 *     linear                    1/50 of the range
 *     logarithmic               10 % of the value; with minimum 0, the value after 0 is 1e-4 of the maximum
 *     whole numbers             1 */
float pd_parameter_next_value(const pd_parameter *parameter, float value, int direction);

#endif
