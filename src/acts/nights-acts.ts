/** `close` and `open`: nights that a person closes manually, and opens again. */
import { formatLocalDate } from '../domain/local-date.ts';
import { changeNights } from '../supply/manual-override/change-nights.ts';
import { type PresentedClosed, presentNightsChange } from '../supply/manual-override/present-changes.ts';
import {
  act,
  type ActPorts,
  done,
  flag,
  type InputOf,
  optional,
  type Outcome,
  refuse,
  required,
} from './act.ts';
import { refuseProperty } from './property-acts.ts';
import { describeChanges, describeNights } from './readable-changes.ts';
import { localDate, notBlank } from './values.ts';

type Action = 'close' | 'open';
type Nights = InputOf<typeof NIGHTS>;

const NIGHTS = {
  propertyId: required(notBlank, '--property <id>', 'property id'),
  inventoryTypeId: optional(notBlank, '--type <id>', 'inventory type id; all types unless given'),
  dateFrom: required(localDate, '--from <date>', 'first night'),
  dateTo: required(localDate, '--to <date>', 'last night'),
  dryRun: flag('--dry-run', 'say what would change, write nothing'),
};
const EXAMPLE = '--from 2027-12-24 --to 2027-12-26';

function nightsAct(action: Action, about: string) {
  return act({
    name: action,
    right: 'operator',
    about,
    input: NIGHTS,
    examples: [
      `${action} --property hotel-ponte --type double ${EXAMPLE} --dry-run`,
      `${action} --property hotel-ponte ${EXAMPLE}`,
    ],
    audit: ({ propertyId, inventoryTypeId, dateFrom, dateTo }) =>
      `${typeOf({ propertyId, inventoryTypeId })} ${formatLocalDate(dateFrom)}..${formatLocalDate(dateTo)}`,
    async run(ports, input) {
      const { propertyId, dateFrom: from, dateTo: to, dryRun = false } = input;
      if (to < from) return refuse('--to must not be before --from: both are nights, and both are included');
      const types = await findTypes(ports, input);
      if (!types.ok) return types;
      const named = { action, propertyId, dryRun };
      const change = { ...named, inventoryTypeIds: types.value, from, to };
      return done(presentNightsChange(named, await changeNights(ports, change)));
    },
    print: (view, input) => {
      const elsewhere = action === 'open' ? view.closedElsewhere.map(describeElsewhere) : [];
      return [headline(action, input, view.changed), describeChanges(view), ...elsewhere].join('\n');
    },
  });
}

export const closeAct = nightsAct('close', 'close nights manually, whatever other systems send');
export const openAct = nightsAct('open', 'open the nights that "close" closed');

/** `hotel-ponte/double`, or the property alone: how the audit trail names what is changed. */
export function typeOf({
  propertyId,
  inventoryTypeId,
}: {
  readonly propertyId: string;
  readonly inventoryTypeId: string | undefined;
}): string {
  return inventoryTypeId === undefined ? propertyId : `${propertyId}/${inventoryTypeId}`;
}

/** The type that is named, else all of the property. */
async function findTypes(
  { storage }: ActPorts,
  { propertyId, inventoryTypeId }: Pick<Nights, 'propertyId' | 'inventoryTypeId'>,
): Promise<Outcome<readonly string[]>> {
  const stored = await storage.findProperty(propertyId);
  if (stored === undefined) return refuseProperty(propertyId);
  const types = stored.property.inventoryTypes.map((type) => type.inventoryTypeId);
  if (inventoryTypeId === undefined) return done(types);
  if (types.includes(inventoryTypeId)) return done([inventoryTypeId]);
  return refuse(
    `the property ${propertyId} has no inventory type ${JSON.stringify(inventoryTypeId)}; it has ${types.join(', ')}`,
  );
}

function headline(action: Action, input: Nights, isChanged: boolean): string {
  const { propertyId, inventoryTypeId, dateFrom, dateTo, dryRun } = input;
  if (dryRun) return 'Dry run: nothing was written.';
  if (!isChanged)
    return action === 'close'
      ? 'These nights were closed manually already.'
      : 'None of these nights was closed manually.';
  if (action === 'open') return 'No longer closed manually.';
  const type = inventoryTypeId === undefined ? '' : ` --type ${inventoryTypeId}`;
  const nights = `--from ${formatLocalDate(dateFrom)} --to ${formatLocalDate(dateTo)}`;
  return `Closed manually. To undo: stayport open --property ${propertyId}${type} ${nights}`;
}

function describeElsewhere(nights: PresentedClosed): string {
  const { inventoryTypeId, source, reason } = nights;
  const why = reason === 'stopSell' ? `"${source}" has stop-sell` : `"${source}" has no unit left`;
  return `${inventoryTypeId}  ${describeNights(nights)} stay closed: ${why}`;
}
