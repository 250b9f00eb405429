/** `close` and `open`: nights that the person at the desk closes, and opens again. */
import type { Command } from 'commander';
import { type EpochDay, formatLocalDate } from '../../../domain/local-date.ts';
import { randomMessageIds } from '../../../storage/message-id.ts';
import type { Storage } from '../../../storage/storage.ts';
import {
  changeNights,
  type ClosedNights,
  type NightsChange,
  type NightsWish,
} from '../../../supply/desk/change-nights.ts';
import { example } from '../../terminal/example.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { localDate, notBlank } from '../../terminal/option-values.ts';
import type { Session } from '../../terminal/session.ts';
import { describeChanges, describeNights, presentChanges } from './readable-changes.ts';

interface NightsOptions {
  readonly property: string;
  readonly type?: string;
  readonly from: EpochDay;
  readonly to: EpochDay;
  readonly dryRun?: true;
}

type Action = NightsWish['action'];

export function configureClose(command: Command, session: Session): void {
  configure(command, session, 'close');
}

export function configureOpen(command: Command, session: Session): void {
  configure(command, session, 'open');
}

function configure(command: Command, session: Session, action: Action): void {
  const nights = '--from 2026-12-24 --to 2026-12-26';
  command
    .requiredOption('--property <id>', 'property id', notBlank)
    .option('--type <id>', 'inventory type id; all types unless given', notBlank)
    .requiredOption('--from <date>', 'first night', localDate)
    .requiredOption('--to <date>', 'last night', localDate)
    .option('--dry-run', 'say what would change, write nothing')
    .addHelpText(
      'after',
      example(
        `${action} --property hotel-ponte --type double ${nights} --dry-run`,
        `${action} --property hotel-ponte ${nights}`,
      ),
    )
    .action(async (options: NightsOptions) => {
      if (options.to < options.from) {
        throw new CommandFailure('--to must not be before --from: both are nights, and both are included');
      }
      const change = await session.withStorage(async (storage) => run(session, storage, action, options));
      answer(session, action, options, change);
    });
}

async function run(
  session: Session,
  storage: Storage,
  action: Action,
  options: NightsOptions,
): Promise<NightsChange> {
  const { property: propertyId, type, from, to } = options;
  const deps = {
    ...{ storage, clock: session.clock, newMessageId: randomMessageIds(session.random) },
    horizonNights: session.settings().horizonNights,
  };
  const inventoryTypeIds = await findTypes(storage, propertyId, type);
  return changeNights(deps, {
    ...{ action, propertyId, inventoryTypeIds, from, to, dryRun: options.dryRun === true },
  });
}

async function findTypes(storage: Storage, propertyId: string, type: string | undefined): Promise<string[]> {
  const stored = await storage.findProperty(propertyId);
  if (stored === undefined) throw new CommandFailure(`there is no property ${JSON.stringify(propertyId)}`);
  const typeIds = stored.property.inventoryTypes.map(({ inventoryTypeId }) => inventoryTypeId);
  if (type === undefined) return typeIds;
  if (typeIds.includes(type)) return [type];
  throw new CommandFailure(
    `the property ${propertyId} has no inventory type ${JSON.stringify(type)}; it has ${typeIds.join(', ')}`,
  );
}

function answer(session: Session, action: Action, options: NightsOptions, change: NightsChange): void {
  const { outcome, differences, closedElsewhere } = change;
  const changes = presentChanges(differences);
  const elsewhere = closedElsewhere.map(presentClosed);
  const document = {
    ...{ propertyId: options.property, action, dryRun: options.dryRun === true },
    ...{ changed: outcome.changed > 0, revision: outcome.revision },
    ...changes,
    closedElsewhere: elsewhere,
  };
  session.answer(document, () => {
    const lines = [headline(action, options, outcome.changed > 0), describeChanges(changes)];
    if (action === 'open') {
      for (const nights of elsewhere) {
        lines.push(
          `${nights.inventoryTypeId}  ${describeNights(nights)} stay closed: ${describeWhy(nights)}`,
        );
      }
    }
    return lines.join('\n');
  });
}

function headline(action: Action, options: NightsOptions, isChanged: boolean): string {
  const nights = `--from ${formatLocalDate(options.from)} --to ${formatLocalDate(options.to)}`;
  const type = options.type === undefined ? '' : ` --type ${options.type}`;
  if (options.dryRun === true) return 'Dry run: nothing was written.';
  if (!isChanged) {
    return action === 'close'
      ? 'These nights were closed by hand already.'
      : 'None of these nights was closed by hand.';
  }
  if (action === 'open') return 'No longer closed by hand.';
  return `Closed by hand. To undo: stayport open --property ${options.property}${type} ${nights}`;
}

type PresentedClosed = ReturnType<typeof presentClosed>;

function presentClosed({ inventoryTypeId, source, from, to, reason }: ClosedNights) {
  return { inventoryTypeId, source, dateFrom: formatLocalDate(from), dateTo: formatLocalDate(to), reason };
}

function describeWhy({ source, reason }: PresentedClosed): string {
  return reason === 'stopSell' ? `"${source}" has stop-sell` : `"${source}" has no unit left`;
}
