/**
 * A database's state and contents, as `doctor` reports them. Reading changes nothing, and works on an older schema, a
 * standby, or a file that does not exist yet.
 */
import { RELEASE } from '../../runtime/release.ts';
import { SUPPLY_AGE_SOURCE } from '../../domain/layers.ts';
import { type PropertyImage, UPLOAD_FOLDER } from '../../domain/property-details.ts';
import { parseDetails, parseDocument } from '../../domain/ledger/stored-document.ts';
import type { Told } from '../../domain/wrong.ts';
import type { Property } from '../../domain/property.ts';
import { selectSiteSettings } from '../site/sql.ts';
import type { SiteSettingRow } from '../site/store.ts';
import type { HandoffKeyRow } from '../access/store.ts';
import type { SchemaState, SeenProcess } from '../engine/state.ts';
import { type Program, rows } from '../portable-sql/program.ts';

/** The longest wait for a database. */
export const INSPECTION_MS_MAX = 5_000;
/** Differs from `stayport/RELEASE`, the name by which connections of running processes are counted. */
export const INSPECTION_NAME = `stayport-doctor/${RELEASE}`;
/** More names would not make the line more useful. */
const NAMES_MAX = 5;
/** Properties whose pictures are checked. */
const PICTURED_MAX = 200;
/** Properties whose dated taxes are checked. */
const TAXED_MAX = 500;

export interface DatabaseInspection {
  /** Such as `PostgreSQL 18.4 at db.example:5432/stayport`; without user and password. */
  readonly name: string;
  readonly schema: SchemaState;
  /** Why the database cannot be written; undefined: it can. */
  readonly readOnly: string | undefined;
  /** Settings that risk losing data or let others read it: each problem with the command that fixes it. */
  readonly modes: readonly ModeProblem[];
  /** Milliseconds that the server's clock is ahead; undefined without another clock. */
  readonly clockAheadMs: number | undefined;
  /** The database's folder on this machine. */
  readonly folder: string | undefined;
  readonly connections: ConnectionRoom | undefined;
  /** Undefined if the schema does not fit this program. */
  readonly content: DatabaseContent | undefined;
}

export interface ModeProblem {
  readonly detail: Told;
  readonly fix: Told;
}

export interface ConnectionRoom {
  /** Connections that the server allows to ordinary users. */
  readonly max: number;
  /** Connections of other programs, now. */
  readonly others: number;
}

export interface DatabaseContent {
  readonly processes: readonly SeenProcess[];
  /** Handoff keys in use with their secrets: for checking, never for printing. */
  readonly keys: readonly StoredKey[];
  /** Tokens in use that never expire: how many, and some of their names. */
  readonly endlessTokens: SomeNames;
  /** Connections whose key, right or clock is wrong. */
  readonly refusedConnections: SomeNames;
  /** Connections with a type that had no good read for two intervals. */
  readonly lateConnections: SomeNames;
  /** Connections whose key ends soon. */
  readonly endingConnections: SomeNames;
  readonly failingFeeds: SomeNames;
  readonly heldFeeds: SomeNames;
  readonly failingWebhooks: SomeNames;
  /** Webhooks that the service disabled, not the operator. */
  readonly stoppedWebhooks: SomeNames;
  /** Properties closed because no source has confirmed them. */
  readonly silentProperties: SomeNames;
  readonly pictured: SomePictured;
  readonly uploadsInUse: UploadsInUse;
  readonly taxed: SomeTaxed;
  readonly siteSettings: readonly SiteSettingRow[];
}

/** The first properties, by id, that have tax rules with a last night. */
export interface SomeTaxed {
  readonly properties: readonly Pick<Property, 'propertyId' | 'timezone' | 'taxes'>[];
  /** More properties follow. */
  readonly isCut: boolean;
}

/** Pictures of the first properties, by id. */
export interface SomePictured {
  readonly properties: readonly {
    readonly propertyId: string;
    readonly images: readonly PropertyImage[];
  }[];
  /** More properties follow. */
  readonly isCut: boolean;
}

/** Files that properties name; those of a withdrawn one went with it. */
export interface UploadsInUse {
  readonly names: ReadonlySet<string>;
  /** There are more. */
  readonly isCut: boolean;
}

export type StoredKey = Pick<HandoffKeyRow, 'keyId' | 'secret' | 'createdAtMs'>;

export interface SomeNames {
  readonly count: number;
  readonly names: readonly string[];
}

type Rest = Omit<DatabaseContent, 'processes'>;

/** Days before the end of a connection's key. */
const KEY_ENDS_MS = 14 * 24 * 60 * 60_000;

/** On both engines. */
export function* readContent(nowMs: number): Program<Rest> {
  return {
    keys: yield* rows<StoredKey>(
      `SELECT key_id AS "keyId", secret, created_at_ms AS "createdAtMs" FROM handoff_keys
       WHERE retired_at_ms IS NULL ORDER BY revision DESC`,
    ),
    endlessTokens: yield* someNames(
      `SELECT operator_token_id AS name FROM operator_tokens WHERE revoked_at_ms IS NULL AND expires_at_ms IS NULL`,
    ),
    refusedConnections: yield* someNames('SELECT name FROM connections WHERE is_refused = 1'),
    lateConnections: yield* someNames(
      `SELECT DISTINCT c.name FROM connections c JOIN connection_rooms r ON r.name = c.name
       WHERE c.is_refused = 0
         AND COALESCE(r.read_at_ms, r.mapped_at_ms) + 2000 * c.every_seconds <= ${Math.trunc(nowMs)}`,
    ),
    endingConnections: yield* someNames(
      `SELECT name FROM connections WHERE key_ends_at_ms <= ${Math.trunc(nowMs + KEY_ENDS_MS)}`,
    ),
    failingFeeds: yield* someNames('SELECT feed_id AS name FROM ical_feeds WHERE failure IS NOT NULL'),
    heldFeeds: yield* someNames(
      'SELECT feed_id AS name FROM ical_feeds WHERE failure IS NULL AND held_nights IS NOT NULL',
    ),
    failingWebhooks: yield* someNames(
      'SELECT webhook_id AS name FROM webhooks WHERE disabled_at_ms IS NULL AND failing_since_ms IS NOT NULL',
    ),
    stoppedWebhooks: yield* someNames(
      `SELECT webhook_id AS name FROM webhooks WHERE disabled_reason IN ('gone', 'failing')`,
    ),
    silentProperties: yield* someNames(
      `SELECT DISTINCT property_id AS name FROM calendar_layers WHERE source = '${SUPPLY_AGE_SOURCE}'
       AND changed_at_ms <= ${Math.trunc(nowMs)}`,
    ),
    pictured: yield* readPictured(),
    uploadsInUse: yield* readUploadsInUse(),
    taxed: yield* readTaxed(),
    siteSettings: yield* selectSiteSettings(),
  };
}

function* readPictured(): Program<SomePictured> {
  const found = yield* rows<{ readonly property_id: string; readonly details: string }>(
    `SELECT p.property_id, d.details FROM property_details d JOIN properties p ON p.property_id = d.property_id
     WHERE p.withdrawn = 0 ORDER BY p.property_id LIMIT ${PICTURED_MAX + 1}`,
  );
  const properties = found.slice(0, PICTURED_MAX).map(({ property_id: propertyId, details }) => ({
    propertyId,
    images: parseDetails(details).images,
  }));
  return { properties, isCut: found.length > PICTURED_MAX };
}

function* readTaxed(): Program<SomeTaxed> {
  const found = yield* rows<{ readonly document: string }>(
    `SELECT document FROM properties WHERE document LIKE '%"validTo":"%' ORDER BY property_id LIMIT ${TAXED_MAX + 1}`,
  );
  const properties = found.slice(0, TAXED_MAX).map(({ document }) => parseDocument(document));
  return { properties, isCut: found.length > TAXED_MAX };
}

/** Properties with uploaded pictures. */
const UPLOADING_MAX = 5_000;

function* readUploadsInUse(): Program<UploadsInUse> {
  const found = yield* rows<{ readonly details: string }>(
    `SELECT details FROM property_details WHERE details LIKE '%"${UPLOAD_FOLDER}/%' LIMIT ${UPLOADING_MAX + 1}`,
  );
  const sources = found.flatMap(({ details }) => parseDetails(details).images.map(({ src }) => src));
  const prefix = `${UPLOAD_FOLDER}/`;
  const names = sources.filter((src) => src.startsWith(prefix)).map((src) => src.slice(prefix.length));
  return { names: new Set(names), isCut: found.length > UPLOADING_MAX };
}

function* someNames(query: string): Program<SomeNames> {
  const [counted] = yield* rows<{ readonly count: number }>(
    `SELECT count(*) AS count FROM (${query}) AS found`,
  );
  const named = yield* rows<{ readonly name: string }>(`${query} ORDER BY 1 LIMIT ${NAMES_MAX}`);
  return { count: counted?.count ?? 0, names: named.map(({ name }) => name) };
}
