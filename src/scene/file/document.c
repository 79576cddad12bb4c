/* Parses a scene file after a check of its characters and tokens, and reads values from its nodes. */
#include "scene/file/document.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool fail_at_mark(pd_document *document, yaml_mark_t mark, pd_error_code code, const char *format, ...) {
    char message[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    /* The beginning of a long path is omitted, so that the message fits into document->error. */
    size_t length = strlen(document->name), most = 240;
    const char *name = document->name + (length > most ? length - most : 0);
    pd_fail(&document->error, code, "%s%s:%zu:%zu: %s", length > most ? "..." : "", name, mark.line + 1,
            mark.column + 1, message);
    return false;
}

bool pd_fail_at(pd_document *document, const yaml_node_t *node, pd_error_code code, const char *format, ...) {
    char message[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return fail_at_mark(document, node->start_mark, code, "%s", message);
}

bool pd_fail_value(pd_document *document, const yaml_node_t *node, pd_error_code code, const char *label,
                   const char *allowed, ...) {
    char message[256], shown[MAX_SHOWN];
    va_list arguments;
    va_start(arguments, allowed);
    vsnprintf(message, sizeof message, allowed, arguments);
    va_end(arguments);
    return pd_fail_at(document, node, code, "'%s' is %s (allowed: %s)", label, pd_node_describe(document, node, shown),
                      message);
}

bool pd_document_skip_mistake(pd_document *document) {
    if (!document->report || document->mistakes >= MAX_MISTAKES) return false;
    if (!*document->error.message) return true;
    if (!document->mistakes) document->first_mistake = document->error;
    document->report(document->context, &document->error);
    document->mistakes++;
    *document->error.message = '\0';
    return document->mistakes < MAX_MISTAKES;
}

/* ---- Check of characters, before libyaml reads the text ---- */

/* Returns the length of a UTF-8 sequence by its first byte, 0 for an invalid byte. */
static int get_utf8_sequence_length(unsigned first_byte) {
    if (first_byte < 0x80) return 1;
    if (first_byte >> 5 == 6) return 2;
    if (first_byte >> 4 == 14) return 3;
    return first_byte >> 3 == 30 ? 4 : 0;
}

/* Decodes one character of UTF-8. Returns its length in bytes, 0 if it is invalid. */
static int decode_character(const unsigned char *bytes, size_t remaining, unsigned *character) {
    static const unsigned smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned first_byte = bytes[0];
    int length = get_utf8_sequence_length(first_byte);
    if (!length || (size_t)length > remaining) return 0;
    *character = length == 1 ? first_byte : first_byte & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if (bytes[i] >> 6 != 2) return 0;
        *character = *character << 6 | (bytes[i] & 0x3f);
    }
    bool surrogate = *character >= 0xd800 && *character <= 0xdfff;
    bool valid = *character >= smallest[length] && *character <= 0x10ffff && !surrogate;
    return valid ? length : 0;
}

static bool is_printable(unsigned character) {
    return character == '\t' || character == '\n' || character == '\r' ||
           (character >= ' ' && character != 0x7f && character < 0x80) || character == 0x85 ||
           (character >= 0xa0 && character != 0xfeff && character != 0xfffe && character != 0xffff);
}

static bool is_line_break(unsigned character, const unsigned char *next, const unsigned char *end) {
    if (character == '\r') return next == end || *next != '\n';
    return character == '\n' || character == 0x85 || character == 0x2028 || character == 0x2029;
}

bool pd_text_is_line(const char *text, size_t size) {
    const unsigned char *at = (const unsigned char *)text, *end = memchr(text, 0, size);
    if (!end) return false;
    while (at < end) {
        unsigned character = 0;
        int length = decode_character(at, (size_t)(end - at), &character);
        at += length;
        bool control = character < ' ' || (character >= 0x7f && character < 0xa0);
        if (!length || control || !is_printable(character) || is_line_break(character, at, end)) return false;
    }
    return true;
}

/* Fails at the first invalid character. libyaml rejects the same characters, but without line and column. */
static bool check_characters(pd_document *document, const char *text, size_t length) {
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    yaml_mark_t mark = {0};
    while (at < end) {
        unsigned character = 0;
        int size = decode_character(at, (size_t)(end - at), &character);
        if (!size)
            return fail_at_mark(document, mark, PD_ERROR_SCENE_SYNTAX,
                                "byte 0x%02x is not UTF-8 (a scene is a text file in YAML)", *at);
        if (!is_printable(character))
            return fail_at_mark(document, mark, PD_ERROR_SCENE_SYNTAX,
                                "control character U+%04X in the text (a scene is a text file in YAML)", character);
        at += size;
        mark.column++;
        if (is_line_break(character, at, end)) {
            mark.line++;
            mark.column = 0;
        }
    }
    return true;
}

/* ---- Check of tokens, before libyaml makes a document of them ---- */

typedef struct token_survey {
    int depth;    /* number of lists and mappings that are open */
    int tokens;   /* number of tokens so far */
    bool content; /* whether a token of the document was read */
    bool ended;   /* whether the end of the document was read */
} token_survey;

static bool check_scalar_token(pd_document *document, const yaml_token_t *token) {
    size_t length = token->data.scalar.length;
    if (length > MAX_SCALAR_LENGTH)
        return fail_at_mark(document, token->start_mark, PD_ERROR_SCENE_TOO_LARGE,
                            "a value of %zu characters (at most %d; is a quote left open?)", length, MAX_SCALAR_LENGTH);
    if (memchr(token->data.scalar.value, 0, length))
        return fail_at_mark(document, token->start_mark, PD_ERROR_SCENE_SYNTAX,
                            "a zero character in a text (leave \\0 out)");
    return true;
}

static bool check_token(pd_document *document, const yaml_token_t *token, token_survey *survey) {
    yaml_mark_t mark = token->start_mark;
    bool starts = token->type == YAML_DOCUMENT_START_TOKEN;
    bool has_no_content = token->type == YAML_STREAM_START_TOKEN || token->type == YAML_STREAM_END_TOKEN ||
                          token->type == YAML_VERSION_DIRECTIVE_TOKEN || token->type == YAML_DOCUMENT_END_TOKEN ||
                          token->type == YAML_BLOCK_END_TOKEN;
    if ((starts && survey->content) || (!has_no_content && survey->ended))
        return fail_at_mark(document, mark, PD_ERROR_SCENE_SYNTAX, "a second document (a file holds one scene)");
    survey->tokens++;
    if (survey->tokens > MAX_TOKENS)
        return fail_at_mark(document, mark, PD_ERROR_SCENE_TOO_LARGE,
                            "too long: over %d words and signs up to here (shorten the scene)", MAX_TOKENS);
    if (!has_no_content) survey->content = true;
    if (token->type == YAML_DOCUMENT_END_TOKEN && survey->content) survey->ended = true;
    switch (token->type) {
    case YAML_ANCHOR_TOKEN:
    case YAML_ALIAS_TOKEN:
        return fail_at_mark(document, mark, PD_ERROR_SCENE_SYNTAX,
                            "scenes use no anchors (&) and aliases (*) (write the value out, or put it in quotes)");
    case YAML_TAG_TOKEN:
    case YAML_TAG_DIRECTIVE_TOKEN:
        return fail_at_mark(document, mark, PD_ERROR_SCENE_SYNTAX, "scenes use no tags (leave the tag out)");
    case YAML_BLOCK_SEQUENCE_START_TOKEN:
    case YAML_BLOCK_MAPPING_START_TOKEN:
    case YAML_FLOW_SEQUENCE_START_TOKEN:
    case YAML_FLOW_MAPPING_START_TOKEN:
        survey->depth++;
        if (survey->depth > MAX_DEPTH)
            return fail_at_mark(document, mark, PD_ERROR_SCENE_SYNTAX, "nested too deeply (at most %d levels)",
                                MAX_DEPTH);
        return true;
    case YAML_BLOCK_END_TOKEN:
    case YAML_FLOW_SEQUENCE_END_TOKEN:
    case YAML_FLOW_MAPPING_END_TOKEN:
        survey->depth--;
        return true;
    case YAML_SCALAR_TOKEN:
        return check_scalar_token(document, token);
    default:
        return true;
    }
}

static bool fail_with_parser_error(pd_document *document, const yaml_parser_t *parser) {
    if (parser->error == YAML_MEMORY_ERROR) {
        pd_fail(&document->error, PD_ERROR_OUT_OF_MEMORY, "%s: out of memory while reading (close other programs)",
                document->name);
        return false;
    }
    const char *problem = parser->problem ? parser->problem : "unreadable";
    if (!parser->context)
        return fail_at_mark(document, parser->problem_mark, PD_ERROR_SCENE_SYNTAX, "not YAML: %s", problem);
    const char *cure = "";
    if (strstr(problem, "expected ','"))
        cure = "; a comma is missing, or a # outside of quotes begins a comment: write \"#3a8fff\"";
    if (strstr(problem, "tab character")) cure = "; indent with spaces";
    return fail_at_mark(document, parser->problem_mark, PD_ERROR_SCENE_SYNTAX,
                        "not YAML: %s (%s that begins at line %zu%s)", problem, parser->context,
                        parser->context_mark.line + 1, cure);
}

static bool start_parser(pd_document *document, yaml_parser_t *parser, const char *text, size_t length) {
    if (!yaml_parser_initialize(parser)) {
        pd_fail(&document->error, PD_ERROR_OUT_OF_MEMORY, "%s: out of memory while reading (close other programs)",
                document->name);
        return false;
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser, (const unsigned char *)text, length);
    return true;
}

static bool check_tokens(pd_document *document, const char *text, size_t length) {
    yaml_parser_t parser;
    if (!start_parser(document, &parser, text, length)) return false;
    token_survey survey = {0};
    bool fine = true, more = true;
    while (fine && more) {
        yaml_token_t token;
        if (!yaml_parser_scan(&parser, &token)) {
            fine = fail_with_parser_error(document, &parser);
            break;
        }
        fine = check_token(document, &token, &survey);
        more = token.type != YAML_STREAM_END_TOKEN && token.type != YAML_NO_TOKEN;
        yaml_token_delete(&token);
    }
    yaml_parser_delete(&parser);
    return fine;
}

bool pd_document_parse(pd_document *document, const char *text, size_t length) {
    const yaml_mark_t begin = {0};
    size_t most = document->max_size ? document->max_size : MAX_FILE_SIZE;
    if (length > most)
        return fail_at_mark(document, begin, PD_ERROR_SCENE_TOO_LARGE, "larger than %zu MiB (shorten the scene)",
                            most >> 20);
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark */
        text += 3;
        length -= 3;
    }
    if (!check_characters(document, text, length) || !check_tokens(document, text, length)) return false;
    yaml_parser_t parser;
    if (!start_parser(document, &parser, text, length)) return false;
    bool fine = yaml_parser_load(&parser, &document->yaml);
    if (!fine) fail_with_parser_error(document, &parser);
    yaml_parser_delete(&parser);
    if (fine && !yaml_document_get_root_node(&document->yaml)) {
        yaml_document_delete(&document->yaml);
        return fail_at_mark(document, begin, PD_ERROR_SCENE_SYNTAX,
                            "the file is empty (a scene begins with 'puddle: 1')");
    }
    return fine;
}

/* ---- Values of nodes ---- */

yaml_node_t *pd_node_at(pd_document *document, int index) { return yaml_document_get_node(&document->yaml, index); }

bool pd_node_equals_text(const yaml_node_t *node, const char *text) {
    return node->type == YAML_SCALAR_NODE && node->data.scalar.length == strlen(text) &&
           memcmp(node->data.scalar.value, text, node->data.scalar.length) == 0;
}

bool pd_fail_memory_at(pd_document *document, const yaml_node_t *node) {
    return pd_fail_at(document, node, PD_ERROR_OUT_OF_MEMORY, "out of memory (close other programs)");
}

const yaml_node_t *pd_node_value_of_key(pd_document *document, const yaml_node_t *mapping, const char *key) {
    const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
    for (; pair < mapping->data.mapping.pairs.top; pair++)
        if (pd_node_equals_text(pd_node_at(document, pair->key), key)) return pd_node_at(document, pair->value);
    return NULL;
}

const yaml_node_t *pd_node_value_or_mapping(pd_document *document, const yaml_node_t *mapping, const char *key) {
    const yaml_node_t *value = pd_node_value_of_key(document, mapping, key);
    return value ? value : mapping;
}

static bool is_plain_scalar(const yaml_node_t *node) {
    return node->type == YAML_SCALAR_NODE && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

const char *pd_node_describe(pd_document *document, const yaml_node_t *node, char shown[MAX_SHOWN]) {
    const char *text = (const char *)node->data.scalar.value;
    if (node->type == YAML_SEQUENCE_NODE) {
        const yaml_node_item_t *items = node->data.sequence.items.start;
        int count = (int)(node->data.sequence.items.top - items);
        const yaml_node_t *first = count == 1 ? pd_node_at(document, items[0]) : NULL;
        if (first && first->type == YAML_SCALAR_NODE && strchr((const char *)first->data.scalar.value, ' '))
            snprintf(shown, MAX_SHOWN, "[%.40s] without a comma", (const char *)first->data.scalar.value);
        else
            snprintf(shown, MAX_SHOWN, "a list of %d item%s", count, count == 1 ? "" : "s");
        return shown;
    }
    if (node->type == YAML_MAPPING_NODE) return "a mapping";
    if (is_plain_scalar(node) && node->data.scalar.length == 0) return "empty";
    size_t length = node->data.scalar.length, most = 32;
    bool cut = length > most;
    if (cut) {
        length = most;
        while (length && ((unsigned char)text[length] & 0xc0) == 0x80) length--; /* omits an incomplete character */
    }
    const char *quote = is_plain_scalar(node) ? "'" : "\"";
    snprintf(shown, MAX_SHOWN, "%s%.*s%s%s", quote, (int)length, text, cut ? "..." : "", quote);
    return shown;
}

static bool is_all_digits(const char *text) { return *text && text[strspn(text, "0123456789")] == '\0'; }

static const char *skip_sign(const char *text) { return *text == '+' || *text == '-' ? text + 1 : text; }

bool pd_node_is_decimal(const yaml_node_t *node) {
    if (!is_plain_scalar(node)) return false;
    const char *at = skip_sign((const char *)node->data.scalar.value);
    size_t whole = strspn(at, "0123456789"), fraction = 0;
    at += whole;
    if (*at == '.') {
        at++;
        fraction = strspn(at, "0123456789");
    }
    at += fraction;
    if (!whole && !fraction) return false;
    if (*at != 'e' && *at != 'E') return *at == '\0';
    return is_all_digits(skip_sign(at + 1));
}

static bool is_non_finite_word(const yaml_node_t *node) {
    static const char *const words[] = {"inf", "infinity", "nan"};
    if (!is_plain_scalar(node)) return false;
    const char *text = skip_sign((const char *)node->data.scalar.value);
    if (*text == '.') text++;
    for (int i = 0; i < 3; i++)
        if (strcasecmp(text, words[i]) == 0) return true;
    return false;
}

bool pd_read_number(pd_document *document, const yaml_node_t *node, const char *label, double low, double high,
                    float *value) {
    char range[PD_RANGE_TEXT];
    pd_text_write_range(low, high, range);
    if (is_non_finite_word(node))
        return pd_fail_value(document, node, PD_ERROR_SCENE_VALUE, label, "a finite number, %s", range);
    if (!pd_node_is_decimal(node))
        return pd_fail_value(document, node, PD_ERROR_SCENE_TYPE, label, "a decimal number without quotes, %s", range);
    double number = 0;
    bool fits = pd_text_read_number((const char *)node->data.scalar.value, &number) && fabs(number) <= FLT_MAX;
    *value = fits ? (float)number : 0;
    /* The range is compared in float precision: a valid value must remain valid when it is written and read back. */
    return (fits && *value >= (float)low && *value <= (float)high) ||
           pd_fail_value(document, node, PD_ERROR_SCENE_VALUE, label, "%s", range);
}

bool pd_read_integer(pd_document *document, const yaml_node_t *node, const char *label, uint64_t low, uint64_t high,
                     pd_error_code error_above_range, uint64_t *value) {
    const char *text = is_plain_scalar(node) ? (const char *)node->data.scalar.value : "";
    bool negative = *text == '-';
    text = skip_sign(text);
    if (!is_all_digits(text))
        return pd_fail_value(document, node, PD_ERROR_SCENE_TYPE, label, "a whole number, %llu to %llu",
                             (unsigned long long)low, (unsigned long long)high);
    errno = 0;
    *value = strtoull(text, NULL, 10);
    bool over = errno == ERANGE || *value > high;
    return (!over && *value >= low && (!negative || !*value)) ||
           pd_fail_value(document, node, over && !negative ? error_above_range : PD_ERROR_SCENE_VALUE, label,
                         "%llu to %llu", (unsigned long long)low, (unsigned long long)high);
}

bool pd_read_pair(pd_document *document, const yaml_node_t *node, const char *label, const char *allowed,
                  const yaml_node_t *pair[2]) {
    if (node->type != YAML_SEQUENCE_NODE || node->data.sequence.items.top - node->data.sequence.items.start != 2)
        return pd_fail_value(document, node, PD_ERROR_SCENE_TYPE, label, "%s", allowed);
    for (int k = 0; k < 2; k++) pair[k] = pd_node_at(document, node->data.sequence.items.start[k]);
    return true;
}

bool pd_read_vector(pd_document *document, const yaml_node_t *node, const char *label, double low, double high,
                    pd_vec2 *value) {
    const yaml_node_t *numbers[2] = {NULL, NULL};
    return pd_read_pair(document, node, label, "two numbers, such as [0.5, 1]", numbers) &&
           pd_read_number(document, numbers[0], label, low, high, &value->x) &&
           pd_read_number(document, numbers[1], label, low, high, &value->y);
}

bool pd_read_boolean(pd_document *document, const yaml_node_t *node, const char *label, bool *value) {
    static const char *const words[] = {"false", "False", "FALSE", "true", "True", "TRUE"};
    for (int i = 0; i < 6; i++)
        if (is_plain_scalar(node) && pd_node_equals_text(node, words[i])) {
            *value = i >= 3;
            return true;
        }
    return pd_fail_value(document, node, PD_ERROR_SCENE_TYPE, label, "true or false");
}

bool pd_read_text(pd_document *document, const yaml_node_t *node, const char *label, char *text, size_t size) {
    if (node->type != YAML_SCALAR_NODE) return pd_fail_value(document, node, PD_ERROR_SCENE_TYPE, label, "a text");
    if (node->data.scalar.length >= size)
        return pd_fail_at(document, node, PD_ERROR_SCENE_VALUE, "'%s' is longer than %zu bytes (shorten it)", label,
                          size - 1);
    if (!pd_text_is_line((const char *)node->data.scalar.value, size))
        return pd_fail_at(document, node, PD_ERROR_SCENE_VALUE,
                          "'%s' holds a line end or control character (allowed: one line of text)", label);
    memcpy(text, node->data.scalar.value, node->data.scalar.length + 1);
    return true;
}

bool pd_read_path(pd_document *document, const yaml_node_t *node, const char *expected, char path[PD_MAX_PATH]) {
    char name[PD_MAX_PATH];
    if (!pd_read_text(document, node, "file", name, sizeof name)) return false;
    if (!*name)
        return pd_fail_at(document, node, PD_ERROR_SCENE_VALUE, "'file' is empty (allowed: the name of %s)", expected);
    const char *slash = strrchr(document->name, '/');
    int folder = slash && *name != '/' ? (int)(slash - document->name) + 1 : 0;
    if (snprintf(path, PD_MAX_PATH, "%.*s%s", folder, document->name, name) >= PD_MAX_PATH)
        return pd_fail_at(document, node, PD_ERROR_SCENE_VALUE, "the path of 'file' is too long (use a shorter one)");
    if (document->visit) document->visit(document->context, path);
    return true;
}

bool pd_require_list(pd_document *document, const yaml_node_t *node, const char *label, int max_count, int *count) {
    if (node->type != YAML_SEQUENCE_NODE)
        return pd_fail_value(document, node, PD_ERROR_SCENE_TYPE, label, "a list; [] for none");
    ptrdiff_t items = node->data.sequence.items.top - node->data.sequence.items.start;
    if (items > max_count)
        return pd_fail_at(document, node, PD_ERROR_SCENE_TOO_LARGE, "'%s' has %td entries (at most %d)", label, items,
                          max_count);
    *count = (int)items;
    return true;
}

void *pd_read_data(pd_document *document, const yaml_node_t *data, size_t most, size_t *size) {
    int words = 0;
    if (!pd_require_list(document, data, "data", (int)((most + PD_DATA_WORD - 1) / PD_DATA_WORD), &words)) return NULL;
    char *bytes = pd_memory_new((size_t)words * PD_DATA_WORD + 1);
    bool fine = bytes || pd_fail_memory_at(document, data);
    *size = 0;
    for (int w = 0; w < words && fine; w++) {
        const yaml_node_t *node = pd_node_at(document, data->data.sequence.items.start[w]);
        size_t length = PD_DATA_WORD + 1;
        void *word = node->type == YAML_SCALAR_NODE
                         ? pd_base64_decode((const char *)node->data.scalar.value, node->data.scalar.length, &length)
                         : NULL;
        fine = (word && length <= PD_DATA_WORD) || pd_fail_damaged_data(document, node);
        if (fine) memcpy(bytes + *size, word, length);
        *size += length;
        pd_memory_free(word);
    }
    if (fine) return bytes;
    pd_memory_free(bytes);
    return NULL;
}

bool pd_fail_damaged_data(pd_document *document, const yaml_node_t *node) {
    return pd_fail_at(document, node, PD_ERROR_SCENE_VALUE,
                      "'data' is damaged (allowed: words in base 64 that puddle wrote)");
}

bool pd_require_mapping(pd_document *document, const yaml_node_t *node, const char *label) {
    char shown[MAX_SHOWN];
    return node->type == YAML_MAPPING_NODE ||
           pd_fail_at(document, node, PD_ERROR_SCENE_TYPE,
                      "%s is %s (allowed: a mapping, 'key: value' lines or {key: value})", label,
                      pd_node_describe(document, node, shown));
}

bool pd_require_single_key(pd_document *document, const yaml_node_t *mapping, const yaml_node_pair_t *pair,
                           const char *noun) {
    const yaml_node_t *key = pd_node_at(document, pair->key);
    const char *text = key->type == YAML_SCALAR_NODE ? (const char *)key->data.scalar.value : NULL;
    for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start; p < pair && text; p++)
        if (pd_node_equals_text(pd_node_at(document, p->key), text))
            return pd_fail_at(document, key, PD_ERROR_SCENE_KEY, "the %s '%s' comes twice (keep one)", noun, text);
    return true;
}

bool pd_read_pairs(pd_document *document, const yaml_node_t *node, const char *label, const char *noun,
                   pd_pair_reader *read, const void *context) {
    bool no_mistake = true;
    if (!pd_require_mapping(document, node, label)) return false;
    for (const yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++) {
        if (pd_require_single_key(document, node, p, noun) &&
            read(document, pd_node_at(document, p->key), pd_node_at(document, p->value), context))
            continue;
        if (!pd_document_skip_mistake(document)) return false;
        no_mistake = false;
    }
    return no_mistake;
}
