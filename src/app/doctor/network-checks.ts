/** Listeners, proxies, certificates, and the URLs of partners and travellers. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { askUrl, type SeenCertificate, type UrlAnswer } from './ask-url.ts';
import {
  allOf,
  asItIs,
  type Check,
  type Examined,
  fail,
  type Finding,
  type ListenerState,
  ok,
  warn,
} from './check.ts';
import { type Told, Wrong, type WrongValue } from '../../domain/wrong.ts';
import { judgeClockDifference } from './database-checks.ts';
import type { Settings } from '../settings/settings.ts';
import { SETTINGS } from '../settings/settings-table.ts';
import { isPartnerAnswer, PARTNER_PATH, reachableHost } from './listener-states.ts';
import { messageOf } from '../../runtime/message-of.ts';
import { DAY_MS } from '../../domain/local-date.ts';

/** Let's Encrypt renews 30 days before the end: later, renewal has failed. */
const CERTIFICATE_DAYS_LOW = 14;
const READABLE_BY_OTHERS = 0o004;

export const NETWORK_CHECKS: readonly Check[] = [
  { name: 'ports', run: checkPorts },
  { name: 'proxies', run: checkProxies },
  { name: 'certificate', run: checkCertificateFile },
  { name: 'public url', run: checkPublicUrl },
  { name: 'handoff url', run: checkHandoffUrl },
  { name: 'legal pages', run: checkLegalPages },
];

async function checkPorts({ listeners, settings }: Examined): Promise<Finding> {
  const found = await listeners;
  const impossible = found.filter(({ state }) => state === 'impossible');
  if (impossible.length > 0) {
    const places = impossible.map(
      ({ setting, host, problem = '' }) =>
        new Wrong('hostImpossible', { setting: setting.replace('PORT', 'HOST'), host, why: problem }),
    );
    return fail(allOf(places), new Wrong('fixHost'));
  }
  const taken = found.filter(({ state }) => state === 'taken');
  if (taken.length > 0) {
    const places = taken.map(({ setting, host, port }) => new Wrong('portTaken', { setting, host, port }));
    // The service starts without a web listener that nobody asked for.
    const isMissed = taken.every(
      ({ setting }) => setting === SETTINGS.webPort.name && !settings.given.has('webPort'),
    );
    const names = taken.map(({ setting }) => setting).join(', ');
    return (isMissed ? warn : fail)(allOf(places), new Wrong('fixPort', { names }));
  }
  return ok(allOf(found.map(portState), 'inList'));
}

function portState({ setting, port, state }: ListenerState): Told {
  if (port === 0) return new Wrong('portAny', { setting });
  return new Wrong(state === 'ours' ? 'portOurs' : 'portFree', { setting, port });
}

async function checkProxies(examined: Examined): Promise<Finding> {
  const finding = judgeProxies(examined);
  const forwarded = finding.status === 'ok' ? await countForwarded(examined) : 0;
  if (forwarded === 0) return finding;
  const { trustedProxies } = examined.settings;
  return warn(
    new Wrong('forwardedUntrusted', { count: forwarded }),
    fixProxies([...trustedProxies, 'ADDRESS-OF-THE-PROXY/32']),
  );
}

const FORWARDED_METRIC = /^stayport_untrusted_forwarded_total (?<count>\d+)$/m;

/** Counted by the running service; 0 without one. */
async function countForwarded(examined: Examined): Promise<number> {
  if (!(await isServed(examined, 'OPERATOR_PORT'))) return 0;
  const { operatorHost, operatorPort } = examined.settings;
  const url = new URL(`http://${reachableHost(operatorHost)}:${operatorPort}/metrics`);
  const answer = await askUrl(url).catch(() => undefined);
  return Number(FORWARDED_METRIC.exec(answer?.body ?? '')?.groups?.['count'] ?? 0);
}

function fixProxies(networks: readonly string[]): Told {
  return new Wrong('fixProxies', { networks: networks.join(',') });
}

function judgeProxies({ settings, system }: Examined): Finding {
  const { publicUrl, trustedProxies, port } = settings;
  const url = new URL(publicUrl);
  if (url.protocol !== 'https:') return checkPlainProxies(settings, url);
  if (trustedProxies.length === 0)
    return warn(new Wrong('proxyExpected'), fixProxies(['ADDRESS-OF-THE-PROXY/32']));
  const trusted = listOf(trustedProxies);
  const strangers = [...new Set(port === 0 ? [] : (system.clientsOf(port) ?? []))].filter(
    (address) => !isListed(trusted, address),
  );
  const networks = trustedProxies.join(', ');
  if (strangers.length === 0) return ok(new Wrong('proxiesAlone', { networks }));
  const named = strangers.map((one) => `${one}/${isIPv6(one) ? 128 : 32}`);
  return warn(
    new Wrong('proxyUnnamed', { addresses: strangers.join(', ') }),
    new Wrong('fixProxyOrClose', { fix: fixProxies([...trustedProxies, ...named]) }),
  );
}

/** Plain HTTP needs no proxy, but another port than ours hints at one. */
function checkPlainProxies({ trustedProxies, port }: Settings, { hostname, port: named }: URL): Finding {
  const asked = named === '' ? 80 : Number(named);
  if (trustedProxies.length > 0)
    return ok(new Wrong('proxiesTrusted', { networks: trustedProxies.join(', ') }));
  if (port === 0 || asked === port || isLoopback(hostname)) return ok(new Wrong('noProxyExpected'));
  return warn(
    new Wrong('proxyLikely', { asked, port }),
    new Wrong('fixProxyOrLeave', { fix: fixProxies(['ADDRESS-OF-THE-PROXY/32']) }),
  );
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

function isListed(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Many countries require both on every page that sells. */
function checkLegalPages({ settings }: Examined): Finding {
  if (settings.webPort === undefined) return ok(new Wrong('notCheckedWeb'));
  const pages = { WEB_IMPRINT_URL: settings.webImprintUrl, WEB_PRIVACY_URL: settings.webPrivacyUrl };
  const [one, other] = Object.entries(pages).flatMap(([name, url]) => (url === undefined ? [name] : []));
  if (one === undefined) return ok(new Wrong('legalLinked'));
  const names = other === undefined ? one : new Wrong('bothNames', { one, other });
  return warn(new Wrong('legalMissing', { names }), new Wrong('fixLegal', { names }));
}

/** The web listener's file; the certificates of proxies are seen at their URLs. */
function checkCertificateFile({ settings, clock }: Examined): Finding {
  const { webTlsCert, webTlsKey, handoffBaseUrl, isSelfSigned } = settings;
  if (webTlsCert === undefined || webTlsKey === undefined) return ok(new Wrong('certificateNone'));
  if (isSelfSigned && !existsSync(webTlsCert)) return ok(new Wrong('certificateLater'));
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(readFileSync(webTlsCert));
    if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(webTlsKey))))
      return fail(new Wrong('certificateKey'), new Wrong('fixCertificateKey'));
  } catch (error) {
    return fail(
      new Wrong('certificateUnreadable', { why: messageOf(error) }),
      new Wrong('fixCertificateFiles'),
    );
  }
  const renewal = isSelfSigned ? new Wrong('fixCertificateOwn') : undefined;
  const ends = judgeEnd('WEB_TLS_CERT', Date.parse(certificate.validTo), clock(), renewal);
  if (ends.status !== 'ok') return ends;
  const host = new URL(handoffBaseUrl).hostname.replace(/^\[(.*)\]$/, '$1');
  const isForHost =
    (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
  if (!isForHost)
    return warn(new Wrong('certificateForOther', { host }), new Wrong('fixCertificateFor', { host }));
  if (process.platform !== 'win32' && (statSync(webTlsKey).mode & READABLE_BY_OTHERS) !== 0)
    return warn(new Wrong('certificatePublic', { path: webTlsKey }), asItIs(`chmod 600 ${webTlsKey}`));
  return ends;
}

function judgeEnd(
  what: WrongValue,
  validToMs: number,
  nowMs: number,
  fix: Told = new Wrong('fixCertificateEnd'),
): Finding {
  const date = new Date(validToMs).toISOString().slice(0, 10);
  if (validToMs <= nowMs) return fail(new Wrong('certificateEnded', { what, date }), fix);
  const days = Math.floor((validToMs - nowMs) / DAY_MS);
  return days < CERTIFICATE_DAYS_LOW
    ? warn(new Wrong('certificateEnding', { what, days, date }), fix)
    : ok(new Wrong('certificateEnds', { what, date }));
}

async function checkPublicUrl(examined: Examined): Promise<Finding> {
  const { settings, clock } = examined;
  const base = new URL(settings.publicUrl);
  if (isLoopback(base.hostname)) {
    const isReached = !isLoopback(settings.host) || !isLoopback(new URL(settings.handoffBaseUrl).hostname);
    if (isReached)
      return warn(
        new Wrong('publicUrlLocal', { url: settings.publicUrl }),
        new Wrong('fixPublicUrl', { example: 'https://partners.example.com' }),
      );
  }
  if (!(await isServed(examined, 'PORT'))) return ok(new Wrong('notCheckedService'));
  const asked = new URL(base.href.replace(/\/$/, '') + PARTNER_PATH);
  return judgeAnswer('PUBLIC_URL', asked, clock, (answer) =>
    isPartnerAnswer(answer)
      ? undefined
      : new Wrong('urlNotPartner', { origin: asked.origin, status: answer.status }),
  );
}

async function checkHandoffUrl(examined: Examined): Promise<Finding> {
  const { settings } = examined;
  const url = new URL(settings.handoffBaseUrl);
  const finding = await askHandoffUrl(examined, url);
  if (!isLoopback(url.hostname) || finding.status === 'fail') return finding;
  return warn(
    new Wrong('handoffUrlLocal', { url: settings.handoffBaseUrl, finding: finding.detail }),
    new Wrong('fixHandoffUrl', { fix: howToSetHandoffUrl(examined) }),
  );
}

/** A setting of the site: changed while the service runs, unless the environment or the file of settings has it. */
function howToSetHandoffUrl({ environment, given }: Examined): Told {
  const line = 'HANDOFF_BASE_URL=https://YOUR-HOST/handoff';
  const { path } = given.file;
  if (!environment.given.has('handoffBaseUrl')) return new Wrong('fixSetLine', { line });
  return path === undefined
    ? new Wrong('fixPutEnvironment', { line })
    : new Wrong('fixPutLine', { line, path });
}

async function askHandoffUrl(examined: Examined, url: URL): Promise<Finding> {
  const { settings, clock } = examined;
  if (!(await isServed(examined, 'PORT'))) return ok(new Wrong('notCheckedService'));
  const { origin } = url;
  const isPage = settings.webPort !== undefined && url.pathname.endsWith('/handoff');
  return judgeAnswer('HANDOFF_BASE_URL', url, clock, ({ status, body }) => {
    if (status >= 500 || status === 404) return new Wrong('urlStatus', { origin, status });
    return isPage && !body.includes('data-outcome=') ? new Wrong('urlNotWeb', { origin, status }) : undefined;
  });
}

async function isServed({ listeners }: Examined, setting: string): Promise<boolean> {
  return (await listeners).some((listener) => listener.setting === setting && listener.state === 'ours');
}

async function judgeAnswer(
  name: string,
  url: URL,
  clock: () => number,
  findProblem: (answer: UrlAnswer) => Told | undefined,
): Promise<Finding> {
  const { origin } = url;
  let answer: UrlAnswer;
  try {
    answer = await askUrl(url);
  } catch (error) {
    return warn(
      new Wrong('urlSilent', { origin, why: messageOf(error) }),
      new Wrong('fixUrlSilent', { name }),
    );
  }
  const ends = judgeCertificate(url, answer.certificate, clock());
  if (ends !== undefined && ends.status === 'fail') return ends;
  const problem = findProblem(answer);
  if (problem !== undefined) return fail(problem, new Wrong('fixUrl', { name }));
  if (ends !== undefined && ends.status !== 'ok') return ends;
  const dated = Date.parse(String(answer.headers['date']));
  const clockFinding = Number.isNaN(dated) ? undefined : judgeClockDifference(url.host, dated - clock());
  if (clockFinding?.status === 'fail') return clockFinding;
  return ok(allOf([new Wrong('urlAnswers', { origin }), ...(ends === undefined ? [] : [ends.detail])]));
}

function judgeCertificate(
  url: URL,
  certificate: SeenCertificate | undefined,
  nowMs: number,
): Finding | undefined {
  if (certificate === undefined) return undefined;
  const ends = judgeEnd(new Wrong('certificateOf', { host: url.host }), certificate.validToMs, nowMs);
  if (ends.status === 'fail' || certificate.problem === undefined) return ends;
  // On this machine nobody else can be meant, and a self-signed one is as good.
  if (isLoopback(url.hostname)) return ends;
  return fail(
    new Wrong('certificateRefused', { host: url.host, why: certificate.problem }),
    new Wrong('fixCertificateChain'),
  );
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}
