import type { Command } from 'commander';
import { buildHandoffKeyring, type HandoffKeyring, rotateHandoffKey } from '../../handoff/handoff-keys.ts';
import { inspectHandoff } from '../../handoff/inspect-handoff.ts';
import type { Storage } from '../../storage/storage.ts';
import { example } from '../terminal/example.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { formatFields } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

export function addHandoffCommands(handoff: Command, session: Session): void {
  handoff
    .command('inspect')
    .argument('<value>', 'the handoff value, or the whole handoff URL')
    .description('show what a handoff value binds; fails when the value is not ours')
    .addHelpText('after', example('handoff inspect "https://localhost:8443/handoff?handoff=eyJhbGciOi..."'))
    .action(async (text: string) => {
      const keyring = await session.withStorage(async (storage) => findKeyring(session, storage));
      const view = keyring && (await inspectHandoff(keyring, handoffValueIn(text), session.clock()));
      if (view === undefined) throw new CommandFailure('this handoff value is not ours');
      session.answer(view, () => formatFields({ ...view }));
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
