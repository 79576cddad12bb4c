#version 330 core
// One quad for each vortex, drawn into the sums.
layout(location = 0) in vec2 position; // m
layout(location = 1) in float reach;   // m
layout(location = 2) in float disc;    // part of the reach
layout(location = 3) in float circulation;
layout(location = 4) in float cover;
uniform mat4 matrix; // metres to clip space
out vec2 corner;
flat out float inner; // 1 / disc
flat out float glow;
flat out vec3 amount;

void main() {
    corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    inner = 1.0 / disc;
    glow = disc < 1.0 ? 0.1 * sqrt(abs(circulation)) : 0.0;
    amount = vec3(circulation, 1.0, 1.0) * cover;
    gl_Position = matrix * vec4(position + corner * reach, 0.0, 1.0);
}
