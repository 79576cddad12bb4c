#version 330 core
// One quad for each particle, drawn into the field.
layout(location = 0) in vec2 position; // m
layout(location = 1) in float weight;
layout(location = 2) in vec4 colour;
uniform vec4 to_clip; // metres to the field's clip space: scale, offset
uniform float reach;  // m
uniform float unit;   // normalisation: the field of a body at rest is 1
out vec2 corner;
flat out vec4 amount;

void main() {
    corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    // Colours are mixed in linear components; a square approximates the sRGB curve, and a root in surface.frag.
    amount = vec4(colour.rgb * colour.rgb, 1.0) * weight * unit;
    gl_Position = vec4((position + corner * reach) * to_clip.xy + to_clip.zw, 0.0, 1.0);
}
