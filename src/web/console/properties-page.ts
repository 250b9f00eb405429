/** `/console/properties`: all by id, or what begins with a search. */
import { type PropertiesShown, SEARCH_LENGTH_MAX } from '../../console/properties.ts';
import { html } from '../kit/html.ts';
import * as elements from './elements.ts';
import type { PageParts } from './frame.ts';

const PATH = '/console/properties';

export function propertiesPage(view: elements.PageView, shown: PropertiesShown): PageParts {
  const { search, rows, nextPath } = shown;
  const { properties: texts, bar } = view.messages;
  const asked = { type: 'search', name: 'search', value: search, maxlength: SEARCH_LENGTH_MAX };
  const table = elements.dataTable(view, {
    ...{ caption: bar.properties, rows },
    cells: ({ propertyId: property, name, city }) => ({ property, name, city }),
    empty: search === '' ? [texts.empty, ' ', elements.commandText('import catalogue FILE')] : texts.nothing,
  });
  return {
    title: bar.properties,
    main: html`${elements.askForm(view, PATH, elements.field(view, 'search', asked), texts.button)} ${table}
    ${elements.nextLink(view, nextPath)}
    ${search !== '' && html`<p>${elements.linkTo(view, PATH, texts.first)}</p>`}`,
    command: `property show ${rows[0]?.propertyId ?? 'ID'}`,
  };
}
