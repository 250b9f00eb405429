/** `close` and `open`: nights that a person closes manually, and opens again. */
import { Wrong } from '../../domain/wrong.ts';
import { NightsChangedSchema } from '../../contract/operator/setup-schemas.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { someOver } from '../../domain/night-runs.ts';
import { MANUAL_SOURCE } from '../../domain/layers.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import { changeNights } from '../../supply/manual-override/change-nights.ts';
import { findPriceLayer } from '../../supply/manual-override/price-layer.ts';
import { presentHidden, presentRefusals } from '../../supply/messages/supply-result.ts';
import { type PresentedClosed, presentNightsChange } from '../../supply/manual-override/present-changes.ts';
import { done, type Outcome, refuse, refuseProperty, refuseType } from '../../domain/outcome.ts';
import { act, type ActPorts, flag, type InputOf, optional, required } from './act.ts';
import { formatChanges, formatNights } from './readable-changes.ts';
import { localDate, money, orNone, supplyId, wholeNumber } from './values.ts';

type Action = 'close' | 'open';
type Nights = InputOf<typeof NIGHTS>;

const NIGHTS = {
  propertyId: required(supplyId, '--property <id>', 'property id'),
  inventoryTypeId: optional(supplyId, '--type <id>', 'inventory type id; all types unless given'),
  dateFrom: required(localDate, '--from <date>', 'first night'),
  dateTo: required(localDate, '--to <date>', 'last night'),
  dryRun: flag('--dry-run', 'say what would change, write nothing'),
};
const TURNED = new Wrong('fromToTurned');
const UNITS_MAX = 10_000;
const EXAMPLE = '--from 2027-12-24 --to 2027-12-26';

function nightsAct(action: Action, about: string, summary: string) {
  return act({
    name: action,
    right: 'operator',
    about,
    input: NIGHTS,
    examples: [
      `${action} --property hotel-ponte --type double ${EXAMPLE} --dry-run`,
      `${action} --property hotel-ponte ${EXAMPLE}`,
    ],
    audit: subjectOf,
    async run(ports, input) {
      const { propertyId, dateFrom: from, dateTo: to, dryRun = false } = input;
      if (to < from) return refuse(TURNED);
      const types = await findTypes(ports, input);
      if (!types.ok) return types;
      const named = { action, propertyId, dryRun };
      const change = { ...named, inventoryTypeIds: types.value, from, to };
      return auditNights(ports, presentNightsChange(named, await changeNights(ports, change)));
    },
    print: (view, input) => {
      const elsewhere = action === 'open' ? view.closedElsewhere.map(formatClosedElsewhere) : [];
      return [headline(action, input, view.changed), formatChanges(view), ...elsewhere].join('\n');
    },
    http: {
      operationId: `${action}Nights`,
      route: `POST /supply/v1/${action}`,
      summary,
      description: `The layer \`manual\`, as the command \`${action}\`.`,
      success: [200, 'What changes.', NightsChangedSchema],
      problemCodes: ['SUPPLY_PROPERTY_NOT_FOUND'],
    },
  });
}

export const closeAct = nightsAct(
  'close',
  'close nights manually, whatever other systems send',
  'Close nights manually',
);
export const openAct = nightsAct('open', 'open the nights that "close" closed', 'Take back manual closings');

const SELLS_FOR_NOTHING = {
  code: 'RATE_ZERO',
  detail: 'With a rate of 0.00 these nights sell for nothing.',
};
const NO_UNITS = {
  code: 'NO_UNITS',
  detail: 'Without units nothing is sold: no source has ever set units of some of these nights.',
};
const NOTHING_TO_SET = new Wrong('nothingToSet');

const SET_INPUT = {
  propertyId: NIGHTS.propertyId,
  inventoryTypeId: required(supplyId, '--type <id>', 'inventory type id'),
  dateFrom: NIGHTS.dateFrom,
  dateTo: NIGHTS.dateTo,
  rate: optional(orNone(money), '--rate <amount>', 'per night, such as 120.00; none clears it'),
  units: optional(orNone(wholeNumber(0, UNITS_MAX)), '--units <n>', 'units to sell; none clears it'),
  minStay: optional(
    orNone(wholeNumber(1, STAY_NIGHTS_MAX)),
    '--min-stay <n>',
    'nights at least of a stay that arrives then; none clears it',
  ),
  dryRun: NIGHTS.dryRun,
};

export const setNightsAct = act({
  name: 'nights set',
  right: 'operator',
  about: 'set rate, units and minimum stay of nights manually, where no system sends the rates',
  input: SET_INPUT,
  examples: [`nights set --property hotel-ponte --type double ${EXAMPLE} --rate 210.00 --min-stay 3`],
  audit: (input) => subjectOf(input),
  check: ({ rate, units, minStay }) =>
    rate === undefined && units === undefined && minStay === undefined ? NOTHING_TO_SET : undefined,
  async run(ports, input) {
    const { propertyId, inventoryTypeId, dateFrom: from, dateTo: to, dryRun = false } = input;
    if (to < from) return refuse(TURNED);
    const types = await findTypes(ports, input);
    if (!types.ok) return types;
    const layer = await findLayer(ports, input);
    if (!layer.ok) return layer;
    const { rate, units: availability, minStay: minStayArrival } = input;
    const set = {
      ...(rate !== undefined && { rate }),
      ...(availability !== undefined && { availability }),
      ...(minStayArrival !== undefined && { minStayArrival }),
    };
    const named = { action: 'set', propertyId, dryRun } as const;
    const change = { ...named, set, inventoryTypeIds: [inventoryTypeId], from, to, priceLayer: layer.value };
    const changed = await changeNights(ports, change);
    const [refused] = presentRefusals(changed.outcome, () => '').named;
    if (refused !== undefined) return refuse(new Wrong('changedMeanwhile', { wrong: refused.wrong }));
    const hidden = presentHidden(changed.outcome, () => '').named.map(({ code, detail }) => ({
      code,
      detail,
    }));
    const isUnsold = typeof rate === 'number' && (await lacksUnits(ports, input));
    const warnings = [...(rate === 0 ? [SELLS_FOR_NOTHING] : []), ...(isUnsold ? [NO_UNITS] : []), ...hidden];
    return auditNights(ports, { ...presentNightsChange(named, changed), warnings });
  },
  print: (view, { dryRun }) =>
    [
      dryRun ? 'Dry run: nothing was written.' : formatNightsSet(view),
      formatChanges(view),
      ...view.warnings.map(({ detail }) => `Warning: ${detail}`),
    ].join('\n'),
});

export const NIGHTS_ACTS = [setNightsAct];

function formatNightsSet({
  changed,
  warnings,
}: {
  readonly changed: boolean;
  readonly warnings: readonly object[];
}) {
  if (changed) return 'Set manually.';
  return warnings.length > 0 ? 'Nothing changes for partners.' : 'They were so already.';
}

/** Stretches of nights that the audit trail names; the others are counted. */
const STRETCHES_TOLD_MAX = 10;

/** Records the changes that partners see, by stretch: `double 2026-12-24 to 2026-12-26`. */
function auditNights<View extends ReturnType<typeof presentNightsChange>>(
  { tell }: ActPorts,
  view: View,
): Outcome<View> {
  const { changed, changes, changesLeftOut } = view;
  const told = changes.slice(0, STRETCHES_TOLD_MAX);
  const more = changes.length - told.length + changesLeftOut;
  const by = (state: 'before' | 'after') =>
    Object.fromEntries(
      told.map((one) => [`${one.inventoryTypeId} ${formatNights(one)}`, one[state]] as const),
    );
  tell(told.length === 0 ? null : by('before'), { changed, ...by('after'), ...(more > 0 && { more }) });
  return done(view);
}

/**
 * The layer that takes the rate. Refused where a system prices the type, whatever is to be set: a rate of two sources
 * would be of neither. What only clears is never refused: it takes back what was set before that source did.
 */
async function findLayer(
  { storage, clock }: ActPorts,
  { propertyId, inventoryTypeId, rate, units, minStay }: InputOf<typeof SET_INPUT>,
): Promise<Outcome<string>> {
  const layered = await storage.findLayers(propertyId);
  if (layered === undefined) return refuseProperty(propertyId);
  const found = await findPriceLayer({ storage, clock }, layered, inventoryTypeId);
  const isClearing = [rate, units, minStay].every((value) => value === undefined || value === null);
  return !found.ok && isClearing ? done(MANUAL_SOURCE) : found;
}

/** Whether the act leaves one of its nights without units: neither itself nor any source sets them. */
async function lacksUnits(
  { storage }: ActPorts,
  { propertyId, inventoryTypeId, dateFrom, dateTo, units }: InputOf<typeof SET_INPUT>,
): Promise<boolean> {
  if (typeof units === 'number') return false;
  const stored = await storage.findProperty(propertyId);
  const calendar = stored?.calendars.find((one) => one.inventoryTypeId === inventoryTypeId);
  if (calendar === undefined) return false;
  const { availability } = decodeCalendar(calendar.nights, calendar.rates);
  return someOver(availability, dateFrom, dateTo + 1, (value) => value === undefined);
}

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

function subjectOf({
  propertyId,
  inventoryTypeId,
  dateFrom,
  dateTo,
}: Pick<Nights, 'propertyId' | 'inventoryTypeId' | 'dateFrom' | 'dateTo'>) {
  return `${typeOf({ propertyId, inventoryTypeId })} ${formatLocalDate(dateFrom)}..${formatLocalDate(dateTo)}`;
}

/** The type that is named, else all of the property. */
async function findTypes(
  { storage }: ActPorts,
  { propertyId, inventoryTypeId }: Pick<Nights, 'propertyId' | 'inventoryTypeId'>,
): Promise<Outcome<readonly string[]>> {
  const stored = await storage.findProperty(propertyId);
  if (stored === undefined) return refuseProperty(propertyId);
  const { property } = stored;
  if (inventoryTypeId === undefined) return done(property.inventoryTypes.map((type) => type.inventoryTypeId));
  return refuseType(property, inventoryTypeId) ?? done([inventoryTypeId]);
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

function formatClosedElsewhere(nights: PresentedClosed): string {
  const { inventoryTypeId, source, reason } = nights;
  const why = reason === 'stopSell' ? `"${source}" has stop-sell` : `"${source}" has no unit left`;
  return `${inventoryTypeId}  ${formatNights(nights)} stay closed: ${why}`;
}
