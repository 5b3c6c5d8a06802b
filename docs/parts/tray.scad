// Tray, stop and bracket for the encoder under a dial, in millimetres. They lie as they are printed: no supports, and the
// tray stands on its head. The drawing docs/pictures/tray.svg is made from the numbers below: python -m tools.tray_drawing

part = "all";             // "tray", "stop", "bracket" or "all"

// measure yours
dial_diameter = 120;      // the game's dial with its frame

// the tray
rim = 10;                 // around the dial
plate = 4;                // thickness of the top
legs = 56;                // clear height below the top: drop, bracket, the encoder's body and its pins
wall = 4;
stop_height = 6;          // keeps the frame from turning with the dial
stop_width = 12;
stop_play = 0.2;          // the stop is pressed into its slot
shaft_hole = 10;          // the 6 mm shaft passes without touching

// the bracket below
bracket_length = 70;
bracket_width = 30;
bracket_plate = 3;
bushing_hole = 7.2;       // M7 bushing of the encoder
screw_hole = 3.4;         // M3
screw_distance = 56;      // slots, so that the encoder can be centred
slot_play = 4;
drop = 41;                // from the underside of the top to the bracket: coupling 25, shaft 15, 1 to spare

side = dial_diameter + 2 * rim;

// as it stands on the table, its underside at 0
module standing_tray() {
    difference() {
        union() {
            translate([-side / 2, -side / 2, 0]) cube([side, side, plate]);
            for (x = [-1, 1]) translate([x * (side - wall) / 2 - wall / 2, -side / 2, -legs]) cube([wall, side, legs]);
            for (x = [-1, 1]) translate([x * screw_distance / 2, 0, -drop]) cylinder(d = 9, h = drop, $fn = 48);
        }
        translate([0, 0, -1]) cylinder(d = shaft_hole, h = plate + 2, $fn = 64);
        translate([-stop_width / 2, dial_diameter / 2, -1]) cube([stop_width, wall, plate + 2]);
        for (x = [-1, 1]) translate([x * screw_distance / 2, 0, -drop - 1]) cylinder(d = 2.6, h = 16, $fn = 32);
    }
}

module tray() {
    translate([0, 0, plate]) rotate([180, 0, 0]) standing_tray();
}

module stop() {
    cube([stop_width - stop_play, plate + stop_height, wall - stop_play]);
}

module bracket() {
    difference() {
        translate([-bracket_length / 2, -bracket_width / 2, 0]) cube([bracket_length, bracket_width, bracket_plate]);
        translate([0, 0, -1]) cylinder(d = bushing_hole, h = bracket_plate + 2, $fn = 64);
        for (x = [-1, 1]) hull() for (y = [-1, 1])
            translate([x * screw_distance / 2, y * slot_play / 2, -1]) cylinder(d = screw_hole, h = bracket_plate + 2, $fn = 32);
    }
}

if (part == "tray" || part == "all") tray();
if (part == "stop" || part == "all") translate([side * 0.6, 0, 0]) stop();
if (part == "bracket" || part == "all") translate([0, side, 0]) bracket();
