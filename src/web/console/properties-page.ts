/** `/console/properties`: all by id, or what begins with a search. */
import { type PropertiesShown, SEARCH_LENGTH_MAX } from '../../console/properties.ts';
import { html } from '../kit/html.ts';
import * as elements from './elements.ts';
import type { PageParts } from './frame.ts';

export function propertiesPage(
  view: elements.PageView,
  { search, rows, nextPath }: PropertiesShown,
): PageParts {
  const { properties: texts, bar } = view.messages;
  const path = '/console/properties';
  const input = html`<input
    type="search"
    name="search"
    value="${search}"
    maxlength="${SEARCH_LENGTH_MAX}"
  />`;
  const table = elements.dataTable({
    ...{ caption: bar.properties, heads: texts.heads, rows },
    cells: ({ propertyId, name, city }) => ({
      property: elements.idLink(view, 'properties', propertyId),
      name: elements.named(name),
      city: elements.named(city),
    }),
    empty: search === '' ? [texts.empty, ' ', elements.commandText('import catalogue FILE')] : texts.nothing,
  });
  return {
    title: bar.properties,
    main: html`${elements.askForm(view, path, elements.labelled(texts.label, input), texts.button)} ${table}
    ${elements.nextLink(view, nextPath)}
    ${search !== '' && html`<p>${elements.linkTo(view, path, texts.first)}</p>`}`,
    command: `property show ${rows[0]?.propertyId ?? 'ID'}`,
  };
}
