/** The one style sheet of all pages, within the page, so that a page is one request and needs no other host. */
export const STYLE = `
:root { color-scheme: light dark; --line: #d0d7de; --soft: #f4f6f8; --link: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --soft: #1c2128; --link: #6cb6ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 52rem; font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { margin-top: 2.5rem; padding-top: .5rem; border-top: 1px solid var(--line); font-size: 1.3rem; }
h3 { margin-top: 1.8rem; font-size: 1.05rem; }
a { color: var(--link); }
code, pre { font: .88em/1.5 ui-monospace, monospace; }
code { padding: .1em .3em; background: var(--soft); border-radius: .25em; }
pre { padding: .8rem; background: var(--soft); border-radius: .4rem; overflow-x: auto; }
pre code { padding: 0; background: none; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
th, td { padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td:first-child, th:first-child { overflow-wrap: normal; }
nav ul { padding-left: 1.2rem; }
.method { font-weight: 700; }
footer { margin-top: 3rem; font-size: .85rem; }
`;
