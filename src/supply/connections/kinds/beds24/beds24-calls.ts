/** Calls to Beds24: its tokens, and lists of several pages. */
import { DAY_MS } from '../../../../domain/local-date.ts';
import { Wrong } from '../../../../domain/wrong.ts';
import {
  type AccountAccess,
  type CallAnswer,
  ConnectionFailure,
  type MadeToken,
} from '../connection-kind.ts';
import {
  isList,
  isObject,
  type JsonObject,
  type JsonValue,
  lacking,
  parseAnswer,
  readInteger,
  readText,
} from '../read-answer.ts';

export const SYSTEM = 'Beds24';

const API = '/v2';
/** Names of the tokens that are kept: one is exchanged for the other. */
const REFRESH = 'refresh';
const ACCESS = 'access';
/** A refresh token lives while it is used within so long. */
const REFRESH_LIVES_MS = 30 * DAY_MS;
/** A token is exchanged before it ends. */
const ENDS_SOON_MS = 60_000;
/** More pages than any account has: a list that goes on without an end is given up. */
export const PAGES_MAX = 100;

export type Pair = readonly [name: string, value: string | number];

export class Beds24Calls {
  readonly #access: AccountAccess;
  readonly #tokens: Map<string, MadeToken>;

  constructor(access: AccountAccess) {
    this.#access = access;
    this.#tokens = new Map(Object.entries(access.tokens));
  }

  /** All pages of a list. */
  async list(path: string, pairs: readonly Pair[]): Promise<readonly JsonObject[]> {
    const items: JsonObject[] = [];
    let announced = 0;
    for (let page = 1; page <= PAGES_MAX; page += 1) {
      const asked: readonly Pair[] = page === 1 ? pairs : [...pairs, ['page', page]];
      const { data, pages, count, success } = await this.#read(path, asked);
      if (success !== true) throw failed();
      if (!isList(data)) throw lacking(SYSTEM, 'data');
      for (const item of data) {
        if (!isObject(item)) throw lacking(SYSTEM, 'data');
        items.push(item);
      }
      const hasNext = isObject(pages) ? pages['nextPageExists'] : undefined;
      if (typeof hasNext !== 'boolean') throw lacking(SYSTEM, 'pages');
      // Whether it counts the page or the whole list is not said.
      announced = Math.max(announced, readInteger(count) ?? 0);
      if (hasNext) continue;
      if (items.length < announced) throw new ConnectionFailure(new Wrong('answerCut', { system: SYSTEM }));
      return items;
    }
    throw new ConnectionFailure(new Wrong('answerPages', { system: SYSTEM, max: PAGES_MAX }));
  }

  /** The facts about the token in use. An invite code is exchanged for tokens by this, once. */
  async details(): Promise<JsonObject> {
    const first = await this.#tryDetails();
    if (first !== undefined) return first;
    await (this.#tokens.has(REFRESH) ? this.#renew() : this.#setUp());
    const second = await this.#tryDetails();
    if (second === undefined) throw keyWrong();
    return second;
  }

  /** Undefined where the token is not accepted. */
  async #tryDetails(): Promise<JsonObject | undefined> {
    const token = await this.#token();
    try {
      const details = await this.#get('/authentication/details', [], { token });
      return details['validToken'] === true ? details : undefined;
    } catch (error) {
      if (error instanceof KeyRefused) return undefined;
      throw error;
    }
  }

  /** Unix ms; undefined where the key is a token of its own. */
  get refreshEndsAtMs(): number | undefined {
    return this.#tokens.get(REFRESH)?.expiresAtMs;
  }

  /** A token that was made may have ended before its time. */
  async #read(path: string, pairs: readonly Pair[]): Promise<JsonObject> {
    try {
      return await this.#get(path, pairs, { token: await this.#token() });
    } catch (error) {
      if (!(error instanceof KeyRefused) || !this.#tokens.has(REFRESH)) throw error;
      return this.#get(path, pairs, { token: await this.#renew() });
    }
  }

  async #token(): Promise<string> {
    if (!this.#tokens.has(REFRESH)) return this.#key;
    const made = this.#tokens.get(ACCESS);
    const isFresh = made !== undefined && made.expiresAtMs - ENDS_SOON_MS > this.#access.nowMs();
    return isFresh ? made.value : this.#renew();
  }

  get #key(): string {
    return this.#access.key['token'] ?? '';
  }

  async #setUp(): Promise<void> {
    const answer = await this.#get('/authentication/setup', [], { code: this.#key });
    await this.#keepRefresh(textOf(answer, 'refreshToken'));
    await this.#keepAccess(answer);
  }

  async #renew(): Promise<string> {
    const refresh = this.#tokens.get(REFRESH)!.value;
    const answer = await this.#get('/authentication/token', [], { refreshToken: refresh });
    // It was used, and lives on.
    await this.#keepRefresh(refresh);
    return this.#keepAccess(answer);
  }

  #keepRefresh(value: string): Promise<void> {
    return this.#keep(REFRESH, { value, expiresAtMs: this.#access.nowMs() + REFRESH_LIVES_MS });
  }

  async #keepAccess(answer: JsonObject): Promise<string> {
    const value = textOf(answer, 'token');
    const seconds = readInteger(answer['expiresIn']);
    if (seconds === undefined) throw lacking(SYSTEM, 'expiresIn');
    await this.#keep(ACCESS, { value, expiresAtMs: this.#access.nowMs() + seconds * 1000 });
    return value;
  }

  async #keep(name: string, token: MadeToken): Promise<void> {
    await this.#access.keepToken(name, token);
    this.#tokens.set(name, token);
  }

  async #get(
    path: string,
    pairs: readonly Pair[],
    headers: Readonly<Record<string, string>>,
  ): Promise<JsonObject> {
    const answer = await this.#access.call({
      method: 'GET',
      path: `${API}${path}`,
      query: pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&'),
      headers: { accept: 'application/json', ...headers },
    });
    return readBody(answer, path);
  }
}

/** The key, or a token that was made of it. */
class KeyRefused extends ConnectionFailure {}

function keyWrong(): KeyRefused {
  return new KeyRefused(new Wrong('connectionKeyWrong', { system: SYSTEM }), 'refused');
}

function failed(): ConnectionFailure {
  return new ConnectionFailure(new Wrong('answerFailed', { system: SYSTEM }));
}

function readBody({ status, text }: CallAnswer, path: string): JsonObject {
  const value = parseAnswer(text);
  const code = errorCode(value);
  // A code or refresh token that is not accepted is answered with 400.
  const isExchangeRefused = status === 400 && /^\/authentication\/(?:setup|token)$/.test(path);
  if (status === 401 || code === 401 || isExchangeRefused) throw keyWrong();
  if (status === 403 || code === 403)
    throw new ConnectionFailure(new Wrong('connectionForbidden', { system: SYSTEM }), 'refused');
  if (isObject(value) && value['success'] === false) throw failed();
  if (status < 200 || status > 299) throw new ConnectionFailure(new Wrong('serverStatus', { status }));
  if (!isObject(value)) throw new ConnectionFailure(new Wrong('answerNotJson', { system: SYSTEM }));
  return value;
}

/** `{"success":false,"type":"error","code":401,"error":"…"}` */
function errorCode(value: JsonValue | undefined): number | undefined {
  return isObject(value) && value['success'] === false ? readInteger(value['code']) : undefined;
}

function textOf(answer: JsonObject, field: string): string {
  const text = readText(answer[field]);
  if (text === undefined) throw lacking(SYSTEM, field);
  return text;
}
