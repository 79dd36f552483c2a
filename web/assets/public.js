// What pages have that are no table: the first one, and those of odds.
import "./public/law.js";
import "./public/odds.js";
import "./public/tables.js";

const lab = document.querySelector("#lab");
if (lab) import("./lab/lab.js").then(({ open }) => open(lab));
