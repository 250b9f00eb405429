/** A browser of the console, as far as its pages can tell: a cookie, a form token, where a form comes from. */
import assert from 'node:assert/strict';
import { makeLink, type Role } from '../../src/access/console-sessions.ts';
import { exchange, headerOf, type Received } from './http-exchange.ts';
import { type Installation, valueOf } from './installation.ts';

type Headers = Readonly<Record<string, string>>;

export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Received['headers'];
  readonly text: string;
  /** Target of a redirect, from the root of the listener. */
  readonly location: string | undefined;
}

export class ConsoleClient {
  readonly url: string;
  /** `name=value`; undefined: signed out. */
  cookie: string | undefined;
  #formTokenOf: { readonly cookie: string | undefined; readonly token: string } | undefined;

  constructor(url: string, cookie?: string) {
    this.url = url;
    this.cookie = cookie;
  }

  async get(path: string, headers: Headers = {}): Promise<ConsoleAnswer> {
    return this.#send('GET', path, headers);
  }

  /** The JSON of a page; fails unless it is answered. */
  async rows<T>(path: string): Promise<T> {
    const answer = await this.get(path, { accept: 'application/json' });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text) as T;
  }

  /** Posts a form as our pages do; `headers` replaces a browser's headers about the page. */
  async post(
    path: string,
    fields: Headers,
    headers: Headers = { 'sec-fetch-site': 'same-origin' },
  ): Promise<ConsoleAnswer> {
    const typed = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
    return this.#send('POST', path, typed, new URLSearchParams(fields).toString());
  }

  /** With the token that the forms of its pages carry. */
  async act(path: string, fields: Headers = {}, headers?: Headers): Promise<ConsoleAnswer> {
    return this.post(path, { form: await this.formToken(), ...fields }, headers);
  }

  /** As a form with a file is sent; the token of its pages unless `fields` has one. */
  async upload(
    path: string,
    file: SentFile,
    fields: Headers = {},
    headers: Headers = { 'sec-fetch-site': 'same-origin' },
  ): Promise<ConsoleAnswer> {
    const body = multipartOf({ form: await this.formToken(), ...fields }, file);
    const typed = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers };
    return this.#send('POST', path, typed, body);
  }

  /** Read once from a page of the session: a session may ask only so many in a second. */
  async formToken(): Promise<string> {
    if (this.#formTokenOf?.cookie === this.cookie) return this.#formTokenOf!.token;
    const { text } = await this.get('/console');
    const token = /name="form" value="([0-9a-f]{64})"/.exec(text)?.[1];
    assert.ok(token, text);
    this.#formTokenOf = { cookie: this.cookie, token };
    return token;
  }

  async #send(
    method: string,
    path: string,
    headers: Headers,
    body?: string | Uint8Array,
  ): Promise<ConsoleAnswer> {
    const cookie = this.cookie === undefined ? {} : { cookie: this.cookie };
    const received = await exchange(this.url, {
      method,
      path,
      headers: { ...cookie, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const location = headerOf(received, 'location');
    return {
      status: received.status,
      headers: received.headers,
      text: Buffer.from(received.body).toString('utf8'),
      location: location === undefined ? undefined : new URL(location, `http://console${path}`).pathname,
    };
  }
}

export interface SentFile {
  readonly name: string;
  readonly bytes: string | Uint8Array;
}

export const BOUNDARY = '----stayport7MA4YWxkTrZu0gW';

/** Fields first, then the file, as browsers do it. */
export function multipartOf(fields: Headers, { name, bytes }: SentFile): Buffer {
  const parts = Object.entries(fields).map(
    ([field, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(parts.join('') + head),
    Buffer.from(bytes as Uint8Array),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

/** Uses a new link up, as its button does. */
export async function signInTo(
  { access, storage }: Pick<Installation, 'access' | 'storage'>,
  operatorUrl: string,
  { role = 'viewer', name = 'Ada' }: { readonly role?: Role; readonly name?: string } = {},
): Promise<ConsoleClient> {
  const { secret } = valueOf(await makeLink({ ...access, storage }, { name, role }));
  const client = new ConsoleClient(operatorUrl);
  const answer = await client.post('/console/sign-in', { link: secret });
  assert.equal(answer.status, 303, answer.text);
  client.cookie = answer.headers['set-cookie']?.[0]?.split(';')[0];
  return client;
}
