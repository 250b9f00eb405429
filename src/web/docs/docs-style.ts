/** What the documentation adds to the base style. */
export const DOCS_STYLE = `
body { margin: 0 auto; padding: 1rem; max-width: 52rem; }
h1 { font-size: 1.6rem; }
h2 { margin-top: 2.5rem; padding-top: .5rem; border-top: 1px solid var(--line); font-size: 1.3rem; }
h3 { margin-top: 1.8rem; font-size: 1.05rem; }
code { padding: .1em .3em; background: var(--soft); border-radius: .25em; }
pre { padding: .8rem; background: var(--soft); border-radius: var(--radius); overflow-x: auto; }
pre code { padding: 0; background: none; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
th, td { padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
nav ul { padding-left: 1.2rem; }
.method { font-weight: 700; }
footer { margin-top: 3rem; font-size: .85rem; }
`;
