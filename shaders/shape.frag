#version 330 core
// A rounded box by its distance field: filled, or as a line, which may be dashed and may have a glow.
flat in vec2 origin; // the center, pixels from the top left
flat in vec2 half_extent;
flat in vec2 radius_and_stroke;
flat in vec3 style; // glow, dash, light
flat in vec2 turn; // cosine and sine of the angle
flat in vec4 tint;
uniform vec2 size; // of the picture, pixels
uniform vec4 area; // as in shape.vert
uniform float texel = 1.0; // side of a fragment, pixels
out vec4 result;

// The position of a point along the outline, in periods of the dash; a circle, or each side of a box, has a
// whole number of them.
float dashes(vec2 place, float period) {
    if (half_extent.x + half_extent.y == 0.0) {
        float around = 6.28318531 * radius_and_stroke.x;
        return atan(place.y, place.x) / 6.28318531 * max(floor(around / period + 0.5), 3.0);
    }
    vec2 outer = half_extent + radius_and_stroke.x, off = abs(place) - outer;
    return off.x > off.y ? place.y / (2.0 * outer.y) * max(floor(2.0 * outer.y / period + 0.5), 1.0)
                         : place.x / (2.0 * outer.x) * max(floor(2.0 * outer.x / period + 0.5), 1.0);
}

void main() {
    if (radius_and_stroke.x < 0.0) { // a triangle
        result = vec4(min(tint.rgb, 1.0), 1.0) * tint.a;
        return;
    }
    // From the center, along the axes of the box.
    vec2 at = gl_FragCoord.xy * texel + area.xy, from = vec2(at.x, size.y - at.y) - origin;
    vec2 place = vec2(from.x * turn.x + from.y * turn.y, from.y * turn.x - from.x * turn.y);
    vec2 beyond = abs(place) - half_extent;
    vec2 outside = max(beyond, 0.0);
    float distance = length(outside) + min(max(beyond.x, beyond.y), 0.0) - radius_and_stroke.x;
    bool line = radius_and_stroke.y > 0.0;
    float edge = line ? abs(distance) - radius_and_stroke.y : distance;
    float cover = clamp(0.5 - edge, 0.0, 1.0);
    // A line thinner than a pixel fades instead of breaking up.
    if (line) cover = min(cover, 2.0 * radius_and_stroke.y);
    if (style.y > 0.0) {
        float wave = abs(fract(dashes(place, style.y)) - 0.5) * style.y;
        cover *= clamp(wave - 0.22 * style.y + 0.5, 0.0, 1.0);
    }
    if (style.x > 0.0) {
        float fade = clamp(1.0 - max(edge, 0.0) / style.x, 0.0, 1.0);
        cover = max(cover, (line ? 0.20 : 1.0) * fade * fade * fade);
    }
    vec2 outwards = vec2(0.0, 1.0);
    if (beyond.x > beyond.y) outwards = vec2(1.0, 0.0);
    if (beyond.x > 0.0 && beyond.y > 0.0) outwards = normalize(outside);
    outwards *= sign(place);
    vec2 normal = vec2(outwards.x * turn.x - outwards.y * turn.y, outwards.x * turn.y + outwards.y * turn.x);
    float lit = 1.0 + style.z * 0.45 * dot(normal, vec2(-0.55, -0.83));
    result = vec4(min(tint.rgb * lit, 1.0), 1.0) * (tint.a * cover);
}
