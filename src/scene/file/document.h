/* A scene file as a YAML document: checks the text, parses it, and reads values from its nodes; messages give line and
 * column.
 *
 * Scenes use a part of YAML: one document of mappings, lists and scalars. Anchors, aliases, tags and deep nesting are
 * refused before libyaml builds the document, so that no file can take long or much memory to read. */
#ifndef PUDDLE_SCENE_FILE_DOCUMENT_H
#define PUDDLE_SCENE_FILE_DOCUMENT_H

#include "core/file/file.h"
#include "scene/file/inputs.h"

#include <puddle/scene.h>
#include <yaml.h>

enum {
    MAX_FILE_SIZE = 8 << 20,
    MAX_DEPTH = 64,
    MAX_TOKENS = 2000000, /* a scene with every list full has 1,600,000; libyaml reads about three million per second */
    MAX_SCALAR_LENGTH = 4096,
    MAX_SHOWN = 64, /* bytes of a value as quoted in a message */
};

/* True if the text and its terminating zero fit into size bytes, and it is UTF-8 without line ends and control
 * characters. */
bool pd_text_is_line(const char *text, size_t size);

/* The reader's state, passed to all its functions. */
typedef struct pd_document {
    const char *name; /* of the file, for messages */
    bool saved;       /* in a snapshot or a log: it must not depend on other files */
    bool naming;      /* the text is of an edit: the scene holds the names of the materials that the text names */
    bool has_folder;  /* name is the path of a file, whose folder holds what the scene names */
    pd_scene_file_visitor *visit; /* receives the paths of these files; NULL: no visitor */
    void *context;                /* of the visitor */
    size_t largest;               /* bytes that are read; 0: MAX_FILE_SIZE */
    yaml_document_t yaml;
    pd_scene *scene;
    pd_error error;
} pd_document;

/* Checks and parses; the functions of this file that return a bool return false when document->error is filled.
 * After true, free the YAML document with yaml_document_delete. */
bool pd_document_parse(pd_document *document, const char *text, size_t length);

/* Fills document->error with file:line:column: message, and returns false. */
bool pd_fail_at(pd_document *document, yaml_mark_t mark, pd_error_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

yaml_node_t *pd_node_at(pd_document *document, int index);
bool pd_node_is(const yaml_node_t *node, const char *text);
/* The value of a key of a mapping; NULL: it lacks the key. */
const yaml_node_t *pd_node_value(pd_document *document, const yaml_node_t *mapping, const char *key);
/* Describes a node in a message: 'abc', "abc" (quoted in the file), a list, a mapping, empty. Returns shown. */
char *pd_node_show(const yaml_node_t *node, char shown[MAX_SHOWN]);

/* Node readers. what: the key, for messages. Errors: SCENE_TYPE, SCENE_VALUE. */
bool pd_read_number(pd_document *document, const yaml_node_t *node, const char *what, double low, double high,
                    float *value);
/* Decimal digits after an optional sign; above: the error code for a number above high. */
bool pd_read_integer(pd_document *document, const yaml_node_t *node, const char *what, uint64_t low, uint64_t high,
                     pd_error_code above, uint64_t *value);
bool pd_read_vector(pd_document *document, const yaml_node_t *node, const char *what, double low, double high,
                    pd_vec2 *value);
bool pd_read_boolean(pd_document *document, const yaml_node_t *node, const char *what, bool *value);
/* One line of text without control characters, of fewer than size bytes. */
bool pd_read_text(pd_document *document, const yaml_node_t *node, const char *what, char *text, size_t size);
/* The path of a file that the scene names under 'file'; a relative one begins at the folder of the scene file. right: what
 * it names, for the message when it is empty. */
bool pd_read_path(pd_document *document, const yaml_node_t *node, const char *right, char path[PD_MAX_PATH]);
/* Check the type of a node; *count: its number of entries, at most `most`. Errors: SCENE_TYPE, SCENE_TOO_LARGE. */
bool pd_require_list(pd_document *document, const yaml_node_t *node, const char *what, int most, int *count);
bool pd_require_mapping(pd_document *document, const yaml_node_t *node, const char *what);
/* True for a decimal number of YAML's core schema: not hexadecimal, no digit groups, no .inf and .nan. */
bool pd_node_is_decimal(const yaml_node_t *node);

#endif
