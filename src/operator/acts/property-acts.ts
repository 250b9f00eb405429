/** Stored properties. */
import { Wrong } from '../../domain/wrong.ts';
import type { JsonObject } from '../../domain/document/document-fields.ts';
import type { LayeredStored } from '../../storage/supply/store.ts';
import { CALENDARS_OF } from '../../supply/native/property-document.ts';
import { presentCombined, presentLayer, sourcesOf } from '../../supply/native/shown-document.ts';
import { done, type Outcome, refuse, refuseProperty } from '../../domain/outcome.ts';
import { act, type ActPorts, optional, required } from './act.ts';
import { anyText } from './values.ts';

const showAct = act({
  name: 'property show',
  right: 'viewer',
  about: 'print the stored document; its calendars are date ranges, with all sources combined',
  input: {
    propertyId: required(anyText, '<id>', 'property id'),
    source: optional(
      anyText,
      '--source <name>',
      'only the calendars of this source; what the owning source has set can be imported again',
    ),
  },
  examples: [
    'property show hotel-ponte',
    'property show hotel-ponte --source pms --json | stayport import catalogue - --source pms',
  ],
  audit: 'reads',
  async run(ports, { propertyId, source }) {
    const found = await findLayers(ports, propertyId);
    if (!found.ok) return found;
    if (source !== undefined) return layerOf(found.value, source);
    const document = presentCombined(found.value);
    if (Object.hasOwn(document, CALENDARS_OF)) ports.note(combinedNote(found.value));
    return done(document);
  },
  print: (document) => JSON.stringify(document, null, 2),
});

export const withdrawAct = act({
  name: 'property withdraw',
  right: 'admin',
  about: 'take a property off the API; importing it again brings it back',
  input: { propertyId: required(anyText, '<id>', 'property id') },
  examples: ['property withdraw hotel-ponte'],
  audit: ({ propertyId }) => propertyId,
  async run(ports, { propertyId }) {
    const found = await findLayers(ports, propertyId);
    if (!found.ok) return found;
    await ports.storage.withdrawProperties([propertyId]);
    return done(presentCombined(found.value));
  },
  print: (_, { propertyId }) => `Property ${propertyId} is withdrawn.`,
});

export const PROPERTY_ACTS = [showAct, withdrawAct];

async function findLayers({ storage }: ActPorts, propertyId: string): Promise<Outcome<LayeredStored>> {
  const layered = await storage.findLayers(propertyId);
  return layered === undefined ? refuseProperty(propertyId) : done(layered);
}

function layerOf(layered: LayeredStored, source: string): Outcome<JsonObject> {
  const { source: owner, property } = layered.stored;
  const sources = sourcesOf(layered);
  if (source === owner || sources.includes(source)) return done(presentLayer(layered, source));
  const known = sources.map((name) => JSON.stringify(name)).join(', ') || 'none';
  return refuse(
    new Wrong('nothingSet', { source: JSON.stringify(source), propertyId: property.propertyId, known }),
  );
}

function combinedNote({ stored: { source, property } }: LayeredStored): string {
  const owner = /^[\w.-]+$/.test(source) ? source : JSON.stringify(source);
  return (
    'These are the calendars that partners see. To print what can be imported again, run ' +
    `"stayport property show ${property.propertyId} --source ${owner}".`
  );
}
