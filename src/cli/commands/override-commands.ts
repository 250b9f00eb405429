/** `close` and `open`: nights that a person closes manually, and opens again. */
import type { Command } from 'commander';
import { type EpochDay, formatLocalDate } from '../../domain/local-date.ts';
import { randomMessageIds } from '../../storage/supply/message-id.ts';
import type { Storage } from '../../storage/storage.ts';
import {
  changeNights,
  type NightsChange,
  type NightsChangeOptions,
} from '../../supply/manual-override/change-nights.ts';
import { type PresentedClosed, presentNightsChange } from '../../supply/manual-override/present-changes.ts';
import { example } from '../terminal/example.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { localDate, notBlank } from '../terminal/option-values.ts';
import type { Session } from '../terminal/session.ts';
import { describeChanges, describeNights } from './readable-changes.ts';

interface NightsOptions {
  readonly property: string;
  readonly type?: string;
  readonly from: EpochDay;
  readonly to: EpochDay;
  readonly dryRun?: true;
}

type Action = NightsChangeOptions['action'];

export function configureClose(command: Command, session: Session): void {
  configure(command, session, 'close');
}

export function configureOpen(command: Command, session: Session): void {
  configure(command, session, 'open');
}

function configure(command: Command, session: Session, action: Action): void {
  const nights = '--from 2027-12-24 --to 2027-12-26';
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
    storage,
    clock: session.clock,
    newMessageId: randomMessageIds(session.random),
    horizonNights: session.settings().horizonNights,
  };
  const inventoryTypeIds = await findTypes(storage, propertyId, type);
  return changeNights(deps, {
    action,
    propertyId,
    inventoryTypeIds,
    from,
    to,
    dryRun: options.dryRun === true,
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
  const about = { action, propertyId: options.property, dryRun: options.dryRun === true };
  const document = presentNightsChange(about, change);
  session.answer(document, () => {
    const lines = [headline(action, options, document.changed), describeChanges(document)];
    if (action === 'open') {
      for (const nights of document.closedElsewhere) {
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
      ? 'These nights were closed manually already.'
      : 'None of these nights was closed manually.';
  }
  if (action === 'open') return 'No longer closed manually.';
  return `Closed manually. To undo: stayport open --property ${options.property}${type} ${nights}`;
}

function describeWhy({ source, reason }: PresentedClosed): string {
  return reason === 'stopSell' ? `"${source}" has stop-sell` : `"${source}" has no unit left`;
}
