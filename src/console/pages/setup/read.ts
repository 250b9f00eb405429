/** Setup progress of the installation: finished steps, the next step, and the page for each. */
import { utcDay } from '../../../domain/local-date.ts';
import { TRAFFIC_DAYS_KEPT } from '../../../operator/activity/activity-retention.ts';
import type { SetupFacts } from '../../../storage/setup/store.ts';
import { hostnameOf } from '../../../http/listener/request-head.ts';
import { isLoopback } from '../../../http/listener/source-address.ts';
import type { SettingRow } from '../../../operator/acts/site-desk.ts';
import type { DoctorRow, PagePorts } from '../../reading/console-page.ts';
import { NEW_CONNECTION_PATH } from '../connections/read.ts';
import { IMPORT_PATH } from '../import/read.ts';
import { PICTURES_PATH } from '../pictures/read.ts';
import { NEW_PATH } from '../property-form/save.ts';
import { pathOf, withQuery } from '../../reading/paths.ts';
import { inTime } from '../../../runtime/time-limit.ts';

/** In the order of setup. */
export type SetupStep =
  | 'passkey'
  | 'properties'
  | 'pictures'
  | 'prices'
  | 'calendars'
  | 'bookingSite'
  | 'partner'
  | 'credential'
  | 'firstCall'
  | 'firstQuote'
  | 'travellers'
  | 'legalLinks'
  | 'checks';

export interface SetupRow {
  readonly step: SetupStep;
  /** `next`: the first unfinished step. `unknown`: the checks are running. */
  readonly state: 'done' | 'next' | 'open' | 'unknown';
  /** Those that fail or warn, of `checks`; properties without any rate, of `prices`. */
  readonly count: number;
  /** The page for the step, from the root. */
  readonly path: string;
  readonly otherPath?: string;
  /** Where a connection does it. */
  readonly connectPath?: string;
}

/** The check of HANDOFF_BASE_URL. */
const HANDOFF_CHECK = 'handoff url';
/** Other pages need not wait for checks that use the network. */
const CHECKS_AWAITED_MS = 1_500;
/** For what is there already. */
const KNOWN_MS = 1;

const PATHS: Readonly<Record<SetupStep, string>> = {
  passkey: '/console/passkeys',
  properties: IMPORT_PATH,
  pictures: PICTURES_PATH,
  prices: '/console/properties',
  calendars: '/console/supply',
  bookingSite: '/console/settings',
  partner: '/console/partners',
  credential: '/console/partners',
  firstCall: '/console/requests',
  firstQuote: '/console/requests?operation=createPartnerQuote',
  travellers: '/console/settings',
  legalLinks: '/console/settings/legal',
  checks: '/console/settings/checks',
};

/** The places that do the step where its page does more. */
const DOING: Readonly<Partial<Record<SetupStep, string>>> = {
  bookingSite: '/console/settings#BOOKING_URL_TEMPLATE',
  partner: withQuery('/console/partners', { form: 'partner-create' }),
  travellers: '/console/settings#HANDOFF_BASE_URL',
  legalLinks: '/console/settings/legal',
};

/** Steps that the page of a new credential does: its form is on the page of a partner. */
const BY_CREDENTIAL: ReadonlySet<SetupStep> = new Set(['credential', 'firstCall', 'firstQuote']);

/** Steps that a connection does, too. */
const BY_CONNECTION: ReadonlySet<SetupStep> = new Set(['properties', 'prices', 'calendars']);

/** Steps that are done in two ways. */
const OTHER_PATHS = {
  properties: NEW_PATH,
  prices: IMPORT_PATH,
  bookingSite: '/console/properties',
} as const satisfies Partial<Record<SetupStep, string>>;
export type OtherWay = keyof typeof OTHER_PATHS;
const OTHER: Readonly<Partial<Record<SetupStep, string>>> = OTHER_PATHS;

export async function readSetup(ports: PagePorts) {
  const checks = await inTime(ports.doctor.get(), CHECKS_AWAITED_MS, () => undefined);
  return { rows: await readSteps(ports, checks) };
}

/** The next step of the set-up, and how many are done, without waiting for a check; undefined once all are done. */
export async function readProgress(ports: PagePorts) {
  if (await ports.isSetUp.get()) return undefined;
  const rows = await readSteps(ports, undefined);
  return {
    doneCount: countDone(rows),
    stepCount: rows.length,
    next: rows.find(({ state }) => state === 'next'),
  };
}

export function countDone(rows: readonly SetupRow[]): number {
  return rows.filter(({ state }) => state === 'done').length;
}

/** `checks`: undefined while they run. */
async function readSteps(
  ports: PagePorts,
  checks: readonly DoctorRow[] | undefined,
): Promise<readonly SetupRow[]> {
  const findings = checks && countFindings(checks);
  const { unpricedCount, ...done } = await findDone(ports);
  const isDone: Readonly<Record<SetupStep, boolean | undefined>> = {
    ...done,
    travellers: done.travellers && isReached(checks),
    checks: findings === undefined ? undefined : findings === 0,
  };
  const steps = Object.keys(PATHS) as SetupStep[];
  const next = steps.find((step) => isDone[step] === false);
  const issuing =
    steps.some((step) => isDone[step] === false && BY_CREDENTIAL.has(step)) && (await issuePath(ports));
  const doing = (step: SetupStep): string | undefined =>
    issuing && BY_CREDENTIAL.has(step) ? issuing : DOING[step];
  return steps.map((step): SetupRow => {
    const state = isDone[step] === undefined ? 'unknown' : isDone[step] ? 'done' : 'open';
    const counts: Partial<Record<SetupStep, number | undefined>> = {
      prices: unpricedCount,
      checks: findings,
    };
    const count = counts[step] ?? 0;
    const otherPath = OTHER[step];
    return {
      step,
      state: step === next ? 'next' : state,
      count,
      path: (isDone[step] !== true && doing(step)) || PATHS[step],
      ...(otherPath !== undefined && { otherPath }),
      ...(BY_CONNECTION.has(step) && isDone[step] !== true && { connectPath: NEW_CONNECTION_PATH }),
    };
  });
}

/** The form that issues a credential to the first partner that may call, or else the one that creates a partner. */
async function issuePath({ storage }: PagePorts): Promise<string> {
  const { partners } = await storage.readAccess();
  const partner = partners.find(({ disabled }) => !disabled);
  if (partner === undefined) return DOING.partner!;
  return withQuery(pathOf('partners', partner.partnerId), { form: 'issue' });
}

/** Whether every step is done. Waits for no check, and starts them only when they alone are left. */
export async function isSetUp(ports: PagePorts): Promise<boolean> {
  const isDone = await findDone(ports);
  if (Object.values(isDone).includes(false)) return false;
  const checks = await inTime(ports.doctor.get(), KNOWN_MS, () => undefined);
  return checks !== undefined && countFindings(checks) === 0;
}

type Done = Readonly<Record<Exclude<SetupStep, 'checks'>, boolean>> & Pick<SetupFacts, 'unpricedCount'>;

async function findDone(ports: PagePorts): Promise<Done> {
  const nowMs = ports.clock();
  const facts = await ports.storage.readSetup(utcDay(nowMs), nowMs);
  const settings = await ports.settings();
  return {
    passkey: facts.hasPasskey,
    properties: facts.hasProperties,
    pictures: facts.hasPictures,
    prices: facts.hasPrices && facts.unpricedCount === 0,
    unpricedCount: facts.unpricedCount,
    calendars: facts.hasCalendars,
    bookingSite: isSet(settings, 'BOOKING_URL_TEMPLATE') || facts.hasBookingSites,
    partner: facts.hasPartner,
    credential: facts.hasCredential,
    firstCall: await wasCalled(ports, facts),
    firstQuote: facts.hasQuote,
    travellers: leadsElsewhere(settings),
    legalLinks: isSet(settings, 'WEB_IMPRINT_URL') && isSet(settings, 'WEB_PRIVACY_URL'),
  };
}

/** Checks that fail or warn. */
function countFindings(checks: readonly DoctorRow[]): number {
  return checks.filter(({ status }) => status !== 'ok').length;
}

/** Whether the address of the traveller's page answers as it should, seen from here; undefined: not known yet. */
function isReached(checks: readonly DoctorRow[] | undefined): boolean | undefined {
  return checks?.every(({ check, status }) => check !== HANDOFF_CHECK || status === 'ok');
}

type Settings = readonly SettingRow[];

function isSet(settings: Settings, name: string): boolean {
  return valueOf(settings, name) !== null;
}

function valueOf(settings: Settings, name: string): string | null {
  return settings.find((row) => row.name === name)?.value ?? null;
}

/** Whether the link of a quote leads to more than this machine. */
export async function canTravellersOpen({ settings }: Pick<PagePorts, 'settings'>): Promise<boolean> {
  return leadsElsewhere(await settings());
}

function leadsElsewhere(settings: Settings): boolean {
  const address = valueOf(settings, 'HANDOFF_BASE_URL');
  if (address === null) return false;
  const name = hostnameOf(new URL(address).host);
  return name !== 'localhost' && !isLoopback(name);
}

/** A quote is a call; without quotes, the counts of the days kept show whether there were calls. */
async function wasCalled(
  { storage, clock, dayCache }: PagePorts,
  { hasQuote }: SetupFacts,
): Promise<boolean> {
  if (hasQuote) return true;
  const to = utcDay(clock());
  const days = { from: to - TRAFFIC_DAYS_KEPT + 1, to };
  const counted = await dayCache.read('calls', days, (some) => storage.sumTraffic(['day'], some));
  return counted.length > 0;
}
