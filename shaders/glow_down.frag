#version 330 core
// The field at a quarter of its resolution, as colour times coverage, and coverage: the glow before its blur.
in vec2 uv;
uniform sampler2D field;
uniform vec2 texel; // of the field
uniform float threshold;
out vec4 result;

vec4 covered(vec2 offset) {
    vec4 f = texture(field, uv + offset * texel);
    float cover = smoothstep(threshold * 0.6, threshold * 1.4, f.a);
    return vec4(f.rgb / max(f.a, 1e-4) * cover, cover);
}

void main() {
    result = 0.25 * (covered(vec2(-1, -1)) + covered(vec2(1, -1)) + covered(vec2(-1, 1)) + covered(vec2(1, 1)));
}
