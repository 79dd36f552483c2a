// The page of odds on norn's site, which needs no server but one that serves files.
import { open } from "./lab.js";

open(document.querySelector("#lab"));
