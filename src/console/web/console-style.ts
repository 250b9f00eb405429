/** Shows table rows as lists of fields, each cell with its heading. */
function rowsAsLists(within: string): string {
  return `
  ${within} table:has([data-head]) thead { position: absolute; left: -100rem; }
  ${within} tr:has([data-head]) { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  ${within} :is(tr:has([data-head]) th, [data-head]) {
    display: var(--cell, block); padding: .1rem 0; border: 0; overflow-wrap: anywhere;
  }
  ${within} tr:has([data-head]) bdi { overflow-wrap: anywhere; }
  ${within} tr:has([data-head]) time { white-space: normal; }
  ${within} [data-head]:has(form)::before { display: block; }
  ${within} [data-head]:empty { display: none; } ${within} [data-head] svg { display: inline; }
  ${within} [data-head]::before { content: var(--head, attr(data-head) ": "); color: var(--muted); font-size: .85rem; }`;
}

/** The console's additions to the base style. */
export const CONSOLE_STYLE = `
[hidden] { display: none !important; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: .5rem; top: .5rem; z-index: 5; padding: .5rem 1rem; background: var(--paper); }
body { container: page / inline-size; }
.frame { display: flex; flex-direction: column; } .side { order: -1; }
.side { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; align-items: center; padding: .5rem min(1.25rem, 4vw);
  background: var(--soft); border-bottom: 1px solid var(--line); }
.side p { margin: 0; }
.side a { display: inline-block; padding: .3rem 0; color: var(--muted); text-decoration: none; }
.side a:hover { color: var(--accent); }
.side [aria-current] { color: var(--ink); font-weight: 650; text-decoration: underline; text-decoration-color: var(--accent);
  text-decoration-thickness: 2px; text-underline-offset: .35em; }
.side .group { padding: .7rem 0 .1rem; color: var(--muted); font-size: .8rem; }
.side .who { color: var(--muted); font-size: .9rem; }
.side .who a { display: -webkit-box; max-width: 14rem; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 1; } .side form { display: flex; margin: 0; }
.side .who button { min-height: 1.9rem; padding: 0; border: 0; color: var(--muted); }
.side > nav.whole { display: none; }
.side > .who { display: flex; flex-wrap: wrap; gap: 0 .8rem; align-items: center; order: 1; min-width: 0; margin-left: auto; } .side > .short { order: 2; flex-basis: 100%; }
.short { display: flex; flex-wrap: wrap; gap: 0 1.1rem; align-items: baseline; }
.more summary { display: inline-block; padding: .3rem 0; color: var(--muted); }
.more summary::before { content: "☰ " / ""; } .more summary.current { color: var(--ink); font-weight: 650; }
.more { margin-left: auto; } .more[open] { flex-basis: 100%; margin: 0; padding-bottom: .6rem; }
.more p:not(.group) { display: grid; }
.page-bar { display: flex; flex-wrap: wrap; gap: .4rem .8rem; align-items: center; justify-content: flex-end;
  padding: .7rem min(2rem, 4vw) 0; font-size: .92rem; }
.page-bar:not(:has(.where, .act)) { margin-bottom: -2.8rem; }
.where { order: -1; flex: 1 1 auto; min-width: 0; color: var(--muted); }
.where > :not(:first-child)::before { content: "›" / ""; display: inline-block; padding: 0 .5em 0 .2em; color: var(--muted); text-decoration: none; }
.where a { color: inherit; text-decoration: none; } .where a:hover { color: var(--accent); text-decoration: underline; }
.act { display: inline-block; padding: .35rem .9rem; border-radius: .4rem; background: var(--accent); color: var(--on-accent);
  font-weight: 600; text-decoration: none; }
.act:hover { background: color-mix(in srgb, var(--accent) 85%, var(--ink)); }
.page-menu { position: relative; } .page-menu p { margin: 0; } .page-menu p + p { margin-top: .5rem; }
.page-menu summary { padding: .15rem .7rem; border: 1px solid var(--line); border-radius: .4rem; color: var(--muted); list-style: none; }
.page-menu summary::-webkit-details-marker { display: none; }
.page-menu > div { position: absolute; right: 0; z-index: 4; width: max-content; max-width: min(26rem, 80vw); margin-top: .3rem; padding: .8rem 1rem;
  border: 1px solid var(--line); border-radius: var(--radius); background: var(--paper); box-shadow: 0 .5rem 1.5rem #0003; color: var(--muted); }
@container page (min-width: 62rem) {
  .frame:has(.whole) { display: grid; grid-template: auto 1fr / 13.5rem minmax(0, 1fr); min-height: 100vh;
    background: linear-gradient(to right, var(--soft) 13.5rem, transparent 0); }
  .frame:has(.whole) > .side { grid-area: 1 / 1 / 3 / 2; display: block; position: sticky; top: 0; height: 100vh; overflow-y: auto;
    padding: 1rem .8rem; border: 0; border-right: 1px solid var(--line); }
  .page-bar { grid-area: 1 / 2; min-height: 3.2rem; } main { grid-area: 2 / 2; }
  .side > nav.short { display: none; } .side > nav.whole, .side > .who { display: block; }
  .side .mark { padding: .2rem .6rem .8rem; }
  .side > nav p { display: grid; gap: .05rem; } .side > nav .group { padding: .9rem .6rem .2rem; }
  .side > nav a { padding: .28rem .6rem; border-radius: .4rem; color: var(--ink); }
  .side > nav a:hover { background: color-mix(in srgb, var(--ink) 6%, transparent); }
  .side > nav [aria-current] { background: color-mix(in srgb, var(--accent) 14%, transparent); text-decoration: none; }
  .side > .who { margin: 1.2rem 0 0; padding: .8rem .6rem 0; border-top: 1px solid var(--line); }
}
.mark { display: flex; min-width: 0; gap: .5rem; align-items: center; align-self: center; font-weight: 650; }
.mark img { max-width: 8rem; height: 1.25rem; }
main { container-type: inline-size; width: 100%; max-width: 78rem; padding: .6rem min(2rem, 4vw) 3rem; }
h1 { margin: 0 0 .75rem; font-size: min(1.6rem, 9vw); }
h2 { margin: 2rem 0 .6rem; font-size: min(1.2rem, 8vw); }
h3 { margin: 1.2rem 0 .4rem; font-size: min(1rem, 7vw); }
p, ul, dl { margin: 0 0 1rem; }
.refusal { color: var(--bad); white-space: nowrap; }
.fine { color: var(--muted); font-size: .88rem; }
.good, .bad, .warn { padding: .7rem 1rem; border-radius: var(--radius); }
.good { background: var(--good-soft); color: var(--good); }
.bad { background: var(--bad-soft); color: var(--bad); }
.warn { background: var(--warn-soft); color: var(--warn); }
:is(p, div, li, section):is(.good, .bad, .warn) { position: relative; padding-left: 2.9rem; }
:is(p, div, li, section):is(.good, .bad, .warn)::before { content: "!" / ""; position: absolute; left: .95rem; top: .85rem; width: 1.3rem; height: 1.3rem;
  border-radius: 50%; background: var(--mark); color: var(--paper); font-size: .85rem; font-weight: 700; line-height: 1.3rem; text-align: center; }
main :is([role=status], [role=alert]):focus { outline: none; }
div[role=status]:is(.good, .warn) { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; margin: 0 0 1rem; } div[role=status] > :is(p, form) { margin: 0; }
.good { --mark: var(--good); } .bad { --mark: var(--bad); } .warn { --mark: var(--warn); }
@container page (max-width: 14rem) { :is(p, div, li, section):is(.good, .bad, .warn) { padding-left: .6rem; padding-right: .6rem; }
  :is(p, div, li, section):is(.good, .bad, .warn)::before { display: none; } .todo li > span { flex-basis: 100%; } }
:is(p, div, li, section).good::before { content: "✓" / ""; } :is(.good, .bad, .warn) > p:last-child { margin-bottom: 0; }
.wide { overflow-x: auto; margin: 0 0 1rem; }
table { width: 100%; border-collapse: collapse; font-size: .93rem; }
.sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
th, td { padding: .4rem .9rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { color: var(--muted); font-size: .82rem; white-space: nowrap; }
[scope=row] time { white-space: nowrap; }
.trail { padding: 0; list-style: none; } .trail li { padding: .45rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.trail time { color: var(--muted); } .trail small { display: block; color: var(--muted); }
.todo { display: grid; grid-template-columns: minmax(0, 1fr); gap: .6rem; padding: 0; list-style: none; }
.todo li { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; color: var(--ink); }
.todo li > span { flex: 1 1 16rem; min-width: 0; } td svg { display: block; }
.progress { display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: center; color: var(--muted); }
progress { flex: 0 1 20rem; min-width: 8rem; height: .55rem; appearance: none; border: 0; border-radius: 1rem; overflow: hidden; background: var(--line); }
progress::-webkit-progress-bar { background: var(--line); } progress::-webkit-progress-value { background: var(--accent); }
progress::-moz-progress-bar { background: var(--accent); }
.card { padding: min(1rem, 3vw) min(1.2rem, 3vw); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: 0 1px 3px #0001; }
.card h2 { margin: 0 0 .3rem; font-size: 1.1rem; } .card p { max-width: 44rem; } .acts { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(30rem, 100%), 1fr)); gap: 1rem; padding: 0; list-style: none; }
.card h3 { margin: 0 0 .6rem; font-size: min(1rem, 6vw); overflow-wrap: anywhere; } h3 > .good { padding: .05rem .5rem; font-size: .85rem; font-weight: 600; } .card h3 > .fine { font-weight: 400; }
.setup-card { margin: 0 0 1.5rem; } .setup-card > p:last-child { margin: .7rem 0 0; font-size: .92rem; }
.steps-to-do { max-width: 48rem; margin: 0; padding: 0; list-style: none; }
.steps-to-do li { padding: .3rem 0; } .steps-to-do .card { margin: .5rem 0; }
.steps-to-do li > a { color: var(--ink); text-decoration: none; } .steps-to-do li > a:hover { text-decoration: underline; }
.steps-to-do li:not([data-state=next])::before { content: "" / ""; display: inline-block; width: 1.25rem; height: 1.25rem; margin-right: .7rem; vertical-align: -.2rem;
  border: 1.5px solid var(--muted); border-radius: 50%; }
.steps-to-do li[data-state=done]::before { content: "✓" / ""; border-color: var(--good); background: var(--good-soft); color: var(--good);
  font-size: .8rem; line-height: 1.1rem; text-align: center; vertical-align: 0; }
.steps-to-do [data-state=done] > a { color: var(--muted); } .steps-to-do small { margin-left: .4rem; color: var(--muted); }
code { padding: .1em .3em; background: var(--soft); border-radius: .3em; }
code span, .whole { white-space: nowrap; } bdi { overflow-wrap: anywhere; }
bdi.word { overflow-wrap: break-word; } th .fine { font-weight: 400; }
.secret { display: block; padding: .7rem 1rem; font-size: 1rem; overflow-wrap: anywhere; user-select: all; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; }
dt { color: var(--muted); } dd { margin: 0; min-width: 0; }
form { display: inline-flex; max-width: 100%; flex-wrap: wrap; gap: .5rem .8rem; align-items: end; vertical-align: bottom;
  margin: 0 0 .5rem; }
label { display: inline-flex; flex-direction: column; min-width: 0; max-width: 100%; gap: .15rem;
  color: var(--muted); font-size: .85rem; }
input, select, button { min-width: 0; min-height: 2.2rem; max-width: 100%; padding: .25rem .7rem;
  border: 1px solid var(--muted); border-radius: .4rem; background: var(--paper); color: var(--ink); font: inherit; }
input:disabled { background: var(--soft); color: var(--muted); }
[type=checkbox] { width: 1.5rem; min-height: 1.5rem; margin: .35rem 0; }
button { border-color: var(--accent); background: var(--accent); color: var(--on-accent); cursor: pointer; }
button.quiet { background: none; color: var(--accent); }
a.quiet { display: inline-block; padding: .25rem .8rem; border: 1px solid currentColor; border-radius: .4rem; text-decoration: none; }
button.danger { border-color: var(--bad); background: none; color: var(--bad); }
.tall { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; justify-items: start; max-width: 40rem; margin: 0 0 1rem; }
.tall .field, .tall :is(input:not([type=checkbox]), textarea, select) { width: 100%; } .tall label { display: block; }
.tall .field > label, .tall legend { color: var(--ink); font-weight: 600; font-size: .95rem; } .tall small { display: block; color: var(--muted); }
section:is(.good, .bad, .warn) { margin: 0 0 1rem; } form.broad { display: block; } .broad :is(select, [type=checkbox]) { margin: 0; } .broad select { max-width: min(20rem, 100%); }
.tall fieldset { min-width: 0; margin: 0; padding: 0; border: 0; } .tall legend { padding: 0; }
.tall fieldset.field > label { display: flex; flex-direction: row; gap: .5rem; align-items: center; font-weight: 400;
  overflow-wrap: anywhere; }
.tall [type=file] { padding: 1.6rem 1rem; border: 2px dashed var(--muted); background: var(--soft); }
.tall details { width: 100%; } .tall details .field { margin: 0 0 .8rem; }
.wrong { margin: .2rem 0 0; color: var(--bad); font-weight: 600; } [aria-invalid] { border: 2px solid var(--bad); }
.bad a { color: inherit; } .bad ul { margin: 0; } summary { padding: .35rem 0; color: var(--accent); cursor: pointer; }
textarea { max-width: 100%; padding: .4rem .7rem; border: 1px solid var(--muted); border-radius: .4rem; background: var(--paper); color: var(--ink); font: inherit; }
pre { margin: 0 0 .4rem; overflow-x: auto; padding: .7rem 1rem; background: var(--soft); border-radius: var(--radius);
  white-space: pre-wrap; overflow-wrap: anywhere; user-select: all; }
pre code { padding: 0; background: none; } [data-copy] + button { display: block; margin: .4rem 0 1rem; }
:is(td, dd) > :is(.good, .bad, .warn) { display: inline-block; padding: .05rem .5rem; border-radius: .3rem; }
main form:has(+ form) { margin-right: .5rem; }
.numeric td, .numeric thead th:not(:first-child) { text-align: right; font-variant-numeric: tabular-nums; }

/* Lines of numbers by day, and shares of searches. */
.plot { margin: 0 0 1rem; overflow: hidden; }
.plot .u-legend { font: inherit; font-size: .88rem; text-align: left; }
.plot .u-legend th, .plot .u-legend td { border: 0; padding: .15rem .3rem; }
.u-legend .u-marker { border-width: 2px; }
.share { width: auto; }
.share tr > th:first-child { position: sticky; left: 0; z-index: 1; min-width: 8rem; max-width: 11rem;
  padding: 0 .5rem; background: var(--paper); line-height: 1.25; vertical-align: middle; }
.share td, .share th { padding: .35rem .6rem; border: 1px solid var(--paper); }
.share td { min-width: 4.2rem; white-space: nowrap; text-align: right; font-variant-numeric: tabular-nums; }
.share small { display: block; font-size: .84em; } .share th small { white-space: normal; }
.share .m0 { background: var(--good-soft); color: var(--good); }
.share .m1 { background: color-mix(in srgb, var(--warn-soft) 60%, var(--paper)); color: var(--warn); }
.share .m2 { background: var(--warn-soft); color: var(--warn); font-weight: 600; }
.share .m3 { background: var(--bad-soft); color: var(--bad); font-weight: 650; }
.share .m4 { background: var(--bad); color: var(--paper); font-weight: 700; } .share [data-head]::before { color: inherit; }

/* Numbers of a week, and steps of the funnel. */
.numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(max(8.5rem, 22%), 100%), 1fr)); gap: .8rem; padding: 0; list-style: none; }
.numbers li { padding: .6rem .8rem; border: 1px solid var(--line); border-radius: var(--radius); }
.numbers :is(span, b, small, svg) { display: block; overflow-wrap: anywhere; } .numbers b { font-size: min(1.4rem, 8vw); }
.numbers :is(span, small), .steps small { color: var(--muted); } .numbers svg { width: 100%; color: var(--accent); }
.steps { display: grid; gap: .5rem; padding: 0; list-style: none; }
.steps svg { display: block; width: 100%; height: .6rem; background: var(--soft); color: var(--accent); }
.quote-head { display: flex; flex-wrap: wrap; gap: .4rem 2rem; align-items: baseline; justify-content: space-between; max-width: 44rem; margin: 0 0 1.4rem;
  padding: 0 0 1rem; border-bottom: 1px solid var(--line); }
.quote-head p { margin: 0; font-size: 1.1rem; } .quote-head b { display: block; font-size: min(1.8rem, 9vw); line-height: 1.2; }
.quote-head small { display: block; color: var(--muted); }
.sums { max-width: 44rem; } .sums dl { grid-template-columns: 1fr max-content; column-gap: 0; } .sums dd { text-align: end; font-variant-numeric: tabular-nums; }
.sums :is(dt, dd):nth-last-of-type(1) { padding-top: .4rem; border-top: 1px solid var(--line); color: var(--ink); font-weight: 650; }
.calls { display: grid; grid-template-columns: minmax(13rem, 20rem) minmax(0, 1fr); gap: 1rem 2rem; align-items: start; }
.calls ol { margin: 0; padding: 0; border: 1px solid var(--line); border-radius: var(--radius); list-style: none; overflow: hidden; }
.calls li { position: relative; display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: center; justify-content: space-between; padding: .5rem .9rem; }
.calls li + li { border-top: 1px solid var(--line); } .calls li form { margin: 0; } .calls li:has(:checked) { background: var(--soft); }
.calls li > input { position: absolute; inset: 0 auto 0 0; width: 100%; height: 100%; min-height: 0; margin: 0; opacity: 0; cursor: pointer; }
.calls li:has(> :focus-visible) { outline: 2px solid var(--accent); outline-offset: -2px; }
.calls label { flex: 1 1 7rem; color: var(--ink); font-size: 1rem; cursor: pointer; } .calls li:has(:checked) label { font-weight: 650; }
.calls button { position: relative; z-index: 1; min-height: 1.9rem; padding: .1rem .6rem; font-size: .88rem; }
.calls h3 { margin-top: 0; } .calls h2 { margin: 1rem 0 .4rem; font-size: 1rem; } .calls section pre { max-height: 26rem; overflow: auto; }
.calls + p { margin-top: 1.2rem; } .panel { display: none; }
${[1, 2, 3, 4].map((number) => `.calls:has(#call-${number}:checked) .panel:nth-child(${number})`).join(', ')} { display: block; }
.tabs { display: flex; flex-wrap: wrap; gap: 0 1.4rem; margin: 0 0 1.4rem; border-bottom: 1px solid var(--line); }
.tabs a { padding: .4rem 0; border-bottom: 2px solid transparent; color: var(--muted); text-decoration: none; }
.tabs a:hover { color: var(--ink); } .tabs a[aria-current] { border-color: var(--accent); color: var(--ink); font-weight: 650; }
.switch { display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: baseline; }
.switch a[aria-current] { color: var(--ink); font-weight: 650; text-decoration: none; }

/* Of the room that there is at the size of the text: the width of a screen does not tell how large its text is. */
@container (max-width: 48rem) { ${rowsAsLists('.wide')}
  .numeric .wide [data-head]:not(th) { display: inline-block; min-width: 9rem; text-align: left; }
}
@container (max-width: 60rem) { ${rowsAsLists('.wide:has(thead :nth-child(7)):not(.numeric .wide)')} }
/* A row of a long list in a few lines: what most cells are is plain from what they say. */
.compact :is(th, td) { --cell: inline; } .compact td { --head: none; } .compact td:nth-child(6) { --head: attr(data-head) " "; }
@container (max-width: 60rem) { .compact :is(tbody th, td:not(:last-child))::after { content: " · "; color: var(--muted); } }
@container (max-width: 44rem) { .calls { grid-template-columns: minmax(0, 1fr); } }
@container (max-width: 18rem) { .sums dl { grid-template-columns: minmax(0, 1fr); } .sums dd { text-align: start; } }
@container (max-width: 34rem) {
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin: 0 0 .6rem; }
}
@container (max-width: 48rem) {
  .share tr > th:first-child { position: static; max-width: none; }
  .share, .share tbody { display: block; width: auto; } .share [data-head] { text-align: start; }
}
@media print {
  .side nav, .side .who, .page-bar, main form, .skip, .plot, .night-acts, .switch, h2:has(+ form), [data-head]:has(form) { display: none !important; }
  .frame:has(.whole) { display: block; background: none; }
  .frame:has(.whole) > .side { display: flex; position: static; height: auto; padding: 0 0 .5rem; border: 0; background: none; }
  main { padding: 0; } .tabs, details:not([open]) { display: none; } h2 { break-after: avoid; } tr { break-inside: avoid; }
  .wide { overflow: visible; }
  .share :is(td, th) { min-width: 0; padding: .15rem .2rem; font-size: .55rem; white-space: normal; }
  [data-state], .legend b, .share td { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
