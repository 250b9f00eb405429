/**
 * The look of all pages: colours by their job, in light and dark, and the plain elements. Text and links have a
 * contrast of at least 4.5 to 1 on `--paper` and `--soft` (WCAG 2.2 AA). A page appends its own rules.
 */
export const BASE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --soft: #f5f6f8; --line: #d9dde3;
  --ink: #1a2029; --muted: #565f6c;
  --accent: #0b5c8a; --on-accent: #ffffff;
  --good: #17653a; --good-soft: #e8f5ec; --warn: #7a4b00; --warn-soft: #fdf3df; --bad: #a3231b; --bad-soft: #fdeceb;
  --radius: .6rem;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161c; --soft: #1b2129; --line: #333c47;
    --ink: #e6e9ee; --muted: #a2acb9;
    --accent: #7cc4ee; --on-accent: #0b1620;
    --good: #7fd3a0; --good-soft: #12281b; --warn: #f0c070; --warn-soft: #2d2210; --bad: #ff9a90; --bad-soft: #341715;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--sans); overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .2rem; }
code, pre, kbd { font: .875em/1.55 var(--mono); }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
