/* Fonts of the interface: a font of the system, and further fonts for the characters that it lacks. Fonts are found by fontconfig.
 *
 * ImGui draws only characters that its atlas has, and the atlas of all characters of all fonts would be too large. The atlas hence begins
 * with Latin, Greek and Cyrillic. A text with another character adds this character, and the next frame has a new atlas. */
#include "app/ui/ui_inside.h"

#include <cstdio>
#include <cstring>
#include <fontconfig/fontconfig.h>
#include <puddle/memory.h>

#define _Noreturn [[noreturn]] /* C17's keyword, which C++ does not have */
extern "C" {
#include "core/file.h"
}

namespace {

const float font_units[UI_SIZES] = {13.0f, 15.0f, 19.0f};
enum { MOST_FONTS = 16 }; /* further fonts of an atlas */
/* Pixels for required characters in an atlas. With the characters of every atlas at the greatest scale, the texture has at most 8192
 * rows. */
const float MOST_PIXELS = 12e6f;
const int MOST_CHARACTERS = 4096;
const ImWchar LAST_CHARACTER = 0xffff; /* ImGui as packaged has characters of 16 bits */

/* First and last character of each range of every atlas: Latin, Greek, Cyrillic, dashes and quotes, superscripts, arrows, a few
 * signs. */
const ImWchar every_atlas[] = {0x20,   0x17f,  0x370,  0x3ff,  0x400,  0x45f,  0x2010, 0x2026, 0x2032,
                               0x2033, 0x2070, 0x209f, 0x2190, 0x2199, 0x21ba, 0x21bb, 0x2212, 0x2212,
                               0x221a, 0x221a, 0x2248, 0x2248, 0x2264, 0x2265, 0x25a0, 0x25cf, 0};

/* A font in memory with the characters that the atlas has of it. */
struct font_file {
    void *bytes; /* NULL: none */
    size_t size;
    int index; /* face in the file */
    ImVector<ImWchar> ranges;
};

/* Creates the pattern of the fonts that the interface prefers. */
FcPattern *create_pattern() {
    static const char *const families[] = {"Inter", "Noto Sans", "Cantarell", "DejaVu Sans", "sans"};
    FcPattern *pattern = FcPatternCreate();
    for (const char *family : families) FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)family);
    FcPatternAddBool(pattern, FC_SCALABLE, FcTrue);
    /* Excludes variable fonts: stb_truetype draws only their default weight, which may not be the regular weight. */
    FcPatternAddBool(pattern, FC_VARIABLE, FcFalse);
    return pattern;
}

bool has_format(const FcPattern *font, const char *wanted) {
    FcChar8 *format = nullptr;
    return FcPatternGetString(font, FC_FONTFORMAT, 0, &format) == FcResultMatch &&
           strcmp((const char *)format, wanted) == 0;
}

/* Reads the file of a font. False: it cannot be read, or ImGui would stop the program because of it. */
bool read_font(const FcPattern *font, font_file *file) {
    FcChar8 *path = nullptr;
    if (FcPatternGetString(font, FC_FILE, 0, &path) != FcResultMatch) return false;
    if (FcPatternGetInteger(font, FC_INDEX, 0, &file->index) != FcResultMatch) file->index = 0;
    file->index &= 0xffff; /* the upper half is the instance of a variable font */
    if (pd_file_read((const char *)path, (size_t)64 << 20, &file->bytes, &file->size, nullptr) != PD_OK) {
        file->bytes = nullptr;
        return false;
    }
    const unsigned char *head = (const unsigned char *)file->bytes;
    bool is_collection = file->size > 12 && memcmp(head, "ttcf", 4) == 0;
    bool is_font = file->size > 12 &&
                   (memcmp(head, "\0\1\0\0", 4) == 0 || memcmp(head, "OTTO", 4) == 0 || memcmp(head, "true", 4) == 0);
    int faces = is_collection ? head[8] << 24 | head[9] << 16 | head[10] << 8 | head[11] : is_font ? 1 : 0;
    if (file->index < faces) return true;
    pd_memory_free(file->bytes);
    file->bytes = nullptr;
    return false;
}

ImFont *add_to_atlas(ImFontAtlas *atlas, const font_file *file, ImFontConfig *config) {
    config->FontNo = file->index;
    config->FontDataOwnedByAtlas = false;
    return atlas->AddFontFromMemoryTTF(file->bytes, (int)file->size, config->SizePixels, config, file->ranges.Data);
}

/* Returns whether ImGui can draw the first character of the font's ranges. It cannot draw bitmap fonts and fonts of CFF2 outlines, and
 * an atlas with such a font would remain empty. */
bool can_be_drawn(const font_file *file) {
    ImFontAtlas trial;
    ImFontConfig config;
    font_file one = {file->bytes, file->size, file->index, {}};
    one.ranges.resize(3, 0);
    one.ranges[0] = one.ranges[1] = file->ranges[0];
    trial.Flags |= ImFontAtlasFlags_NoMouseCursors | ImFontAtlasFlags_NoBakedLines;
    config.SizePixels = 8;
    add_to_atlas(&trial, &one, &config);
    return trial.Build() && trial.Fonts[0]->FindGlyphNoFallback(file->ranges[0]);
}

/* Sets the ranges of a font to a set of characters. */
void set_ranges(const FcCharSet *characters, font_file *file) {
    ImFontGlyphRangesBuilder builder;
    for (unsigned c = 0x80; c <= LAST_CHARACTER; c++)
        if (FcCharSetHasChar(characters, c)) builder.AddChar((ImWchar)c);
    builder.BuildRanges(&file->ranges);
}

/* Removes the characters of a font from *left. */
void remove_characters(const FcCharSet *of_font, FcCharSet **left) {
    FcCharSet *rest = FcCharSetSubtract(*left, of_font);
    FcCharSetDestroy(*left);
    *left = rest;
}

/* Reads the font of the interface. Its ranges are those of every atlas and the required characters; *left: receives the required
 * characters that the font lacks. */
void read_system_font(FcCharSet *required, FcCharSet **left, font_file *file) {
    FcPattern *wanted = create_pattern();
    FcPatternAddString(wanted, FC_FONTFORMAT, (const FcChar8 *)"TrueType");
    FcConfigSubstitute(nullptr, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcResult result = FcResultNoMatch;
    FcPattern *match = FcFontMatch(nullptr, wanted, &result);
    FcCharSet *characters = nullptr;
    *left = FcCharSetCopy(required);
    if (match && has_format(match, "TrueType") && read_font(match, file)) {
        if (FcPatternGetCharSet(match, FC_CHARSET, 0, &characters) == FcResultMatch)
            remove_characters(characters, left);
        ImFontGlyphRangesBuilder builder;
        builder.AddRanges(every_atlas);
        for (unsigned c = 0x80; c <= LAST_CHARACTER; c++)
            if (FcCharSetHasChar(required, c)) builder.AddChar((ImWchar)c);
        builder.BuildRanges(&file->ranges);
    }
    if (match) FcPatternDestroy(match);
    FcPatternDestroy(wanted);
}

/* Reads a font for the characters of *left, and removes these from *left. False: the font has none of them, or cannot be drawn. */
bool read_further_font(const FcPattern *font, FcCharSet **left, font_file *file) {
    FcCharSet *characters = nullptr;
    if (FcPatternGetCharSet(font, FC_CHARSET, 0, &characters) != FcResultMatch) return false;
    if (FcCharSetIntersectCount(*left, characters) == 0) return false;
    if (!has_format(font, "TrueType") && !has_format(font, "CFF")) return false;
    if (!read_font(font, file)) return false;
    FcCharSet *common = FcCharSetIntersect(*left, characters);
    set_ranges(common, file);
    FcCharSetDestroy(common);
    if (can_be_drawn(file)) {
        remove_characters(characters, left);
        return true;
    }
    pd_memory_free(file->bytes);
    file->bytes = nullptr;
    return false;
}

/* Reads the fonts that have the characters in *left, in fontconfig's order of preference for the locale. Returns their number. */
int read_further_fonts(FcCharSet **left, font_file files[MOST_FONTS]) {
    if (FcCharSetCount(*left) == 0) return 0;
    int count = 0;
    FcPattern *wanted = create_pattern();
    FcPatternAddCharSet(wanted, FC_CHARSET, *left);
    FcConfigSubstitute(nullptr, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcResult result = FcResultNoMatch;
    FcFontSet *fonts = FcFontSort(nullptr, wanted, FcFalse, nullptr, &result);
    for (int i = 0; fonts && i < fonts->nfont && count < MOST_FONTS && FcCharSetCount(*left) > 0; i++)
        if (read_further_font(fonts->fonts[i], left, &files[count])) count++;
    if (fonts) FcFontSetDestroy(fonts);
    FcPatternDestroy(wanted);
    return count;
}

/* Returns the greatest number of required characters in an atlas of this scale. */
int most_characters(float scale) {
    float pixels = 0; /* of a character in all three sizes, if it is as wide as tall */
    for (float units : font_units) pixels += units * units * scale * scale;
    return (int)fminf(MOST_PIXELS / pixels, (float)MOST_CHARACTERS);
}

} // namespace

void ui_load_fonts(ui *gui) {
    auto &glyphs = gui->glyphs;
    ImFontAtlas *atlas = ImGui::GetIO().Fonts;
    font_file system = {}, further[MOST_FONTS] = {};
    FcCharSet *required = FcCharSetCreate(), *left;
    if (glyphs.count > most_characters(gui->scale)) { /* the next texts require their characters again */
        memset(glyphs.required, 0, sizeof glyphs.required);
        glyphs.count = 0;
    }
    for (unsigned c = 0x80; c <= LAST_CHARACTER; c++)
        if (glyphs.required[c >> 3] & 1u << (c & 7)) FcCharSetAddChar(required, c);
    read_system_font(required, &left, &system);
    int count = read_further_fonts(&left, further);
    atlas->Clear();
    for (int i = 0; i < UI_SIZES; i++) {
        ImFontConfig config;
        config.OversampleH = 2;
        config.SizePixels = roundf(font_units[i] * gui->scale);
        gui->fonts[i] = system.bytes ? add_to_atlas(atlas, &system, &config) : atlas->AddFontDefault(&config);
        config.OversampleH = 1;
        config.MergeMode = true;
        for (int k = 0; k < count; k++) add_to_atlas(atlas, &further[k], &config);
    }
    atlas->Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
    atlas->Build();
    atlas->ClearInputData();
    pd_memory_free(system.bytes);
    for (int k = 0; k < count; k++) pd_memory_free(further[k].bytes);
    FcCharSetDestroy(left);
    FcCharSetDestroy(required);
    glyphs.changed = false;
}

void ui_require_glyphs(const ui *gui, const char *text) {
    auto &glyphs = gui->glyphs;
    while (text && *text) {
        unsigned c = (unsigned char)*text;
        text += c < 0x80 ? 1 : ImTextCharFromUtf8(&c, text, nullptr);
        bool is_drawable = c >= 0x80 && c < LAST_CHARACTER && c != IM_UNICODE_CODEPOINT_INVALID;
        if (!is_drawable || glyphs.required[c >> 3] & 1u << (c & 7)) continue;
        if (gui->fonts[UI_NORMAL]->FindGlyphNoFallback((ImWchar)c)) continue;
        if (glyphs.count >= most_characters(gui->scale)) return;
        glyphs.required[c >> 3] |= (ImU8)(1u << (c & 7));
        glyphs.count++;
        glyphs.changed = true;
    }
}
