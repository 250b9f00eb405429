/** The form of a report: its days, and what it is narrowed to. */
import { type Html, html } from '../kit/html.ts';
import { askForm, labelled, type PageView } from './elements.ts';
import type { Messages } from './messages/messages.ts';

type Field = keyof Messages['days']['fields'];

/** `values` by the name of the field, in their order. */
export function daysForm(
  view: PageView,
  path: string,
  values: Readonly<Partial<Record<Field, string | undefined>>>,
): Html {
  const { fields, button } = view.messages.days;
  const inputs = (Object.keys(values) as Field[]).map((name) => {
    const type = name === 'from' || name === 'to' ? 'date' : 'text';
    const { [name]: value = '' } = values;
    return labelled(
      fields[name],
      html`<input type="${type}" name="${name}" value="${value}" maxlength="200" />`,
    );
  });
  return askForm(view, path, inputs, button);
}
