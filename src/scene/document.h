/* A scene file as a YAML document: text checked, parsed, every node with its place.
 *
 * Scenes use a small part of YAML: one document of mappings, lists and plain values. Anchors, aliases, tags and deep
 * nesting are refused before libyaml composes anything, so that no file can make reading slow or large. */
#ifndef PUDDLE_SCENE_DOCUMENT_H
#define PUDDLE_SCENE_DOCUMENT_H

#include <puddle/scene.h>
#include <yaml.h>

enum {
    MAX_FILE_SIZE = 8 << 20,
    MAX_DEPTH = 64,
    MAX_TOKENS = 1000000, /* every list full takes 800,000; libyaml reads about three million in a second */
    MAX_SCALAR_LENGTH = 4096,
    MAX_SHOWN = 64, /* bytes of a value as quoted in a message */
};

/* True for a text in size bytes, its end included, of UTF-8 without line ends and control characters. */
bool pd_text_is_line(const char *text, size_t size);

/* What every function of the reader is handed. */
typedef struct pd_document {
    const char *name; /* of the file, for messages */
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
/* What a node is, for messages: 'abc', a list, a mapping, nothing. Returns shown. */
char *pd_node_show(const yaml_node_t *node, char shown[MAX_SHOWN]);

/* Node readers. what: the key, for messages. Errors: SCENE_TYPE, SCENE_VALUE. */
bool pd_read_number(pd_document *document, const yaml_node_t *node, const char *what, double low, double high,
                    float *value);
/* Digits alone; a number above high is a mistake of the given item. */
bool pd_read_integer(pd_document *document, const yaml_node_t *node, const char *what, uint64_t low, uint64_t high,
                     pd_error_code above, uint64_t *value);
bool pd_read_vector(pd_document *document, const yaml_node_t *node, const char *what, double low, double high,
                    pd_vec2 *value);
bool pd_read_boolean(pd_document *document, const yaml_node_t *node, const char *what, bool *value);
/* One line of text without control characters, of fewer than size bytes. */
bool pd_read_text(pd_document *document, const yaml_node_t *node, const char *what, char *text, size_t size);
bool pd_require_list(pd_document *document, const yaml_node_t *node, const char *what, int most, int *count);
bool pd_require_mapping(pd_document *document, const yaml_node_t *node, const char *what);
/* True for a decimal number as YAML's core schema has it: no hexadecimal, no digit groups, no words. */
bool pd_node_is_decimal(const yaml_node_t *node);

#endif
