#version 330 core
// The dark ground: a little light inside the container, falling off towards the corners of the picture.
uniform vec2 middle;     // m: what the picture shows in its middle
uniform vec2 origin;     // m: lower left corner of the picture
uniform float pixel;     // m
uniform vec3 container;  // half width, half height, radius: m
uniform float extent;    // m: half of what the picture shows
out vec4 result;

void main() {
    vec2 world = origin + gl_FragCoord.xy * pixel;
    vec2 beyond = abs(world) - container.xy;
    float wall = container.z - length(max(beyond, 0.0)) - min(max(beyond.x, beyond.y), 0.0);
    float inside = clamp(wall / pixel + 0.5, 0.0, 1.0);
    vec2 lit = (world - middle - vec2(-0.10, 0.22) * extent) / extent;
    float fall = dot(lit, lit);
    vec3 deep = vec3(0.036, 0.046, 0.076), calm = vec3(0.052, 0.066, 0.108), bright = vec3(0.088, 0.112, 0.180);
    vec3 colour = mix(deep, calm, exp(-0.55 * fall));
    colour = mix(colour, mix(calm, bright, exp(-1.1 * fall)), inside);
    // Ordered noise of half a step hides the bands that 8 bits would show in so slow a gradient.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    result = vec4(colour + noise / 255.0, 1.0);
}
