/**
 * The composition root: puts the concrete parts together and starts them. `serve`, `demo` and the end-to-end tests
 * all start exactly this.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { keepTickShape } from '../../runtime/v8.ts';
import type { Settings } from '../settings/settings.ts';
import { openMessageParser } from '../../supply/messages/message-parser.ts';
import { listen, listenerAddresses } from './listeners/listen.ts';
import { openContext } from './open-context.ts';
import { wireOperatorServer } from './listeners/operator-wiring.ts';
import { createOwnCalls } from './listeners/own-calls.ts';
import { wirePartnerServer } from './listeners/partner-wiring.ts';
import type { ServiceContext, ServiceDeps } from './context/service-context.ts';
import { openWebListener } from './listeners/web-wiring.ts';

const MS_PER_SECOND = 1_000;

export interface ServiceUrls {
  /** Where the listeners are, as `http://host:port`; port 0 in the settings has become a real one. */
  readonly partnerUrl: string;
  readonly operatorUrl: string;
  /** `https://` where it has a certificate; undefined where no web listener is wanted. */
  readonly webUrl: string | undefined;
}

export interface Service extends ServiceUrls {
  /** Resolves when the catalogue is in memory; until then partners get 503. */
  readonly ready: Promise<void>;
  /** Rejects when a service that was ready can't go on; pending for ever otherwise. */
  readonly failed?: Promise<never>;
  /** Drains for DRAIN_SECONDS, finishes what is in flight, then closes everything. */
  close(): Promise<void>;
}

/** Resolves once all listeners accept connections. Creates or upgrades the schema first. */
export async function startService(settings: Settings, deps: ServiceDeps): Promise<Service> {
  keepTickShape();
  const closing = new AsyncDisposableStack();
  let isDraining = false;
  try {
    const context = await openContext(settings, deps, closing);
    const urls = await startListeners(context, () => isDraining, closing);
    deps.logger.info(urls, 'listening');
    return {
      ...urls,
      ready: context.follower.ready,
      async close() {
        isDraining = true;
        context.longPolls.end();
        await sleep(settings.drainSeconds * MS_PER_SECOND);
        context.questions.end();
        await closing.disposeAsync();
      },
    };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

/** `isDraining`: SIGTERM has come. /readyz says so, and everything else goes on until the listeners close. */
async function startListeners(
  context: ServiceContext,
  isDraining: () => boolean,
  closing: AsyncDisposableStack,
): Promise<ServiceUrls> {
  const { settings, machine, follower } = context;
  const addresses = listenerAddresses(settings);
  const sharesPorts = machine !== undefined;
  const parser = closing.adopt(openMessageParser(), (it) => it.close());

  let urls: ServiceUrls | undefined;
  const ownCalls = createOwnCalls(() => urls);
  const operator = wireOperatorServer({ ...context, parser, isDraining, ownCalls });
  const operatorUrl = await listen(operator, addresses.operator, sharesPorts);
  closing.defer(() => operator.close());

  if (machine?.joinsWhenReady === true) await follower.ready;
  const partner = wirePartnerServer(context);
  const partnerUrl = await listen(partner, addresses.partner, sharesPorts);
  closing.defer(() => partner.close());

  const web = await openWebListener(context);
  if (web !== undefined) closing.defer(() => web.close());
  urls = { partnerUrl, operatorUrl, webUrl: web?.url };
  return urls;
}
