#version 330 core
// An anti-aliased disc.
flat in vec2 centre; // pixels
flat in vec3 tint;
uniform float radius; // pixels
uniform vec4 area;    // as in sprite.vert
uniform float gloss; // 0: the plain colour, 1: shaded by a light from the top left
out vec4 result;

void main() {
    vec2 corner = (gl_FragCoord.xy + area.xy - centre) / radius; // 1: the disc's edge
    float distance = length(corner);
    float width = fwidth(distance);
    float cover = 1.0 - smoothstep(1.0 - width, 1.0 + 0.5 * width, distance);
    float light = dot(corner, vec2(-0.16, 0.2)) - 0.18 * distance * distance;
    result = vec4(tint * (1.06 + light * gloss - 0.06 * (1.0 - gloss)), 1.0) * cover;
}
