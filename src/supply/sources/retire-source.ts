/** Retires a source: its settings are deleted, and those of other sources apply again. */
import { Wrong } from '../../domain/wrong.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { ALL_FIELDS } from '../../domain/calendar-fields.ts';
import { connectionOf, FEED_SOURCE_PREFIX, MANUAL_SOURCE, SUPPLY_AGE_SOURCE } from '../../domain/layers.ts';
import { done, type Outcome, refuse } from '../../domain/outcome.ts';
import { countNights, visitStretches } from '../../domain/night-runs.ts';
import type { ConnectionStore } from '../../storage/connections/store.ts';
import type { FeedStore } from '../../storage/feeds/store.ts';
import type { SourceProperty, SupplyStore } from '../../storage/supply/store.ts';
import type { SupplyOutcome } from '../../domain/ledger/message.ts';
import { inPages } from '../../runtime/in-pages.ts';
import { applyOwnMessage, makeOwnMessage, type MessageDeps } from '../messages/receive-message.ts';

export interface RetireDeps extends MessageDeps {
  readonly storage: Pick<SupplyStore, 'applySupply' | 'listSourceProperties'> &
    Pick<FeedStore, 'findFeed'> &
    Pick<ConnectionStore, 'findConnection'>;
}

export interface RetireOptions {
  readonly source: string;
  /** Limits it to one property. */
  readonly propertyId?: string | undefined;
  readonly dryRun: boolean;
  /** Properties of one transaction, smaller in tests. */
  readonly batchMax?: number | undefined;
}

export interface Retired {
  readonly source: string;
  /** Properties on which the source had settings or confirmations. */
  readonly properties: number;
  /** Nights of inventory types on which it had settings. */
  readonly nights: number;
  readonly dryRun: boolean;
}

/** Properties of one transaction, and of one message in the list. */
const BATCH_MAX = 200;
export const RETIREMENT_KIND = 'retirement';

/**
 * Resolves after the last commit; a dry run writes nothing. Refuses before any write if the source owns a document, or
 * if its layer is ended in another way.
 */
export async function retireSource(deps: RetireDeps, options: RetireOptions): Promise<Outcome<Retired>> {
  const { source, dryRun } = options;
  const reserved = await findReserved(deps, source);
  if (reserved !== undefined) return refuse(reserved);
  const found = await survey(deps, options);
  const { properties, nights, ownedCount } = found;
  if (ownedCount > 0) return refuse(ownedReason(source, found));
  if (properties === 0) {
    const { propertyId } = options;
    const named = { source: JSON.stringify(source) };
    const problem =
      propertyId === undefined
        ? new Wrong('nothingSent', named)
        : new Wrong('nothingSentFor', { ...named, propertyId });
    return refuse(problem, 'unknown');
  }
  if (!dryRun) {
    const refused = await apply(deps, options);
    if (refused !== undefined) return refuse(ownedReason(source, refused));
  }
  return done({ source, properties, nights, dryRun });
}

/** For sources that are ended in another way: how. */
async function findReserved({ storage }: RetireDeps, source: string): Promise<Wrong | undefined> {
  if (source === MANUAL_SOURCE) return new Wrong('manualNotRetired');
  if (source === SUPPLY_AGE_SOURCE) return new Wrong('ageNotRetired', { source });
  const connection = connectionOf(source);
  if (connection !== undefined && (await storage.findConnection(connection.name)) !== undefined)
    return new Wrong('connectionNotRetired', { name: connection.name });
  if (!source.startsWith(FEED_SOURCE_PREFIX)) return undefined;
  const feedId = source.slice(FEED_SOURCE_PREFIX.length);
  const feed = await storage.findFeed(feedId);
  return feed === undefined ? undefined : new Wrong('feedNotRetired', { id: feedId });
}

interface Survey {
  readonly properties: number;
  readonly nights: number;
  readonly ownedCount: number;
  /** The first such ids. */
  readonly ownedIds: readonly string[];
}

const OWNED_NAMED_MAX = 3;

async function survey(deps: RetireDeps, options: RetireOptions): Promise<Survey> {
  let properties = 0;
  let nights = 0;
  let ownedCount = 0;
  const ownedIds: string[] = [];
  for await (const batch of readBatches(deps, options)) {
    for (const { propertyId, ownsDocument, layers } of batch) {
      properties += 1;
      nights += layers.reduce((sum, layer) => sum + nightsOf(layer), 0);
      if (!ownsDocument) continue;
      ownedCount += 1;
      if (ownedIds.length < OWNED_NAMED_MAX) ownedIds.push(propertyId);
    }
  }
  return { properties, nights, ownedCount, ownedIds };
}

/** Earlier batches stay after a refusal: a document that arrived meanwhile means that the source is active again. */
async function apply(
  deps: RetireDeps,
  options: RetireOptions,
): Promise<Pick<Survey, 'ownedCount' | 'ownedIds'> | undefined> {
  const batches: (readonly string[])[] = [];
  for await (const batch of readBatches(deps, options))
    batches.push(batch.map(({ propertyId }) => propertyId));
  for (const [index, propertyIds] of batches.entries()) {
    const isLast = options.propertyId === undefined && index === batches.length - 1;
    const { verdict, refusals } = await retireBatch(deps, options.source, { propertyIds, isLast });
    if (verdict === 'applied') continue;
    const ownedIds = refusals.map(({ propertyId }) => propertyId);
    return { ownedCount: ownedIds.length, ownedIds: ownedIds.slice(0, OWNED_NAMED_MAX) };
  }
  return undefined;
}

function retireBatch(
  deps: RetireDeps,
  source: string,
  batch: { readonly propertyIds: readonly string[]; readonly isLast: boolean },
): Promise<SupplyOutcome> {
  const work = { kind: 'retirement', ...batch } as const;
  return applyOwnMessage(deps.storage, makeOwnMessage(deps, { source, kind: RETIREMENT_KIND, work }));
}

async function* readBatches(
  { storage }: RetireDeps,
  { source, propertyId, batchMax = BATCH_MAX }: RetireOptions,
): AsyncGenerator<readonly SourceProperty[], void> {
  if (propertyId !== undefined) {
    // The first property after all ids before it.
    const found = await storage.listSourceProperties(source, before(propertyId), 1);
    const own = found.filter((one) => one.propertyId === propertyId);
    if (own.length > 0) yield own;
    return;
  }
  yield* inPages<SourceProperty>(batchMax, (last, limit) =>
    storage.listSourceProperties(source, last?.propertyId ?? '', limit),
  );
}

/** Ids are plain ASCII: only ids that extend this text sort between it and the id. */
function before(propertyId: string): string {
  const last = propertyId.length - 1;
  return `${propertyId.slice(0, last)}${String.fromCharCode(propertyId.charCodeAt(last) - 1)}\u007f`;
}

/** Nights on which it sets anything. */
function nightsOf({ nights, rates }: SourceProperty['layers'][number]): number {
  const calendar = decodeCalendar(nights, rates);
  let count = 0;
  visitStretches(
    ALL_FIELDS.map((field) => calendar[field]),
    (from, until, values) => {
      if (values.some((value) => value !== undefined)) count += countNights([{ from, until, value: 1 }]);
    },
  );
  return count;
}

function ownedReason(
  source: string,
  { ownedCount, ownedIds }: Pick<Survey, 'ownedCount' | 'ownedIds'>,
): Wrong {
  const names = ownedIds.join(', ');
  const more = ownedCount - ownedIds.length;
  const ids = more > 0 ? new Wrong('andMore', { names, count: more }) : names;
  return new Wrong('ownsDocuments', { source: JSON.stringify(source), ids });
}
