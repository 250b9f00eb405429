/** What writers and readers of one database do, drawn from a seed, and what readers must be shown. */
import assert from 'node:assert/strict';
import { cursorAfter } from '../../src/storage/catalogue/change-cursor.ts';
import { NOTHING_READ } from '../../src/storage/history/revision.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { randomMessageIds } from '../../src/storage/supply/message-id.ts';
import { readPropertyMessage } from '../../src/supply/messages/property-message.ts';
import { retireSource } from '../../src/supply/sources/retire-source.ts';
import { seededBytes } from '../kit/catalogue-samples.ts';
import { sampleQuote } from '../suites/storage/sample-rows.ts';
import { documentOf, PARTNERS, sendIntent, SOURCES, START_MS } from './base.ts';
import { type CommitJudge, pictureOf } from './commit-judge.ts';
import { type DocumentIntent, importKeyOf, NO_TERMS, OWNER, type SentIntent } from './known-truth.ts';
import { HORIZON_NIGHTS, parseHere } from './service.ts';

export const PROPERTIES = ['p1', 'p2', 'p3'] as const;
const [, CHANNEL] = SOURCES;
/** Of imports, of retirements, and of pages of changes. */
const BATCH_MAX = 2;
export const QUOTE_DAY = 20_000;
export const CREDENTIALS = ['c1', 'c2'] as const;

/** What a reader holds that follows the changes. */
interface Copy {
  cursor: ReturnType<typeof cursorAfter>;
  readonly properties: Map<string, object>;
}

export function emptyCopy(): Copy {
  return { cursor: cursorAfter(NOTHING_READ), properties: new Map() };
}

export interface Reader {
  /** With its commits followed. */
  readonly storage: Storage;
  readonly judge: CommitJudge;
  readonly copy: Copy;
}

export type Operation = (reader: Reader) => Promise<unknown>;

interface Sent {
  readonly key: string;
  readonly target: string;
  readonly intent: SentIntent;
}

/** Draws what one schedule does. */
export class Operations {
  readonly judge: CommitJudge;
  readonly below: (max: number) => number;
  readonly #newMessageId: ReturnType<typeof randomMessageIds>;
  /** Messages and imports that were drawn. */
  readonly #sent: Sent[] = [];
  readonly #imports: DocumentIntent[] = [];
  /** Of quotes that were stored. */
  readonly quoteIds: string[] = [];
  /** All that was added to the counts of credentials. */
  quoteCount = 0;
  #count = 0;

  constructor(judge: CommitJudge, random: () => number) {
    this.judge = judge;
    this.below = (max) => Math.floor(random() * max);
    this.#newMessageId = randomMessageIds(seededBytes(random));
  }

  pick<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }

  draw(): Operation {
    const all: readonly (() => Operation)[] = [
      () => this.#send(this.#drawSent()),
      () => this.#send(this.#drawSent()),
      () => this.#send(this.#drawSent()),
      () => this.#sendAgain(),
      () => this.#sendAgain(),
      () => this.#import(),
      () => this.#import(),
      () => this.#withdraw(),
      () => this.#retire(),
      () => this.#quote(),
      () => follow,
      () => follow,
      () => readSnapshot,
      () => readSnapshot,
      () => this.#readLayers(),
      () => this.#readLayers(),
      () => readFeed,
    ];
    return this.pick(all)();
  }

  #drawDocument(propertyId: string): DocumentIntent {
    const name = `${propertyId} ${(this.#count += 1)}`;
    const visibleTo = [this.pick(PARTNERS)];
    const open = this.below(2) === 0 ? undefined : { units: this.below(3), rate: this.#drawRate() };
    const isForAll = this.below(4) === 0;
    return { kind: 'document', propertyId, name, visibleTo, isForAll, terms: NO_TERMS, open };
  }

  #drawRate(): number {
    return 9_000 + 100 * this.below(9);
  }

  #drawIntent(): SentIntent {
    const propertyId = this.pick(PROPERTIES);
    const kind = this.pick([
      'document',
      'document',
      'withdrawal',
      'units',
      'units',
      'units',
      'prices',
      'prices',
    ]);
    if (kind === 'document') return this.#drawDocument(propertyId);
    if (kind === 'withdrawal') return { kind, propertyId };
    const ids = this.below(2) === 0 ? [propertyId] : PROPERTIES.filter((id) => id !== propertyId);
    const entries = ids.map((id) => ({ propertyId: id, units: this.below(3) }));
    if (kind === 'units') return { kind: 'calendars', source: CHANNEL, entries };
    const rate = this.#drawRate();
    return { kind: 'calendars', source: OWNER, entries: entries.map((entry) => ({ ...entry, rate })) };
  }

  #drawSent(key = `key-${(this.#count += 1)}`): Sent {
    const sent = { key, target: `message-${(this.#count += 1)}`, intent: this.#drawIntent() };
    this.#sent.push(sent);
    this.judge.known.intents.set(sent.target, sent.intent);
    return sent;
  }

  /** One of the last messages, which may be under way, or something else with its key. */
  #sendAgain(): Operation {
    const used = this.pick(this.#sent.length === 0 ? [this.#drawSent()] : this.#sent.slice(-3));
    return this.#send(this.below(2) === 0 ? used : this.#drawSent(used.key));
  }

  #send({ key, target, intent }: Sent): Operation {
    return async ({ storage, judge }) => {
      const deps = { ...this.#depsOf(storage), parser: parseHere, bookingOrigins: [] };
      const { kind } = await sendIntent(deps, key, intent, { target });
      if (kind === 'done') assert.ok(judge.known.now.appliedKeys.has(target), `${target} is not applied`);
    };
  }

  #depsOf(storage: Storage) {
    const clock = (): number => START_MS;
    return { storage, clock, newMessageId: this.#newMessageId, horizonNights: HORIZON_NIGHTS };
  }

  importAll(): Operation {
    return this.#import(0);
  }

  /** New documents, or some that were imported before: lately, or at first. */
  #import(first = this.below(PROPERTIES.length)): Operation {
    const again = this.pick([[], this.#imports.slice(-3), this.#imports]);
    const files = PROPERTIES.slice(first).map(
      (id) => again.find(({ propertyId }) => propertyId === id) ?? this.#drawDocument(id),
    );
    for (const file of files) this.judge.known.intents.set(importKeyOf(file.name), file);
    this.#imports.push(...files);
    const writes = files.map(
      (file) =>
        readPropertyMessage(Buffer.from(JSON.stringify(documentOf(file))), {
          propertyId: file.propertyId,
          source: OWNER,
          horizonNights: HORIZON_NIGHTS,
          bookingOrigins: [],
        }).write!,
    );
    return async ({ storage }) => {
      for (let start = 0; start < writes.length; start += BATCH_MAX)
        await storage.writeProperties(writes.slice(start, start + BATCH_MAX));
    };
  }

  #withdraw(): Operation {
    const ids = PROPERTIES.slice(1 + this.below(2));
    return ({ storage }) => storage.withdrawProperties(ids);
  }

  #retire(): Operation {
    const options = { source: CHANNEL, dryRun: false, batchMax: BATCH_MAX };
    return ({ storage }) => retireSource(this.#depsOf(storage), options);
  }

  /** Of a property as it is now. */
  #quote(): Operation {
    const propertyId = this.pick(PROPERTIES);
    const credentialIds = CREDENTIALS.slice(this.below(2));
    return async ({ storage, judge }) => {
      await judge.assertNewest(storage, propertyId);
      const quoteId = `quote ${(this.#count += 1)}`;
      await storage.insertQuote(sampleQuote(quoteId, { propertyId }));
      this.quoteIds.push(quoteId);
      await storage.addQuoteCounts(
        QUOTE_DAY,
        credentialIds.map((credentialId) => ({ credentialId, quotes: 1 })),
      );
      this.quoteCount += credentialIds.length;
    };
  }

  #readLayers(): Operation {
    const propertyId = this.pick(PROPERTIES);
    return ({ storage, judge }) => judge.assertLayers(storage, propertyId, judge.known.revision);
  }
}

/** Page by page, until nothing is left to read. */
export async function follow({ storage, judge, copy }: Reader): Promise<void> {
  for (let isComplete = false; !isComplete;) {
    const { changes, cursor, complete } = await storage.readPropertyChanges(copy.cursor, BATCH_MAX);
    assert.ok(cursor.revision >= copy.cursor.revision, 'revisions go back');
    for (const change of changes)
      if ('property' in change) copy.properties.set(change.property.propertyId, pictureOf(change));
      else copy.properties.delete(change.propertyId);
    copy.cursor = cursor;
    isComplete = complete;
  }
  assert.equal(copy.cursor.revision, judge.known.revision);
  judge.assertShown(copy.properties, copy.cursor.revision);
}

export async function readSnapshot({ storage, judge, copy }: Reader): Promise<void> {
  const snapshot = await storage.openSnapshot(copy.cursor.history);
  try {
    const shown = new Map<string, object>();
    for await (const batch of snapshot.readProperties())
      for (const followed of batch) shown.set(followed.property.propertyId, pictureOf(followed));
    judge.assertShown(shown, snapshot.history.revision);
  } finally {
    await snapshot.close();
  }
}

export function readFeed({ storage, judge }: Reader): Promise<void> {
  return judge.assertFeed(storage);
}
