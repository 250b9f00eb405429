/** Certificates for this machine alone, which no authority has signed: browsers warn, and then show the page. */
import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
// Node can't make a certificate; this package does, without a system program.
import { generate } from 'selfsigned';
import { DAY_MS } from '../../../domain/local-date.ts';
import type { TlsPair } from '../../../http/listener/listener.ts';

/** Each service that is started again within a year keeps one that ends later than this. */
const DAYS_LEFT_MIN = 30;
const DAYS_VALID = 365;

/** For `localhost` only. PEM. */
export async function makeSelfSigned(nowMs: number, daysValid: number): Promise<TlsPair> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(nowMs - DAY_MS),
    notAfterDate: new Date(nowMs + daysValid * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return { cert, key };
}

/**
 * Makes the certificate and its key in one file at `path`, unless a good one is there: a browser that was told to accept
 * it is not asked again. Only this user may read it. Throws the error of the file system.
 */
export async function keepSelfSigned(path: string, nowMs: number): Promise<void> {
  if (isGood(path, nowMs)) return;
  const { cert, key } = await makeSelfSigned(nowMs, DAYS_VALID);
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Another process that starts now reads one file or the other, never half of each.
  const part = join(folder, `.${randomUUID()}.part`);
  writeFileSync(part, `${cert.trimEnd()}\n${key}`, { mode: 0o600 });
  renameSync(part, path);
}

function isGood(path: string, nowMs: number): boolean {
  try {
    const pem = readFileSync(path);
    const certificate = new X509Certificate(pem);
    const hasBegun = Date.parse(certificate.validFrom) <= nowMs;
    const leftMs = Date.parse(certificate.validTo) - nowMs;
    const isInTime = hasBegun && leftMs > DAYS_LEFT_MIN * DAY_MS;
    return isInTime && certificate.checkPrivateKey(createPrivateKey(pem));
  } catch {
    return false;
  }
}
