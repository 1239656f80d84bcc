"""The page's own script: a slider, keys and clicks send map, timeline and list to a step.

It only writes text and attributes that the page holds already; nothing is ever fetched.
"""

SCRIPT = """
"use strict";
(function () {
  const game = JSON.parse(document.getElementById("game").textContent);
  const steps = game.steps, last = steps.length - 1;
  const byId = (id) => document.getElementById(id);
  const slider = byId("scrub"), play = byId("play"), line = byId("timeline");
  let at = last, timer = null;

  function level(group, kind, entry) {
    const circle = group.querySelector("circle." + kind);
    circle.style.opacity = entry ? 0.2 + 0.8 * parseFloat(entry) : 0;
    return entry ? entry.slice(entry.indexOf(" ") + 1) : "";
  }

  function token(name, place) {
    const shape = byId(name), spots = shape.dataset.spots.split(" ");
    shape.style.display = place === null ? "none" : "";
    if (place !== null) shape.setAttribute("transform", "translate(" + spots[place] + ")");
  }

  function drawMap(map) {
    for (let n = 0; n < game.places; n++) {
      const group = byId("p" + n);
      group.querySelector(".share").textContent = level(group, "youth", (map.youth || {})[n]);
      const lady = level(group, "lady", (map.lady || {})[n]);
      group.querySelector(".note-lady").textContent = lady && "Lady " + lady;
      group.querySelector(".note-read").textContent = map.notes[n] || "";
      for (const word of group.querySelectorAll("[data-f]")) {
        word.setAttribute("class", map.features === null ? "open"
          : map.features.includes(word.dataset.f) ? "may" : "out");
      }
    }
    token("pawn", map.pawn);
    token("poet", map.poet);
  }

  function drawTimeline(step) {
    const from = +line.dataset.left, to = +line.dataset.right;
    const x = from + (to - from) * at / Math.max(1, last);
    byId("cursor").setAttribute("x1", x);
    byId("cursor").setAttribute("x2", x);
    for (const end of line.querySelectorAll("[data-of]")) {
      const left = step.left[end.dataset.of];
      end.textContent = left === null ? "" : left;
    }
  }

  function show(number) {
    at = Math.min(last, Math.max(0, number));
    const step = steps[at];
    slider.value = at;
    slider.setAttribute("aria-valuetext", step.text);
    byId("count").textContent = (at + 1) + " of " + steps.length;
    byId("said").textContent = (step.turn ? "Turn " + step.turn + ". " : "") + step.text;
    byId("followed").textContent = step.result;
    drawMap(step.map);
    drawTimeline(step);
    const before = document.querySelector("#moves tr.now");
    if (before) before.classList.remove("now");
    byId("s" + at).classList.add("now");
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  }

  function toggle() {
    if (timer) { stop(); return; }
    if (at === last) show(0);
    play.textContent = "Stop";
    timer = setInterval(() => { show(at + 1); if (at === last) stop(); }, 900);
  }

  slider.max = last;
  slider.addEventListener("input", () => { stop(); show(+slider.value); });
  byId("first").addEventListener("click", () => { stop(); show(0); });
  byId("back").addEventListener("click", () => { stop(); show(at - 1); });
  byId("on").addEventListener("click", () => { stop(); show(at + 1); });
  byId("last").addEventListener("click", () => { stop(); show(last); });
  play.addEventListener("click", toggle);
  byId("moves").addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-step]");
    if (row) { stop(); show(+row.dataset.step); }
  });
  document.addEventListener("keydown", (event) => {
    if (event.target === slider || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft") show(at - 1);
    if (event.key === "ArrowRight") show(at + 1);
  });
  // On paper there is one map: the game as it ended.
  let seenOnScreen = last;
  window.addEventListener("beforeprint", () => { seenOnScreen = at; show(last); });
  window.addEventListener("afterprint", () => show(seenOnScreen));
  document.body.classList.remove("no-script");
  show(last);
})();
"""
