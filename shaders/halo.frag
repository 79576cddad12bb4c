#version 330 core
// The fluid's glow on the background, in tiles without fluid; in tiles with fluid surface.frag adds it.
in vec2 uv;
uniform sampler2D glow;
uniform vec2 origin;    // m: lower left corner of the picture
uniform float pixel;    // m
uniform vec3 container; // half width, half height, radius: m
uniform float border;   // pixels: width of the field beyond the wall
out vec4 result;

void main() {
    vec2 world = origin + gl_FragCoord.xy * pixel;
    vec2 beyond = abs(world) - container.xy;
    float wall = (container.z - length(max(beyond, 0.0)) - min(max(beyond.x, beyond.y), 0.0)) / pixel;
    // Beyond the wall the light is weaker and ends within the field's border.
    float strength = wall > 0.0 ? 0.22 : 0.13 * max(1.0 + wall / border, 0.0);
    result = vec4(texture(glow, uv).rgb * strength, 0.0);
}
