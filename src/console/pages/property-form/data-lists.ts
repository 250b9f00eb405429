/** Lists of names in the reader's language, for the inputs that take a code. */
import { type Html, html } from '../../../http/html/html.ts';
import type { PageView } from '../../web/elements.ts';
import { isListed, LIST_NAMES, listed } from './lists.ts';

const listId = (template: string): string => `list-${template}`;

/** For the input of a field that has a list. */
export function listAttribute(template: string): Html | '' {
  return isListed(template) ? html` list="${listId(template)}"` : '';
}

/** The meaning of the code in the field: `IT: Italy`. */
export function meaningOf({ locale }: PageView, template: string, value: string): Html | '' {
  if (!isListed(template)) return '';
  const name = listed(template, locale).find(({ code }) => code === value)?.name;
  return name === undefined || name === value
    ? ''
    : html`<p class="fine meaning"><bdi>${value}</bdi>: ${name}</p>`;
}

/** The lists of all fields, outside of the form. */
export function dataLists({ locale }: PageView): Html[] {
  return LIST_NAMES.filter((name) => name !== 'amenities').map((name) => {
    const options = listed(name, locale).map((one) => html`<option value="${one.code}">${one.name}</option>`);
    return html`<datalist id="${listId(name)}">${options}</datalist>`;
  });
}
