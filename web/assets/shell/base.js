// Where norn is served, "" at the root of its host, and the id of the table whose page this is.
export const base = (document.documentElement.dataset.worker ?? "").replace(/\/worker\.js$/, "");
export const table = () => location.pathname.slice(base.length).split("/")[2];
