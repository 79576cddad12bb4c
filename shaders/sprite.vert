#version 330 core
// One quad for each particle.
layout(location = 0) in vec2 position; // m
layout(location = 2) in vec4 colour;
uniform vec3 to_pixels; // metres to pixels from the picture's lower left corner: scale, offset x, offset y
uniform float radius;   // pixels
uniform vec4 area;      // pixels: lower left corner and size of the part of the picture that is drawn
flat out vec2 centre;   // pixels
flat out vec3 tint;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    centre = position * to_pixels.x + to_pixels.yz;
    tint = colour.rgb;
    // A pixel around the disc is room for its smooth edge.
    gl_Position = vec4((centre + corner * (radius + 1.0) - area.xy) * 2.0 / area.zw - 1.0, 0.0, 1.0);
}
