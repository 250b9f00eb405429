/**
 * An authority and a server's certificate for tests, made again each time: X.509 version 3 (RFC 5280) in DER, written
 * out because Node.js reads certificates but makes none.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface TestCertificates {
  /** PEM. */
  readonly authority: string;
  /** PEM, for `localhost` (not for 127.0.0.1). */
  readonly certificate: string;
  readonly key: string;
}

export function makeTestCertificates(): TestCertificates {
  const authorityKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const serverKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer = { name: 'Stayport test authority', key: authorityKeys.privateKey };
  return {
    authority: makeCertificate(signer.name, authorityKeys.publicKey, signer, [BASIC_CONSTRAINTS_AUTHORITY]),
    certificate: makeCertificate('localhost', serverKeys.publicKey, signer, [SUBJECT_IS_LOCALHOST]),
    key: serverKeys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

interface Signer {
  readonly name: string;
  readonly key: KeyObject;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const BOOLEAN_TRUE = Buffer.from('0101ff', 'hex');
const OID_COMMON_NAME = Buffer.from('0603550403', 'hex');
const OID_BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');
const OID_SUBJECT_ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');
const ECDSA_WITH_SHA256 = der(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'));
const VERSION_3 = Buffer.from('a003020102', 'hex');

const BASIC_CONSTRAINTS_AUTHORITY = der(
  SEQUENCE,
  OID_BASIC_CONSTRAINTS,
  BOOLEAN_TRUE,
  der(OCTET_STRING, der(SEQUENCE, BOOLEAN_TRUE)),
);
const SUBJECT_IS_LOCALHOST = der(
  SEQUENCE,
  OID_SUBJECT_ALTERNATIVE_NAME,
  der(OCTET_STRING, der(SEQUENCE, der(0x82, Buffer.from('localhost')))),
);

function makeCertificate(
  name: string,
  publicKey: KeyObject,
  signer: Signer,
  extensions: readonly Buffer[],
): string {
  const toBeSigned = der(
    SEQUENCE,
    VERSION_3,
    der(INTEGER, Buffer.from([1 + name.length])),
    ECDSA_WITH_SHA256,
    distinguishedName(signer.name),
    der(SEQUENCE, der(UTC_TIME, Buffer.from('200101000000Z')), der(UTC_TIME, Buffer.from('491231235959Z'))),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, ...extensions)),
  );
  const signature = sign('sha256', toBeSigned, signer.key);
  const certificate = der(
    SEQUENCE,
    toBeSigned,
    ECDSA_WITH_SHA256,
    der(BIT_STRING, Buffer.from([0]), signature),
  );
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function distinguishedName(commonName: string): Buffer {
  const attribute = der(SEQUENCE, OID_COMMON_NAME, der(UTF8_STRING, Buffer.from(commonName)));
  return der(SEQUENCE, der(SET, attribute));
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const { length } = body;
  const header = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(header), body]);
}
