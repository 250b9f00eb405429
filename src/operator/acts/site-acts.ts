/** Settings of the site: those that an administrator changes while the service runs. */
import { readFile } from 'node:fs/promises';
import { done, type Outcome, refuse } from '../../domain/outcome.ts';
import { Wrong } from '../../domain/wrong.ts';
import { act, type ActPorts, required } from './act.ts';
import { changeSite, type ListedSetting, type SettingRow } from './site-desk.ts';
import { anyText } from './values.ts';

const COLUMNS = ['name', 'value', 'from', 'editable'];

const listAct = act({
  name: 'settings list',
  right: 'viewer',
  about: 'list all settings: their values, where each comes from, and which are settings of the site',
  input: {},
  examples: ['settings list'],
  audit: 'reads',
  run: async ({ site, storage }) => done(site.list(await storage.readSiteSettings()).map(listed)),
  print: { columns: COLUMNS, empty: '' },
});

const setAct = act({
  name: 'settings set',
  right: 'admin',
  about: 'change a setting of the site; every process follows within a second, without a restart',
  input: {
    assignment: required(
      anyText,
      '<name=value>',
      'the setting and its value; for WEB_LOGO the path of a file',
    ),
  },
  examples: [
    'settings set "WEB_NAME=Bridge Hotels"',
    'settings set WEB_LOGO=logo.svg',
    'settings set QUOTE_TTL_SECONDS=3600',
  ],
  audit: 'signed',
  check: ({ assignment }) => (/^\w+=/.test(assignment) ? undefined : new Wrong('assignmentForm')),
  async run(ports, { assignment }) {
    const name = assignment.slice(0, assignment.indexOf('='));
    const text = assignment.slice(name.length + 1).trim();
    if (text === '') return refuse(new Wrong('settingEmpty', { name }));
    if (!ports.site.isFile(name)) return changeOne(ports, name, text);
    const packed = await packNamed(ports, text);
    return packed instanceof Wrong
      ? refuse(new Wrong('settingFileWrong', { name, file: text, wrong: packed }))
      : changeOne(ports, name, packed);
  },
  print: 'fields',
});

const unsetAct = act({
  name: 'settings unset',
  right: 'admin',
  about: 'remove the value of a setting of the site, so that its default applies',
  input: { name: required(anyText, '<name>', 'the setting') },
  examples: ['settings unset WEB_CONTACT'],
  audit: 'signed',
  run: (ports, { name }) => changeOne(ports, name, null),
  print: 'fields',
});

export const SITE_ACTS = [listAct, setAct, unsetAct];

/** The row of the setting as it is then. */
async function changeOne(
  ports: ActPorts,
  name: string,
  value: string | null,
): Promise<Outcome<ListedSetting>> {
  const changed = await changeSite(ports, [{ name, value }]);
  if (!changed.ok) return changed;
  if (changed.value.kind === 'mistakes') return refuse(changed.value.mistakes[0]!.problem);
  if (changed.value.kind === 'obstacle') return changed.value.obstacle;
  return done(listed(changed.value.rows.find((row) => row.name === name)!));
}

function listed({ name, value, default: fallback, from, editable }: SettingRow): ListedSetting {
  return { name, value, default: fallback, from, editable };
}

async function packNamed({ site }: ActPorts, path: string): Promise<string | Wrong> {
  try {
    return await site.packFile(await readFile(path));
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    return new Wrong('fileUnreadable', { code: String(code) });
  }
}
