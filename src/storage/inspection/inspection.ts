/**
 * What a database is and holds, as `doctor` reports it: read without changing anything, also where the schema is older,
 * the server a standby, or the file not there yet.
 */
import { RELEASE } from '../../runtime/release.ts';
import { SUPPLY_AGE_SOURCE } from '../../domain/layers.ts';
import { type PropertyImage, UPLOAD_FOLDER } from '../../domain/property-details.ts';
import { parseDetails } from '../../ledger/stored-document.ts';
import type { SchemaState, SeenProcess } from '../engine/state.ts';
import { type Program, rows } from '../programs/program.ts';

/** No wait on the way to a database takes longer. */
export const INSPECTION_MS_MAX = 5_000;
/** Beside `stayport/RELEASE`, by which connections of running processes are counted. */
export const INSPECTION_NAME = `stayport-doctor/${RELEASE}`;
/** More names make no better line. */
const NAMES_MAX = 5;
/** Properties whose pictures are looked at. */
const PICTURED_MAX = 200;

export interface DatabaseInspection {
  /** Such as `PostgreSQL 18.4 at db.example:5432/stayport`; without user and password. */
  readonly name: string;
  readonly schema: SchemaState;
  /** Why nothing can be written; undefined: it can. */
  readonly readOnly: string | undefined;
  /** What is set in a way that loses data, or lets others read it: the problem, and what to run. */
  readonly modes: readonly ModeProblem[];
  /** By how much the server's clock is ahead, milliseconds; undefined: there is no other clock. */
  readonly clockAheadMs: number | undefined;
  /** Where the database is on this machine. */
  readonly folder: string | undefined;
  readonly connections: ConnectionRoom | undefined;
  /** Undefined on a schema that does not serve this program. */
  readonly content: DatabaseContent | undefined;
}

export interface ModeProblem {
  readonly detail: string;
  readonly fix: string;
}

export interface ConnectionRoom {
  /** What the server allows to ordinary users. */
  readonly max: number;
  /** Connections of other programs, now. */
  readonly others: number;
}

export interface DatabaseContent {
  readonly processes: readonly SeenProcess[];
  /** Handoff keys that are in use, with their secrets: for checking, never for printing. */
  readonly keys: readonly StoredKey[];
  /** In use and without an end: how many, and some of their names. */
  readonly endlessTokens: SomeNames;
  readonly failingFeeds: SomeNames;
  readonly heldFeeds: SomeNames;
  readonly failingWebhooks: SomeNames;
  /** By the service, not by the operator. */
  readonly stoppedWebhooks: SomeNames;
  /** Properties that are closed because no source has confirmed them. */
  readonly silentProperties: SomeNames;
  readonly pictured: SomePictured;
  readonly uploadsInUse: UploadsInUse;
}

/** What is said of the pictures of the first properties, by id. */
export interface SomePictured {
  readonly properties: readonly {
    readonly propertyId: string;
    readonly images: readonly PropertyImage[];
  }[];
  /** There are more. */
  readonly isCut: boolean;
}

/** Files that properties name; those of a withdrawn one went with it. */
export interface UploadsInUse {
  readonly names: ReadonlySet<string>;
  /** There are more. */
  readonly isCut: boolean;
}

export interface StoredKey {
  readonly keyId: string;
  readonly secret: string;
  readonly createdAtMs: number;
}

export interface SomeNames {
  readonly count: number;
  readonly names: readonly string[];
}

type Rest = Omit<DatabaseContent, 'processes'>;

/** On both engines. */
export function* readContent(nowMs: number): Program<Rest> {
  const keys = yield* rows<{
    readonly key_id: string;
    readonly secret: string;
    readonly created_at_ms: number;
  }>(
    'SELECT key_id, secret, created_at_ms FROM handoff_keys WHERE retired_at_ms IS NULL ORDER BY revision DESC',
  );
  return {
    keys: keys.map(({ key_id, secret, created_at_ms }) => ({
      keyId: key_id,
      secret,
      createdAtMs: created_at_ms,
    })),
    endlessTokens: yield* someNames(
      `SELECT operator_token_id AS name FROM operator_tokens WHERE revoked_at_ms IS NULL AND expires_at_ms IS NULL`,
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
