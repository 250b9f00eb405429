/**
 * Which server is the primary, as far as this process knows, and whether a connection still leads to it.
 *
 * A primary that froze and was replaced does not know it when it thaws: a process that stays connected goes on writing
 * to it. So each connection's server and timeline are checked again, at most every second. A standby that is promoted
 * begins a new timeline; the highest that any connection has seen is the primary's. Connections end after a while, and
 * new ones go where the name leads, so a new primary is met even when nothing fails.
 */
import type { ClientBase } from 'pg';
import type { Clock } from '../../../runtime/clock.ts';
import { StorageUnavailable } from '../errors.ts';
import { withAnswerTimeout } from './statement-timeout.ts';

/** How long the result of a check is reused. */
export const RECHECK_MS = 1_000;
/**
 * After so long without a sign of the newer primary, the older one is accepted again: then an operator switched back
 * on purpose, from a copy of the disk for example.
 */
export const NEWER_FORGOTTEN_MS = 60_000;
/** A server that is frozen does not answer at all; then the connection is given up. */
const ANSWER_MS_MAX = 2_000;

interface Identity {
  /** Of the cluster: the same on its standbys, another one after a restore into a new cluster. */
  readonly system: string;
  readonly timeline: number;
}

interface ServerRow {
  readonly standby: boolean;
  readonly system: string;
  /** Eight hexadecimal digits. */
  readonly timeline: string;
}

/**
 * All roles may ask these. The file name has the timeline that is written now; a checkpoint may still show the old one.
 */
const IDENTITY = `
  SELECT pg_is_in_recovery() AS standby, (SELECT system_identifier::text FROM pg_control_system()) AS system,
    CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`;
/** For servers that speak PostgreSQL's dialect and have no such log: `42883`, `42501` and `0A000` say so. */
const STANDBY = `SELECT pg_is_in_recovery() AS standby, '' AS system, '' AS timeline`;
const NOT_OFFERED: ReadonlySet<unknown> = new Set(['42883', '42501', '0A000']);

/** One for each process and database. */
export class PrimaryFence {
  readonly #uptimeMs: Clock;
  /** When each connection was last found to lead to the primary. */
  readonly #checkedAtMs = new WeakMap<object, number>();
  #primary: Identity | undefined;
  #seenAtMs = 0;
  /** When another server was met: what was found before is not valid any more. */
  #otherSinceMs = Number.NEGATIVE_INFINITY;
  #hasTimelines = true;

  readonly #onOtherServer: () => void;

  /** `onOtherServer`: what was known of the server is not true any more. */
  constructor(options: { readonly onOtherServer: () => void; readonly uptimeMs?: Clock }) {
    this.#onOtherServer = options.onOtherServer;
    this.#uptimeMs = options.uptimeMs ?? (() => performance.now());
  }

  /**
   * For a new connection: a server of another system is where the name leads now. Rejects with `StorageUnavailable`.
   */
  async admit(client: Pick<ClientBase, 'query'>): Promise<void> {
    const identity = await this.#ask(client);
    if (identity !== undefined) {
      if (this.#primary?.system !== identity.system) this.#primary = undefined;
      this.#assertPrimary(identity);
    }
    this.#checkedAtMs.set(client, this.#uptimeMs());
  }

  /** For one that is lent again. Rejects with `StorageUnavailable`: it must not be used. */
  async check(client: Pick<ClientBase, 'query'>): Promise<void> {
    const askedAtMs = this.#uptimeMs();
    const checkedAtMs = this.#checkedAtMs.get(client) ?? Number.NEGATIVE_INFINITY;
    if (checkedAtMs >= this.#otherSinceMs && askedAtMs - checkedAtMs < RECHECK_MS) return;
    const identity = await this.#ask(client);
    if (identity !== undefined) {
      if (this.#primary !== undefined && this.#primary.system !== identity.system)
        throw new StorageUnavailable('the connection leads to another server than new ones do');
      this.#assertPrimary(identity);
    }
    this.#checkedAtMs.set(client, askedAtMs);
  }

  #assertPrimary(identity: Identity): void {
    const nowMs = this.#uptimeMs();
    const isOlder = this.#primary !== undefined && identity.timeline < this.#primary.timeline;
    if (isOlder && nowMs - this.#seenAtMs < NEWER_FORGOTTEN_MS) {
      throw new StorageUnavailable(
        `the server is a former primary: its timeline is ${identity.timeline}, that of the primary ${this.#primary!.timeline}`,
      );
    }
    const isOther = this.#primary?.timeline !== identity.timeline || this.#primary.system !== identity.system;
    this.#primary = identity;
    this.#seenAtMs = nowMs;
    if (!isOther) return;
    this.#otherSinceMs = nowMs;
    this.#onOtherServer();
  }

  /** Undefined where the server does not report it. */
  async #ask(client: Pick<ClientBase, 'query'>): Promise<Identity | undefined> {
    const row = await this.#askRow(client);
    if (row?.standby !== false) throw new StorageUnavailable('the server is a standby, not the primary');
    return row.timeline === ''
      ? undefined
      : { system: row.system, timeline: Number.parseInt(row.timeline, 16) };
  }

  async #askRow(client: Pick<ClientBase, 'query'>): Promise<ServerRow | undefined> {
    if (this.#hasTimelines) {
      try {
        return (await client.query<ServerRow>(withAnswerTimeout({ text: IDENTITY }, ANSWER_MS_MAX))).rows[0];
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && NOT_OFFERED.has(error.code))) throw error;
        this.#hasTimelines = false;
      }
    }
    return (await client.query<ServerRow>(withAnswerTimeout({ text: STANDBY }, ANSWER_MS_MAX))).rows[0];
  }
}
