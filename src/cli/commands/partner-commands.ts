import type { Command } from 'commander';
import {
  createPartner,
  listPartners,
  updatePartner,
  type PartnerView,
} from '../../access/partner-changes.ts';
import { example } from '../terminal/example.ts';
import { unwrap } from '../terminal/failure.ts';
import { collect, originUrl, notBlank } from '../terminal/option-values.ts';
import { formatFields, formatTable } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

interface CreateOptions {
  readonly name: string;
  readonly partnerId?: string;
  readonly origin?: readonly string[];
}

interface UpdateOptions {
  readonly name?: string;
  readonly origin?: readonly string[];
  readonly disable?: true;
  readonly enable?: true;
}

export function addPartnerCommands(partner: Command, session: Session): void {
  addCreateAndUpdate(partner, session);
  addList(partner, session);
}

function addCreateAndUpdate(partner: Command, session: Session): void {
  partner
    .command('create')
    .description('create a partner')
    .requiredOption('--name <name>', 'name for lists and logs', notBlank)
    .option('--partner-id <id>', 'id; a random one unless given')
    .option('--origin <url>', 'browser origin that it may call from; repeat for several', collect(originUrl))
    .addHelpText(
      'after',
      example('partner create --name "Acme Travel" --partner-id acme --origin https://acme.example'),
    )
    .action(async (options: CreateOptions) => {
      const created = await session.withStorage(async (storage) =>
        createPartner({ ...session, storage }, { ...options, origins: options.origin }),
      );
      const { partnerId, name, origins } = unwrap(created);
      session.answer({ partnerId, name, origins }, () => formatFields({ partnerId, name, origins }));
    });

  const update = partner
    .command('update')
    .argument('<id>', 'partner id')
    .description('change a partner')
    .option('--name <name>', 'new name', notBlank)
    .option(
      '--origin <url>',
      'browser origin, in place of the whole list; repeat for several',
      collect(originUrl),
    )
    .option('--disable', 'refuse every credential of the partner')
    .option('--enable', 'accept its credentials again')
    .addHelpText('after', example('partner update acme --disable'))
    .action(async (partnerId: string, options: UpdateOptions) => {
      if (options.disable === true && options.enable === true) {
        update.error("option '--disable' cannot be used with option '--enable'");
      }
      const disabled = options.disable ?? (options.enable === true ? false : undefined);
      if (options.name === undefined && options.origin === undefined && disabled === undefined) {
        update.error('nothing to change: give --name, --origin, --disable or --enable');
      }
      const changes = { name: options.name, origins: options.origin, disabled };
      const updated = await session.withStorage(async (storage) =>
        updatePartner({ ...session, storage }, partnerId, changes),
      );
      const view: PartnerView = unwrap(updated);
      session.answer(view, () => formatFields({ ...view }));
    });
}

function addList(partner: Command, session: Session): void {
  partner
    .command('list')
    .description('list the partners')
    .addHelpText('after', example('partner list --json'))
    .action(async () => {
      const partners = await session.withStorage(async (storage) => listPartners({ storage }));
      session.answer(partners, () =>
        formatTable(
          ['partnerId', 'name', 'disabled', 'origins'],
          partners.map((view) => ({ ...view })),
          'There are no partners yet; "stayport partner create" makes one.',
        ),
      );
    });
}
