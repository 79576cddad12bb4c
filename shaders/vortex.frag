#version 330 core
// The kernel (1 - q^2)^3 of the disc and a wider, fainter one of its glow, added to the sums.
in vec2 corner;
flat in float inner;
flat in float glow;
flat in vec3 amount;
out vec4 result;

float kernel(float square) {
    float inside = max(1.0 - square, 0.0);
    return inside * inside * inside;
}

void main() {
    float square = dot(corner, corner), halo = kernel(square);
    // The glow is to colour the background, not to change the colours of other vortices: it has little weight.
    vec3 part = kernel(square * inner * inner) + vec3(0.02, 0.02, 1.0) * glow * halo * halo;
    result = vec4(amount * part, 0.0);
}
