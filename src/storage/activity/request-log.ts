/** The log of requests: a row an answer. */
import { type Program, rows, type Value } from '../portable-sql/program.ts';
import { columnOf } from '../portable-sql/stored-row.ts';
import { type Counted, deletion, ofFields } from './counted-rows.ts';
import { REQUEST_FIELDS, type RequestFilter, type RequestRow } from './store.ts';

/** A request is written once: nothing of it is added up. */
export const REQUESTS: Counted<RequestRow> = {
  table: 'request_log',
  keyLength: 2,
  ...ofFields<RequestRow>(REQUEST_FIELDS),
};

export const deleteRequests = deletion('deleteRequests', REQUESTS, 'at_ms');

export function* readRequests(filter: RequestFilter): Program<RequestRow[]> {
  const conditions: readonly (readonly [string, Value | undefined])[] = [
    ['partner_id = ?', filter.partnerId],
    ['credential_id = ?', filter.credentialId],
    ['operation = ?', filter.operation],
    ['status >= ?', filter.statuses?.[0]],
    ['status <= ?', filter.statuses?.[1]],
    ['code = ?', filter.code],
    ['at_ms >= ?', filter.sinceMs],
    ['correlation_id = ?', filter.correlationId],
  ];
  const { before } = filter;
  const asked = conditions.filter(([, value]) => value !== undefined);
  const texts = [
    ...asked.map(([text]) => text),
    ...(before === undefined ? [] : ['(at_ms, correlation_id) < (?, ?)']),
  ];
  const where = texts.length === 0 ? '' : `WHERE ${texts.join(' AND ')}`;
  const found = yield* rows<RequestRow>(
    `SELECT ${REQUEST_FIELDS.map((field) => `${columnOf(field)} AS "${field}"`).join(', ')} FROM request_log ${where}
     ORDER BY at_ms DESC, correlation_id DESC LIMIT ?`,
    [
      ...asked.map(([, value]) => value!),
      ...(before === undefined ? [] : [before.atMs, before.correlationId]),
      filter.limit,
    ],
  );
  return found.map((row) => ({ ...row }));
}
