/* Scene files as YAML documents: checks and parses the text, and reads values from the nodes. Messages give line and
 * column.
 *
 * Scenes use only a part of YAML: one document of mappings, lists and scalars. Anchors, aliases, tags and deep nesting
 * fail before libyaml makes a document, so that every file is read in bounded time and memory. */
#ifndef PUDDLE_SCENE_FILE_DOCUMENT_H
#define PUDDLE_SCENE_FILE_DOCUMENT_H

#include "core/file.h"
#include "scene/file/scene_files.h"

#include <puddle/scene.h>
#include <yaml.h>

enum {
    MAX_FILE_SIZE = 8 << 20,
    MAX_DEPTH = 64,
    MAX_TOKENS = 2000000, /* tokens of a file; full lists need 1,600,000; libyaml reads 3 million per second */
    MAX_SCALAR_LENGTH = 4096,
    MAX_MISTAKES = 100,  /* mistakes of a file that are reported */
    PD_DATA_WORD = 3000, /* bytes in a word of base 64, whose text is shorter than MAX_SCALAR_LENGTH; without padding */
    MAX_SHOWN = 64,      /* bytes of a value as shown in a message */
};

/* Returns whether a text is one line of UTF-8 without control characters that fits into `size` bytes with its
 * terminating zero. */
bool pd_text_is_line(const char *text, size_t size);

/* A document that is being read: the first argument of all reading functions. */
typedef struct pd_document {
    const char *name;                 /* name of the file or text, for messages */
    bool saved;                       /* the text is from a snapshot or log and must not name other files */
    bool adds_materials;              /* the text is an edit: unknown names of materials are added to the scene */
    bool has_folder;                  /* whether `name` is a path, whose folder is the base of relative paths */
    pd_scene_file_visitor *visit;     /* function that receives the paths of files that the scene names, or NULL */
    pd_scene_mistake_visitor *report; /* function that receives each mistake; NULL: reading ends at the first mistake */
    void *context;                    /* argument of `visit` and `report` */
    int mistakes;                     /* number of mistakes passed to `report` */
    pd_error first_mistake;           /* first mistake passed to `report` */
    size_t max_size;                  /* greatest size of the text, bytes; 0: MAX_FILE_SIZE */
    yaml_document_t yaml;             /* the parsed text */
    pd_scene *scene;                  /* scene into which the document is read */
    pd_error error;                   /* error of the function that returned false */
} pd_document;

/* Checks and parses a text. Free the YAML document with yaml_document_delete. All functions of this file that return a
 * bool set document->error when they return false. */
bool pd_document_parse(pd_document *document, const char *text, size_t length);

/* Sets document->error to file:line:column: message, with the position of a node. Returns false. */
bool pd_fail_at(pd_document *document, const yaml_node_t *node, pd_error_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reports a wrong value: 'label' is NODE (allowed: ...). Returns false. */
bool pd_fail_value(pd_document *document, const yaml_node_t *node, pd_error_code code, const char *label,
                   const char *allowed, ...) __attribute__((format(printf, 5, 6)));

/* Passes document->error to document->report, and clears the message so that each mistake is reported once. Returns
 * whether reading continues with the next key or item: false without `report`, and after MAX_MISTAKES mistakes. */
bool pd_document_skip_mistake(pd_document *document);

yaml_node_t *pd_node_at(pd_document *document, int index);
bool pd_node_equals_text(const yaml_node_t *node, const char *text);
/* Reports at a node that memory ran out. Returns false. */
bool pd_fail_memory_at(pd_document *document, const yaml_node_t *node);
/* Returns the node of a key's value in a mapping, or NULL. */
const yaml_node_t *pd_node_value_of_key(pd_document *document, const yaml_node_t *mapping, const char *key);
/* Returns the node of a key's value, or the mapping if it lacks the key. Used for the position of a message. */
const yaml_node_t *pd_node_value_or_mapping(pd_document *document, const yaml_node_t *mapping, const char *key);
/* Describes a node for a message: 'abc', "abc" (if quoted in the file), a list of 3 items, [2 0.2] without a comma, a
 * mapping, empty. */
const char *pd_node_describe(pd_document *document, const yaml_node_t *node, char shown[MAX_SHOWN]);

/* Reads a number from a node. label: key of the value, for messages. Errors of this and the next functions: SCENE_TYPE,
 * SCENE_VALUE. */
bool pd_read_number(pd_document *document, const yaml_node_t *node, const char *label, double low, double high,
                    float *value);
/* Reads an integer from a node: decimal digits after an optional sign. error_above_range: error code for a value above
 * `high`. */
bool pd_read_integer(pd_document *document, const yaml_node_t *node, const char *label, uint64_t low, uint64_t high,
                     pd_error_code error_above_range, uint64_t *value);
/* Sets pair[0] and pair[1] to the items of a list of two. allowed: such a list, for the message. */
bool pd_read_pair(pd_document *document, const yaml_node_t *node, const char *label, const char *allowed,
                  const yaml_node_t *pair[2]);
bool pd_read_vector(pd_document *document, const yaml_node_t *node, const char *label, double low, double high,
                    pd_vec2 *value);
bool pd_read_boolean(pd_document *document, const yaml_node_t *node, const char *label, bool *value);
/* Reads a line of text without control characters, shorter than `size` bytes. */
bool pd_read_text(pd_document *document, const yaml_node_t *node, const char *label, char *text, size_t size);
/* Reads a path from the key 'file'. Relative paths begin at the folder of the scene file. expected: kind of file for
 * the message about an empty path ("a PNG or JPEG"). */
bool pd_read_path(pd_document *document, const yaml_node_t *node, const char *expected, char path[PD_MAX_PATH]);
/* Checks that a node is a list of at most max_count entries. *count receives the number of entries. Errors: SCENE_TYPE,
 * SCENE_TOO_LARGE. */
bool pd_require_list(pd_document *document, const yaml_node_t *node, const char *label, int max_count, int *count);
/* Reads a list of words that pd_write_data (writer.h) has written, of at most `most` bytes together. *size: number of bytes.
 * Free the result with pd_memory_free. Returns NULL after a failure. */
void *pd_read_data(pd_document *document, const yaml_node_t *data, size_t most, size_t *size);
/* Reports data that puddle cannot have written. Returns false. */
bool pd_fail_damaged_data(pd_document *document, const yaml_node_t *node);
bool pd_require_mapping(pd_document *document, const yaml_node_t *node, const char *label);
/* Checks that no earlier pair of a mapping has the key of `pair`. noun: what keys are, for the message: "key". Errors:
 * SCENE_KEY. */
bool pd_require_single_key(pd_document *document, const yaml_node_t *mapping, const yaml_node_pair_t *pair,
                           const char *noun);
/* Reads a pair of a mapping. context: argument of pd_read_pairs. */
typedef bool pd_pair_reader(pd_document *document, const yaml_node_t *key, const yaml_node_t *value,
                            const void *context);
/* Calls a function for each pair of a mapping without repeated keys. label: the mapping, for messages. Returns whether no
 * mistake was found; those that pd_document_skip_mistake has reported count. */
bool pd_read_pairs(pd_document *document, const yaml_node_t *node, const char *label, const char *noun,
                   pd_pair_reader *read, const void *context);
/* Returns whether a node is a decimal number of YAML's core schema. Hexadecimal digits, digit groups, .inf and .nan are
 * no decimal numbers. */
bool pd_node_is_decimal(const yaml_node_t *node);

#endif
