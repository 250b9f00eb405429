/** The style of the heat-map and of the page of a night: a file of its own, which other pages do not load. */

/** Where a month of the heat-map begins: its first day of the month, and its day of the week. */
function weekStarts(): string {
  const days = Array.from(
    { length: 31 },
    (_none, day) => `.from-${day + 1} tr { counter-reset: day ${day}; }`,
  );
  const columns = [1, 2, 3, 4, 5, 6, 7].map(
    (day) => `.on-${day} td:nth-child(2) { grid-column-start: ${day}; }`,
  );
  return [...days, ...columns].join('\n  ');
}

export const HEAT_MAP_STYLE = `
/* The heat-map, and a night of it. */
.heat-box { overflow-x: auto; margin: 0 0 1rem; border: 1px solid var(--line); border-radius: var(--radius); }
.heat { width: auto; font-size: .8rem; line-height: 1.5rem; }
.heat :is(th, td) { min-width: 1.6rem; padding: 0; border: 1px solid var(--paper); text-align: center;
  vertical-align: middle; }
.heat tr > th:first-child { position: sticky; left: 0; z-index: 1; min-width: 8rem; max-width: 11rem;
  padding: 0 .5rem; background: var(--paper); text-align: left; line-height: 1.25; vertical-align: middle; }
.heat tbody tr:first-child th { padding-top: .5rem; color: var(--muted); font-weight: 500; }
.heat tbody tr:first-child th:first-child { color: var(--ink); font-weight: 650; }
.heat th.we, .heat a:hover { text-decoration: underline; }
.heat a { display: block; color: inherit; text-decoration: none; }
.heat a { scroll-margin-bottom: 9rem; }
.heat-night { padding: .3rem 0; }
.heat a:focus-visible { outline-offset: -2px; outline-color: var(--ink); }
.heat td.chosen { box-shadow: inset 0 0 0 2px var(--accent); }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; padding: 0; list-style: none; font-size: .9rem; }
.legend li { display: flex; align-items: start; }
.night-state { padding: .2rem .7rem; border-radius: .3rem; }
.legend b { min-width: 1.5rem; margin-right: .5rem; text-align: center; }
[data-state=past], .s-past { background: var(--soft); color: var(--muted); }
[data-state=closed], .s-closed { background: var(--bad-soft); color: var(--bad); font-weight: 650; }
[data-state=not_set_up], .s-not_set_up { background: var(--paper); color: var(--muted);
  outline: 1px dashed var(--line); outline-offset: -1px; }
[data-state=sold], .s-sold { background: var(--line); color: var(--ink); }
[data-state=unpriced], .s-unpriced { background: var(--paper); color: var(--accent);
  box-shadow: inset 0 0 0 1px var(--line); }
[data-state=open], .s-open, [data-state=restricted], .s-restricted { background: var(--good-soft); color: var(--good); }
[data-state=restricted], .s-restricted {
  background-image: linear-gradient(225deg, var(--warn) .35rem, transparent 0); background-repeat: no-repeat; background-origin: border-box; }

/* The nights fill the page; what can be done with them stays in sight. */
main:has(.heat) { max-width: none; }
main .heat { width: 100%; }
.heat td a.we { background: color-mix(in srgb, var(--ink) 6%, transparent); }
.heat.figures td { font-size: .72rem; font-variant-numeric: tabular-nums; }
.night-bar { position: sticky; bottom: 0; z-index: 2; background: var(--paper); border-top: 1px solid var(--line); }
.night-acts { display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; align-items: end; padding: .4rem 0; }
.night-acts form { margin: 0; } .night-acts > p { flex-basis: 100%; margin: 0; } .chosen-nights { font-weight: 650; }
.chosen-nights:empty { display: none; }
.has-nights .night-acts { align-items: center; }
.has-nights .night-acts > p { flex-basis: auto; }
.has-nights :is(label, .field):has([name=type], [name=from], [name=to], [name=checkIn], [name=checkOut]) { display: none; }
.has-nights label:has([name=guests]) { flex-direction: row; align-items: center; gap: .4rem; } .has-nights [name=guests] { width: 4rem; }
.night-acts details[open] { flex-basis: 100%; } .night-acts summary { padding: .45rem 0; }
.night-acts .tall { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: start; max-width: none; }
.night-acts .tall .field { flex: 1 1 7rem; max-width: 14rem; } .night-acts .tall button { margin-top: 1.7rem; }
.tap-hint { display: none; margin: 0; } .night-bar .heat-night { margin: 0; }
@media (hover: none), (scripting: none) { .heat-night { display: none; } }
@media (hover: none) and (scripting: enabled) { .tap-hint { display: block; } }
@media (scripting: none), (max-height: 34rem) { .night-bar { position: static; } }
/* On a phone a month is weeks: the cells of a row wrap after Sunday, and each says its day. */
@container (max-width: 48rem) {
  .night-bar:not(.has-nights) { position: static; } .has-nights .tap-hint { display: none; }
  .has-nights .night-acts { gap: .3rem .6rem; } .has-nights .tall small { display: none; } .has-nights button { padding: .2rem .5rem; font-size: .9rem; }
  .heat, .heat tbody:not([hidden]) { display: block; }
  .months:not([hidden]) { display: flex; flex-wrap: wrap; gap: .3rem; justify-content: space-between; margin: .3rem 0; }
  .heat tbody tr { display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); margin: 0 0 .6rem; }
  .heat tbody tr:first-child { margin: 0; }
  .heat tbody tr:first-child th:not(:first-child) { display: none; }
  .heat :is(th, td) { min-width: 0; }
  main .heat tr > th:first-child { position: static; grid-column: 1 / -1; max-width: none; padding: .3rem 0; }
  .heat td { counter-increment: day; line-height: 1.15; overflow: hidden; }
  .heat td a { padding: .3rem 0; }
  .heat td a::before { content: counter(day); display: block; font-size: .8em; font-weight: 400; }
  ${weekStarts()}
}
@media print {
  .heat-box { overflow: visible; border: 0; }
  .heat { font-size: .55rem; line-height: 1rem; }
  .heat th, .heat td { min-width: .95rem; }
  .heat tr > th:first-child { min-width: 0; }
}
`;
