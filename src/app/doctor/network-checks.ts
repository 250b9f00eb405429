/** Listeners, proxies, certificates, and the URLs of partners and travellers. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { askUrl, type SeenCertificate, type UrlAnswer } from './ask-url.ts';
import { type Check, type Examined, fail, type Finding, ok, warn } from './check.ts';
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
      ({ setting, host, problem }) =>
        `${setting.replace('PORT', 'HOST')}: this machine can not listen on ${host} (${problem})`,
    );
    return fail(places.join('; '), 'name an address of this machine; 0.0.0.0 is all of them');
  }
  const taken = found.filter(({ state }) => state === 'taken');
  if (taken.length > 0) {
    const places = taken.map(
      ({ setting, host, port }) => `${setting}: ${host}:${port} is taken by another program`,
    );
    // The service starts without a web listener that nobody asked for.
    const isMissed = taken.every(
      ({ setting }) => setting === SETTINGS.webPort.name && !settings.given.has('webPort'),
    );
    return (isMissed ? warn : fail)(
      places.join('; '),
      `stop that program ("ss -ltnp" names it), or set ${taken.map(({ setting }) => setting).join(', ')} to another port`,
    );
  }
  return ok(
    found
      .map(
        ({ setting, port, state }) => `${setting} ${port === 0 ? 'takes a free one' : `${port} is ${state}`}`,
      )
      .join(', '),
  );
}

async function checkProxies(examined: Examined): Promise<Finding> {
  const finding = judgeProxies(examined);
  const forwarded = finding.status === 'ok' ? await countForwarded(examined) : 0;
  if (forwarded === 0) return finding;
  const { trustedProxies } = examined.settings;
  return warn(
    `${forwarded} requests since the start had X-Forwarded-For and came from a sender that TRUSTED_PROXIES does not name: if it is your proxy, all partners share one ingress limit`,
    `set TRUSTED_PROXIES=${[...trustedProxies, 'ADDRESS-OF-THE-PROXY/32'].join(',')} and restart the service`,
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

function judgeProxies({ settings, system }: Examined): Finding {
  const { publicUrl, trustedProxies, port } = settings;
  const url = new URL(publicUrl);
  if (url.protocol !== 'https:') return checkPlainProxies(settings, url);
  const fix = (networks: string): string => `set TRUSTED_PROXIES=${networks} and restart the service`;
  if (trustedProxies.length === 0)
    return warn(
      'PUBLIC_URL is https, so a proxy is in front, and TRUSTED_PROXIES is empty: all partners share one ingress limit',
      fix('ADDRESS-OF-THE-PROXY/32'),
    );
  const trusted = listOf(trustedProxies);
  const strangers = [...new Set(port === 0 ? [] : (system.clientsOf(port) ?? []))].filter(
    (address) => !isListed(trusted, address),
  );
  if (strangers.length > 0)
    return warn(
      `${strangers.join(', ')} connects to PORT, and TRUSTED_PROXIES does not name it: its requests share one ingress limit`,
      `${fix([...trustedProxies, ...strangers.map((one) => `${one}/${isIPv6(one) ? 128 : 32}`)].join(','))}, or close the port to it`,
    );
  return ok(`${trustedProxies.join(', ')} are trusted, and nobody else connects`);
}

/** Plain HTTP needs no proxy, but another port than ours hints at one. */
function checkPlainProxies({ trustedProxies, port }: Settings, { hostname, port: named }: URL): Finding {
  const asked = named === '' ? 80 : Number(named);
  if (trustedProxies.length > 0) return ok(`${trustedProxies.join(', ')} are trusted`);
  if (port === 0 || asked === port || isLoopback(hostname))
    return ok('PUBLIC_URL is plain http, on PORT: no proxy is expected');
  return warn(
    `PUBLIC_URL names port ${asked}, and PORT is ${port}: if a proxy is in front, all partners share one ingress limit`,
    'set TRUSTED_PROXIES=ADDRESS-OF-THE-PROXY/32 and restart the service; leave it if the port is only forwarded',
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
  if (settings.webPort === undefined) return ok('not checked: the web listener does not run');
  const pages = { WEB_IMPRINT_URL: settings.webImprintUrl, WEB_PRIVACY_URL: settings.webPrivacyUrl };
  const missing = Object.entries(pages).flatMap(([name, url]) => (url === undefined ? [name] : []));
  return missing.length === 0
    ? ok("the traveller's page links to imprint and privacy")
    : warn(
        `the traveller's page has no link for ${missing.join(' and ')}`,
        `set ${missing.join(' and ')} to the https:// addresses of these pages`,
      );
}

/** The web listener's file; the certificates of proxies are seen at their URLs. */
function checkCertificateFile({ settings, clock }: Examined): Finding {
  const { webTlsCert, webTlsKey, handoffBaseUrl, isSelfSigned } = settings;
  if (webTlsCert === undefined || webTlsKey === undefined)
    return ok('the web listener has none: a proxy is in front, or it does not run');
  if (isSelfSigned && !existsSync(webTlsCert)) return ok('the service makes one when it starts');
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(readFileSync(webTlsCert));
    if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(webTlsKey))))
      return fail(
        'WEB_TLS_KEY is not the key of WEB_TLS_CERT',
        'name the certificate and the key that were issued together',
      );
  } catch (error) {
    return fail(
      `WEB_TLS_CERT and WEB_TLS_KEY: ${messageOf(error)}`,
      'name two PEM files that this user may read',
    );
  }
  const renewal = isSelfSigned ? 'restart the service, which makes another' : undefined;
  const ends = judgeEnd('WEB_TLS_CERT', Date.parse(certificate.validTo), clock(), renewal);
  if (ends.status !== 'ok') return ends;
  const host = new URL(handoffBaseUrl).hostname.replace(/^\[(.*)\]$/, '$1');
  const isForHost =
    (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
  if (!isForHost)
    return warn(
      `WEB_TLS_CERT is not for ${host}, the host of HANDOFF_BASE_URL`,
      `get a certificate for ${host}`,
    );
  if (process.platform !== 'win32' && (statSync(webTlsKey).mode & READABLE_BY_OTHERS) !== 0)
    return warn(`every user may read WEB_TLS_KEY, ${webTlsKey}`, `chmod 600 ${webTlsKey}`);
  return ends;
}

function judgeEnd(
  what: string,
  validToMs: number,
  nowMs: number,
  fix = 'renew the certificate, then restart what serves it',
): Finding {
  const date = new Date(validToMs).toISOString().slice(0, 10);
  if (validToMs <= nowMs) return fail(`${what} ended on ${date}`, fix);
  const days = Math.floor((validToMs - nowMs) / DAY_MS);
  return days < CERTIFICATE_DAYS_LOW
    ? warn(`${what} ends in ${days} days, on ${date}`, fix)
    : ok(`${what} ends on ${date}`);
}

async function checkPublicUrl(examined: Examined): Promise<Finding> {
  const { settings, clock } = examined;
  const base = new URL(settings.publicUrl);
  if (isLoopback(base.hostname)) {
    const isReached = !isLoopback(settings.host) || !isLoopback(new URL(settings.handoffBaseUrl).hostname);
    if (isReached)
      return warn(
        `PUBLIC_URL is ${settings.publicUrl}, which only this machine reaches: partners are sent there for documentation`,
        'set PUBLIC_URL to the address that partners use, such as https://partners.example.com',
      );
  }
  if (!(await isServed(examined, 'PORT'))) return ok('not checked: the service does not run here');
  const asked = new URL(base.href.replace(/\/$/, '') + PARTNER_PATH);
  return judgeAnswer('PUBLIC_URL', asked, clock, (answer) =>
    isPartnerAnswer(answer)
      ? undefined
      : `answers with ${answer.status}, and not as the partner listener does`,
  );
}

async function checkHandoffUrl(examined: Examined): Promise<Finding> {
  const { settings } = examined;
  const url = new URL(settings.handoffBaseUrl);
  const finding = await askHandoffUrl(examined, url);
  if (!isLoopback(url.hostname) || finding.status === 'fail') return finding;
  return warn(
    `HANDOFF_BASE_URL is ${settings.handoffBaseUrl}, which this machine alone can open: travellers elsewhere can not (${finding.detail})`,
    `${howToSetHandoffUrl(examined)}, and let YOUR-HOST lead to WEB_PORT (docs/traveller.md, "Turn it on")`,
  );
}

/** A setting of the site: changed while the service runs, unless the environment or the file of settings has it. */
function howToSetHandoffUrl({ environment, given }: Examined): string {
  const line = 'HANDOFF_BASE_URL=https://YOUR-HOST/handoff';
  return environment.given.has('handoffBaseUrl')
    ? `put ${line} into ${given.file.path ?? 'the environment of the service'} and restart it`
    : `run "stayport settings set ${line}", or enter the address in the settings of the console`;
}

async function askHandoffUrl(examined: Examined, url: URL): Promise<Finding> {
  const { settings, clock } = examined;
  if (!(await isServed(examined, 'PORT'))) return ok('not checked: the service does not run here');
  const isPage = settings.webPort !== undefined && url.pathname.endsWith('/handoff');
  return judgeAnswer('HANDOFF_BASE_URL', url, clock, ({ status, body }) => {
    if (status >= 500 || status === 404) return `answers with ${status}`;
    return isPage && !body.includes('data-outcome=')
      ? `answers with ${status}, and not as the web listener does`
      : undefined;
  });
}

async function isServed({ listeners }: Examined, setting: string): Promise<boolean> {
  return (await listeners).some((listener) => listener.setting === setting && listener.state === 'ours');
}

async function judgeAnswer(
  name: string,
  url: URL,
  clock: () => number,
  findProblem: (answer: UrlAnswer) => string | undefined,
): Promise<Finding> {
  let answer: UrlAnswer;
  try {
    answer = await askUrl(url);
  } catch (error) {
    return warn(
      `${url.origin} does not answer this machine (${messageOf(error)})`,
      `check ${name}, its DNS entry and the proxy; leave it if your network keeps machines from their own public address`,
    );
  }
  const ends = judgeCertificate(url, answer.certificate, clock());
  if (ends !== undefined && ends.status === 'fail') return ends;
  const problem = findProblem(answer);
  if (problem !== undefined)
    return fail(`${url.origin} ${problem}`, `check ${name}, and where the proxy leads`);
  if (ends !== undefined && ends.status !== 'ok') return ends;
  const dated = Date.parse(String(answer.headers['date']));
  const clockFinding = Number.isNaN(dated) ? undefined : judgeClockDifference(url.host, dated - clock());
  return clockFinding?.status === 'fail'
    ? clockFinding
    : ok(`${url.origin} answers${ends === undefined ? '' : `; ${ends.detail}`}`);
}

function judgeCertificate(
  url: URL,
  certificate: SeenCertificate | undefined,
  nowMs: number,
): Finding | undefined {
  if (certificate === undefined) return undefined;
  const ends = judgeEnd(`the certificate of ${url.host}`, certificate.validToMs, nowMs);
  if (ends.status === 'fail' || certificate.problem === undefined) return ends;
  // On this machine nobody else can be meant, and a self-signed one is as good.
  if (isLoopback(url.hostname)) return ends;
  return fail(
    `clients refuse the certificate of ${url.host}: ${certificate.problem}`,
    'serve the whole chain of a certificate for this name, from an authority that clients know',
  );
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}
