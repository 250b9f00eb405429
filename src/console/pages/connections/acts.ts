/** The forms of a connection: as their commands, with the key from the form, and what takes long behind the page. */
import { recordAct } from '../../../access/audit-trail.ts';
import { done, type Outcome } from '../../../domain/outcome.ts';
import { Wrong } from '../../../domain/wrong.ts';
import { connectionPorts } from '../../../operator/acts/connection-acts.ts';
import { inTime } from '../../../runtime/time-limit.ts';
import type { ConnectionKind } from '../../../supply/connections/kinds/connection-kind.ts';
import { findKind } from '../../../supply/connections/connection-kinds.ts';
import { markComparison, readComparison } from '../../../supply/connections/last-comparison.ts';
import type { MappedType } from '../../../supply/connections/connection-view.ts';
import { listMappings, setsPrices } from '../../../supply/connections/mapped-rooms.ts';
import type { MappedRoom } from '../../../supply/connections/map-rooms.ts';
import { type ChosenRoom, saveRooms } from '../../../supply/connections/save-rooms.ts';
import {
  type ActFormOptions,
  type ActShown,
  nameBefore,
  runForm,
  sentText,
} from '../../reading/act-forms.ts';
import { type ConsoleActName, SECRET_FIELD_PREFIX } from '../../reading/console-forms.ts';
import {
  type Acted,
  type ActOutcome,
  type ActPorts,
  type ActQuestion,
  type Mistake,
  refused,
} from '../../reading/console-page.ts';
import { pathOf } from '../../reading/paths.ts';
import { isConnection, typeKey } from './read.ts';

type Run = (ports: ActPorts, question: ActQuestion) => Acted<ActShown>;

/** Longer waits for another system end the answer, never the work. */
const PATIENCE_MS = 10_000;
/** In the query of the page whose form goes on behind it. */
export const WORKING = 'working';

/** The act of a connection, as its command does it. */
export function connectionForm(act: ConsoleActName, options: ActFormOptions = {}): Run {
  return patiently(act, runForm(act, { exists: isConnection, isWithoutNotes: true, ...options }));
}

/** Another system may take minutes, and the browser, or what stands before us, waits for less. */
function patiently(act: ConsoleActName, run: Run): Run {
  return (ports, question) =>
    inTime(run(ports, question), PATIENCE_MS, (): ActOutcome<ActShown> => ({
      kind: 'done',
      query: { [WORKING]: act },
    }));
}

// The key.

export const addConnection: Run = async (ports, question) => {
  const kind = findKind(question.segments['kind']!);
  if (kind === undefined) return undefined;
  const leadsTo = ({ name }: { readonly name: string }): string => pathOf('connections', name);
  const run = runForm('connection-add', { isWithoutNotes: true, leadsTo });
  return patiently('connection-add', withKey(kind, run))(ports, question);
};

export const changeKey: Run = async (ports, question) => {
  const connection = await ports.storage.findConnection(question.segments['name']!);
  const kind = connection && findKind(connection.kind);
  if (kind === undefined) return undefined;
  return withKey(kind, connectionForm('connection-key'))(ports, question);
};

/** The field of a part of the key. */
export function keyField(part: string): string {
  return `${SECRET_FIELD_PREFIX}${part}`;
}

function withKey({ keyParts }: ConnectionKind, run: Run): Run {
  return async (ports, question) => {
    const parts = keyParts.map(
      ({ name }) => [keyField(name), sentText(question.form, keyField(name)).trim()] as const,
    );
    const mistakes = parts.flatMap(([field, text]): Mistake[] =>
      text === '' ? [{ field, reason: new Wrong('empty') }] : [],
    );
    if (mistakes.length > 0) return refused(undefined, mistakes);
    const key = parts.map(([, text]) => text).join('\n');
    const readSecret = (): Promise<Outcome<string>> => Promise.resolve(done(key));
    return run({ ...ports, acts: { ...ports.acts, readSecret } }, question);
  };
}

// Settings.

/** A box that is ticked no longer is a reason that is not taken any more. */
export const updateConnection: Run = async (ports, question) => {
  const connection = await ports.storage.findConnection(question.segments['name']!);
  if (connection === undefined) return undefined;
  const form = new URLSearchParams(question.form);
  const ticked = form.getAll('allow');
  if (form.has(nameBefore('allow')))
    for (const reason of connection.allowed) if (!ticked.includes(reason)) form.append('disallow', reason);
  return connectionForm('connection-update')(ports, { ...question, form });
};

/** A read that fails is told by the state of the page. */
export const readNow: Run = async (ports, question) => {
  const outcome = await connectionForm('connection-read')(ports, question);
  return outcome?.kind === 'shown' ? { kind: 'done', view: outcome.shown.view } : outcome;
};

/** The rooms as one answer: where some are refused, it has a page. */
export const mapRooms = connectionForm('connection-map', {
  isPreviewed: true,
  isShown: (rows: readonly MappedRoom[]) => rows.some(({ outcome }) => outcome === 'refused'),
});

// The table of rooms.

/** A room's fields are named by its place in the form, so that they can be read whatever its id is. */
export const ROOM_FIELDS = { type: 'type.', prices: 'prices.', before: 'was.' } as const;
/** Bytes of a page of rooms as it is sent. */
export const ROOMS_FORM_BYTES_MAX = 256 * 1024;

export async function saveRoomTable(ports: ActPorts, question: ActQuestion): Acted {
  const { segments, form } = question;
  const name = segments['name']!;
  if ((await ports.storage.findConnection(name)) === undefined) return undefined;
  const rooms = [...form.keys()]
    .filter((field) => field.startsWith(ROOM_FIELDS.type))
    .map((field) => field.slice(ROOM_FIELDS.type.length));
  const chosen = rooms.filter((room) => chosenText(form, room) !== form.get(`${ROOM_FIELDS.before}${room}`));
  if (chosen.length === 0) return refused(new Wrong('nothingToChange'));
  const meanwhile = await findMeanwhile(ports, question, chosen);
  if (meanwhile.length > 0) return refused(undefined, meanwhile);
  const saved = await recordAct(
    ports.signed,
    name,
    (tell) =>
      ports.acts.inTurn(name, async () => {
        const outcome = await saveRooms(
          connectionPorts(ports.acts),
          name,
          chosen.map((room) => readChosen(form, room)),
        );
        if (outcome.ok && outcome.value.problems.size === 0)
          tell(null, { mapped: outcome.value.mapped, ended: outcome.value.ended });
        return outcome;
      }),
    (outcome) =>
      outcome.ok && outcome.value.problems.size === 0 ? 'done' : { refused: 'a room cannot be mapped so' },
  );
  if (!saved.ok) return refused(saved.problem);
  const { problems, ...view } = saved.value;
  if (problems.size === 0) return { kind: 'done', query: { did: 'rooms-save' }, view };
  return refused(
    undefined,
    Array.from(problems, ([room, reason]) => ({ field: `${ROOM_FIELDS.type}${room}`, reason })),
  );
}

/** Rooms that another person mapped otherwise after the page was made. */
async function findMeanwhile(
  { storage }: ActPorts,
  { segments, form }: ActQuestion,
  chosen: readonly string[],
): Promise<readonly Mistake[]> {
  const mappings = await listMappings({ storage }, segments['name']!);
  return chosen.flatMap((room): Mistake[] => {
    const mapping = mappings.get(room);
    const now = mapping === undefined ? '' : roomText(mapping, { withPrices: setsPrices(mapping) });
    const isAsWanted = now === form.get(`${ROOM_FIELDS.before}${room}`) || now === chosenText(form, room);
    return isAsWanted ? [] : [{ field: `${ROOM_FIELDS.type}${room}`, now }];
  });
}

/** A mapped room as one text: its type, and whether its prices are taken. */
export function roomText(type: MappedType, { withPrices }: { readonly withPrices: boolean }): string {
  return `${typeKey(type)} ${withPrices ? 'prices' : 'nights'}`;
}

/** A room as the form has it, to be compared with what the page showed. */
export function chosenText(form: URLSearchParams, room: string): string {
  const { type, withPrices } = readChosen(form, room);
  return type === null ? '' : roomText(type, { withPrices });
}

function readChosen(form: URLSearchParams, room: string): ChosenRoom {
  const [propertyId = '', inventoryTypeId = ''] = (form.get(`${ROOM_FIELDS.type}${room}`) ?? '').split(' ');
  return {
    room,
    type: propertyId === '' ? null : { propertyId, inventoryTypeId },
    withPrices: form.has(`${ROOM_FIELDS.prices}${room}`),
  };
}

// The comparison.

/** Made behind the page, which tells that it is being made, and then what came of it. */
export async function compareBehind(ports: ActPorts, question: ActQuestion): Acted<ActShown> {
  const { storage, clock } = ports;
  const name = question.segments['name']!;
  const connection = await storage.findConnection(name);
  if (connection === undefined) return undefined;
  if (readComparison(connection, clock()).begunAtMs !== null) return { kind: 'done' };
  const deps = { storage, clock };
  await markComparison(deps, name, {});
  const fail = (failure: Wrong): Promise<void> => markComparison(deps, name, { failure });
  runForm('connection-compare')(ports, question)
    .then(
      (outcome) =>
        outcome?.kind === 'refused' ? fail(outcome.problem ?? new Wrong('claimLost')) : undefined,
      () => fail(new Wrong('claimLost')),
    )
    // The database is away, or the process ends: it is not being made any more after a while.
    .catch(() => undefined);
  return { kind: 'done' };
}
