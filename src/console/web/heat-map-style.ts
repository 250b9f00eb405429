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

/* One type by month, and the panel for the nights that are chosen. */
.by-month { display: grid; grid-template-columns: minmax(0, 1fr) 19rem; gap: 1.5rem; align-items: start; }
.months-of { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: 1.2rem 1.6rem; align-items: start; }
.months-of { overflow-x: auto; padding: 3px; margin: -3px; }
.month { table-layout: fixed; min-width: 18rem; border-collapse: separate; border-spacing: 2px; font-size: .85rem; }
.month[hidden] { display: none; }
.month caption { padding: 0 0 .3rem; font-weight: 650; text-align: left; } .month caption::first-letter { text-transform: uppercase; }
.month th { padding: 0 0 .2rem; border: 0; font-size: .75rem; font-weight: 500; text-align: center; }
.month td { padding: 0; border: 0; vertical-align: top; }
.month a { display: block; min-height: 3rem; padding: .2rem .1rem .2rem .25rem; border: 1px solid var(--line); border-radius: .35rem; color: inherit; line-height: 1.25; text-decoration: none; overflow: hidden; }
.month a:hover { border-color: var(--accent); } .month a:focus-visible { outline-offset: 0; }
.month b { display: block; white-space: nowrap; color: var(--muted); font-size: .72rem; font-weight: 500; }
.month span { display: block; font-size: .74rem; letter-spacing: -.01em; font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; }
.month td:not([data-look=open], [data-look=restricted]) > a { background: var(--soft); color: var(--muted); border-color: transparent; }
.month td:not([data-look=open], [data-look=restricted]) span { font-size: .68rem; font-weight: 400; }
.month [data-look=unpriced] > a { border: 1px dashed var(--warn) !important; } .month [data-look=unpriced] span { color: var(--warn); }
.month td.chosen > a { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 18%, var(--paper)) !important; color: var(--ink) !important; }
.month td.chosen b { color: var(--ink); }
.months:not([hidden]) { display: flex; flex-wrap: wrap; gap: .3rem; justify-content: space-between; margin: .6rem 0; }
.by-month .night-acts { position: sticky; top: 1rem; display: block; padding: 1rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--paper); box-shadow: 0 1px 3px #0001; }
.night-acts form { margin: 0 0 .6rem; } .chosen-nights { margin: 0 0 .6rem; font-weight: 650; }
.chosen-night:not([hidden]) { display: block; margin: 0 0 .6rem; }
.by-month .tall { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .6rem .7rem; align-items: start; max-width: none; margin: 0; }
.by-month .tall > :is(.bad, .field:has([name=type]), .field:has([name=rate])), .by-month [data-act=nights-save] > button { grid-column: 1 / -1; }
.by-month .tall [type=date] { padding: .25rem .4rem; font-size: .85rem; } .by-month .tall > button { width: 100%; } .night-acts .tall small { font-size: .8rem; line-height: 1.35; }
.by-month [data-act=nights-save] > button { font-weight: 600; }
.by-month [data-act=close] { margin-top: .9rem; padding-top: .9rem; border-top: 1px solid var(--line); }
.night-acts details { padding-top: .4rem; } .night-acts details form { display: grid; gap: .6rem; margin-top: .4rem; }
.has-nights :is(label, .field):has([name=type], [name=from], [name=to], [name=checkIn], [name=checkOut]):not(:has([aria-invalid])) { display: none; }
.tap-hint { display: none; margin: 0; } .heat-night { margin: .3rem 0 0; }
@media (hover: none), (scripting: none) { .heat-night { display: none; } }
@media (hover: none) and (scripting: enabled) { .tap-hint { display: block; } }
@media (scripting: none), (max-height: 40rem) { .by-month .night-acts { position: static; } }
@container (max-width: 30rem) { .by-month .tall { grid-template-columns: minmax(0, 1fr); } }
@container (max-width: 52rem) { .by-month { grid-template-columns: minmax(0, 1fr); } .by-month .night-acts { position: static; } }
/* On a phone a month is weeks: the cells of a row wrap after Sunday, and each says its day. */
@container (max-width: 48rem) {
  .heat, .heat tbody:not([hidden]) { display: block; }
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
