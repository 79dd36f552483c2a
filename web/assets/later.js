// Script that a page needs only after it is complete. shell/deferred.js loads it then.
import "./shell/timezone.js";
import "./shell/validity.js";
import "./sheet/print.js";
import "./table/mergeedits.js";
import { speak } from "./table/spoken.js";
import { fairness } from "./fairness/fairness.js";
import { brief } from "./table/brief.js";
import { panels } from "./table/panels.js";
import { past } from "./table/past.js";
import { pictures } from "./table/pictures.js";
import { shelf } from "./table/shelf.js";
import { pwa } from "./shell/pwa.js";
import { remember } from "./public/recent.js";

brief();
fairness();
panels();
past();
pictures();
pwa();
remember();
shelf();
speak();
