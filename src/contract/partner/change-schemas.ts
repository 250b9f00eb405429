/** The feed of changes, and its example. */
import type { Static } from 'typebox';
import { type OperationExamples, EXAMPLE_PROPERTY_ID, queryText } from './examples.ts';
import { Type } from './json-schema.ts';
import { CHANGES_MAX } from './limits.ts';
import { propertyId } from './scalars.ts';

const CHANGE_KINDS = ['content', 'calendar', 'gone'] as const;

export const PropertyChangeSchema = Type.Object(
  {
    propertyId: propertyId(),
    change: Type.Unsafe<(typeof CHANGE_KINDS)[number]>({
      type: 'string',
      enum: [...CHANGE_KINDS],
      description:
        '`content`: read everything of the property again. `calendar`: nights or rates, and with them the starting ' +
        'price. `gone`: this partner no longer sees it.',
    }),
  },
  { additionalProperties: false, description: 'A property to read again, or to forget.' },
);

export const PropertyChangesSchema = Type.Object(
  {
    changes: Type.Array(PropertyChangeSchema, {
      maxItems: CHANGES_MAX,
      description: 'Each property once, with the strongest change since the sweep began.',
    }),
    next: Type.String({
      minLength: 1,
      description: 'The cursor to ask with next. Opaque; of this partner alone.',
    }),
    hasMore: Type.Boolean({ description: 'There is more to tell: ask again at once.' }),
  },
  { additionalProperties: false, description: 'What changed.' },
);
type PropertyChanges = Static<typeof PropertyChangesSchema>;

const EXAMPLE_CURSOR = 'UgVo2l8xw1f9mXyVYw8Uq3oGfWlHn0b4Jt6sKcPzRdE7aQhT';

export function changeExamples(): OperationExamples {
  const parameters = { since: EXAMPLE_CURSOR, wait: 20 };
  const told: PropertyChanges = {
    changes: [
      { propertyId: EXAMPLE_PROPERTY_ID, change: 'calendar' },
      { propertyId: 'casa-lunga', change: 'gone' },
    ],
    next: EXAMPLE_CURSOR.replace('Ug', 'Vh'),
    hasMore: false,
  };
  return {
    target: `/feeds/v1/changes?${queryText(parameters)}`,
    parameters,
    successes: { changes: { summary: 'One calendar changed, one property is gone', value: told } },
    faulty: { query: 'limit=0' },
  };
}
