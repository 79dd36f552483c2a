// What pages have that are no table: the first one, and those of odds.
import "./public/odds.js";
import "./public/tables.js";
