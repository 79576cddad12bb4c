#version 330 core
// A bright stroke with a dark halo, which sets it off from bright images; on white the halo alone is seen. Its pattern
// rises along the stroke to each whole number of the phase, so that it shows the direction, and moves where the phase
// does.
in vec4 along;         // across, half width, opacity, phase
uniform float halo;    // pixels around the stroke
uniform float scale;   // pixels per interface unit
uniform float pattern; // strength
out vec4 result;

void main() {
    float distance = abs(along.x) - along.y;
    float cover = smoothstep(0.8, -0.8, distance) * min(1.0, 1.6 * along.y); // thinner than a pixel: fades
    float shade = clamp(1.0 - max(distance, 0.0) / halo, 0.0, 1.0);
    float per_pixel = fwidth(along.w);
    float wave = fract(along.w), edge = clamp((1.0 - wave) / max(5.0 * scale * per_pixel, 1e-6), 0.0, 1.0);
    float seen = pattern * clamp(1.6 - 24.0 * scale * per_pixel, 0.0, 1.0); // where it is too fine it fades
    float light = mix(1.0, 0.55 + 0.45 * wave * wave * edge, seen);
    float line = cover * along.z * light;
    result = vec4(vec3(0.94, 0.97, 1.0) * line, line + (1.0 - line) * 0.68 * shade * shade * min(1.0, 1.3 * along.z));
}
