import type { Command } from 'commander';
import { buildHandoffKeyring, type HandoffKeyring } from '../../handoff/handoff-keys.ts';
import { inspectHandoff } from '../../handoff/inspect-handoff.ts';
import { listHandoffKeys, retireHandoffKey, rotateHandoffKey } from '../../handoff/key-changes.ts';
import type { Storage } from '../../storage/storage.ts';
import { example } from '../terminal/example.ts';
import { CommandFailure, unwrap } from '../terminal/failure.ts';
import { formatFields, formatTable } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

export function addHandoffCommands(handoff: Command, session: Session): void {
  handoff
    .command('inspect')
    .argument('<value>', 'the handoff value, or the whole handoff URL')
    .description('show the contents of a handoff value; fails if it was issued elsewhere')
    .addHelpText('after', example('handoff inspect "https://localhost:8443/handoff?handoff=eyJhbGciOi..."'))
    .action(async (text: string) => {
      const keyring = await session.withStorage(async (storage) => findKeyring(session, storage));
      const view = keyring && (await inspectHandoff(keyring, handoffValueIn(text), session.clock()));
      if (view === undefined) throw new CommandFailure('this handoff value was not issued here');
      session.answer(view, () => formatFields({ ...view }));
    });

  handoff
    .command('rotate-key')
    .description('make a new sealing key; links sealed with older keys still open')
    .addHelpText('after', example('handoff rotate-key'))
    .action(async () => {
      refuseKeysOfSetting(session, 'put the new key first in that list and restart');
      const rotated = await session.withStorage(async (storage) => rotateHandoffKey({ ...session, storage }));
      session.answer(rotated, () => formatFields({ ...rotated }));
    });

  handoff
    .command('keys')
    .description('list the keys in the database: which one seals, and until when each older one opens links')
    .addHelpText('after', example('handoff keys'))
    .action(async () => {
      refuseKeysOfSetting(session, 'that setting lists them');
      const { quoteTtlSeconds } = session.settings();
      const keys = await session.withStorage(async (storage) =>
        listHandoffKeys({ storage, clock: session.clock, quoteTtlSeconds }),
      );
      session.answer(keys, () =>
        formatTable(
          ['keyId', 'state', 'createdAt', 'opensUntil', 'retiredAt'],
          keys.map((key) => ({ ...key })),
          'There are no keys yet; the first start of the service makes one.',
        ),
      );
    });

  handoff
    .command('retire-key')
    .argument('<key-id>', 'id of the key, as "handoff keys" shows it')
    .description('retire an older key for good: links sealed with it stop working at once')
    .addHelpText('after', example('handoff retire-key hk_Rg7cEUiJ'))
    .action(async (keyId: string) => {
      refuseKeysOfSetting(session, 'remove the key from that list and restart');
      const { quoteTtlSeconds } = session.settings();
      const retired = await session.withStorage(async (storage) =>
        retireHandoffKey({ storage, clock: session.clock, quoteTtlSeconds }, keyId),
      );
      const view = unwrap(retired);
      session.answer(view, () => formatFields({ ...view }));
    });
}

/** Stored keys do not count while the setting has some; `advice` says what to do there. */
function refuseKeysOfSetting(session: Session, advice: string): void {
  if (session.settings().handoffKeys === undefined) return;
  throw new CommandFailure(`the keys come from HANDOFF_KEYS: ${advice}`);
}

/** Reading makes no key: without one, no value can be ours. */
async function findKeyring(session: Session, storage: Storage): Promise<HandoffKeyring | undefined> {
  const { handoffKeys, quoteTtlSeconds } = session.settings();
  if (handoffKeys !== undefined) return handoffKeys;
  const { handoffKeys: rows } = await storage.readAccess();
  return buildHandoffKeyring(rows, quoteTtlSeconds);
}

/** People paste the URL that they see as often as the value in it. */
function handoffValueIn(text: string): string {
  if (!URL.canParse(text)) return text;
  return new URL(text).searchParams.get('handoff') ?? text;
}
