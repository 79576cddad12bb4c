/* Tables of particles that other programs wrote: they are read with a line about what was left out, or refused with what to do. */
#include "folder.h"
#include "worlds.h"

static const char SCENE[] = "puddle: 1\nmaterials: {water: {color: \"#3a8fff\"}, oil: {color: \"#ffc040\"}}\n"
                            "regions: [{shape: particles, file: t.csv, velocity: [5, 6], spacing: 0.1}]\n";

/* Two particles at (0.1, 0.3) and (0.2, -0.4). */
typedef struct table {
    const char *text;     /* the file */
    const char *left_out; /* the line about what was left out; NULL: none */
} table;

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static pd_result read_table(const char *text, pd_scene *scene, pd_error *error) {
    write_file("t.yaml", SCENE);
    write_file("t.csv", text);
    return pd_scene_read("t.yaml", scene, error);
}

/* Reads a table of two particles with this velocity. */
static void expect_particles(const table *t, float vx, float vy) {
    pd_scene scene;
    pd_error error;
    char line[256] = "";
    if (read_table(t->text, &scene, &error) != PD_OK) fail_msg("%s: %s", t->text, error.message);
    const pd_scene_particle *p = scene.regions[0].particles;
    if (scene.regions[0].count != 2 || p[0].position.x != 0.1f || p[0].position.y != 0.3f || p[1].position.x != 0.2f ||
        p[1].position.y != -0.4f)
        fail_msg("%s: %d particles, at (%g, %g) ...", t->text, scene.regions[0].count, (double)p[0].position.x,
                 (double)p[0].position.y);
    for (int i = 0; i < 2; i++)
        if (p[i].velocity.x != vx || p[i].velocity.y != vy)
            fail_msg("%s: velocity (%g, %g)", t->text, (double)p[i].velocity.x, (double)p[i].velocity.y);
    bool warned = pd_scene_write_warning(&scene, 0, line, sizeof line);
    if (warned != (t->left_out != NULL) || (warned && strcmp(line, t->left_out) != 0))
        fail_msg("%s: '%s'", t->text, line);
    assert_false(pd_scene_write_warning(&scene, warned, line, sizeof line));
    pd_scene_free(&scene);
}

static void test_separators(void **state) {
    (void)state;
    static const table tables[] = {
        {"id,material,x,y,vx,vy,mass,density\n0,water,0.1,0.3,5,6,1,\n1,water,0.2,-0.4,5,6,1,\n", NULL},
        {"x, y\n0.1, 0.3\n0.2, -0.4\n", NULL},
        {"x , y \r\n0.1 , 0.3 \r\n\r\n   \r\n0.2,\t-0.4", NULL},
        {"\xef\xbb\xbf\"x\", \"y\"\r\"0.1\", \"0.3\"\r0.2,-0.4\r", NULL},
        {"x\ty\n0.1\t0.3\n0.2\t-0.4\n", NULL},
        {"x\ty\n0,1\t0,3\n0,2\t-0,4\n", NULL},
        {"x;y\n0,1;0,3\n0,2;-0,4\n", NULL},
        {"x;y\n0.1;0.3\n0.2;-0.4\n", NULL},
        {"  x   y\n   0.1   0.3\n  +.2E+0\t-4.0D-01  \n", NULL},
        {"x y\n0,1 0,3\n0,2 -0,4\n", NULL},
        {"x,y\n0.1 0.3\n0.2 -0.4\n", NULL},
        {"x,y\n0,1;0,3\n0,2;-0,4\n", NULL},
        {"x,y,\n0.1,0.3,\n0.2,-0.4,,\n", NULL},
        {"sep=;\nx;y\n0,1;0,3\n0,2;-0,4;\n", NULL},
        {"x,y,material\n0.1,0.3,water\n0.2,-0.4, water \n", NULL},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) expect_particles(&tables[i], 5, 6);
}

static void test_names_in_comments(void **state) {
    (void)state;
    static const table tables[] = {
        {"# x y\n1.000000000000000056e-01 2.999999999999999889e-01\n0.2 -0.4\n", NULL},
        {"# x,y\n0.1,0.3\n0.2,-0.4\n", NULL},
        {"#x\ty\n0.1\t0.3\n0.2\t-0.4\n", NULL},
        {"# made on Monday\n# x, y\n# and so on\n0.1 0.3\n# a comment\n0.2 -0.4\n# end", NULL},
        {"% Model: a.mph\n% x (m) y (m)\n0.1 0.3\n0.2 -0.4\n", NULL},
        {"# a comment\nx,y\n0.1,0.3\n0.2,-0.4\n", NULL},
        {"# the particles x and y\n0.1 0.3\n0.2 -0.4\n", "'t.csv' is read with its unnamed columns as x, y"},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) expect_particles(&tables[i], 5, 6);
}

static void test_columns_left_out(void **state) {
    (void)state;
    static const table tables[] = {
        {",x,y\n0,0.1,0.3\n1,0.2,-0.4\n", "'t.csv' is read without column 1"},
        {"\tx\ty\n0\t0.1\t0.3\n1\t0.2\t-0.4\n", "'t.csv' is read without column 1"},
        {"\"x\" \"y\"\n\"1\" 0.1 0.3\n\"2\" 0.2 -0.4\n", "'t.csv' is read without column 1"},
        {"Unnamed: 0,x,y\n0,0.1,0.3\n1,0.2,-0.4\n", "'t.csv' is read without 'Unnamed: 0'"},
        {"x,y,z\n0.1,0.3,0\n0.2,-0.4,0.0\n", "'t.csv' is read without 'z'"},
        {"x,y,z\n0.1,0.3,0\n0.2,-0.4,1\n", "'t.csv' is read without 'z'; z varies, but all particles are in one plane"},
        {"kind,x,y,note\nA,0.1,0.3,\nB,0.2,-0.4,\"a, b\"\n", "'t.csv' is read without 'kind' and 'note'"},
        {"x,a,b,y,c,d,e\n0.1,1,1,0.3,1,1,1\n0.2,1,1,-0.4,1,1,1\n", "'t.csv' is read without 'a', 'b', 'c' and 2 more"},
        {"X,x,y\n7,0.1,0.3\n7,0.2,-0.4\n", "'t.csv' is read without 'X'"},
        {"x,y,Gr\xf6\xdf"
         "e\n0.1,0.3,7\n0.2,-0.4,7\n",
         "'t.csv' is read without column 3"},
        {"x,y,v\n0.1,0.3,7\n0.2,-0.4,7\n", "'t.csv' is read without 'v'"},
        {"x,y,v1,v2\n0.1,0.3,7,7\n0.2,-0.4,7,7\n", "'t.csv' is read without 'v1' and 'v2'"},
        {"x,y,velocity_x,vel_x\n0.1,0.3,7,7\n0.2,-0.4,7,7\n", "'t.csv' is read without 'velocity_x' and 'vel_x'"},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) expect_particles(&tables[i], 5, 6);
}

static void test_rows_left_out(void **state) {
    (void)state;
    static const table tables[] = {
        {"x,y\nm,m\n0.1,0.3\n0.2,-0.4\n", "'t.csv' is read without line 2"},
        {"x,y\nnan,1\n0.1,0.3\n,NaN\n0.2,-0.4\n,\n", "'t.csv' is read without 3 rows in which a number is missing"},
        {"x;y\n0,1;0,3\n0,2;-0,4\n;-inf\n", "'t.csv' is read without 1 row in which a number is missing"},
        {"x,y,p\n0.1,0.3,1\n0.2,-0.4,\nN/A,0,0\n",
         "'t.csv' is read without 'p', and without 1 row in which a number is missing"},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) expect_particles(&tables[i], 5, 6);
}

static void test_names_of_columns(void **state) {
    (void)state;
    static const table tables[] = {
        {"X,Y,VX,VY\n0.1,0.3,1,2\n0.2,-0.4,1,2\n", NULL},
        {"\"Points:0\",\"Points:1\",\"velocity:0\",\"velocity:1\"\n0.1,0.3,1,2\n0.2,-0.4,1,2\n", NULL},
        {"U_0,U_1,Points_0,Points_1\n1,2,0.1,0.3\n1,2,0.2,-0.4\n", NULL},
        {"pos_x,pos_y,vel_x,vel_y\n0.1,0.3,1,2\n0.2,-0.4,1,2\n", NULL},
        {"Position X;Position Y;Velocity X;Velocity Y\n0.1;0.3;1;2\n0.2;-0.4;1;2\n", NULL},
        {"Position.X Position.Y Ux Uy\n0.1 0.3 1 2\n0.2 -0.4 1 2\n", NULL},
        {"x position,y position,x-velocity,y-velocity\n0.1,0.3,1,2\n0.2,-0.4,1,2\n", NULL},
        {"pos[0],pos[1],v[0],v[1]\n0.1,0.3,1,2\n0.2,-0.4,1,2\n", NULL},
        {"x,y,u,v\n0.1,0.3,1,2\n0.2,-0.4,1,2\n", NULL},
        {"x [m],y [m],vx [m/s],vy [m s^-1]\n0.1,0.3,1,2\n0.2,-0.4,1,2\n", NULL},
        {"x [m]  y [m] u [m/s] v (m/s)\n0.1 0.3 1 2\n0.2 -0.4 1 2\n", NULL},
        {"x [mm],y (cm),vx [mm/s],vy / (cm/s)\n100,30,1000,200\n200,-40,1000,200\n", NULL},
        {"x [ft],y,vx,vy\n0.1,0.3,1,2\n0.2,-0.4,1,2\n",
         "'t.csv' is read; the unit of 'x [ft]' is not known and taken as m"},
        {"0.1,0.3,1,2\n0.2,-0.4,1,2\n", "'t.csv' is read with its unnamed columns as x, y, vx, vy"},
        {"0,1;0,3;1;2\n0,2;-0,4;1;2\n", "'t.csv' is read with its unnamed columns as x, y, vx, vy"},
        {"i,j,x,y,u,v,pressure\n0,0,0.1,0.3,1,2,7\n1,0,0.2,-0.4,1,2,7\n",
         "'t.csv' is read without 'i', 'j' and 'pressure'"},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) expect_particles(&tables[i], 1, 2);
    expect_particles(&(table){"0.1 0.3\n0.2 -0.4\n", "'t.csv' is read with its unnamed columns as x, y"}, 5, 6);
    expect_particles(&(table){"0,1 0,3\n0,2 -0,4\n", "'t.csv' is read with its unnamed columns as x, y"}, 5, 6);
}

static void test_refused_tables(void **state) {
    (void)state;
    static const char *const tables[][2] = {
        {"a,b\n0,0\n",
         "t.csv:1:1: the column 'x' is missing (the first line names the columns, such as x,y,vx,vy,material)"},
        {"x,p\n0,0\n", "t.csv:1:1: the column 'y' is missing"},
        {"pos_1,pos_2\n0,0\n", "t.csv:1:1: the column 'x' is missing"},
        {"pos_x,coord_x,y\n0,0,0\n", "t.csv:1:7: the columns 'pos_x' and 'coord_x' may both be x (name one of them x)"},
        {"1,2,3\n", "t.csv:1:1: 3 columns without names (begin with a line of names, such as x,y,z)"},
        {"x,y\n0,1,0,2\n", "t.csv:2:5: more cells than the first line names columns (if commas are decimal ones, write "
                           "points, or separate by semicolons)"},
        {"0,1,0,2\n1,1,1,1\n", "t.csv:1:1: commas may be decimal or separate (write points, separate by semicolons, or "
                               "begin with the names x,y,vx,vy)"},
        {"x,y\n\"0,1\",\"0,2\"\n",
         "t.csv:2:1: '0,1' is not a number (write a decimal point, or separate the columns by semicolons)"},
        {"x;y\n1.000,5;0,1\n", "t.csv:2:1: '1.000,5' is not a number (write it without a separator of thousands)"},
        {"x;y\n0,1;0,2\n0.5;1\n",
         "t.csv:3:1: 0.5 has a decimal point, but numbers before have a decimal comma (use one of them)"},
        {"x y\n0.1 0.2 \"a\n", "t.csv:2:9: a quote is left open (close it)"},
        {"x,y\n0.1,abc\n", "t.csv:2:5: 'abc' is not a number"},
        {"x,y\nnan,nan\n", "the file has no particles"},
        {"# x y\n", "t.csv:2:1: the file has no particles"},
        {"2\nframe\nH 0.1 0.2 0\n", "t.csv:1:1: the column 'x' is missing"},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        pd_scene scene;
        pd_error error = {0};
        if (read_table(tables[i][0], &scene, &error) == PD_OK) fail_msg("%s is read", tables[i][0]);
        if (!strstr(error.message, tables[i][1])) fail_msg("%s: '%s'", tables[i][0], error.message);
    }
}

/* The names of materials may contain separators and begin or end with blanks. */
static void test_names_of_materials_come_back(void **state) {
    (void)state;
    static const char TEXT[] =
        "puddle: 1\nmaterials: {\"a;b\": {color: \"#3a8fff\"}, \" oil\": {color: \"#ffc040\"}, oil: {color: "
        "\"#000000\"},"
        " \"#1\": {color: \"#000000\"}, \"c, d\": {color: \"#000000\"}, nan: {color: \"#000000\"}}\n"
        "regions: [{shape: particles, file: m.csv, spacing: 0.1}]\n";
    pd_scene scene, again;
    pd_error error;
    write_file("m.yaml", TEXT);
    write_file("m.csv", "x,y,material\n0,0,a;b\n1,0, oil\n2,0,oil\n3,0,#1\n4,0,\"c, d\"\n5,0,nan\n6,0,\n");
    must(pd_scene_read("m.yaml", &scene, &error), &error);
    must(pd_scene_write(&scene, "n.yaml", &error), &error);
    must(pd_scene_read("n.yaml", &again, &error), &error);
    assert_int_equal(again.regions[0].count, 7);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(scene.regions[0].particles[i].material, i % 6);
        assert_int_equal(again.regions[0].particles[i].material, i % 6);
    }
    pd_scene_free(&scene);
    pd_scene_free(&again);
}

/* A world has the line of its scene, before and after a reset. */
static void test_worlds_have_the_line(void **state) {
    (void)state;
    pd_scene scene;
    pd_error error;
    char line[256];
    must(read_table(",x,y\n0,0.1,0.3\n1,0.2,-0.4\n", &scene, &error), &error);
    pd_world *world = world_of(&scene, 1);
    pd_scene_free(&scene);
    for (int i = 0; i < 2; i++) {
        assert_true(pd_world_write_warning(world, 0, line, sizeof line));
        assert_string_equal(line, "'t.csv' is read without column 1");
        assert_false(pd_world_write_warning(world, 1, line, sizeof line));
        pd_world_reset(world);
    }
    pd_world_destroy(world);
}

TEST_GROUP(particle_tables) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_separators),
        cmocka_unit_test(test_names_in_comments),
        cmocka_unit_test(test_columns_left_out),
        cmocka_unit_test(test_rows_left_out),
        cmocka_unit_test(test_names_of_columns),
        cmocka_unit_test(test_refused_tables),
        cmocka_unit_test(test_names_of_materials_come_back),
        cmocka_unit_test(test_worlds_have_the_line),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
