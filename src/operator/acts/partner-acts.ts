/** Who may call the API: partners. */
import { Wrong } from '../../domain/wrong.ts';
import { createPartner, listPartners, updatePartner } from '../../access/partner-changes.ts';
import { done } from '../../domain/outcome.ts';
import { act, flag, optional, repeated, required } from './act.ts';
import { anyText, notBlank, originUrl } from './values.ts';

export const createPartnerAct = act({
  name: 'partner create',
  right: 'admin',
  about: 'create a partner',
  input: {
    name: required(notBlank, '--name <name>', 'name for lists and logs'),
    partnerId: optional(anyText, '--partner-id <id>', 'id; a random one unless given'),
    origins: repeated(
      originUrl,
      '--origin <url>',
      'browser origin that it may call from; repeat for several',
    ),
  },
  examples: ['partner create --name "Acme Travel" --partner-id acme --origin https://acme.example'],
  audit: 'signed',
  async run(ports, input) {
    const created = await createPartner(ports, input);
    if (!created.ok) return created;
    const { disabled: _disabled, ...partner } = created.value;
    return done(partner);
  },
  print: 'fields',
});

export const updatePartnerAct = act({
  name: 'partner update',
  right: 'admin',
  about: 'change a partner',
  input: {
    partnerId: required(anyText, '<id>', 'partner id'),
    name: optional(notBlank, '--name <name>', 'new name'),
    origins: repeated(
      originUrl,
      '--origin <url>',
      'browser origin, in place of the whole list; repeat for several',
    ),
    disable: flag('--disable', 'refuse every credential of the partner'),
    enable: flag('--enable', 'accept its credentials again'),
  },
  examples: ['partner update acme --disable'],
  audit: 'signed',
  check({ partnerId: _partnerId, ...changes }) {
    if (changes.disable && changes.enable)
      return new Wrong('optionsOpposed', { one: "'--disable'", other: "'--enable'" });
    const isNothing = Object.values(changes).every((value) => value === undefined);
    return isNothing ? new Wrong('nothingOfPartner') : undefined;
  },
  run: (ports, { partnerId, disable, enable, ...terms }) =>
    updatePartner(ports, partnerId, { ...terms, disabled: disable ?? (enable ? false : undefined) }),
  print: 'fields',
});

const listPartnersAct = act({
  name: 'partner list',
  right: 'viewer',
  about: 'list the partners',
  input: {},
  examples: ['partner list --json'],
  audit: 'reads',
  run: async (ports) => done(await listPartners(ports)),
  print: {
    columns: ['partnerId', 'name', 'disabled', 'origins'],
    empty: 'There are no partners yet; "stayport partner create" makes one.',
  },
});

export const PARTNER_ACTS = [createPartnerAct, updatePartnerAct, listPartnersAct];
