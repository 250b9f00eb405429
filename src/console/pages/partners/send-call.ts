/**
 * "Send it now": one of the sample calls, or the traveller's page of the quote, sent by the console with the token that
 * the page shows. It is a call of that credential: it uses its quota, and is in the log of requests.
 */
import { inEnglish, Wrong } from '../../../domain/wrong.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordAct } from '../../../access/audit-trail.ts';
import { hashToken, isWellFormedToken } from '../../../access/token.ts';
import { DEFAULT_LOCALE } from '../../../domain/property.ts';
import type { CredentialRow } from '../../../storage/access/store.ts';
import { type Acted, type ActPorts, type ActQuestion, refused } from '../../reading/console-page.ts';
import type { OwnAnswer } from '../../reading/own-calls.ts';
import { sampleCalls, testSample } from '../../reading/sample-calls.ts';
import { findSampleStay, type SampleStay } from '../../reading/sample-stay.ts';

/** The call that opens the link of a quote, beside the operations of partners. */
export const TRAVELLER_CALL = 'openHandoff';
/** A handoff value is shorter. */
const HANDOFF_LENGTH_MAX = 1_000;

export interface SentCall {
  readonly call: string;
  readonly answer: OwnAnswer;
  readonly token: string;
  readonly credential: CredentialRow;
  readonly sample: SampleStay | undefined;
  readonly publicUrl: string;
}

/** The JSON of the form. */
export function sentAnswer({ call, answer }: SentCall) {
  const { status, durationMs, body, correlationId } = answer;
  return { call, status, durationMs, correlationId, body };
}

/** Undefined: there is no such partner, or the token is not one of its credentials. */
export async function sendNow(ports: ActPorts, question: ActQuestion): Acted<SentCall> {
  const { form } = question;
  const token = form.get('token') ?? '';
  const credential = await findCredential(ports, question.segments['partnerId'], token);
  if (credential === undefined) return undefined;
  const sample = await findStay(ports, question, credential);
  const call = form.get('call') ?? '';
  const answering =
    call === TRAVELLER_CALL ? openHandoff(ports, form) : callOf(ports, question, call, token, sample);
  if (answering instanceof Wrong) return refused(answering);
  const answer = await recordAct(
    ports.signed,
    credential.credentialId,
    () => whenKnown(ports, credential, answering),
    (came) => (came instanceof Wrong ? { call, refused: inEnglish(came) } : { call, status: came.status }),
  );
  if (answer instanceof Wrong) return refused(answer);
  const { publicUrl } = ports.acts;
  return { kind: 'shown', shown: { call, answer, token, credential, sample, publicUrl } };
}

/** A new credential is in force everywhere within a second; until then, a listener does not know its token. */
export const NEW_MS = 2_000;
const ASK_AGAIN_MS = 150;
export const TRIES_MAX = 8;

/** Asks again while the credential is so new that the listener may not know it yet; such an answer uses no quota. */
async function whenKnown(
  { clock }: ActPorts,
  { createdAtMs, revokedAtMs }: CredentialRow,
  ask: () => Answering,
): Answering {
  let answer = await ask();
  for (let tries = 1; tries < TRIES_MAX; tries += 1) {
    const isUnknown = !(answer instanceof Wrong) && answer.status === 401;
    if (!isUnknown || revokedAtMs !== null || clock() - createdAtMs > NEW_MS) break;
    await sleep(ASK_AGAIN_MS);
    answer = await ask();
  }
  return answer;
}

/** Only a token that is known here leaves this process. */
async function findCredential({ storage }: ActPorts, partnerId: string | undefined, token: string) {
  if (!isWellFormedToken(token) && !isWellFormedToken(token, 'test')) return undefined;
  const tokenHash = hashToken(token);
  const { credentials } = await storage.readAccess();
  return credentials.find((row) => row.tokenHash === tokenHash && row.partnerId === partnerId);
}

/** As the page showed it; a program may leave it out. */
async function findStay(
  ports: ActPorts,
  question: ActQuestion,
  { isTest }: CredentialRow,
): Promise<SampleStay | undefined> {
  const { form } = question;
  const text = (name: string): string => form.get(name) ?? '';
  if (!form.has('propertyId')) return isTest ? testSample(ports.clock()) : findSampleStay(ports, question);
  return {
    propertyId: text('propertyId'),
    city: text('city'),
    checkIn: text('checkIn'),
    checkOut: text('checkOut'),
    guests: Number(text('guests')),
  };
}

type Answering = Promise<OwnAnswer | Wrong>;

function callOf(
  { ownCalls }: ActPorts,
  { locale }: ActQuestion,
  call: string,
  token: string,
  sample: SampleStay | undefined,
): (() => Answering) | Wrong {
  if (sample === undefined) return new Wrong('noPropertySeen');
  const calls = sampleCalls(sample, locale ?? DEFAULT_LOCALE);
  const found = calls.find((one) => one.call === call);
  if (found === undefined)
    return new Wrong('callUnknown', { calls: [...calls.map((one) => one.call), TRAVELLER_CALL].join(', ') });
  const { method, path, body } = found;
  const headers = {
    Authorization: `Bearer ${token}`,
    Accept: 'application/json',
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  return () => ownCalls.toPartnerListener({ method, path, headers, body });
}

/** Marked as looked at ahead, so that it does not count as a traveller. */
function openHandoff({ ownCalls }: ActPorts, form: URLSearchParams): (() => Answering) | Wrong {
  const handoff = form.get('handoff') ?? '';
  if (handoff === '' || handoff.length > HANDOFF_LENGTH_MAX) return new Wrong('notHandoff');
  const path = `/handoff?${new URLSearchParams({ handoff }).toString()}`;
  return () => ownCalls.toWebListener({ method: 'GET', path, headers: { 'Sec-Purpose': 'prefetch' } });
}
