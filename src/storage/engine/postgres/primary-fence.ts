/**
 * Which server is the primary, as far as this process knows, and whether a connection still reaches it.
 *
 * A primary that froze and was replaced does not notice when it thaws: a process that stays connected would keep
 * writing to it. So each connection's server and timeline are checked again, at most once a second. A promoted standby
 * begins a new timeline; the highest that any connection has seen is the primary's. Connections end after a while and
 * new ones resolve the name again, so they meet a new primary even if nothing fails.
 */
import type { ClientBase } from 'pg';
import type { Clock } from '../../../runtime/clock.ts';
import { StorageUnavailable } from '../errors.ts';
import { withAnswerTimeout } from './statement-timeout.ts';

/** How long the result of a check is reused. */
export const RECHECK_MS = 1_000;
/**
 * After this long without a sign of the newer primary, the older one is accepted again: then an operator switched back
 * on purpose, for example from a copy of the disk.
 */
export const NEWER_FORGOTTEN_MS = 60_000;
/** A frozen server does not answer at all; then the connection is dropped. */
const ANSWER_MS_MAX = 2_000;

interface Identity {
  /** Identifies the cluster: equal on its standbys, different after a restore into a new cluster. */
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
 * Every role may run this. The file name has the timeline that is written now; a checkpoint may still show the old one.
 */
const IDENTITY = `
  SELECT pg_is_in_recovery() AS standby, (SELECT system_identifier::text FROM pg_control_system()) AS system,
    CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`;
/** For PostgreSQL-compatible servers without such a log, which answer `42883`, `42501` or `0A000`. */
const STANDBY = `SELECT pg_is_in_recovery() AS standby, '' AS system, '' AS timeline`;
const NOT_OFFERED: ReadonlySet<unknown> = new Set(['42883', '42501', '0A000']);

/** One for each process and database. */
export class PrimaryFence {
  readonly #uptimeMs: Clock;
  /** When each connection was last found to lead to the primary. */
  readonly #checkedAtMs = new WeakMap<object, number>();
  #primary: Identity | undefined;
  #seenAtMs = 0;
  /** When this process met another server: earlier checks are void. */
  #otherSinceMs = Number.NEGATIVE_INFINITY;
  #hasTimelines = true;

  readonly #onOtherServer: () => void;

  /** Calls `onOtherServer` when everything known about the server is out of date. */
  constructor(options: { readonly onOtherServer: () => void; readonly uptimeMs?: Clock }) {
    this.#onOtherServer = options.onOtherServer;
    this.#uptimeMs = options.uptimeMs ?? (() => performance.now());
  }

  /**
   * Checks a new connection: if it reaches another system, that is where the name resolves now. Rejects with
   * `StorageUnavailable`.
   */
  async admit(client: Pick<ClientBase, 'query'>): Promise<void> {
    const identity = await this.#ask(client);
    if (identity !== undefined) {
      if (this.#primary?.system !== identity.system) this.#primary = undefined;
      this.#assertPrimary(identity);
    }
    this.#checkedAtMs.set(client, this.#uptimeMs());
  }

  /** Checks a connection before it is lent again. Rejects with `StorageUnavailable`: do not use it. */
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

  /** Undefined if the server does not report it. */
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
