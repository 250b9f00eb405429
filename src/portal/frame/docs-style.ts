/** Styles of the documentation beside the base style. */

const BAR_HEIGHT = '3.25rem';

/** The bar above every page, also the reference. */
export const TOP_BAR_STYLE = `
.bar { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: center; min-height: ${BAR_HEIGHT};
  padding: .5rem min(1.25rem, 5vw); background: var(--paper); border-bottom: 1px solid var(--line); font: .95rem/1.2 var(--sans); }
.bar a { padding: .25rem 0; color: var(--muted); text-decoration: none; }
.bar a:hover { color: var(--accent); }
.bar .home { color: var(--ink); font-weight: 650; }
.bar nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.bar a[aria-current] { color: var(--accent); font-weight: 600; }
.said { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.search { position: relative; display: flex; align-items: center; min-height: 2.2rem; margin-left: auto; }
.search input { width: 12rem; max-width: 100%; min-height: 2.2rem; padding: .2rem .7rem; border: 1px solid var(--muted); border-radius: 1rem;
  background: var(--paper); color: var(--ink); font: inherit; }
.found { position: absolute; right: 0; top: calc(100% + .5rem); z-index: 25; width: min(34rem, 92vw); max-height: 75vh; overflow-y: auto; padding: .75rem 1rem;
  border: 1px solid var(--line); border-radius: var(--radius); background: var(--paper); box-shadow: 0 6px 24px rgb(0 0 0 / .2); }
.found p { margin: 0 0 .25rem; color: var(--muted); font-size: .88rem; }
.found ol { margin: 0 0 .5rem; padding: 0; list-style: none; }
.found li { margin: 0; border-bottom: 1px solid var(--line); }
.bar .found a { display: block; padding: .5rem 0; line-height: 1.4; }
.bar .found b { display: block; color: var(--ink); }
.found mark { background: none; color: var(--accent); font-weight: 600; }
@media (max-width: 60rem) { .bar { position: relative; } .search { position: static; width: 100%; } .search input { width: 100%; }
  .found { left: min(1.25rem, 5vw); right: min(1.25rem, 5vw); top: calc(100% - .25rem); width: auto; } }
@media (max-width: 34rem) { .bar .home { display: none; } .bar nav { gap: .25rem 1rem; } }
@media (min-width: 60rem) { .bar { position: sticky; top: 0; z-index: 20; } }
`;

/**
 * The reference keeps its own columns below the bar. Its colours are darkened to a contrast of 4.5 to 1 (WCAG 2.2 AA),
 * and its pixel sizes follow the reader's text size.
 */
export const REFERENCE_STYLE = `
html:root { --scalar-heading-1: min(1.5rem, 11vw); --scalar-heading-2: min(1.25rem, 11vw); --scalar-heading-3: 1rem; --scalar-heading-4: 1rem;
  --scalar-heading-5: 1rem; --scalar-heading-6: 1rem; --scalar-page-description: 1rem; --scalar-paragraph: 1rem;
  --scalar-small: .875rem; --scalar-mini: .8125rem; --scalar-micro: .75rem;
  --scalar-font-size-1: 1.3125rem; --scalar-font-size-2: 1rem; --scalar-font-size-3: .875rem; --scalar-font-size-4: .8125rem;
  --scalar-font-size-5: .75rem; --scalar-font-size-6: .75rem; --scalar-font-size-7: .625rem;
  --scalar-line-height-1: 2rem; --scalar-line-height-2: 1.5rem; --scalar-line-height-3: 1.25rem; --scalar-line-height-4: 1.125rem;
  --scalar-line-height-5: 1rem; }
@media (min-width: 60rem) { :root { --scalar-custom-header-height: ${BAR_HEIGHT}; } }
html .light-mode { --scalar-color-2: #5f5f5f; --scalar-color-3: #686868; --scalar-color-blue: #0a66a8; --scalar-color-green: #08744b;
  --scalar-color-red: #b3261e; --scalar-color-orange: #9a4d00; --scalar-color-yellow: #7a5b00; --scalar-color-purple: #6b4fc0; }
html .dark-mode { --scalar-color-3: #949494; }
.around { display: contents; }
#reference .endpoints { overflow: visible; max-height: none; }
#reference .endpoints * { min-width: 0; white-space: normal; overflow-wrap: anywhere; }
#reference .endpoint, #reference .client-libraries-tabs, #reference :has(> [data-testid='auth-indicator']) { flex-wrap: wrap; height: auto; }
#reference .endpoint { display: flex; }
#reference .client-libraries-tabs > button { flex: 1 1 auto; width: auto; }
#reference .endpoint-method { flex: none; overflow-wrap: normal; }
#reference button:has([data-testid='auth-indicator']) { max-height: none; }
#reference [data-testid='auth-indicator'] { white-space: normal; }
#reference table { display: block; overflow-x: auto; }
#reference button.absolute[aria-expanded] { display: grid; place-items: center; min-width: 1.5rem; min-height: 1.5rem; }
#reference td, #reference td code { overflow-wrap: normal; word-break: normal; }
#reference section[tabindex='-1']:focus-visible { outline: none; }
#reference:not(:empty) ~ .early { display: none; }
.early { max-width: 40rem; margin: 2rem auto; padding: 0 1.25rem; overflow-wrap: anywhere; }
.early li { margin-block: .75rem; }
.early code { display: block; }
noscript p { max-width: 40rem; margin: 2rem auto; padding: 0 1.25rem; }
`;

/** Colours of code by the classes of `highlight.ts`, on `--soft`; a test checks their contrast. */
export const CODE_STYLE = `
:root { --code-c: #5c6470; --code-s: #17653a; --code-k: #8a2a8c; --code-n: #8a4200; --code-a: #0b5c8a; --code-v: #a3231b; }
@media (prefers-color-scheme: dark) {
  :root { --code-c: #a2acb9; --code-s: #7fd3a0; --code-k: #d8a6e8; --code-n: #f0c070; --code-a: #7cc4ee; --code-v: #ff9a90; }
}
pre .c { color: var(--code-c); } pre .s { color: var(--code-s); } pre .k { color: var(--code-k); }
pre .n { color: var(--code-n); } pre .a { color: var(--code-a); } pre .v { color: var(--code-v); }
`;

export const DOCS_STYLE = `
@media (min-width: 60rem) { :root { scroll-padding-top: calc(${BAR_HEIGHT} + 1rem); } }
@media (max-width: 59.99rem) { :root:has(.up) { scroll-padding-bottom: 4rem; } }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: .5rem; z-index: 30; padding: .4rem .8rem; background: var(--paper); }
.plain { max-width: 46rem; margin: 0 auto; padding: 1.5rem min(1.25rem, 5vw) 5rem; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 76rem; margin: 0 auto; padding: 1.5rem min(1.25rem, 5vw) 5rem; }
.columns main { max-width: 46rem; min-width: 0; }
.contents { font-size: .92rem; }
.contents .beside { display: none; }
.contents p, .contents summary { margin: 0 0 .5rem; font-weight: 600; }
.contents summary { margin: 0; cursor: pointer; }
.contents ol { margin: .5rem 0 0; padding: 0; list-style: none; }
#contents { scroll-margin-top: 4.5rem; }
main ul, main ol { padding-inline-start: min(2.5rem, 7vw); }
.contents a { display: block; padding: .22rem 0; color: var(--muted); text-decoration: none; }
.contents a:hover { color: var(--accent); }
.folded { margin-bottom: 1.75rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: var(--radius); }
@media (min-width: 60rem) {
  .columns { grid-template-columns: 15rem minmax(0, 1fr); gap: 3.5rem; padding-top: 2.5rem; }
  .contents { position: sticky; top: calc(${BAR_HEIGHT} + 2rem); align-self: start; max-height: calc(100vh - 7rem); overflow-y: auto; }
  .contents .beside { display: block; }
  .contents .folded { display: none; }
}
.up { --side: min(1.25rem, 5vw); position: sticky; bottom: 0; display: block; margin: 2rem calc(-1 * var(--side)) 0; padding: .6rem var(--side);
  border-top: 1px solid var(--line); background: var(--paper); font-size: min(.88rem, 5.5vw); font-weight: 600; text-align: right; text-decoration: none; }
h1 { margin: 0 0 .75rem; font-size: min(2rem, 13vw); letter-spacing: -.015em; }
h2 { margin: 3.25rem 0 .75rem; font-size: min(1.4rem, 11vw); letter-spacing: -.01em; }
h3 { margin: 1.9rem 0 .5rem; font-size: 1.05rem; }
p, ul, ol, table, pre, .tabs, .sample, .note { margin: 0 0 1.1rem; }
li + li { margin-top: .3rem; }
.lead { font-size: 1.12rem; color: var(--muted); }
.status { display: inline-block; padding: .1rem .6rem; border-radius: 1rem; background: var(--warn-soft); color: var(--warn); font-size: .82rem; font-weight: 600; }
code { padding: .1em .32em; background: var(--soft); border-radius: .3em; }
pre { padding: .9rem 1rem; background: var(--soft); border: 1px solid var(--line); border-radius: var(--radius); overflow-x: auto; }
.whole, time { white-space: nowrap; }
pre code { padding: 0; background: none; overflow-wrap: normal; }
@media (min-width: 60rem) { td:first-child code { white-space: nowrap; } td:first-child wbr { display: none; } }
.note { padding: .8rem 1rem; border-left: 4px solid var(--accent); background: var(--soft); border-radius: 0 var(--radius) var(--radius) 0; }
.note > :last-child, td > :last-child { margin-bottom: 0; }
.wide { overflow-x: auto; margin: 0 0 1.1rem; }
table { width: 100%; margin: 0; border-collapse: collapse; font-size: .92rem; }
th, td { padding: .5rem .9rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-size: .82rem; color: var(--muted); font-weight: 600; }
.tabs, .sample { display: flex; flex-wrap: wrap; border: 1px solid var(--line); border-radius: var(--radius); background: var(--soft); overflow: hidden; }
.tabs > input { position: absolute; opacity: 0; pointer-events: none; }
.tabs > label { order: 1; padding: .55rem min(1rem, 2.4vw); color: var(--muted); font-size: .88rem; font-weight: 600; cursor: pointer; border-bottom: 2px solid transparent; }
.tabs > input:checked + label { color: var(--accent); border-bottom-color: var(--accent); }
.tabs > input:focus-visible + label { outline: 3px solid var(--accent); outline-offset: -3px; }
.tabs > pre, .sample > pre { order: 2; width: 100%; margin: 0; border: 0; border-top: 1px solid var(--line); border-radius: 0; }
.tabs > pre { display: none; }
.kind { order: 1; margin: 0; padding: .55rem min(1rem, 2.4vw); color: var(--muted); font-size: .88rem; font-weight: 600; }
.copy { order: 1; margin-left: auto; padding: .3rem min(1rem, 2.4vw); border: 0; background: none; color: var(--accent); font: 600 .88rem var(--sans); cursor: pointer; }
.copy:focus-visible { outline-offset: -3px; }
${CODE_STYLE}
.tabs > input:checked + label + pre { display: block; }
@media (max-width: 38rem) {
  thead { position: absolute; left: -100rem; }
  tr { display: block; padding: .55rem 0; border-bottom: 1px solid var(--line); }
  td { display: block; padding: .08rem 0; border: 0; }
}
fieldset.token { margin: 0 0 1.1rem; padding: .5rem 1rem .7rem; border: 1px solid var(--line); border-radius: var(--radius); }
.token legend { padding: 0 .3rem; font-weight: 600; }
.token label { display: inline-block; margin-right: 1.5rem; }
body:has(#token-test:checked) .for-live, body:has(#token-live:checked) .for-test { display: none; }
@media (min-width: 60rem) { .up { display: none; } }
@media print { .bar, .contents, .up, .skip, .copy { display: none; } .tabs, .tabs > label, .tabs > pre { display: block; } pre code { white-space: pre-wrap; overflow-wrap: anywhere; } }
`;
