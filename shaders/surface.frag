#version 330 core
// The field as fluid: thresholded with an anti-aliased edge, lit along its rim, plain inside; the glow around it.
uniform sampler2D field; // rgb: colour times weight, a: weight; 1 in a body at rest
uniform sampler2D glow;  // colour times coverage, coverage; blurred
uniform sampler2D solids; // 1: obstacle, falls to 0 around it
uniform vec2 field_size; // texels
uniform float threshold;
uniform float CLOSING_LOW, CLOSING_HIGH, CLOSING_OBSTACLES, CLOSING_TRACE; // PD_SURFACE_CONSTANTS of surface_field.h
uniform float closing;     // 1: holes inside a body are closed, 0: only holes beside obstacles
uniform float least_slope; // of the field at an edge, per pixel
uniform float scale;       // pixels per interface unit
uniform vec2 origin;       // m: lower left corner of the picture
uniform float pixel;       // m
uniform vec3 container;    // half width, half height, radius: m
uniform float border;      // pixels: width of the field beyond the wall
uniform vec4 area;         // pixels: lower left corner and size of the part of the picture that is drawn
uniform vec4 covered;      // pixels: lower left corner and size of what the field covers
out vec4 result;

// As in halo.frag: the glow is weaker beyond the wall, and ends within the field's border.
vec3 halo(vec4 light, float wall) {
    return light.rgb * (wall > 0.0 ? 0.22 : 0.13 * max(1.0 + wall / border, 0.0));
}

// Cubic B-spline filter in four bilinear reads: bilinear alone would show the coarse field's texels at the edge.
vec4 smooth_field(vec2 uv) {
    vec2 place = uv * field_size - 0.5;
    vec2 f = fract(place), base = place - f;
    vec2 f2 = f * f, f3 = f2 * f;
    vec2 w0 = (1.0 - f) * (1.0 - f) * (1.0 - f) / 6.0, w1 = (4.0 - 6.0 * f2 + 3.0 * f3) / 6.0, w3 = f3 / 6.0;
    vec2 g0 = w0 + w1, g1 = 1.0 - g0;
    vec2 near = (base - 0.5 + w1 / g0) / field_size, far = (base + 1.5 + w3 / g1) / field_size;
    return g0.y * (g0.x * texture(field, near) + g1.x * texture(field, vec2(far.x, near.y))) +
           g1.y * (g0.x * texture(field, vec2(near.x, far.y)) + g1.x * texture(field, far));
}

void main() {
    vec2 at = gl_FragCoord.xy + area.xy, uv = (at - covered.xy) / covered.zw, world = origin + at * pixel;
    vec2 beyond = abs(world) - container.xy;
    float wall = (container.z - length(max(beyond, 0.0)) - min(max(beyond.x, beyond.y), 0.0)) / pixel;
    float inside = clamp(wall + 0.5, 0.0, 1.0);

    vec4 light = texture(glow, uv);
    vec4 f = smooth_field(uv);
    vec3 tint = f.rgb / max(f.a, 1e-4);
    // Particles stay off obstacles by up to two spacings, and tracers drift apart where dye is still between them. Inside
    // a body, such a hole is closed wherever a splat reaches.
    if (f.a > 0.0 && f.a < 1.0 && light.a > CLOSING_LOW) {
        float closed = min(CLOSING_OBSTACLES * textureLod(solids, uv, 0.0).r + closing, 1.0) *
                       smoothstep(CLOSING_LOW, CLOSING_HIGH, light.a);
        f.a += closed * smoothstep(0.0, CLOSING_TRACE, f.a) * (1.0 - f.a);
    }
    vec2 gradient = vec2(dFdx(f.a), dFdy(f.a));
    float steep = length(gradient), slope = max(steep, least_slope);
    float depth = (f.a - threshold) / slope; // pixels behind the edge, near it
    float cover = clamp(depth + 0.5, 0.0, 1.0) * inside;

    // The edge is a rounded bevel about one spacing wide; the inside is flat. Where the blurred coverage is near 1, a
    // minimum of the field is a sparse place inside a body, not an edge, and gets no bevel.
    float rise = clamp((f.a - threshold) / (0.95 - threshold), 0.0, 1.0);
    float bevel = (1.0 - rise) * (1.0 - rise) * (1.0 - smoothstep(0.74, 0.94, light.a));
    vec3 normal = normalize(vec3(-gradient / (steep + least_slope) * (2.0 * bevel), 1.0)); // flat where gradient = 0
    float facing = dot(normal.xy, vec2(-0.55, 0.83));
    float shine = max(dot(normal, normalize(vec3(-0.42, 0.62, 0.66))), 0.0);
    for (int i = 0; i < 4; i++) shine *= shine; // to the power of 16
    float rim = exp(-max(depth, 0.0) / (1.3 * scale));

    float deep = smoothstep(0.45, 1.0, light.a);
    vec3 colour = tint * (mix(1.16, 0.80, deep) + 0.42 * facing);
    colour += (0.30 * colour + 0.05) * rim + vec3(0.30, 0.29, 0.27) * shine * bevel;
    vec3 body = sqrt(clamp(colour, 0.0, 1.0));

    result = vec4(body * cover + halo(light, wall) * (1.0 - cover), cover);
}
