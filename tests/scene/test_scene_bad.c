/* Scene files that are refused: messages with line and column. */
#include "core/error.h"
#include "test.h"

#include <puddle/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two materials, on the first two lines. */
#define OIL_AND_WATER "puddle: 1\nmaterials: {oil: {color: \"#000000\"}, water: {color: \"#000000\"}}\n"

typedef struct bad_scene {
    const char *text;
    pd_error_code code;
    int line, column;
    const char *says;
} bad_scene;

#define BODY  "puddle: 1\n"
#define BOXED "puddle: 1\nmethod: sph\ncontainer: {shape: box, width: 2, height: 1, "

static const bad_scene bad_scenes[] = {
    /* bodies and joints */
    {BODY "bodies: [{shape: box, center: [3, 0], size: [1, 1]}]\n", PD_ERROR_SCENE_VALUE, 2, 31,
     "the body lies outside the container (move it inside)"},
    {BODY "bodies:\n  - {shape: polygon, points: [[2, 0], [3, 0], [3, 1]]}\n", PD_ERROR_SCENE_VALUE, 3, 30,
     "the body lies outside the container"},
    {BODY "bodies: [{shape: ellipse, center: [0, 0], size: [1, 1]}]\n", PD_ERROR_SCENE_VALUE, 2, 18,
     "known: circle, box, polyline, picture, polygon"},
    {BODY "bodies: [{shape: circle, center: [0, 0], radius: 0.1, density: 0}]\n", PD_ERROR_SCENE_VALUE, 2, 64,
     "'density' is '0' (allowed: 0.01 to 1000)"},
    {BODY "bodies:\n  - {shape: circle, center: [0, 0], radius: 0.1, name: a}\n"
          "  - {shape: circle, center: [0, 0], radius: 0.1, name: a}\n",
     PD_ERROR_SCENE_VALUE, 4, 56, "the body 'a' comes twice (rename one)"},
    {BODY "bodies: [{shape: circle, center: [0, 0], radius: 0.1, name: world}]\n", PD_ERROR_SCENE_VALUE, 2, 61,
     "a body is named 'world', which joints use for the world (choose another name)"},
    {BODY "joints: [{type: hinge, bodies: [a, world], at: [0, 0]}]\n", PD_ERROR_SCENE_VALUE, 2, 32,
     "no body is named 'a' (give a body this name, or use world)"},
    {BODY "joints: [{type: hinge, bodies: [world, world], at: [0, 0]}]\n", PD_ERROR_SCENE_VALUE, 2, 32,
     "'bodies' names 'world' twice (allowed: two bodies, or one and world)"},
    {BODY "joints: [{type: hinge, bodies: a, at: [0, 0]}]\n", PD_ERROR_SCENE_TYPE, 2, 32,
     "'bodies' is 'a' (allowed: two bodies, such as [wheel, world])"},
    {BODY "joints: [{type: rivet, bodies: [a, b], at: [0, 0]}]\n", PD_ERROR_SCENE_VALUE, 2, 17,
     "known: hinge, motor, weld, spring, rope, slider"},
    {BODY "joints: [{type: motor, bodies: [a, world], at: [0, 0]}]\n", PD_ERROR_SCENE_KEY, 2, 10, "has no 'speed'"},
    {BODY "joints: [{type: weld, bodies: [a, world], at: [0, 0], limits: [0, 1]}]\n", PD_ERROR_SCENE_KEY, 2, 55,
     "'limits' does not go with type 'weld'"},
    {BODY "joints: [{type: hinge, bodies: [a, world], at: [0, 0], limits: [10, -10]}]\n", PD_ERROR_SCENE_VALUE, 2, 64,
     "'limits' has the greater first (allowed: [least, greatest])"},
    {BODY "joints: [{type: slider, bodies: [a, world], at: [0, 0], axis: [0, 0]}]\n", PD_ERROR_SCENE_VALUE, 2, 63,
     "'axis' points nowhere"},
    /* keys without an effect under the scene's method */
    {BOXED "walls: {left: {inflow: 2}}}\n", PD_ERROR_SCENE_KEY, 3, 53,
     "'walls' has no effect under sph (leave it out, or use grid)"},
    {BOXED "walls: {top: {velocity: 1}}}\n", PD_ERROR_SCENE_KEY, 3, 53, "'walls' has no effect"},
    {BOXED "slip: false}\n", PD_ERROR_SCENE_KEY, 3, 52,
     "'slip' has no effect under sph (leave it out, or use grid or vortex or flip)"},
    {"puddle: 1\nregions:\n  - {shape: circle, center: [0, 0], radius: 0.1}\n"
     "  - {shape: circle, center: [0, 0], radius: 0.1, amount: 0.5}\n",
     PD_ERROR_SCENE_KEY, 4, 58, "'amount' has no effect under ddr"},
    {"puddle: 1\nmethod: pbf\nregions: [{shape: circle, center: [0, 0], radius: 0.1, density: 1}]\n",
     PD_ERROR_SCENE_KEY, 3, 65, "'density' has no effect under pbf (leave it out, or use vortex)"},
    /* not YAML, or not ours */
    {"", PD_ERROR_SCENE_SYNTAX, 1, 1, "empty"},
    {"\n# nothing\n", PD_ERROR_SCENE_SYNTAX, 1, 1, "empty"},
    {"\x89PNG\r\n", PD_ERROR_SCENE_SYNTAX, 1, 1, "UTF-8"},
    {"puddle: 1\nname: \xc3\xa4\xc3\n", PD_ERROR_SCENE_SYNTAX, 2, 8, "UTF-8"},
    {"puddle: 1\nname: \xc0\xaf\n", PD_ERROR_SCENE_SYNTAX, 2, 7, "UTF-8"},
    {"puddle: 1\nname: \xed\xa0\x80\n", PD_ERROR_SCENE_SYNTAX, 2, 7, "UTF-8"},
    {"puddle: 1\nname: a\x01\n", PD_ERROR_SCENE_SYNTAX, 2, 8, "U+0001"},
    {"puddle: 1\nregions: [\n", PD_ERROR_SCENE_SYNTAX, 3, 1, "not YAML"},
    {"puddle: 1\nname: 'x\n", PD_ERROR_SCENE_SYNTAX, 3, 1, "quoted scalar"},
    {"puddle: 1\n\tname: x\n", PD_ERROR_SCENE_SYNTAX, 2, 1, "; indent with spaces)"},
    {"puddle: 1\nparameters: {ddr.stiffness: 3}\n", PD_ERROR_METHOD_UNKNOWN, 2, 14,
     "'ddr.stiffness' is a parameter (write ddr: {stiffness: VALUE})"},
    {"puddle: 1\n---\npuddle: 1\n", PD_ERROR_SCENE_SYNTAX, 2, 1, "second document"},
    {"puddle: 1\n...\nname: x\n", PD_ERROR_SCENE_SYNTAX, 3, 1, "second document"},
    {"puddle: &a 1\n", PD_ERROR_SCENE_SYNTAX, 1, 9, "anchors"},
    {"puddle: 1\nname: *a\n", PD_ERROR_SCENE_SYNTAX, 2, 7, "aliases"},
    {"puddle: 1\nname: !!binary aGk=\n", PD_ERROR_SCENE_SYNTAX, 2, 7, "tags"},
    {"%TAG ! a\n---\npuddle: 1\n", PD_ERROR_SCENE_SYNTAX, 1, 1, "tags"},
    {"puddle: 1\nname: \"a\\0b\"\n", PD_ERROR_SCENE_SYNTAX, 2, 7, "zero"},
    {"- puddle: 1\n", PD_ERROR_SCENE_TYPE, 1, 1, "a list"},
    {"just words\n", PD_ERROR_SCENE_TYPE, 1, 1, "'just words'"},
    /* versions */
    {"name: x\n", PD_ERROR_SCENE_KEY, 1, 1, "'puddle: 1'"},
    {"puddle: 2\nteapots: []\n", PD_ERROR_SCENE_VERSION, 1, 9, "this is format version 2; this puddle reads version 1"},
    {"puddle: 99999999999999999999\n", PD_ERROR_SCENE_VERSION, 1, 9, "99999999999999999999"},
    {"puddle: 0\n", PD_ERROR_SCENE_VERSION, 1, 9, "version 0"},
    {"puddle: one\n", PD_ERROR_SCENE_TYPE, 1, 9, "whole number"},
    {"puddle: \"1\"\n", PD_ERROR_SCENE_TYPE, 1, 9, "\"1\""},
    /* keys, on every level */
    {"puddle: 1\ngravty: [0, 1]\n", PD_ERROR_SCENE_KEY, 2, 1, "did you mean 'gravity'"},
    {"puddle: 1\nxyzzy: 1\n", PD_ERROR_SCENE_KEY, 2, 1, "known: puddle, name"},
    {"puddle: 1\nname: a\nname: b\n", PD_ERROR_SCENE_KEY, 3, 1, "'name' comes twice"},
    {"puddle: 1\npuddle: 1\n", PD_ERROR_SCENE_KEY, 2, 1, "'puddle' comes twice"},
    {"puddle: 1\n[a]: 1\n", PD_ERROR_SCENE_KEY, 2, 1, "a list"},
    {"puddle: 1\ncontainer: {shape: circle, radios: 1}\n", PD_ERROR_SCENE_KEY, 2, 28, "'radius'"},
    {"puddle: 1\ncontainer: {shape: box, radius: 1}\n", PD_ERROR_SCENE_KEY, 2, 25, "does not go with shape 'box'"},
    {"puddle: 1\ncontainer: {radius: 1}\n", PD_ERROR_SCENE_KEY, 2, 12, "no 'shape'"},
    {"puddle: 1\ncontainer: {shape: box, width: 1}\n", PD_ERROR_SCENE_KEY, 2, 12, "no 'height'"},
    {"puddle: 1\ncontainer: {shape: box, width: 1, height: 1, walls: {lft: {}}}\n", PD_ERROR_SCENE_KEY, 2, 54,
     "'left'"},
    {"puddle: 1\ncontainer: {shape: box, width: 1, height: 1, walls: {top: {inflw: 1}}}\n", PD_ERROR_SCENE_KEY, 2, 60,
     "'inflow'"},
    {"puddle: 1\nmaterials: {water: {colour: \"#000000\"}}\n", PD_ERROR_SCENE_KEY, 2, 21, "'color'"},
    {"puddle: 1\nmaterials: {water: {mass: 1}}\n", PD_ERROR_SCENE_KEY, 2, 20, "no 'color'"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\"}, a: {color: \"#000000\"}}\n", PD_ERROR_SCENE_KEY, 2, 36, "twice"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\", yeild: 1}}\n", PD_ERROR_SCENE_KEY, 2, 35, "'yield'"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\", yield: 1, yield: 2}}\n", PD_ERROR_SCENE_KEY, 2, 45, "twice"},
    {"puddle: 1\nregions:\n  - {shap: circle}\n", PD_ERROR_SCENE_KEY, 3, 6, "'shape'"},
    {"puddle: 1\nregions:\n  - {shape: circle, radius: 1}\n", PD_ERROR_SCENE_KEY, 3, 5, "no 'center'"},
    {"puddle: 1\nvortons: [{position: [0, 0], circulation: 1}]\n", PD_ERROR_SCENE_KEY, 2, 11, "no 'core'"},
    {"puddle: 1\nobstacles: [{shape: circle, center: [0, 0], radius: 1, angle: 3}]\n", PD_ERROR_SCENE_KEY, 2, 56,
     "'angle'"},
    {"puddle: 1\nemitters: [{sped: 1}]\n", PD_ERROR_SCENE_KEY, 2, 13, "'speed'"},
    {"puddle: 1\ndrains: [{shape: circle, center: [0, 0]}]\n", PD_ERROR_SCENE_KEY, 2, 10, "no 'radius'"},
    {OIL_AND_WATER "attractions: [{between: [oil, water]}]\n", PD_ERROR_SCENE_KEY, 3, 15, "no 'factor'"},
    {OIL_AND_WATER "attractions: [{factor: 2}]\n", PD_ERROR_SCENE_KEY, 3, 15, "no 'between'"},
    {OIL_AND_WATER "attractions: [{betwen: [oil, water], factor: 2}]\n", PD_ERROR_SCENE_KEY, 3, 16, "'between'"},
    {OIL_AND_WATER "attractons: []\n", PD_ERROR_SCENE_KEY, 3, 1, "did you mean 'attractions'"},
    {OIL_AND_WATER "changes: [{center: [0, 0], radius: 1, from: oil, to: water}]\n", PD_ERROR_SCENE_KEY, 3, 11,
     "no 'shape'"},
    {OIL_AND_WATER "changes: [{shape: circle, radius: 1, from: oil, to: water}]\n", PD_ERROR_SCENE_KEY, 3, 11,
     "no 'center'"},
    {OIL_AND_WATER "changes: [{shape: box, center: [0, 0], from: oil, to: water}]\n", PD_ERROR_SCENE_KEY, 3, 11,
     "no 'size'"},
    {OIL_AND_WATER "changes: [{shape: circle, center: [0, 0], radius: 1, to: water}]\n", PD_ERROR_SCENE_KEY, 3, 11,
     "no 'from'"},
    {OIL_AND_WATER "changes: [{shape: circle, center: [0, 0], radius: 1, from: water}]\n", PD_ERROR_SCENE_KEY, 3, 11,
     "no 'to'"},
    {OIL_AND_WATER "changes: [{shape: circle, center: [0, 0], size: [1, 1], from: oil, to: water}]\n",
     PD_ERROR_SCENE_KEY, 3, 43, "'size' does not go with shape 'circle'"},
    {"puddle: 1\nparameters: {ddr: {stiffness: 1, stiffness: 2}}\n", PD_ERROR_SCENE_KEY, 2, 34, "twice"},
    {"puddle: 1\nparameters: {ddr: {stiffness: 1}, ddr: {}}\n", PD_ERROR_SCENE_KEY, 2, 35, "twice"},
    /* types */
    {"puddle: 1\nname: [a]\n", PD_ERROR_SCENE_TYPE, 2, 7, "a text"},
    {"puddle: 1\ndt: fast\n", PD_ERROR_SCENE_TYPE, 2, 5, "'fast'"},
    {"puddle: 1\ndt:\n", PD_ERROR_SCENE_TYPE, 2, 4, "empty"},
    {"puddle: 1\ndt: \"0.01\"\n", PD_ERROR_SCENE_TYPE, 2, 5, "without quotes"},
    {"puddle: 1\ndt: 0x10\n", PD_ERROR_SCENE_TYPE, 2, 5, "decimal number"},
    {"puddle: 1\ndt: 0x1p-4\n", PD_ERROR_SCENE_TYPE, 2, 5, "decimal number"},
    {"puddle: 1\ndt: 1_000\n", PD_ERROR_SCENE_TYPE, 2, 5, "decimal number"},
    {"puddle: 1\ndt: 0,01\n", PD_ERROR_SCENE_TYPE, 2, 5, "decimal number"},
    {"puddle: 1\ndt: .\n", PD_ERROR_SCENE_TYPE, 2, 5, "decimal number"},
    {"puddle: 1\ndt: 1e\n", PD_ERROR_SCENE_TYPE, 2, 5, "decimal number"},
    {"puddle: 1\ngravity: -1.6\n", PD_ERROR_SCENE_TYPE, 2, 10, "two numbers"},
    {"puddle: 1\ngravity: [0, 1, 2]\n", PD_ERROR_SCENE_TYPE, 2, 10, "two numbers"},
    {"puddle: 1\ngravity: [0, down]\n", PD_ERROR_SCENE_TYPE, 2, 14, "'down'"},
    {"puddle: 1\nsubsteps: some\n", PD_ERROR_SCENE_TYPE, 2, 11, "'some'"},
    {"puddle: 1\nsubsteps: [1]\n", PD_ERROR_SCENE_TYPE, 2, 11, "auto"},
    {"puddle: 1\nseed: 1.5\n", PD_ERROR_SCENE_TYPE, 2, 7, "whole number"},
    {"puddle: 1\nparticles: 1e3\n", PD_ERROR_SCENE_TYPE, 2, 12, "whole number"},
    {"puddle: 1\ncontainer: round\n", PD_ERROR_SCENE_TYPE, 2, 12, "mapping"},
    {"puddle: 1\ncontainer: {shape: [circle]}\n", PD_ERROR_SCENE_TYPE, 2, 20, "a word"},
    {"puddle: 1\ncontainer: {shape: circle, radius: 1, slip: yes}\n", PD_ERROR_SCENE_TYPE, 2, 45, "true or false"},
    {"puddle: 1\nmaterials: [water]\n", PD_ERROR_SCENE_TYPE, 2, 12, "mapping"},
    {"puddle: 1\nobstacles: [{shape: circle, center: [0, 0], radius: 0.1, color: red}]\n", PD_ERROR_SCENE_VALUE, 2, 65,
     "six hexadecimal digits"},
    {"puddle: 1\nmaterials:\n  water:\n    color: #3a8fff\n", PD_ERROR_SCENE_TYPE, 4, 11, "in quotes"},
    {"puddle: 1\nregions: {shape: circle}\n", PD_ERROR_SCENE_TYPE, 2, 10, "a list"},
    {"puddle: 1\nregions:\n", PD_ERROR_SCENE_TYPE, 2, 9, "[] for none"},
    {"puddle: 1\nregions: [7]\n", PD_ERROR_SCENE_TYPE, 2, 11, "mapping"},
    {"puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 1, material: [a]}]\n", PD_ERROR_SCENE_TYPE, 2, 64,
     "a material's name"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\", yield: soft}}\n", PD_ERROR_SCENE_TYPE, 2, 42, "decimal number"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\", yield: \"1\"}}\n", PD_ERROR_SCENE_TYPE, 2, 42, "without quotes"},
    {OIL_AND_WATER "attractions: {between: [oil, water], factor: 2}\n", PD_ERROR_SCENE_TYPE, 3, 14, "a list"},
    {OIL_AND_WATER "attractions: [7]\n", PD_ERROR_SCENE_TYPE, 3, 15, "mapping"},
    {OIL_AND_WATER "attractions: [{between: oil, factor: 2}]\n", PD_ERROR_SCENE_TYPE, 3, 25,
     "'oil' (allowed: two materials, such as"},
    {OIL_AND_WATER "attractions: [{between: [oil], factor: 2}]\n", PD_ERROR_SCENE_TYPE, 3, 25, "a list of 1 item"},
    {OIL_AND_WATER "attractions: [{between: [oil, oil, water], factor: 2}]\n", PD_ERROR_SCENE_TYPE, 3, 25,
     "a list of 3 items"},
    {OIL_AND_WATER "attractions: [{between: [oil, [water]], factor: 2}]\n", PD_ERROR_SCENE_TYPE, 3, 31,
     "'between' is a list of 1 item (allowed: a material's name)"},
    {OIL_AND_WATER "attractions: [{between: [oil, water], factor: weak}]\n", PD_ERROR_SCENE_TYPE, 3, 47, "'weak'"},
    {OIL_AND_WATER "changes: 7\n", PD_ERROR_SCENE_TYPE, 3, 10, "a list"},
    {OIL_AND_WATER "changes: [{shape: circle, center: [0, 0], radius: 1, from: {}, to: water}]\n", PD_ERROR_SCENE_TYPE,
     3, 60, "'from' is a mapping (allowed: a material's name)"},
    {"puddle: 1\nparameters: {ddr: 7}\n", PD_ERROR_SCENE_TYPE, 2, 19, "mapping"},
    /* values */
    {"puddle: 1\nname: \"a\\nb\"\n", PD_ERROR_SCENE_VALUE, 2, 7, "one line"},
    /* characters that end a line or mark the byte order, and would not be read back */
    {"puddle: 1\nname: \"a\\u2028b\"\n", PD_ERROR_SCENE_VALUE, 2, 7, "one line"},
    {"puddle: 1\nname: \"a\\uFEFFb\"\n", PD_ERROR_SCENE_VALUE, 2, 7, "one line"},
    {"puddle: 1\nname: 0123456789012345678901234567890123456789012345678901234567890123\n", PD_ERROR_SCENE_VALUE, 2, 7,
     "longer"},
    {"puddle: 1\ndt: .nan\n", PD_ERROR_SCENE_VALUE, 2, 5, "finite"},
    {"puddle: 1\ndt: NaN\n", PD_ERROR_SCENE_VALUE, 2, 5, "finite"},
    {"puddle: 1\ngravity: [0, -.inf]\n", PD_ERROR_SCENE_VALUE, 2, 14, "finite"},
    {"puddle: 1\ngravity: [0, 1e999]\n", PD_ERROR_SCENE_VALUE, 2, 14, "1e999"},
    {"puddle: 1\ngravity: [0, 1e39]\n", PD_ERROR_SCENE_VALUE, 2, 14, "1e39"},
    {"puddle: 1\ndt: 0\n", PD_ERROR_SCENE_VALUE, 2, 5, "1e-06 to 1"},
    {"puddle: 1\ndt: 1e-320\n", PD_ERROR_SCENE_VALUE, 2, 5, "1e-06 to 1"},
    {"puddle: 1\ndt: -0.01\n", PD_ERROR_SCENE_VALUE, 2, 5, "1e-06 to 1"},
    {"puddle: 1\nsubsteps: 0\n", PD_ERROR_SCENE_VALUE, 2, 11, "1 to 1000"},
    {"puddle: 1\nseed: -1\n", PD_ERROR_SCENE_VALUE, 2, 7, "-1"},
    {"puddle: 1\nseed: 18446744073709551616\n", PD_ERROR_SCENE_VALUE, 2, 7, "18446744073709551615"},
    {"puddle: 1\nparticles: 0\n", PD_ERROR_SCENE_VALUE, 2, 12, "1 to 10000000"},
    {"puddle: 1\nparticles: -5\n", PD_ERROR_SCENE_VALUE, 2, 12, "1 to 10000000"},
    {"puddle: 1\ncontainer: {shape: circel, radius: 1}\n", PD_ERROR_SCENE_VALUE, 2, 20, "did you mean 'circle'"},
    {"puddle: 1\ncontainer: {shape: circle, radius: -1}\n", PD_ERROR_SCENE_VALUE, 2, 36, "'radius' is '-1'"},
    {"puddle: 1\nmethod: grid\ncontainer: {shape: box, width: 1, height: 1, walls: {top: {inflow: 1}}}\n",
     PD_ERROR_SCENE_VALUE, 3, 53, "what flows in cannot leave"},
    {"puddle: 1\nmethod: grid\ncontainer: {shape: box, width: 1, height: 2, walls: {top: {inflow: 1}, left: {inflow: "
     "-1}}}\n",
     PD_ERROR_SCENE_VALUE, 3, 53, "what flows in cannot leave"},
    {"puddle: 1\ncontainer: {shape: box, width: 1, height: 1, walls: {top: {inflow: 1, outflow: true}}}\n",
     PD_ERROR_SCENE_VALUE, 2, 80, "both inflow and outflow"},
    {"puddle: 1\nmaterials: {}\n", PD_ERROR_SCENE_VALUE, 2, 12, "empty"},
    {"puddle: 1\nmaterials: {\"\": {color: \"#000000\"}}\n", PD_ERROR_SCENE_VALUE, 2, 13, "name"},
    {"puddle: 1\nmaterials: {a: {color: blue}}\n", PD_ERROR_SCENE_VALUE, 2, 24, "six hexadecimal digits"},
    {"puddle: 1\nmaterials: {a: {color: \"#12345g\"}}\n", PD_ERROR_SCENE_VALUE, 2, 24, "six hexadecimal digits"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\", mass: 0}}\n", PD_ERROR_SCENE_VALUE, 2, 41, "'mass'"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\", viscosity: -1}}\n", PD_ERROR_SCENE_VALUE, 2, 46, "0 to 10000"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\", viscosity: 10001}}\n", PD_ERROR_SCENE_VALUE, 2, 46, "0 to 10000"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\", elasticity: 1e7}}\n", PD_ERROR_SCENE_VALUE, 2, 47, "0 to 1000000"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\", plasticity: 1001}}\n", PD_ERROR_SCENE_VALUE, 2, 47, "0 to 1000"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\", yield: 11}}\n", PD_ERROR_SCENE_VALUE, 2, 42, "0 to 10"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\", stickiness: -1}}\n", PD_ERROR_SCENE_VALUE, 2, 47, "0 to 1000000"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\", viscosity: .nan}}\n", PD_ERROR_SCENE_VALUE, 2, 46, "finite"},
    {OIL_AND_WATER "attractions: [{between: [oil, water], factor: 10.1}]\n", PD_ERROR_SCENE_VALUE, 3, 47, "-10 to 10"},
    {OIL_AND_WATER "attractions: [{between: [oil, water], factor: .inf}]\n", PD_ERROR_SCENE_VALUE, 3, 47, "finite"},
    {OIL_AND_WATER "attractions:\n  - {between: [oil, oil], factor: 2}\n  - {between: [oil, water], factor: 2}\n"
                   "  - {between: [water, oil], factor: 3}\n",
     PD_ERROR_SCENE_VALUE, 6, 15, "between 'water' and 'oil' comes twice"},
    {OIL_AND_WATER "attractions:\n  - {between: [oil, oil], factor: 2}\n  - {factor: 2, between: [oil, oil]}\n",
     PD_ERROR_SCENE_VALUE, 5, 26, "between 'oil' and 'oil' comes twice"},
    {OIL_AND_WATER "changes: [{shape: circle, center: [0, 0], radius: 1, from: oil, to: oil}]\n", PD_ERROR_SCENE_VALUE,
     3, 69, "the same material as 'from'"},
    {OIL_AND_WATER "changes: [{shape: ellipse, center: [0, 0], size: [1, 1], from: oil, to: water}]\n",
     PD_ERROR_SCENE_VALUE, 3, 19, "known: circle, box"},
    {OIL_AND_WATER "changes: [{shape: circle, center: [0, 0], radius: 0, from: oil, to: water}]\n",
     PD_ERROR_SCENE_VALUE, 3, 51, "'radius'"},
    {OIL_AND_WATER "changes: [{shape: circle, center: [0, 0], radius: 1, from: oil, to: water, rate: 0}]\n",
     PD_ERROR_SCENE_VALUE, 3, 82, "1e-06 to 1000000"},
    {OIL_AND_WATER "changes: [{shape: circle, center: [0, 0], radius: 1, from: oil, to: water, rate: .inf}]\n",
     PD_ERROR_SCENE_VALUE, 3, 82, "finite"},
    {"puddle: 1\nregions: [{shape: circle, center: [50, 0], radius: 1}]\n", PD_ERROR_SCENE_VALUE, 2, 35, "outside"},
    {"puddle: 1\ncontainer: {shape: box, width: 2, height: 1}\n"
     "regions: [{shape: box, center: [0, 0.8], size: [1, 0.6]}]\n",
     PD_ERROR_SCENE_VALUE, 3, 32, "outside"},
    {"puddle: 1\nobstacles: [{shape: box, center: [0, 0], size: [1, 1], angle: 45}]\n"
     "regions:\n  - {shape: circle, center: [0.7, 0], radius: 0.1}\n"
     "  - {shape: circle, center: [0.1, 0], radius: 0.1}\n",
     PD_ERROR_SCENE_VALUE, 5, 29, "the region lies inside an obstacle (move the region to a free place)"},
    {"puddle: 1\nregions: [{shape: polyline, center: [0, 0]}]\n", PD_ERROR_SCENE_VALUE, 2, 19, "known: circle, box"},
    {"puddle: 1\nregions: [{shape: box, center: [0, 0], size: [1, 0]}]\n", PD_ERROR_SCENE_VALUE, 2, 50, "'size'"},
    {"puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 1, fill: hexx}]\n", PD_ERROR_SCENE_VALUE, 2, 60,
     "'hex'"},
    {"puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 1, count: 3, spacing: 1}]\n", PD_ERROR_SCENE_VALUE,
     2, 73, "count and spacing"},
    {"puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 1, amount: 1.5}]\n", PD_ERROR_SCENE_VALUE, 2, 62,
     "0 to 1"},
    {"puddle: 1\nobstacles: [{shape: polyline, points: [[0, 0]], thickness: 1}]\n", PD_ERROR_SCENE_VALUE, 2, 39,
     "a polyline of 1 point (allowed: two or more)"},
    {"puddle: 1\nobstacles: [{shape: polygon, points: [[0, 0], [1, 0]]}]\n", PD_ERROR_SCENE_VALUE, 2, 38,
     "a polygon of 2 points (allowed: three or more)"},
    {"puddle: 1\nobstacles: [{shape: polygon, points: []}]\n", PD_ERROR_SCENE_VALUE, 2, 38, "a polygon of 0 points"},
    {"puddle: 1\nobstacles: [{shape: polygon, points: [[0, 0], [1, 1], [1, 0], [0, 1]]}]\n", PD_ERROR_SCENE_VALUE, 2,
     55, "the sides from points[0] and points[2] meet (allowed: an outline that does not cross or touch itself)"},
    {"puddle: 1\nobstacles: [{shape: polygon, points: [[0, 0], [1, 0], [1, 1], [0, 0]]}]\n", PD_ERROR_SCENE_VALUE, 2,
     63, "points[3] and points[0] are the same (allowed: each once; the last side closes it)"},
    {"puddle: 1\nobstacles: [{shape: polygon, points: [[0, 0], [1, 0], [1, 1]], thickness: 1}]\n", PD_ERROR_SCENE_KEY,
     2, 64, "'thickness'"},
    {"puddle: 1\nobstacles: [{shape: polygon, center: [0, 0]}]\n", PD_ERROR_SCENE_KEY, 2, 13, "'points'"},
    {"puddle: 1\nregions: [{shape: polygon, center: [0, 0]}]\n", PD_ERROR_SCENE_VALUE, 2, 19, "known: circle"},
    {"puddle: 1\nregions: [{shape: circle, center: [0.2, 0.2], radius: 0.1}]\n"
     "obstacles: [{shape: polygon, points: [[0, 0], [1, 0], [0, 1]]}]\n",
     PD_ERROR_SCENE_VALUE, 2, 35, "inside an obstacle"},
    {"puddle: 1\nemitters: [{position: [0, 0], direction: [0, 0], speed: 1, width: 1, rate: 1}]\n",
     PD_ERROR_SCENE_VALUE, 2, 42, "nowhere"},
    {"puddle: 1\nemitters: [{position: [0, 0], direction: [0, 1], speed: 1, width: 1, rate: 1, from: 2, until: 1}]\n",
     PD_ERROR_SCENE_VALUE, 2, 95, "after 'from'"},
    /* references, methods, parameters */
    {"puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 1, material: watr}]\n", PD_ERROR_SCENE_REFERENCE, 2,
     64, "did you mean 'water'"},
    {"puddle: 1\nemitters: [{position: [0, 0], direction: [0, 1], speed: 1, width: 1, rate: 1, material: ink}]\n",
     PD_ERROR_SCENE_REFERENCE, 2, 89, "known: water"},
    {"puddle: 1\nattractions: [{between: [watr, water], factor: 2}]\n", PD_ERROR_SCENE_REFERENCE, 2, 26,
     "did you mean 'water'"},
    {OIL_AND_WATER "attractions: [{between: [oil, ink], factor: 2}]\n", PD_ERROR_SCENE_REFERENCE, 3, 31,
     "known: oil, water"},
    {OIL_AND_WATER "changes: [{shape: circle, center: [0, 0], radius: 1, from: ol, to: water}]\n",
     PD_ERROR_SCENE_REFERENCE, 3, 60, "did you mean 'oil'"},
    {OIL_AND_WATER "changes: [{shape: circle, center: [0, 0], radius: 1, from: oil, to: ink}]\n",
     PD_ERROR_SCENE_REFERENCE, 3, 69, "known: oil, water"},
    {"puddle: 1\nmethod: sphh\n", PD_ERROR_METHOD_UNKNOWN, 2, 9, "did you mean 'sph'"},
    {"puddle: 1\nparameters: {drr: {}}\n", PD_ERROR_METHOD_UNKNOWN, 2, 14, "known: ddr, sph"},
    {"puddle: 1\nparameters: {ddr: {stifness: 1}}\n", PD_ERROR_PARAMETER_UNKNOWN, 2, 20, "ddr.stiffness"},
    {"puddle: 1\nparameters: {ddr: {sph.radius: 1}}\n", PD_ERROR_PARAMETER_UNKNOWN, 2, 20, "unknown"},
    {"puddle: 1\nparameters: {ddr: {stiffness: -1}}\n", PD_ERROR_PARAMETER_VALUE, 2, 31, "stiffness"},
    {"puddle: 1\nparameters: {ddr: {stiffness: .nan}}\n", PD_ERROR_PARAMETER_VALUE, 2, 31, "a number"},
    {"puddle: 1\nparameters: {ddr: {stiffness: 0x10}}\n", PD_ERROR_PARAMETER_VALUE, 2, 31, "a number"},
    {"puddle: 1\nparameters: {ddr: {stiffness: \"3\"}}\n", PD_ERROR_PARAMETER_VALUE, 2, 31, "without quotes"},
    {"puddle: 1\nparameters: {ddr: {stiffness: [3]}}\n", PD_ERROR_PARAMETER_VALUE, 2, 31, "a list"},
    {"puddle: 1\nparameters: {sph: {radius: 2}}\n", PD_ERROR_PARAMETER_VALUE, 2, 28, "use at most 1, its radius"},
    {"puddle: 1\ncontainer: {shape: circle, radius: 1e-5}\nparameters: {sph: {radius: 2}}\n", PD_ERROR_PARAMETER_VALUE,
     3, 28, "make the container larger"},
    {"puddle: 1\nparameters: {grid: {solver: magic}}\n", PD_ERROR_PARAMETER_VALUE, 2, 29, "gauss_seidel"},
    {"puddle: 1\nparameters: {grid: {resolution: 10.5}}\n", PD_ERROR_PARAMETER_VALUE, 2, 33, "whole"},
    {"puddle: 1\nparameters: {pbf: {cohesion: 1}}\n", PD_ERROR_PARAMETER_VALUE, 2, 30, "true or false"},
    /* absurd sizes */
    {"puddle: 1\nparticles: 10000001\n", PD_ERROR_SCENE_TOO_LARGE, 2, 12, "10000000"},
    {"puddle: 1\nparticles: 99999999999999999999\n", PD_ERROR_SCENE_TOO_LARGE, 2, 12, "10000000"},
    {"puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 1, count: 2000000000}]\n", PD_ERROR_SCENE_TOO_LARGE,
     2, 61, "10000000"},
    {"puddle: 1\nregions:\n  - {shape: circle, center: [0, 0], radius: 1, count: 6000000}\n"
     "  - {shape: circle, center: [0, 0], radius: 1, count: 6000000}\n",
     PD_ERROR_SCENE_TOO_LARGE, 4, 55, "10 million"},
    {"puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 1, spacing: 1e-5}]\n", PD_ERROR_SCENE_TOO_LARGE, 2,
     63, "10 million"},
    {"puddle: 1\nregions:\n  - {shape: circle, center: [0, 0], radius: 0.1, count: 6000000}\n"
     "  - {shape: circle, center: [0, 0], radius: 1}\n",
     PD_ERROR_SCENE_TOO_LARGE, 3, 3, "10 million"},
};

static void assert_bad(const char *text, size_t length, const bad_scene *bad) {
    char place[64];
    pd_scene scene;
    pd_error error = {0};
    /* A copy of the exact length, so that a sanitizer sees a read past the end. */
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    memset(&scene, 0x55, sizeof scene);
    pd_result result = pd_scene_read_text(copy, length, "bad.yaml", &scene, &error);
    free(copy);
    snprintf(place, sizeof place, "bad.yaml:%d:%d: ", bad->line, bad->column);
    if (result != PD_BAD_INPUT || error.code != bad->code || strncmp(error.message, place, strlen(place)) != 0 ||
        !strstr(error.message, bad->says) || strchr(error.message, '\n'))
        fail_msg("%.200s\nshould give %s at %d:%d with \"%s\", gave %s: %s", text, pd_error_name(bad->code), bad->line,
                 bad->column, bad->says, pd_error_name(error.code), error.message);
    const pd_scene empty = {0};
    assert_memory_equal(&scene, &empty, sizeof scene);
}

static void test_bad_scenes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad_scenes / sizeof *bad_scenes; i++)
        assert_bad(bad_scenes[i].text, strlen(bad_scenes[i].text), &bad_scenes[i]);
    assert_bad("puddle: 1\nname: a\0b\n", 20, &(bad_scene){"", PD_ERROR_SCENE_SYNTAX, 2, 8, "U+0000"});
}

/* A text of head and then repetitions of unit. */
static void assert_bad_repeated(const char *head, const char *unit, int times, const bad_scene *bad) {
    size_t begin = strlen(head), size = strlen(unit);
    char *text = malloc(begin + size * (size_t)times + 1);
    assert_non_null(text);
    memcpy(text, head, begin);
    for (int i = 0; i < times; i++) memcpy(text + begin + size * (size_t)i, unit, size + 1);
    assert_bad(text, begin + size * (size_t)times, bad);
    free(text);
}

static void test_hostile_scenes(void **state) {
    (void)state;
    const char *deep = "nested too deeply";
    assert_bad_repeated("puddle: 1\nregions: ", "[", 20000, &(bad_scene){"", PD_ERROR_SCENE_SYNTAX, 2, 73, deep});
    assert_bad_repeated("", "[\n", 20000, &(bad_scene){"", PD_ERROR_SCENE_SYNTAX, 65, 1, deep});
    assert_bad_repeated("", "- ", 20000, &(bad_scene){"", PD_ERROR_SCENE_SYNTAX, 1, 129, deep});
    assert_bad_repeated("", "{a: ", 20000, &(bad_scene){"", PD_ERROR_SCENE_SYNTAX, 1, 257, deep});
    assert_bad("a: &a [x]\nb: &b [*a, *a]\n", 24, &(bad_scene){"", PD_ERROR_SCENE_SYNTAX, 1, 4, "anchors"});
    /* libyaml compares each of these with all before it: without a limit, a million would take hours. */
    assert_bad_repeated("", "%TAG !a! b\n", 700000, &(bad_scene){"", PD_ERROR_SCENE_SYNTAX, 1, 1, "tags"});
    assert_bad_repeated("puddle: 1\n", "? \n", 2000000,
                        &(bad_scene){"", PD_ERROR_SCENE_TOO_LARGE, 1999996, 1, "too long"});
    assert_bad_repeated("puddle: 1\nname: ", "x", 100000, &(bad_scene){"", PD_ERROR_SCENE_TOO_LARGE, 2, 7, "100000"});
    assert_bad_repeated("puddle: 1\n", "#\n", 8 << 20, &(bad_scene){"", PD_ERROR_SCENE_TOO_LARGE, 1, 1, "8 MiB"});
    assert_bad_repeated("puddle: 1\nvortons: [", "0,", 5000, &(bad_scene){"", PD_ERROR_SCENE_SYNTAX, 3, 1, "not YAML"});
    assert_bad_repeated("puddle: 1\nregions:", "\n- 0", 5000,
                        &(bad_scene){"", PD_ERROR_SCENE_TOO_LARGE, 3, 1, "at most 4096"});
    assert_bad_repeated("puddle: 1\nvortons:", "\n- 0", 40001,
                        &(bad_scene){"", PD_ERROR_SCENE_TOO_LARGE, 3, 1, "at most 40000"});
}

TEST_GROUP(scene_bad) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_scenes),
        cmocka_unit_test(test_hostile_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
