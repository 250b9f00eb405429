/** The link of the section that holds what the address names. */
const CHOSEN_LINKS = [1, 2, 3, 4, 5, 6]
  .map((at) => `.sheet:has(> section:nth-of-type(${at}) :target) .bar a:nth-child(${at})`)
  .join(', ');

/** The form of a property: one column of fields on a phone, several where there is room. Pages of pictures share cards. */
export const PROPERTY_FORM_RULES = `
.sheet { display: block; width: 100%; max-width: 64rem; }
.sheet .part { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: 1rem 1.2rem;
  align-items: start; margin: 0 0 2.5rem; padding: 0; }
.sheet fieldset.part { padding: .6rem .8rem; }
.sheet .part > h2 { grid-column: 1 / -1; margin: 0; padding: 0 0 .3rem; border-bottom: 1px solid var(--line); scroll-margin-top: 5rem; }
.sheet .pair { display: grid; grid-column: 1 / -1; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr));
  gap: 1rem 1.2rem; }
.sheet .pair > p { grid-column: 1 / -1; margin-top: -.7rem; }
.sheet .field > label { color: var(--ink); font-weight: 600; font-size: .95rem; }
.sheet fieldset { display: grid; grid-column: 1 / -1; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
  gap: .8rem 1.2rem; min-width: 0; margin: 0; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: var(--radius); }
.sheet legend { padding: 0 .4rem; font-weight: 650; overflow-wrap: anywhere; }
.sheet fieldset > p, .sheet .part > p { grid-column: 1 / -1; }
.sheet p { margin: 0; }
/* Settings have no sections: each field stands alone. */
.sheet > .field { max-width: 40rem; margin: 0 0 1.1rem; } .sheet > .field small { color: var(--muted); }
.coloured { display: flex; gap: .6rem; align-items: center; } .coloured input { max-width: 9rem; }
.swatch { flex: none; width: 2.2rem; height: 2.2rem; border: 1px solid var(--line); border-radius: .4rem; }
.sheet .logo { padding: .8rem 1rem; border: 1px solid var(--line); border-radius: var(--radius); width: fit-content; max-width: 100%; }
.logo img { display: block; max-width: 14rem; max-height: 4rem; }
.sheet .field { display: grid; align-content: start; gap: .2rem; min-width: 0; }
.sheet :is(input:not([type=checkbox]), select, textarea) { width: 100%; }
.sheet textarea { min-height: 4rem; padding: .4rem .7rem; border: 1px solid var(--muted); border-radius: .4rem;
  background: var(--paper); color: var(--ink); font: inherit; resize: vertical; }
.sheet .flag { flex-direction: row; align-items: center; gap: .5rem; grid-column: 1 / -1; }
.sheet [aria-invalid] { border: 2px solid var(--bad); }
.sheet .boxes { display: grid; grid-column: 1 / -1; grid-template-columns: repeat(auto-fill, minmax(min(12rem, 100%), 1fr)); gap: .1rem 1rem; }
.sheet .boxes .flag { display: flex; grid-column: auto; color: var(--ink); }
/* One section at a time: the one that the address names a part of, else the first. All fields are sent. */
@supports selector(:has(a)) {
  .sheet > section.part:not(.first, :has(:target)) { display: none; }
  .sheet:has(> section.part :target) > section.first:not(:has(:target)) { display: none; }
  .bar nav a { border-bottom: 2px solid transparent; color: var(--muted); text-decoration: none; }
  :is(.sheet:not(:has(> section.part :target)) .bar a.first, ${CHOSEN_LINKS}) {
    border-color: var(--accent); color: var(--ink); font-weight: 650; }
}
.bar .tick { color: var(--good); }
.reason { color: var(--bad); font-size: .9rem; overflow-wrap: anywhere; }
.bar { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: nowrap; gap: .5rem 1rem; align-items: center;
  justify-content: space-between; margin: 0 0 1.2rem; padding: .5rem 0; background: var(--paper); border-bottom: 1px solid var(--line); }
.bar nav { display: flex; flex: 1 1 auto; gap: .2rem 1rem; min-width: 0; overflow-x: auto; white-space: nowrap; scrollbar-width: thin; }
.bar nav a { padding: .35rem 0; } .bar .saves { display: flex; gap: .2rem .8rem; align-items: center; flex: none; }
.bar .saves span { color: var(--warn); font-size: .88rem; }
.bar .count { display: inline-block; min-width: 1.3rem; padding: 0 .3rem; border-radius: 1rem; background: var(--bad);
  color: var(--paper); font-size: .8rem; text-align: center; }
.sheet :is(input, textarea, select, fieldset, .pictures) { scroll-margin-top: 5rem; }
#mistakes, .conflicts { margin: 0 0 1rem; } .conflicts + .wide td { white-space: pre-line; overflow-wrap: anywhere; }

.pictures { display: grid; grid-column: 1 / -1; gap: 1rem; min-width: 0; }
.cards { display: grid; grid-template-columns: minmax(0, 1fr); gap: .8rem; margin: 0; padding: 0; list-style: none; }
.cards:empty { display: none; }
.card fieldset { display: grid; grid-template-columns: 10rem minmax(0, 1fr); gap: .8rem 1.2rem; }
.card :is(.shown, .about) { display: grid; gap: .6rem; align-content: start; justify-items: start; min-width: 0; }
.card .about > * { width: 100%; }
.card.dragged { opacity: .5; } .card.target { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: var(--radius); }
.card [data-grip] { cursor: grab; touch-action: none; } .card [data-thumb] { cursor: grab; }
.card:first-child [name=raise] { display: none; }
.card.sent { display: grid; grid-template-columns: minmax(0, 1fr) minmax(6rem, 14rem); gap: .2rem 1rem; align-items: center;
  overflow-wrap: anywhere; padding: .5rem .8rem; border: 1px dashed var(--line); border-radius: var(--radius); }
.card.sent .reason { color: var(--muted); } .card.refused { border: 1px solid var(--bad); } .card.refused .reason { color: var(--bad); }
.card.sent .reason { grid-column: 1 / -1; } .card.refused progress { display: none; } .card.sent p { margin: 0; } .card.sent p:last-child { grid-column: 1 / -1; }
.card.sent:not(.refused) p:last-child { display: none; }
progress { width: 100%; height: .7rem; accent-color: var(--accent); } [data-overall] progress { max-width: 14rem; }
.suggested { padding: .2rem .6rem; border-radius: .3rem; background: var(--warn-soft); color: var(--warn); font-size: .88rem; }
.drop { padding: 1rem; border: 2px dashed var(--line); border-radius: var(--radius); }
.over .drop, .drop.over { border-color: var(--accent); background: var(--soft); }
.thumb { max-width: 100%; height: auto; max-height: 8rem; border-radius: .3rem; background: var(--soft); }
.bulk { max-width: 64rem; } .bulk .bar p { margin: 0; } .bulk .drop p { display: grid; gap: .2rem; margin: 0 0 .7rem; }
.bulk [type=file] { width: 100%; } .assign input { width: min(18rem, 100%); }
.group { margin: 0 0 1rem; } .group h2 { margin: 1rem 0 .4rem; } .group.done h2 { font-weight: 400; } .group .reason:empty { display: none; }
.cards.grid { grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); align-items: start; }
.grid .card { display: grid; gap: .4rem; min-width: 0; padding: .5rem; border: 1px solid var(--line); border-radius: var(--radius); }
.grid .card.refused { border-color: var(--bad); } .grid .card p { display: flex; flex-wrap: wrap; gap: .4rem; margin: 0; } .grid .card.sent { grid-template-columns: minmax(0, 1fr); }
.grid .thumb { width: 100%; height: 6.5rem; object-fit: cover; }
@container (max-width: 34rem) {
  .card fieldset { grid-template-columns: minmax(0, 1fr); }
  .card .shown { grid-template-columns: minmax(0, 10rem) auto; align-items: center; }
  .bar .saves span { display: none; }
}
`;
