/**
 * The demo: sample data, a partner, a token, a running service, and calls to paste.
 */
import { issueCredential, listCredentials, revokeCredential } from '../../../access/credential-changes.ts';
import { LINK_TTL_MS_MAX, makeLink } from '../../../access/console-sessions.ts';
import { ALL_SCOPE_NAMES } from '../../../contract/partner/scopes.ts';
import { createPartner, findPartner } from '../../../access/partner-changes.ts';
import { DAY_MS, formatLocalDate, utcDay } from '../../../domain/local-date.ts';
import type { Service } from '../../service/service.ts';
import { activityPathOf } from '../../../storage/activity/activity-path.ts';
import { openStorage } from '../../../storage/open.ts';
import type { Storage } from '../../../storage/storage.ts';
import { findQuotableStay, formatCalls, type QuotableStay } from './demo-calls.ts';
import { importSample, isSampleWanted, SAMPLE_CITIES } from './demo-data.ts';
import { SAMPLE_PARTNER, writeSampleActivity } from './sample-activity.ts';
import { quoteLink, withDemoWeb } from './demo-web.ts';
import { unwrap } from '../terminal/failure.ts';
import { signInUrl } from '../../../operator/acts/console-acts.ts';
import { consoleUrlOf } from '../commands/first-link.ts';
import { serve } from '../commands/run-server.ts';
import type { Session } from '../terminal/session.ts';

const PARTNER = { partnerId: 'demo', name: 'Demo partner' };
/** A token that somebody left on a screen or in a shell's history should not work next week. */
const TOKEN_LIFETIME_MS = DAY_MS;
/** Written by hand, with taxes, both languages and several rooms: it shows more than a property of a city. */
const SHOWN_FIRST = ['hotel-ponte-venezia'];
/** A change shows within a second; a busy machine gets some more. */
const TOKEN_KNOWN_MS_MAX = 10_000;
const TOKEN_POLL_MS = 50;

export async function runDemo(asked: Session): Promise<void> {
  await withDemoWeb(asked, runWithWeb);
}

async function runWithWeb(session: Session): Promise<void> {
  const isFirstRun = await withDemoStorage(session, async (storage) => prepareData(session, storage));
  await serve(session, async (service) => {
    await service.ready;
    const demo = await withDemoStorage(session, async (storage) => prepareCalls(session, storage));
    await untilTokenIsKnown(service, demo.token);
    const consoleUrl = await withDemoStorage(session, async (storage) =>
      prepareConsole(session, storage, service),
    );
    const link = demo.stay === undefined ? undefined : await quoteLink(service, demo.token, demo.stay);
    present(session, service, { ...demo, consoleUrl, link, isFirstRun });
  });
}

/** The demo serves, so like `serve` it upgrades an older schema. */
async function withDemoStorage<T>(session: Session, use: (storage: Storage) => Promise<T>): Promise<T> {
  const { databaseUrl } = session.settings();
  const storage = await openStorage(databaseUrl, { clock: session.clock, writesHere: true });
  try {
    await storage.migrate();
    const signed = storage.asAuthor({ person: 'command line', role: null, act: 'demo' });
    return await use({ ...storage, ...signed });
  } finally {
    await storage.close();
  }
}

/** Whether the sample was imported now. The partner comes last: its presence says that the data is complete. */
async function prepareData(session: Session, storage: Storage): Promise<boolean> {
  const isFirstRun = await isSampleWanted(storage);
  if (isFirstRun) {
    await importSample(session, storage);
    await writeSampleActivity({ storage, clock: session.clock, cities: SAMPLE_CITIES });
    unwrap(await createPartner({ ...session, storage }, SAMPLE_PARTNER));
  }
  const partner = await findPartner({ storage }, PARTNER.partnerId);
  if (!partner.ok) unwrap(await createPartner({ ...session, storage }, PARTNER));
  return isFirstRun;
}

interface Demo {
  readonly token: string;
  /** For the sandbox. */
  readonly testToken: string;
  readonly credentialId: string;
  readonly revokedCount: number;
  readonly stay: QuotableStay | undefined;
}

/**
 * A token is known only when it is issued, so each run issues a new one; those of earlier runs are revoked, or they
 * would pile up as forgotten keys.
 */
async function prepareCalls(session: Session, storage: Storage): Promise<Demo> {
  const deps = { ...session, storage };
  const { partnerQuota: quota, horizonNights } = session.settings();
  const earlier = unwrap(await listCredentials(deps, PARTNER.partnerId)).filter(
    (row) => row.revokedAt === null,
  );
  const options = {
    partnerId: PARTNER.partnerId,
    quota,
    scopes: ALL_SCOPE_NAMES,
    expiresAtMs: session.clock() + TOKEN_LIFETIME_MS,
  };
  const test = unwrap(await issueCredential(deps, { ...options, isTest: true }));
  const issued = unwrap(await issueCredential(deps, options));
  for (const { credentialId } of earlier) unwrap(await revokeCredential(deps, credentialId));
  const moment = { nowMs: session.clock(), horizonNights };
  const stay = await findQuotableStay(storage, PARTNER.partnerId, moment, SHOWN_FIRST);
  return {
    token: issued.token,
    testToken: test.token,
    credentialId: issued.credentialId,
    revokedCount: earlier.length,
    stay,
  };
}

/** A link of an administrator; it works as long as links can. */
async function prepareConsole(session: Session, storage: Storage, { operatorUrl }: Service): Promise<string> {
  const options = { name: 'demo', role: 'admin', ttlMs: LINK_TTL_MS_MAX } as const;
  const { secret } = unwrap(await makeLink({ ...session, storage }, options));
  return signInUrl(consoleUrlOf(session, operatorUrl), secret);
}

/** The server follows the database; what is printed must work at once. */
async function untilTokenIsKnown(service: Service, token: string): Promise<void> {
  const giveUpAtMs = performance.now() + TOKEN_KNOWN_MS_MAX;
  while (performance.now() < giveUpAtMs) {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${service.partnerUrl}/v1/properties?city=none`, { headers });
    await response.body?.cancel();
    if (response.status !== 401) return;
    await new Promise((resolve) => setTimeout(resolve, TOKEN_POLL_MS));
  }
}

interface Shown extends Demo {
  readonly isFirstRun: boolean;
  /** Signs in to the console, once. */
  readonly consoleUrl: string;
  /** Opens the traveller's page of a quote that was made just now. */
  readonly link: string | undefined;
}

function present(session: Session, service: Service, demo: Shown): void {
  const { partnerUrl, operatorUrl, webUrl } = service;
  const { token, testToken, credentialId, consoleUrl, link } = demo;
  const docsUrl = `${partnerUrl}/docs`;
  const supplyDocsUrl = `${operatorUrl}/supply/docs`;
  const attribution = attributionCommand(session.clock());
  const calls = demo.stay === undefined ? [] : formatCalls(partnerUrl, token, demo.stay);
  const document = {
    partnerUrl,
    operatorUrl,
    webUrl,
    docsUrl,
    supplyDocsUrl,
    consoleUrl,
    attribution,
    handoffUrl: link,
    partnerId: PARTNER.partnerId,
    credentialId,
    token,
    testToken,
    calls,
  };
  session.answer(document, () =>
    [
      '',
      `Stayport runs at  ${partnerUrl}`,
      `Token             ${token}  (for 24 hours; the next start makes a new one)`,
      `Test token        ${testToken}  (sees only the sandbox: search for Testville)`,
      `Documentation     ${docsUrl}  (for partners)`,
      `                  ${supplyDocsUrl}  (for your own systems)`,
      `Console           ${consoleUrl}  (works once, for an hour)`,
      '',
      ...formatSignInLink(link, attribution),
      ...(calls.length === 0
        ? ['No property of this database can be quoted in the coming weeks, so there are no calls to show.']
        : ['Calls to try:', '', ...calls.flatMap((call) => [call, ''])]),
      ...formatDemoData(session, demo),
      'Press Ctrl-C to stop.',
    ].join('\n'),
  );
}

/** Quotes of yesterday and today, UTC: the demo may run past midnight. */
function attributionCommand(nowMs: number): string {
  const today = utcDay(nowMs);
  return `bin/stayport attribution --from ${formatLocalDate(today - 1)} --to ${formatLocalDate(today + 1)}`;
}

function formatSignInLink(link: string | undefined, attribution: string): readonly string[] {
  if (link === undefined) return [];
  return [
    'What a traveller sees. The certificate is self-signed, so your browser warns; it shows the pictures of cards only',
    'after you have accepted it here. Unless BOOKING_URL_TEMPLATE is set, the button leads to a sample booking page, which shows what your booking site would get:',
    '',
    link,
    '',
    'Which partner made quotes, and whose travellers opened them and went on to book, in another terminal:',
    '',
    attribution,
    '',
  ];
}

function formatDemoData(session: Session, demo: Shown): readonly string[] {
  if (demo.isFirstRun) return [];
  const { databaseUrl } = session.settings();
  const path = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined;
  return [
    'The database existed and was left as it is: nothing was imported again.',
    ...(demo.revokedCount === 0 ? [] : ['The tokens are new; those of the run before are revoked.']),
    ...(path === undefined
      ? []
      : [
          `To start afresh, stop and delete ${path} and ${activityPathOf(path)}, each with its -wal and -shm.`,
        ]),
  ];
}
