/** An account of a kind, called directly: no budget, no storage, no poller. */
import { Wrong } from '../../../src/domain/wrong.ts';
import {
  type Account,
  type Call,
  type CallAnswer,
  ConnectionFailure,
  type ConnectionKind,
  type MadeToken,
} from '../../../src/supply/connections/kinds/connection-kind.ts';

export interface DirectOptions {
  readonly origin: string;
  readonly key: Readonly<Record<string, string>>;
  readonly nowMs: () => number;
  readonly settings?: Readonly<Record<string, string>>;
  readonly allowed?: Iterable<string>;
  /** Kept tokens; those that the kind keeps are added. */
  readonly tokens?: Map<string, MadeToken>;
  /** Sees each good answer, and may replace its text. */
  readonly onAnswer?: (path: string, answer: CallAnswer, query: string) => string | void;
}

let nonces = 0;

export function openDirectly(kind: ConnectionKind, options: DirectOptions): Account {
  const { key, nowMs, settings = {}, allowed = [], tokens = new Map<string, MadeToken>() } = options;
  const unset = Object.fromEntries(Object.entries(kind.settings).map(([name, [first]]) => [name, first!]));
  return kind.open({
    key,
    settings: { ...unset, ...settings },
    allowed: new Set(allowed),
    call: callDirectly(kind, options),
    nowMs,
    newNonce: () => `00000000-0000-4000-8000-${String((nonces += 1)).padStart(12, '0')}`,
    tokens: Object.fromEntries(tokens),
    keepToken(name, token) {
      tokens.set(name, token);
      return Promise.resolve();
    },
  });
}

function callDirectly(kind: ConnectionKind, { origin, nowMs, onAnswer }: DirectOptions): Call {
  return async ({ method, path, query = '', headers, body }) => {
    const url = `${origin}${path}${query === '' ? '' : `?${query}`}`;
    const init: RequestInit = { method, headers, redirect: 'manual' };
    if (body !== undefined) init.body = body;
    const response = await fetch(url, init);
    const text = await response.text();
    const answered = Object.fromEntries(response.headers);
    if (response.status === 429) {
      const { resetsAtMs = nowMs() } = kind.readLimit(answered, nowMs());
      throw new ConnectionFailure(
        new Wrong('serverStatus', { status: 429 }),
        'failing',
        resetsAtMs - nowMs(),
      );
    }
    const answer = { status: response.status, headers: answered, text };
    const replaced = response.ok ? onAnswer?.(path, answer, query) : undefined;
    return typeof replaced === 'string' ? { ...answer, text: replaced } : answer;
  };
}
