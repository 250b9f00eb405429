/**
 * `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=MODE&sslrootcert=PATH`, with libpq's meaning of `sslmode`
 * (https://www.postgresql.org/docs/current/libpq-ssl.html).
 *
 * The driver reads such a URL too. But it currently treats `require` as `verify-full`, and ignores unknown options, so
 * a mistyped one would have no effect.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** Where and how to connect. Absent user and password come from `PGUSER`, `PGPASSWORD` and similar, as in libpq. */
export interface PostgresTarget {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user?: string;
  readonly password?: string;
  readonly ssl: ConnectionOptions | false;
}

/** `problem` continues "the database URL". It never repeats the URL, which holds a password. */
export type PostgresUrlResult =
  | { readonly ok: true; readonly target: PostgresTarget }
  | { readonly ok: false; readonly problem: string };

const PORT_STANDARD = 5432;
const PARAMETERS = ['sslmode', 'sslrootcert'];
const EXAMPLE = 'postgres://USER:PASSWORD@HOST:5432/DATABASE?sslmode=verify-full';

export function parsePostgresUrl(text: string): PostgresUrlResult {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return refuse(`is not one that PostgreSQL understands; it looks like ${EXAMPLE}`);
  try {
    return readUrl(url);
  } catch (error) {
    if (error instanceof URIError) return refuse('holds a % that is not followed by two hexadecimal digits');
    throw error;
  }
}

function readUrl(url: URL): PostgresUrlResult {
  const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
  const database = decodeURIComponent(url.pathname.slice(1));
  if (host === '' || database === '' || database.includes('/')) {
    return refuse(`needs a host and the name of a database, as in ${EXAMPLE}`);
  }
  if (host.includes(',')) return refuse('names several hosts; it must lead to the one primary');
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    return refuse(`has a parameter that is not known here: ${unknown} (known are ${PARAMETERS.join(', ')})`);
  }
  const tls = readTls(url.searchParams);
  if (!tls.ok) return tls;
  const port = url.port === '' ? PORT_STANDARD : Number(url.port);
  const user = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  const login = { ...(user === '' ? {} : { user }), ...(password === '' ? {} : { password }) };
  return { ok: true, target: { host, port, database, ...login, ssl: tls.ssl } };
}

type TlsResult =
  | { readonly ok: true; readonly ssl: ConnectionOptions | false }
  | { readonly ok: false; readonly problem: string };

function readTls(parameters: URLSearchParams): TlsResult {
  const mode = parameters.get('sslmode') ?? 'disable';
  const path = parameters.get('sslrootcert') ?? undefined;
  if (mode === 'disable') {
    if (path !== undefined) return refuse('has sslrootcert, which needs sslmode=verify-full or verify-ca');
    return { ok: true, ssl: false };
  }
  if (!['require', 'verify-ca', 'verify-full'].includes(mode)) {
    return refuse('has an sslmode other than disable, require, verify-ca and verify-full');
  }
  if (path === undefined) {
    // A certificate of any public authority would pass.
    if (mode === 'verify-ca') return refuse('has sslmode=verify-ca, which needs sslrootcert=PATH');
    return { ok: true, ssl: mode === 'require' ? { rejectUnauthorized: false } : {} };
  }
  const ca = readCertificate(path);
  if (ca === undefined)
    return refuse(`names an sslrootcert that is not a readable certificate in PEM: ${path}`);
  // libpq also verifies the authority under `require` if a certificate is given.
  return { ok: true, ssl: mode === 'verify-full' ? { ca } : { ca, checkServerIdentity: () => undefined } };
}

function readCertificate(path: string): string | undefined {
  try {
    const pem = readFileSync(path, 'utf8');
    // Checks the first certificate; throws on anything else.
    void new X509Certificate(pem);
    return pem;
  } catch {
    return undefined;
  }
}

function refuse(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}
