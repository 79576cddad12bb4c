/* Finds parameters by key, and reads and writes their values. The tables of parameters come from pd_method_count,
 * pd_method_at and pd_method_find (puddle/method.h). src/methods/methods.c defines these functions. Nothing else in
 * src/scene depends on a folder above it. */
#include "core/error.h"
#include "core/text.h"

#include <math.h>
#include <puddle/method.h>
#include <stdio.h>
#include <string.h>

/* Finds the key that a misspelt one resembles: "sph.viscosity" for "sph.viscosty" and for "viscosty". best: "" if none does. */
static void find_similar_key(const char *key, char best[PD_MAX_KEY]) {
    int least = 3; /* greatest edit distance + 1 */
    const bool full = strchr(key, '.') != NULL;
    *best = '\0';
    for (int m = 0; m < pd_method_count(); m++) {
        const pd_method_info *method = pd_method_at(m);
        for (int i = 0; i < method->parameter_count; i++) {
            char candidate[PD_MAX_KEY];
            pd_method_parameter_key(method, i, candidate, sizeof candidate);
            int distance = pd_text_edit_distance(key, full ? candidate : pd_method_parameter_at(method, i)->key);
            if (distance >= least) continue;
            least = distance;
            memcpy(best, candidate, sizeof candidate);
        }
    }
}

static pd_result fail_unknown_key(const char *key, pd_error *error) {
    char best[PD_MAX_KEY];
    find_similar_key(key, best);
    if (*best)
        return pd_fail(error, PD_ERROR_PARAMETER_UNKNOWN,
                       "unknown parameter '%.60s' (did you mean '%s'? 'puddle list parameters' shows all)", key, best);
    return pd_fail(error, PD_ERROR_PARAMETER_UNKNOWN,
                   "unknown parameter '%.60s' (use METHOD.KEY of 'puddle list parameters'; gravity, materials and all "
                   "else are keys of the scene)",
                   key);
}

pd_result pd_parameter_find(const char *key, int *method_index, int *parameter_index, pd_error *error) {
    const char *dot = strchr(key, '.');
    for (int m = 0; dot && m < pd_method_count(); m++) {
        const pd_method_info *info = pd_method_at(m);
        if (strlen(info->name) != (size_t)(dot - key) || strncmp(info->name, key, (size_t)(dot - key)) != 0) continue;
        for (int i = 0; i < info->parameter_count; i++)
            if (strcmp(pd_method_parameter_at(info, i)->key, dot + 1) == 0) {
                *method_index = m;
                *parameter_index = i;
                return PD_OK;
            }
    }
    return fail_unknown_key(key, error);
}

/* Returns the index of a word among choices such as "one|two|three", or -1. */
static int find_choice(const char *choices, const char *word) {
    size_t length = strlen(word);
    for (int index = 0; choices; index++) {
        size_t width = strcspn(choices, "|");
        if (width == length && strncmp(choices, word, width) == 0) return index;
        choices = choices[width] ? choices + width + 1 : NULL;
    }
    return -1;
}

static int count_choices(const char *choices) {
    int count = 1;
    for (; *choices; choices++)
        if (*choices == '|') count++;
    return count;
}

pd_result pd_parameter_parse(const pd_parameter *parameter, const char *text, float *value, pd_error *error) {
    if (parameter->type == PD_PARAMETER_BOOLEAN) {
        if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
            return pd_fail(error, PD_ERROR_PARAMETER_VALUE, "%s is '%.40s' (use true or false)", parameter->key, text);
        *value = text[0] == 't';
        return PD_OK;
    }
    if (parameter->type == PD_PARAMETER_CHOICE) {
        int index = find_choice(parameter->choices, text);
        if (index < 0)
            return pd_fail(error, PD_ERROR_PARAMETER_VALUE, "%s is '%.40s' (use one of %s)", parameter->key, text,
                           parameter->choices);
        *value = (float)index;
        return PD_OK;
    }
    double number;
    char range[PD_RANGE_TEXT];
    if (!pd_text_read_number(text, &number))
        return pd_fail(error, PD_ERROR_PARAMETER_VALUE, "%s is '%.40s' (use a number from %s)", parameter->key, text,
                       pd_text_write_range((double)parameter->minimum, (double)parameter->maximum, range));
    *value = (float)number;
    return pd_parameter_check(parameter, *value, error);
}

static float get_least_value(const pd_parameter *parameter) {
    bool index = parameter->type == PD_PARAMETER_BOOLEAN || parameter->type == PD_PARAMETER_CHOICE;
    return index ? 0 : parameter->minimum;
}

static float get_greatest_value(const pd_parameter *parameter) {
    if (parameter->type == PD_PARAMETER_BOOLEAN) return 1;
    if (parameter->type == PD_PARAMETER_CHOICE) return (float)count_choices(parameter->choices) - 1;
    return parameter->maximum;
}

pd_result pd_parameter_check(const pd_parameter *parameter, float value, pd_error *error) {
    float low = get_least_value(parameter), high = get_greatest_value(parameter);
    char range[PD_RANGE_TEXT], number[PD_FLOAT_TEXT];
    pd_text_write_range((double)low, (double)high, range);
    if (!(value >= low && value <= high))
        return pd_fail(error, PD_ERROR_PARAMETER_VALUE, "%s is %s (use %s%s%s)", parameter->key,
                       pd_text_write_float(value, number), range, *parameter->unit ? " " : "", parameter->unit);
    if (parameter->type != PD_PARAMETER_NUMBER && value != floorf(value))
        return pd_fail(error, PD_ERROR_PARAMETER_VALUE, "%s is %s (use a whole number from %s)", parameter->key,
                       pd_text_write_float(value, number), range);
    return PD_OK;
}

char *pd_parameter_format(const pd_parameter *parameter, float value, char *text, size_t size) {
    if (parameter->type == PD_PARAMETER_BOOLEAN) {
        snprintf(text, size, "%s", value != 0 ? "true" : "false");
    } else if (parameter->type == PD_PARAMETER_CHOICE) {
        const char *word = parameter->choices;
        for (int i = (int)value; i > 0 && strchr(word, '|'); i--) word = strchr(word, '|') + 1;
        snprintf(text, size, "%.*s", (int)strcspn(word, "|"), word);
    } else {
        char number[PD_FLOAT_TEXT];
        snprintf(text, size, "%s", pd_text_write_float(value, number));
    }
    return text;
}
