/** Handoff links and the keys that seal them. */
import { Wrong } from '../../domain/wrong.ts';
import { buildHandoffKeyring, type HandoffKeyring } from '../../handoff/handoff-keys.ts';
import { readPairs } from '../../contract/reading/sent-pairs.ts';
import { inspectHandoff } from '../../handoff/inspect-handoff.ts';
import { listHandoffKeys, retireHandoffKey, rotateHandoffKey } from '../../handoff/key-changes.ts';
import { done, type Outcome, refuse } from '../../domain/outcome.ts';
import { act, type ActPorts, required } from './act.ts';
import { anyText } from './values.ts';

const inspectAct = act({
  name: 'handoff inspect',
  right: 'viewer',
  about: 'show the contents of a handoff value; fails if it was issued elsewhere',
  input: { value: required(anyText, '<value>', 'the handoff value, or the whole handoff URL') },
  examples: ['handoff inspect "https://localhost:8443/handoff?handoff=eyJhbGciOi..."'],
  audit: 'reads',
  async run(ports, { value }) {
    const keyring = await findKeyring(ports);
    const view = keyring && (await inspectHandoff(keyring, handoffValueIn(value), ports.clock()));
    return view === undefined ? refuse(new Wrong('foreignHandoff')) : done(view);
  },
  print: 'fields',
});

const rotateKeyAct = act({
  name: 'handoff rotate-key',
  right: 'admin',
  about: 'make a new sealing key; links sealed with older keys still open',
  input: {},
  examples: ['handoff rotate-key'],
  audit: 'signed',
  run: (ports) =>
    onStoredKeys(ports, new Wrong('rotateInSetting'), async () => done(await rotateHandoffKey(ports))),
  print: 'fields',
});

const listKeysAct = act({
  name: 'handoff keys',
  right: 'viewer',
  about: 'list the keys in the database: which one seals, and until when each older one opens links',
  input: {},
  examples: ['handoff keys'],
  audit: 'reads',
  run: (ports) =>
    onStoredKeys(ports, new Wrong('listInSetting'), async () => done(await listHandoffKeys(ports))),
  print: {
    columns: ['keyId', 'state', 'createdAt', 'opensUntil', 'retiredAt'],
    empty: 'There are no keys yet; the first start of the service makes one.',
  },
});

const retireKeyAct = act({
  name: 'handoff retire-key',
  right: 'admin',
  about: 'retire an older key for good: links sealed with it stop working at once',
  input: { keyId: required(anyText, '<key-id>', 'id of the key, as "handoff keys" shows it') },
  examples: ['handoff retire-key hk_Rg7cEUiJ'],
  audit: 'signed',
  run: (ports, { keyId }) =>
    onStoredKeys(ports, new Wrong('retireInSetting'), () => retireHandoffKey(ports, keyId)),
  print: 'fields',
});

export const HANDOFF_ACTS = [inspectAct, rotateKeyAct, listKeysAct, retireKeyAct];

/** Stored keys do not count while the setting has some; `advice` says what to do there. */
async function onStoredKeys<T>(
  { handoffKeys }: ActPorts,
  advice: Wrong,
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  return handoffKeys === undefined ? work() : refuse(new Wrong('keysOfSetting', { advice }));
}

/** Reading makes no key: without one, no value can be ours. */
async function findKeyring(ports: ActPorts): Promise<HandoffKeyring | undefined> {
  if (ports.handoffKeys !== undefined) return ports.handoffKeys;
  const { handoffKeys: rows } = await ports.storage.readAccess();
  return buildHandoffKeyring(rows, ports.quoteTtlSeconds);
}

/** People paste the URL that they see as often as the value in it. */
function handoffValueIn(text: string): string {
  if (!URL.canParse(text)) return text;
  return readPairs(new URL(text).search.slice(1)).get('handoff') ?? text;
}
