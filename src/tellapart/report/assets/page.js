"use strict";
(() => {
  const dark = document.getElementById("dark");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const KEY = "tellapart-theme";
  let chosen = null;
  try { chosen = localStorage.getItem(KEY); } catch { /* a file may be allowed to keep nothing */ }
  const isDark = () => (chosen ? chosen === "dark" : system.matches);
  const dress = () => { if (chosen) dark.media = isDark() ? "screen" : "not all"; };
  dress(); // before anything is drawn

  const say = (text) => { document.getElementById("status").textContent = text; };

  const theme = () => {
    const button = document.getElementById("theme");
    const label = () => { button.querySelector("span").textContent = isDark() ? "Light" : "Dark"; };
    button.addEventListener("click", () => {
      chosen = isDark() ? "light" : "dark";
      try { localStorage.setItem(KEY, chosen); } catch { /* then for this once */ }
      dress();
      label();
      say(`${isDark() ? "Dark" : "Light"} colours`);
    });
    system.addEventListener("change", label);
    label();
    button.hidden = false;
  };

  // Sorting: ascending, descending, original order; missing values come last.
  const words = new Intl.Collator(undefined, { numeric: true });
  const sortText = (cell) => cell.dataset.value ?? cell.textContent.trim();
  const order = (column, number, sign) => (rowA, rowB) => {
    const [a, b] = [rowA, rowB].map((row) => {
      const text = sortText(row.cells[column]);
      return number ? (text === "" ? NaN : Number(text)) : text;
    });
    const [lost, gone] = number ? [Number.isNaN(a), Number.isNaN(b)] : [a === "", b === ""];
    if (lost || gone) return lost - gone;
    return sign * (number ? (a < b ? -1 : a > b ? 1 : 0) : words.compare(a, b));
  };
  // On a phone the rows of a wide table are stacked; each value stands beside the head of its column.
  const stackable = (table) => {
    const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim());
    [...table.tBodies[0].rows].forEach((row) => [...row.cells].forEach((cell, column) => { cell.dataset.head = heads[column]; }));
    table.classList.add("stacked");
  };
  const sortable = (table) => {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    if (rows.length < 2) return;
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (!head.textContent.trim()) return; // a corner
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const next = { none: "ascending", ascending: "descending", descending: "none" };
        const now = next[head.getAttribute("aria-sort") ?? "none"];
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        if (now !== "none") head.setAttribute("aria-sort", now);
        const sign = now === "ascending" ? 1 : -1;
        const sorted = now === "none" ? rows : [...rows].sort(order(column, head.classList.contains("number"), sign));
        body.append(...sorted);
        say(now === "none" ? "In the order of the page" : `Sorted by ${button.textContent.trim()}, ${now}`);
      });
    });
  };

  // Copying: a table as tab-separated values in the current order; the data of a figure with all digits.
  const line = (text) => text.trim().replace(/\s+/g, " ");
  const value = (cell, exact) => (exact ? sortText(cell) : cell.textContent).replace(/^\u2212(?=[\d.])/, "-"); // no sheet reads a minus
  const tabbed = (table) => [...table.rows]
    .map((row) => [...row.cells].map((cell) => line(value(cell, "exact" in table.dataset))).join("\t"))
    .join("\n");
  const copied = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch { // a file on disk may not be trusted with the clipboard; a selection is
      const active = document.activeElement;
      const area = document.createElement("textarea");
      area.value = text;
      area.className = "unseen";
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      active?.focus();
      return done;
    }
  };
  const copyable = (button) => {
    const label = button.firstElementChild;
    const what = document.getElementById(button.dataset.copy);
    button.hidden = false;
    button.addEventListener("click", async () => {
      const done = await copied(what.tagName === "TABLE" ? tabbed(what) : what.textContent);
      label.textContent = done ? "Copied" : "Not copied";
      say(done ? `Copied: ${button.dataset.name}` : "Nothing was copied: the browser forbids it. Select it by hand.");
      setTimeout(() => { label.textContent = "Copy"; }, 2000);
    });
  };

  // Regions that scroll to the right fade there.
  const fading = (region) => {
    const mark = () => {
      const rest = region.scrollWidth - region.clientWidth - region.scrollLeft;
      region.classList.toggle("more", rest > 1);
    };
    region.addEventListener("scroll", mark, { passive: true });
    new ResizeObserver(mark).observe(region);
  };

  // Open the folded section of a link's target.
  const unfold = () => {
    let target = null;
    try { target = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { /* no such place */ }
    if (!target) return;
    let folded = target.closest("details");
    for (; folded; folded = folded.parentElement.closest("details")) folded.open = true;
    target.scrollIntoView();
  };

  // Mark the current section in the contents.
  const follow = () => {
    const links = new Map([...document.querySelectorAll("#contents a")].map((link) => [link.hash.slice(1), link]));
    const sections = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
    const bar = document.getElementById("contents");
    let shown = null;
    const mark = () => {
      const above = sections.filter((section) => section.getBoundingClientRect().top < innerHeight / 3);
      const here = above.at(-1) ?? sections[0];
      if (!here || here === shown) return;
      shown = here;
      links.forEach((link, id) => {
        if (id === here.id) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      });
      if (bar.scrollWidth > bar.clientWidth) bar.scrollLeft = links.get(here.id).offsetLeft - 20; // a line, on a phone
    };
    let waiting = false;
    addEventListener("scroll", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; mark(); });
    }, { passive: true });
    mark();
  };

  // Open all sections for printing.
  const paper = () => {
    let closed = [];
    addEventListener("beforeprint", () => {
      closed = [...document.querySelectorAll("details.section:not([open])")];
      closed.forEach((each) => { each.open = true; });
    });
    addEventListener("afterprint", () => { closed.forEach((each) => { each.open = false; }); });
  };

  document.addEventListener("DOMContentLoaded", () => {
    theme();
    document.querySelectorAll("table.wide").forEach(stackable);
    document.querySelectorAll("table").forEach(sortable);
    document.querySelectorAll("button[data-copy]").forEach(copyable);
    document.querySelectorAll(".scroll").forEach(fading);
    addEventListener("hashchange", unfold);
    unfold();
    follow();
    paper();
  });
})();
