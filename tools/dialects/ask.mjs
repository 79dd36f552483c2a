// Asks programs that read dice notation what lines are worth. See run.sh.
//
//	node ask.mjs SEED LINES  writes random lines and asks each program for as many, with random faces; it
//	                         prints a table like dice/testdata/programs.tsv
//	node ask.mjs TABLE       asks for the lines of that table again, with its faces, and prints those
//	                         whose value has changed
import * as rdr from "@dice-roller/rpg-dice-roller";
import drp from "dice-roller-parser";
import * as roll20 from "roll-parser";
import rollem from "@rollem/language";
import crypto from "node:crypto";
import fs from "node:fs";

let seed = Number(process.argv[2]) >>> 0;
const each = Number(process.argv[3]);

// draw returns a number of 0…1; it's mulberry32, so that a seed always gives the same lines.
function draw() {
	seed = (seed + 0x6d2b79f5) >>> 0;
	let t = seed;
	t = Math.imul(t ^ (t >>> 15), t | 1);
	t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
	return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const upTo = (n) => Math.floor(draw() * n);
const pick = (of) => of[upTo(of.length)];

// faces are those that a line has thrown, left those that it throws next; null for random ones.
let faces = [];
let left = null;
function throwDie(min, max) {
	if (faces.length > 60) throw new Error("too many dice");
	const fate = max === 3 && min === 1; // no line has a d3, so three sides are those of a Fate die: −1 to 1
	if (left?.length === 0) throw new Error("too few faces");
	const face = left ? left.shift() + (fate ? 2 : 0) : min + upTo(max - min + 1);
	faces.push(fate ? face - 2 : face);
	return face;
}

Object.defineProperty(rdr.NumberGenerator.generator, "integer", { value: (min, max) => throwDie(min, max) });

// rollem's parser V1, which its bot uses by default, takes faces from this function
crypto.randomInt = (sides) => throwDie(1, sides) - 1;

// programs say what a line is worth; they throw an error for a line that they don't read.
const programs = {
	"rpg-dice-roller": (line) => new rdr.DiceRoll(line).total,
	"dice-roller-parser": (line) => {
		// its roller is asked for a number of 0…1, without the sides of the die: all dice of a line must
		// have the same sides
		const sides = Number(line.match(/d(\d+)/)?.[1] ?? 6);
		const roller = new drp.DiceRoller(() => (throwDie(1, sides) - 0.5) / sides);
		const root = roller.roll(line);
		if (!left && JSON.stringify(root).includes('"label":"')) throw new Error("it takes a part for a label");
		return root.value;
	},
	roll20: (line) => roll20.roll(line, { rng: { next: draw, nextInt: throwDie } }).total,
	rollem: (line) => {
		const found = new rollem.RollemParserV1().parse(line);
		if (found.error || found.label) throw new Error("not read, or with a label");
		return Number(found.value);
	},
};

// comparisons, modifiers and terms are pieces of the programs' grammars.
const compared = (sides) => pick([">", ">=", "<", "<=", "="]) + (1 + upTo(sides));
const modifiers = {
	"rpg-dice-roller": ["kh2", "kl1", "k2", "dl1", "dh1", "d1", "!", "!!", "!p", "!{c}", "!!{c}", "r{c}", "ro{c}", "r", "ro", "{c}", "{c}f{c}", "cs{c}", "cf{c}", "min2", "max4", "sa", "sd", "u"],
	"dice-roller-parser": ["kh2", "kl1", "k2", "dl1", "dh1", "d1", "!", "!!", "!p", "!{c}", "r{c}", "ro{c}", "r1", "{c}", "{c}f{c}", "cs{c}", "cf{c}", "sa", "sd", "m"],
	roll20: ["kh2", "kl1", "k2", "dl1", "dh1", "d1", "!", "!!", "!p", "!{c}", "!!{c}", "r{c}", "ro{c}", "{c}", "{c}f{c}", "cs{c}", "cf{c}", "s", "sa", "sd"],
	rollem: ["kh2", "kl1", "k2", "dl1", "dh1", "d1", "!", "!5", "!{c}", "{c}", "c5", "c{c}", "ns", "<<3", ">>4"],
};
let only = 0;
function handful(program) {
	const sides = program === "dice-roller-parser" ? only : pick([4, 6, 6, 6, 10, 20, 100]);
	let text = pick(["", "1", "2", "3", "4", "5"]) + "d" + (sides === 100 ? pick(["%", "100"]) : sides);
	if (draw() < 0.08 && program !== "dice-roller-parser") text = pick(["4dF", "dF", "3dF"]);
	for (let n = pick([0, 1, 1, 2, 2, 3]); n > 0; n--) {
		const again = pick(["<2", "=1", "=2", "<=2", ">=" + sides]);
		text += pick(modifiers[program]).replace("r{c}", "r" + again).replace("ro{c}", "ro" + again).replaceAll("{c}", () => compared(sides));
	}
	// programs throw several dice again in different orders, so the same faces would give other values
	// although the law is the same: such a line has a single die
	return /[!r]/.test(text) ? text.replace(/^\d*/, pick(["", "1"])) : text;
}
function line(program) {
	only = pick([4, 6, 6, 10, 20]);
	let text = handful(program);
	for (let n = pick([0, 0, 1, 1, 2]); n > 0; n--) {
		text += pick(["+", "+", "-", "*", "/"]) + pick([1 + upTo(12), handful(program)]);
	}
	switch (upTo(14)) {
		case 0: return `(${text})${pick(["*2", "+1", "/2", "kh1"])}`;
		case 1: return `{${text}, ${handful(program)}}${pick(["kh1", "kl1", ""])}`;
		case 2: return `{${text}}${pick(["kh1", "kl1", ""])}`;
		case 3: return pick(["floor", "ceil", "round", "abs"]) + `(${text})`;
		case 4: return pick(["3#", "x3 ", "-", "2*"]) + text;
		case 5: return text + pick([" ", ""]) + compared(20);
	}
	return text;
}

// worth returns what a program says that a line is worth, or undefined if it isn't a number.
function worth(program, text) {
	faces = [];
	try {
		const value = programs[program](text);
		return typeof value === "number" && Number.isFinite(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function askAgain(table) {
	let asked = 0;
	let changed = 0;
	for (const row of fs.readFileSync(table, "utf8").split("\n")) {
		const [program, , text, thrown, value] = row.split("\t");
		const was = Number(value);
		if (!programs[program] || value === "" || Number.isNaN(was)) continue;
		const sides = new Set(text.match(/d(\d+|%|F|\()/gi));
		if (program === "dice-roller-parser" && (sides.size !== 1 || !/^d[1-9]\d*$/.test([...sides][0]))) continue;
		left = thrown === "" ? [] : thrown.split(",").map(Number);
		const now = worth(program, text);
		asked++;
		if (!(Math.abs(now - was) < 1e-9)) {
			changed++;
			console.log([program, text, thrown, "was " + value, "is " + now].join("\t"));
		}
	}
	console.log(`${asked} lines of the table were asked for again, ${changed} have another value`);
	process.exitCode = changed > 0 ? 1 : 0;
}

function askRandom() {
	for (const program of Object.keys(programs)) {
		for (let n = 0; n < each; n++) {
			const text = line(program);
			const value = worth(program, text);
			if (value !== undefined) console.log([program, "", text, faces.join(","), value].join("\t"));
		}
	}
}

if (process.argv.length > 3) askRandom();
else askAgain(process.argv[2]);
