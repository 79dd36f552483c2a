// What pages have that are no table: the first one, and those of odds.
import "./odds.js";
import "./tables.js";
