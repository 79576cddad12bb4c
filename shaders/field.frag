#version 330 core
// A field of cells in the colours of its legend, with lines of equal value and parts without fluid; a picture that needs no
// lines or has no such parts is drawn faster by the program with NO_LINES or NO_HOLES.
uniform sampler2D values; // bicubic Hermite: value (0..1 is the legend), its derivatives per texel along x, y and both
uniform sampler2D covers; // likewise: above 0.5 there is fluid
uniform sampler2D colours; // of the legend
uniform ivec2 last;       // the last texel that has one above and one to the right of it
uniform vec3 to_texels;   // pixels to texels: scale, offset x, offset y
uniform vec2 origin;      // m: lower left corner of the picture
uniform float pixel;      // m
uniform vec4 area;        // pixels: lower left corner and size of the part of the picture that is drawn
uniform vec3 container;   // half width, half height, radius: m
uniform vec2 fade;        // where the field ends in open space, texels: width of the border around it, width of its fading; 0: none
uniform vec2 levels;      // a value in steps between lines: factor, offset
uniform float zero;       // the value of the stronger line; negative: there is none
uniform vec4 outflow;     // m: sides through which fluid leaves freely: left, right, bottom, top
uniform vec2 outflow_fade; // m from them within which the stronger line is not drawn; 1/m
uniform vec2 bright;      // the legend's colours are bright up to the first value and from the second on
uniform float scale;      // pixels per interface unit
out vec4 result;

// The surface between four texels at u in 0..1: value, slope along x, slope along y.
vec3 surface(sampler2D source, ivec2 low, vec2 u) {
    vec4 a = texelFetch(source, low, 0), b = texelFetch(source, low + ivec2(1, 0), 0);
    vec4 c = texelFetch(source, low + ivec2(0, 1), 0), d = texelFetch(source, low + ivec2(1, 1), 0);
    vec2 v = 1.0 - u;
    vec2 start = (1.0 + 2.0 * u) * v * v, leave = u * v * v, end = 1.0 - start, arrive = -u * u * v;
    vec2 turn = 6.0 * u * v, leave_slope = v * (1.0 - 3.0 * u), arrive_slope = u * (3.0 * u - 2.0);
    vec2 lower = start.x * a.xz + leave.x * a.yw + end.x * b.xz + arrive.x * b.yw; // and its slope along y
    vec2 upper = start.x * c.xz + leave.x * c.yw + end.x * d.xz + arrive.x * d.yw;
    vec2 lower_slope = turn.x * (b.xz - a.xz) + leave_slope.x * a.yw + arrive_slope.x * b.yw;
    vec2 upper_slope = turn.x * (d.xz - c.xz) + leave_slope.x * c.yw + arrive_slope.x * d.yw;
    return vec3(start.y * lower.x + leave.y * lower.y + end.y * upper.x + arrive.y * upper.y,
                start.y * lower_slope.x + leave.y * lower_slope.y + end.y * upper_slope.x + arrive.y * upper_slope.y,
                turn.y * (upper.x - lower.x) + leave_slope.y * lower.y + arrive_slope.y * upper.y);
}

vec3 mapped(float value) {
    float place = clamp(value, 0.0, 1.0) * 255.0;
    int entry = min(int(place), 254);
    return mix(texelFetch(colours, ivec2(entry, 0), 0).rgb, texelFetch(colours, ivec2(entry + 1, 0), 0).rgb,
               place - float(entry));
}

#ifndef NO_LINES
// Draws the nearest line over a colour. It is dark on bright colours and bright on dark ones; as the choice hangs on the
// line's own value, it does not change along a line.
// shown: 0..1, how much of a line is drawn here.
vec3 with_lines(vec3 colour, vec3 field, vec2 world, float shown) {
    float place = field.x * levels.x + levels.y, level = floor(place + 0.5);
    float value = (level - levels.y) / levels.x, margin = 0.02 / levels.x;
    float slope = length(field.yz) * levels.x * to_texels.x; // steps per pixel
    bool strong = abs(value - zero) < margin;
    float half_width = (strong ? 0.95 : 0.55) * scale;
    float cover = clamp(half_width + 0.5 - abs(place - level) / max(slope, 1e-9), 0.0, 1.0) * (strong ? 0.9 : 0.6);
    // The ends of the legend have no line: fields lie at rest there. Neither have plateaus, where the distance to a line
    // means nothing; where lines crowd they fade instead of running together.
    vec2 inside = min(world - outflow.xz, outflow.yw - world);
    if (strong) shown *= clamp((min(inside.x, inside.y) - outflow_fade.x) * outflow_fade.y, 0.0, 1.0);
    cover *= shown;
    cover *= value > margin && value < 1.0 - margin ? 1.0 : 0.0;
    cover *= clamp((slope * scale - 1.0 / 10000.0) * 7000.0, 0.0, 1.0);
    cover *= 1.15 - 0.85 * clamp(slope * 3.0 * half_width, 0.15 / 0.85, 1.0);
    return mix(colour, value < bright.x || value > bright.y ? colour * 0.22 : mix(colour, vec3(1.0), 0.75), cover);
}
#endif

void main() {
    vec2 at = gl_FragCoord.xy + area.xy, world = origin + at * pixel;
    vec2 beyond = abs(world) - container.xy;
    float wall = container.z - length(max(beyond, 0.0)) - min(max(beyond.x, beyond.y), 0.0);
    float cover = clamp(wall / pixel + 0.5, 0.0, 1.0);

    vec2 place = at * to_texels.x + to_texels.yz;
    vec2 ends = min(place, vec2(last + 1) - place) - fade.x;
    if (fade.y > 0.0) cover *= smoothstep(0.0, fade.y, ends.x) * smoothstep(0.0, fade.y, ends.y);
    ivec2 low = clamp(ivec2(place), ivec2(0), last);
    vec2 u = clamp(place - vec2(low), 0.0, 1.0);
    float shown = 1.0;
#ifndef NO_HOLES
    vec3 fluid = surface(covers, low, u);
    cover *= clamp((fluid.x - 0.5) / max(length(fluid.yz) * to_texels.x, 1e-6) + 0.5, 0.0, 1.0);
    // Lines end about a cell below the surface, and drops of a cell or two have none: there they would only repeat the edge.
    shown = clamp((fluid.x - 0.76) / 0.16, 0.0, 1.0);
#endif
    vec3 field = surface(values, low, u);
    vec3 colour = mapped(field.x);
#ifndef NO_LINES
    colour = with_lines(colour, field, world, shown);
#endif
    // Half a step of an ordered pattern against bands, as in ground.frag.
    ivec2 p = ivec2(at), q = p ^ p.yx;
    int rank = (q.x & 1) << 5 | (p.y & 1) << 4 | (q.x & 2) << 2 | (p.y & 2) << 1 | (q.x & 4) >> 1 | (p.y & 4) >> 2;
    result = vec4(colour + ((float(rank) + 0.5) / 64.0 - 0.5) / 255.0, 1.0) * cover;
}
