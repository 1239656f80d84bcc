"""How the page looks, on a screen and on paper."""

STYLE = """
:root { --ink:#2a2118; --faint:#7d715f; --line:#d9cdb4; --page:#f8f3e7; --paper:#f6efdd;
  --accent:#7a3b2e; --youth:#d97800; --rendezvous:#0a6fd0; --lady:#a8142c; --triples:#5b4a8a; }
* { box-sizing: border-box; }
html { background: #e9e0cc; }
body { margin: 0 auto; max-width: 1080px; padding: 28px 36px 48px; background: var(--page);
  color: var(--ink); font: 15px/1.45 Georgia, "Liberation Serif", "Times New Roman", serif; }
h1 { margin: 0; font-size: 30px; font-weight: normal; color: var(--accent); letter-spacing: .01em; }
h2 { margin: 34px 0 10px; font-size: 20px; font-weight: normal; color: var(--accent);
  border-bottom: 1px solid var(--line); padding-bottom: 3px; }
.facts { margin: 4px 0 2px; color: var(--faint); }
.outcome { margin: 10px 0 16px; font-size: 18px; }
.warning { margin: 10px 0; padding: 6px 12px; border-left: 4px solid #9a4a12; background: #f4e3cc; }
svg { display: block; width: 100%; height: auto; }
svg text { font-family: Georgia, "Liberation Serif", "Times New Roman", serif; fill: var(--ink); }
.paper { fill: var(--paper); }
polyline { fill: none; stroke-linecap: round; stroke-linejoin: round; }
.river-edge { stroke: #9db9c4; stroke-width: 66; } .river { stroke: #c3d6dd; stroke-width: 60; }
.road-edge { stroke: #8f7a54; stroke-width: 9; } .road { stroke: #cdb88f; stroke-width: 6; }
.ring { fill: #fffaf0; stroke-width: 8; }
.ring.blue { stroke: #5f7fb5; } .ring.green { stroke: #5f8f4e; } .ring.grey { stroke: #858585; }
.ring.purple { stroke: #8f629f; } .ring.red { stroke: #b3503f; }
circle.youth { fill: var(--youth); }
circle.lady { fill: none; stroke: var(--lady); stroke-width: 6; stroke-dasharray: 13 7; }
.share { text-anchor: middle; font-size: 20px; font-weight: bold; }
svg text.name, svg text.features, .note-read, .note-lady { paint-order: stroke;
  stroke: var(--paper); stroke-width: 5px; stroke-linejoin: round; }
.name { font-size: 20px; font-weight: bold; }
.features { font-size: 15px; } .note-read, .note-lady { font-size: 14px; font-style: italic; }
.features .may { font-weight: bold; fill: var(--rendezvous); }
.features .out { fill: #9b8f7b; stroke: none; text-decoration: line-through; }
svg text.note-lady { fill: var(--lady); font-weight: bold; }
.pawn path { fill: #1d1812; stroke: #fffaf0; stroke-width: 3; }
.poet path { fill: #6a3fa0; stroke: #fffaf0; stroke-width: 3; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 22px; margin: 8px 0 0; color: var(--faint);
  font-size: 14px; align-items: center; }
.legend svg { width: 22px; height: 22px; display: inline-block; vertical-align: -5px;
  margin-right: 5px; }
.legend .may { font-weight: bold; color: var(--rendezvous); }
#player { position: sticky; top: 0; z-index: 2; margin: 0 -36px; padding: 10px 36px 8px;
  background: var(--page); border-bottom: 1px solid var(--line); }
#player .row { display: flex; gap: 10px; align-items: center; }
#player input { flex: 1; accent-color: var(--accent); height: 26px; min-width: 120px; }
#player button { font: inherit; padding: 3px 13px; color: var(--ink); background: #e6dbc3;
  border: 1px solid #cbbd9d; border-radius: 5px; cursor: pointer; }
#player button:hover { background: #dccfae; }
#where { min-height: 3em; padding-top: 5px; }
#where b { font-weight: bold; } #where .result { color: var(--faint); }
.strip { font-size: 17px; } .of, .turn { font-size: 14px; fill: var(--faint) !important; }
.turn { text-anchor: middle; } .base { stroke: var(--line); } .tick { stroke: var(--faint); }
.area { opacity: .18; } .area.youth { fill: var(--youth); } .area.lady { fill: var(--lady); }
.area.rendezvous { fill: var(--rendezvous); } .area.triples { fill: var(--triples); }
.stair { stroke-width: 2.5; } .stair.youth { stroke: var(--youth); }
.stair.rendezvous { stroke: var(--rendezvous); } .stair.lady { stroke: var(--lady); }
.stair.triples { stroke: var(--triples); }
.end { font-size: 22px; font-weight: bold; }
#cursor { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 4 3; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th { text-align: left; font-weight: bold; }
thead th { color: var(--faint); font-weight: normal; border-bottom: 1px solid var(--line); }
td, th { padding: 3px 10px 3px 0; vertical-align: top; }
tbody tr + tr td, tbody tr + tr th { border-top: 1px solid #ece2cc; }
.num { text-align: right; font-variant-numeric: tabular-nums; }
.left { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.clock { white-space: nowrap; color: var(--faint); font-variant-numeric: tabular-nums; }
#moves td.num, #moves td.left { color: var(--faint); }
#moves tbody tr { cursor: pointer; } #moves tbody tr:hover { background: #f1e8d2; }
#moves tr.gone td:nth-child(4) { text-decoration: line-through; color: var(--faint); }
#moves tr.now { background: #f0e0bb; }
#moves .result { color: var(--faint); font-size: 13px; }
#moves img.seen { float: right; max-width: 90px; max-height: 64px; margin-left: 10px;
  border: 1px solid var(--line); }
.columns { display: grid; grid-template-columns: 3fr 2fr; gap: 0 40px; }
.clues .trait { text-align: center; padding: 3px 6px; }
.clues td, .clues th, .score td.num { white-space: nowrap; }
.clues td.certain { font-weight: bold; color: #2f6b2f; } .clues td.out { color: #9b8f7b; }
.sum td, .sum th { border-top: 2px solid var(--line) !important; font-weight: bold; }
.none, .ending { margin: 6px 0; } .none { color: var(--faint); }
footer { margin-top: 36px; padding-top: 8px; border-top: 1px solid var(--line);
  color: var(--faint); font-size: 13px; }
.no-script #player { display: none; }
@media (max-width: 720px) { body { padding: 16px; } .columns { grid-template-columns: 1fr; }
  #player { margin: 0 -16px; padding: 8px 16px; } }
@page { size: A4; margin: 14mm 13mm; }
@media print {
  html, body { background: #fff; } body { padding: 0; max-width: none; font-size: 10.5pt; }
  #player, #cursor { display: none; } .paper { fill: #fff; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  svg text.name, svg text.features, .note-read, .note-lady { stroke: #fff; }
  h1 { font-size: 22pt; } h2 { font-size: 14pt; margin: 16pt 0 6pt; break-after: avoid; }
  .block, tr, svg { break-inside: avoid; } thead { display: table-header-group; }
  table { font-size: 9.5pt; } #moves tr.now { background: none; } #moves .result { font-size: 9pt; }
}
"""
