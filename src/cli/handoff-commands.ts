import type { Command } from 'commander';
import { formatLocalDate } from '../domain/local-date.ts';
import { buildHandoffKeyring, type HandoffKeyring, rotateHandoffKey } from '../handoff/handoff-keys.ts';
import { openHandoff, type OpenedHandoff } from '../handoff/handoff-value.ts';
import { formatInstant } from '../partners/time-text.ts';
import type { Storage } from '../storage/storage.ts';
import { example } from './example.ts';
import { CommandFailure } from './failure.ts';
import { formatFields } from './readable.ts';
import type { Session } from './session.ts';

export function addHandoffCommands(handoff: Command, session: Session): void {
  handoff
    .command('inspect')
    .argument('<value>', 'the handoff value, or the whole handoff URL')
    .description('show what a handoff value binds; fails when the value is not ours')
    .addHelpText('after', example('handoff inspect "https://localhost:8443/handoff?handoff=eyJhbGciOi..."'))
    .action(async (text: string) => {
      const keyring = await session.withStorage(async (storage) => findKeyring(session, storage));
      const opened = keyring === undefined ? undefined : await openHandoff(keyring, handoffValueIn(text));
      if (opened?.ok !== true) throw new CommandFailure('this handoff value is not ours');
      const view = presentHandoff(opened, session.clock());
      session.answer(view, () => formatFields(view));
    });

  handoff
    .command('rotate-key')
    .description('make a new sealing key; values sealed with the older ones still open')
    .addHelpText('after', example('handoff rotate-key'))
    .action(async () => {
      if (session.settings().handoffKeys !== undefined) {
        throw new CommandFailure('the keys come from HANDOFF_KEYS: put a new one in front there and restart');
      }
      const rotated = await session.withStorage(async (storage) => rotateHandoffKey({ ...session, storage }));
      session.answer(rotated, () => formatFields({ ...rotated }));
    });
}

/** Reading makes no key: without one, no value can be ours. */
async function findKeyring(session: Session, storage: Storage): Promise<HandoffKeyring | undefined> {
  const { handoffKeys } = session.settings();
  if (handoffKeys !== undefined) return handoffKeys;
  const { handoffKeys: rows } = await storage.readAccess();
  return buildHandoffKeyring(rows);
}

/** People paste the URL that they see as often as the value in it. */
function handoffValueIn(text: string): string {
  if (!URL.canParse(text)) return text;
  return new URL(text).searchParams.get('handoff') ?? text;
}

function presentHandoff({ handoff, keyId }: OpenedHandoff & { readonly ok: true }, nowMs: number) {
  return {
    valid: true,
    expired: handoff.expiresAtMs <= nowMs,
    quoteId: handoff.quoteId,
    propertyId: handoff.propertyId,
    checkIn: formatLocalDate(handoff.checkIn),
    checkOut: formatLocalDate(handoff.checkOut),
    guests: handoff.guests,
    locale: handoff.locale,
    partnerId: handoff.partnerId,
    total: handoff.total,
    currency: handoff.currency,
    expiresAt: formatInstant(handoff.expiresAtMs),
    keyId,
  };
}
