"use strict";
// Tables sort by a click on a heading: up, down, and back as they were. Totals stay last.
const LAST = /^(total$|\()/;
const NUMBER = /^[-+\u2212]?[\d,]*\.?\d+%?$/;
const textOf = (row, place) => row.cells[place].textContent.trim();
const numberOf = (text) => (NUMBER.test(text) ? parseFloat(text.replace(/[,%]/g, "").replace("\u2212", "-")) : NaN);

function compare(one, two) {
  if (!one || !two) return (one ? 0 : 1) - (two ? 0 : 1);
  const [first, second] = [numberOf(one), numberOf(two)];
  if (isNaN(first) || isNaN(second)) return one.localeCompare(two, "en", { numeric: true });
  return first - second;
}

function sort(table, rows, place, order) {
  for (const head of table.tHead.rows[0].cells) head.removeAttribute("aria-sort");
  if (order) table.tHead.rows[0].cells[place].setAttribute("aria-sort", order);
  const moved = rows.filter((row) => !LAST.test(textOf(row, 0)));
  if (order) moved.sort((one, two) => compare(textOf(one, place), textOf(two, place)));
  if (order === "descending") moved.reverse();
  table.tBodies[0].append(...moved, ...rows.filter((row) => LAST.test(textOf(row, 0))));
}

for (const table of document.querySelectorAll("main table")) {
  if (!table.tHead || !table.tBodies[0] || table.tBodies[0].rows.length < 3) continue;
  const rows = [...table.tBodies[0].rows];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    if (head.tagName !== "TH") return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => {
      const next = { null: "ascending", ascending: "descending", descending: null };
      sort(table, rows, place, next[head.getAttribute("aria-sort")]);
    });
    head.append(button);
  });
}

// What fits needs no stop for the keyboard; whether it fits changes with the window, and when pictures are there.
const watcher = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const wide = target.closest(".wide");
    wide.tabIndex = wide.scrollWidth > wide.clientWidth ? 0 : -1;
  }
});
for (const wide of document.querySelectorAll(".wide")) {
  watcher.observe(wide);
  if (wide.firstElementChild) watcher.observe(wide.firstElementChild);
}
