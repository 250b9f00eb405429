/** Pages, bodies and log lines of the operations that set supply up. */
import { PAGE_LIMIT_DEFAULT } from '../../contract/operator/supply-parts.ts';
import type { Logger } from 'pino';
import type { ActPorts } from '../acts/act.ts';
import { type Grammar, Reader } from '../../domain/document/grammar.ts';
import type { MessageStore } from '../../supply/messages/read-supply.ts';
import { MessageErrors, presentErrors, readJson } from '../../supply/messages/message-body.ts';
import type { OperatorExchange } from './operator-exchange.ts';
import { answerJson } from './present-supply.ts';
import { type QueryValues, refuse, refuseForeign } from './supply-query.ts';

/** Where a page begins: the key of the last row of the page before. */
export interface PageCursor {
  readonly key: readonly string[];
  readonly limit: number;
}

/** `keyLength` texts, all empty for the first page; undefined, and answered, when `after` is none of ours. */
export function pageCursorOf(
  exchange: OperatorExchange,
  { after, limit }: QueryValues,
  keyLength: number,
): PageCursor | undefined {
  const key = after === undefined ? Array.from({ length: keyLength }, () => '') : parseCursor(after);
  if (key?.length === keyLength) return { key, limit: Number(limit ?? PAGE_LIMIT_DEFAULT) };
  const detail = 'Must be the "next" of the page before, as it was answered.';
  return refuse(exchange, { pointer: '?after', code: 'PARAMETER_INVALID', detail });
}

/** The page under `name`, and where the next one begins. `found`: one row more than the page has, where there is one. */
export function answerPage<Row extends object>(
  { response }: OperatorExchange,
  name: string,
  { found, limit }: { readonly found: readonly Row[]; readonly limit: number },
  keyOf: (row: Row) => readonly string[],
): void {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const next = found.length <= limit || last === undefined ? null : formatCursor(keyOf(last));
  answerJson(response, { [name]: rows, next });
}

function formatCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

function parseCursor(text: string): readonly string[] | undefined {
  try {
    const key: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const isKey = Array.isArray(key) && key.every(isPlainText);
    return isKey ? key : undefined;
  } catch {
    return undefined;
  }
}

function isPlainText(part: unknown): part is string {
  return typeof part === 'string' && part.isWellFormed() && !part.includes('\0');
}

/** Undefined, and answered, when anything is wrong with it. */
export function readBody<T extends object>(exchange: OperatorExchange, part: Grammar<T>): T | undefined {
  const errors = new MessageErrors();
  const json = readJson(exchange.body, errors);
  const value = json && readFields(json.value, part, errors).value;
  return value ?? refuse(exchange, ...presentErrors(errors));
}

export function readFields<T extends object>(given: unknown, part: Grammar<T>, errors = new MessageErrors()) {
  const reader = new Reader();
  const value = part.read(given, '', reader, {});
  return { value: errors.addFinding(reader.findings) ? undefined : value, errors };
}

/** True, and answered, for a token with a source: what it asks for belongs to none. */
export function refuseSource(exchange: OperatorExchange): boolean {
  const source = exchange.operator?.source ?? undefined;
  if (source !== undefined) refuseForeign(exchange, source, '');
  return source !== undefined;
}

export interface SetupDeps {
  readonly acts: ActPorts;
  readonly supply: { readonly storage: MessageStore };
  /** One line for each act, as for other acts of an administrator. */
  readonly logger: Pick<Logger, 'info'>;
}

/** Ids and counts, never a URL. */
const LOGGED = [
  'source',
  'externalKey',
  'feedId',
  'propertyId',
  'inventoryTypeId',
  'properties',
  'nights',
  'mappingCount',
];

export function logSetup(
  { logger }: SetupDeps,
  { operator }: OperatorExchange,
  act: string,
  about: Readonly<Record<string, unknown>>,
): void {
  const known = LOGGED.filter((name) => about[name] !== undefined).map(
    (name) => [name, about[name]] as const,
  );
  const operatorTokenId = operator?.operatorTokenId;
  logger.info({ act, operatorTokenId, ...Object.fromEntries(known) }, 'supply was set up');
}
