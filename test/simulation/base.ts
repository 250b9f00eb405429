/** Where every story begins: a database with partners, properties and webhooks, written by the service's own code. */
import { issueCredential } from '../../src/access/credential-changes.ts';
import { createPartner } from '../../src/access/partner-changes.ts';
import { createWebhook } from '../../src/partner/webhooks/webhook-changes.ts';
import { DAY_MS, formatLocalDate } from '../../src/domain/local-date.ts';
import { NOW_MS, seededBytes, seededRandom } from '../kit/catalogue-samples.ts';
import { hotel, type Line, nights } from '../kit/catalogue-lines.ts';
import { valueOf } from '../kit/value-of.ts';
import {
  receiveAri,
  receiveCalendars,
  receiveProperty,
  receiveWithdrawal,
} from '../../src/supply/messages/receive-message.ts';
import type { SupplyDeps } from '../../src/supply/messages/receive-message.ts';
import type { SupplyResult } from '../../src/supply/messages/supply-result.ts';
import {
  type DocumentIntent,
  type KnownProperty,
  KnownTruth,
  NO_TERMS,
  type Knowledge,
  type SentIntent,
  type Terms,
} from './known-truth.ts';
import { HORIZON_NIGHTS, parseHere } from './service.ts';
import { Process, Scheduler } from './scheduler.ts';
import { FIRST_NIGHT, LAST_NIGHT, SHAPES } from './shapes.ts';
import type { Backup, Truth } from './truth.ts';

export const START_MS = NOW_MS;
export const PARTNERS = ['acme', 'beta'] as const;
/** A partner that is created in the course of a story. */
export const NEWBORN = 'gamma';
/** They send messages, and have a name of their own for each type. */
export const SOURCES = ['pms', 'channel'] as const;
export const PROPERTIES = ['p1', 'p2', 'p3', 'p4'] as const;
const TENTH_OFF = { code: 'tenth', percent: '10' };
const WRITTEN_MS_MAX = 60_000;
const CREDENTIALS_PER_PARTNER = 3;
/** Of one credential of each partner. */
const STRICT = { networks: ['192.0.2.0/24'], expiresAtMs: START_MS + 5 * DAY_MS };

export interface Held {
  readonly partnerId: string;
  readonly credentialId: string;
  readonly token: string;
}

export interface Base {
  readonly backup: Backup;
  readonly knowledge: Knowledge;
  readonly credentials: readonly Held[];
  /** A test token of each partner. */
  readonly testCredentials: readonly Held[];
  /** The one endpoint of each partner, by partner. */
  readonly webhooks: ReadonlyMap<string, { readonly webhookId: string; readonly secret: string }>;
}

/** What the documents of the properties say at the begin: little, or something of everything. */
export const PLAIN_TERMS: readonly Terms[] = PROPERTIES.map((_, index) => ({
  ...NO_TERMS,
  hasDiscount: index % 2 === 0,
}));
export const RICH_TERMS: readonly Terms[] = [
  { hasDiscount: true, shape: 1 },
  { hasDiscount: false, shape: 2 },
  { hasDiscount: false, shape: 3 },
  { hasDiscount: false, shape: 2, currency: 'USD' },
];

/** Within a scheduler, as stories are: what the storage keeps waiting for must not be of the real machine. */
export async function writeBase(truth: Truth, allTerms: readonly Terms[]): Promise<Base> {
  const scheduler = new Scheduler(1, START_MS);
  const process = new Process(scheduler, 'setup');
  const written = Promise.withResolvers<Base>();
  scheduler.at(
    START_MS,
    process,
    () => void write(truth, process, allTerms).then(written.resolve, written.reject),
  );
  await scheduler.runUntil(START_MS + WRITTEN_MS_MAX, () => true);
  return written.promise;
}

async function write(truth: Truth, process: Process, allTerms: readonly Terms[]): Promise<Base> {
  truth.reset();
  truth.setClock(START_MS);
  const known = new KnownTruth();
  const random = seededBytes(seededRandom(7));
  const { storage } = truth;
  const clock = (): number => START_MS;
  const note = (name: string, args: readonly unknown[], result: unknown): void =>
    void known.follow({ process, name, args, result }, truth.revision(), START_MS);
  const credentials: Held[] = [];
  const webhooks = new Map<string, { readonly webhookId: string; readonly secret: string }>();
  for (const partnerId of PARTNERS) {
    valueOf(await createPartner({ storage, clock, random }, { partnerId, name: partnerId }));
    note('putPartner', [{ partnerId }], undefined);
    for (let count = 0; count < CREDENTIALS_PER_PARTNER; count += 1) {
      const terms = count === CREDENTIALS_PER_PARTNER - 1 ? STRICT : {};
      const issued = valueOf(
        await issueCredential({ storage, clock, random }, { partnerId, quota: 1_000, ...terms }),
      );
      credentials.push({ partnerId, credentialId: issued.credentialId, token: issued.token });
    }
  }
  note('putCredentials', [(await storage.readAccess()).credentials], undefined);
  let count = 0;
  const deps: SupplyDeps = {
    parser: parseHere,
    clock,
    newMessageId: () => `sm_setup${(count += 1)}`,
    horizonNights: HORIZON_NIGHTS,
    bookingOrigins: [],
    storage: {
      findSupplyKey: (...args) => storage.findSupplyKey(...args),
      findSupplyMappings: (...args) => storage.findSupplyMappings(...args),
      async applySupply(message) {
        const answer = await storage.applySupply(message);
        note('applySupply', [message], answer);
        return answer;
      },
    },
  };
  const send = async (key: string, intent: SentIntent): Promise<void> => {
    known.intents.set(key, intent);
    const result = await sendIntent(deps, key, intent);
    if (result.kind !== 'done') throw new Error(`the base is refused: ${JSON.stringify(result)}`);
  };
  await storage.putSupplyMappings(
    SOURCES.flatMap((source) =>
      PROPERTIES.map((propertyId) => ({
        source,
        externalKey: externalKeyOf(propertyId),
        propertyId,
        inventoryTypeId: 'double',
      })),
    ),
  );
  for (const [index, propertyId] of PROPERTIES.entries()) {
    const visibleTo = index === 0 ? [...PARTNERS] : [PARTNERS[index % PARTNERS.length]!];
    await send(`base ${propertyId}`, {
      kind: 'document',
      propertyId,
      name: `${propertyId} 0`,
      visibleTo,
      isForAll: false,
      terms: allTerms[index]!,
    });
    const entries = [{ propertyId, units: 2, rate: 10_000 }];
    await send(`base calendar ${propertyId}`, { kind: 'calendars', source: 'pms', entries });
  }
  // Last, so that stories do not begin with the announcement of all this.
  for (const partnerId of PARTNERS) {
    const url = `https://${partnerId}.example/`;
    const { webhookId, secret } = valueOf(
      await createWebhook(
        { storage, clock, random },
        { partnerId, url, events: undefined, allowsPrivate: true },
      ),
    );
    webhooks.set(partnerId, { webhookId, secret });
  }
  const testCredentials: Held[] = [];
  for (const partnerId of PARTNERS) {
    const issued = valueOf(
      await issueCredential({ storage, clock, random }, { partnerId, quota: 1_000, isTest: true }),
    );
    testCredentials.push({ partnerId, credentialId: issued.credentialId, token: issued.token });
  }
  note('putCredentials', [(await storage.readAccess()).credentials], undefined);
  return {
    backup: truth.backUp(),
    knowledge: known.keep(),
    credentials,
    testCredentials,
    webhooks,
  };
}

/** These units at this rate on all nights of a story. */
function entryOf(units: number, rate: number | undefined): Line {
  const set = rate === undefined ? {} : { rate: (rate / 100).toFixed(2) };
  return nights(formatLocalDate(FIRST_NIGHT), formatLocalDate(LAST_NIGHT), { availability: units, ...set });
}

/** The name that sources have for the type of a property. */
function externalKeyOf(propertyId: string): string {
  return `room of ${propertyId}`;
}

function ariValueOf({
  propertyId,
  units,
  rate,
}: Extract<SentIntent, { kind: 'calendars' }>['entries'][number]): Line {
  const { dateFrom, dateTo, availability, ...price } = entryOf(units, rate);
  return {
    room_type_id: externalKeyOf(propertyId),
    date_from: dateFrom,
    date_to: dateTo,
    availability,
    ...price,
  };
}

/** Sends what an intent says, as its source would. */
export function sendIntent(
  deps: SupplyDeps,
  key: string,
  intent: SentIntent,
  { target = key, isPartial = false }: { readonly target?: string; readonly isPartial?: boolean } = {},
): Promise<SupplyResult> {
  const bodyOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
  if (intent.kind === 'calendars') {
    const { source, entries, isAri = false } = intent;
    const request = { source, idempotencyKey: key, target, isPartial };
    if (isAri) return receiveAri(deps, { ...request, body: bodyOf({ values: entries.map(ariValueOf) }) });
    const body = bodyOf({
      entries: entries.map(({ propertyId, units, rate }) => ({
        propertyId,
        inventoryTypeId: 'double',
        ...entryOf(units, rate),
      })),
    });
    return receiveCalendars(deps, { ...request, body });
  }
  const { propertyId } = intent;
  const request = { source: 'pms', idempotencyKey: key, target, propertyId };
  if (intent.kind === 'withdrawal') return receiveWithdrawal(deps, { ...request, body: new Uint8Array() });
  return receiveProperty(deps, { ...request, body: bodyOf(documentOf(intent)) });
}

/** As a native document; `byHand` has prices by inventory type. */
export function documentOf(
  { propertyId, name, open, isForAll, visibleTo, terms }: Omit<DocumentIntent, 'kind'>,
  {
    calendarOf = entryOf,
    byHand = {},
  }: { readonly calendarOf?: typeof entryOf; readonly byHand?: KnownProperty['byHand'] } = {},
): object {
  const { fields, double, types } = SHAPES[terms.shape]!;
  const { discounts = [] } = fields as { readonly discounts?: readonly object[] };
  const { maxAdvanceDays, currency = 'EUR', maxSupplyAgeHours } = terms;
  const window = maxAdvanceDays === undefined ? {} : { maxAdvanceDays };
  const type = { inventoryTypeId: 'double', name: 'Double', guestsMax: 2, ...double, ...window };
  const calendar = open && [calendarOf(open.units, open.rate)];
  const others = types.map((one) => withPrice(one, byHand[String(one['inventoryTypeId'])]));
  return hotel(propertyId, {
    ...fields,
    name,
    currency,
    maxSupplyAgeHours,
    visibleTo: isForAll ? 'all' : visibleTo,
    discounts: [...(terms.hasDiscount ? [TENTH_OFF] : []), ...discounts],
    inventoryTypes: [calendar === undefined ? type : { ...type, calendar }, ...others],
  });
}

function withPrice(type: Line, rate: number | undefined): Line {
  if (rate === undefined) return type;
  const { calendar } = type as unknown as { readonly calendar: readonly Line[] };
  const priced = nights(formatLocalDate(FIRST_NIGHT), formatLocalDate(LAST_NIGHT), {
    rate: (rate / 100).toFixed(2),
  });
  return { ...type, calendar: [...calendar, priced] };
}
