/** The settings that are in force, those of the site for changing, and what `doctor` finds. */
import type { PagePorts, PageQuestion } from '../../reading/console-page.ts';
import { inTime } from '../../../runtime/time-limit.ts';
import { isSitePart, type SettingsPart } from './parts.ts';
import { siteFormOf } from './save.ts';

/** An address that answers nothing keeps a check waiting for seconds. */
const CHECKS_AWAITED_MS = 1_500;

/** A program gets all of them at each address; a page waits for what it shows. */
export function readSettings(part: SettingsPart) {
  return async (ports: PagePorts, { isJson }: PageQuestion) => {
    const settings = await ports.settings();
    const checks = isJson || part === 'checks' ? await readChecks(ports, isJson) : [];
    const formPart = isSitePart(part) ? part : 'site';
    return {
      rows: { settings, doctor: (checks ?? []).map(({ told: _told, ...row }) => row) },
      checks: checks ?? [],
      areChecksRunning: checks === undefined,
      form: siteFormOf(formPart, settings, await ports.storage.readSiteSettings()),
    };
  };
}

async function readChecks({ doctor }: PagePorts, isPatient: boolean) {
  return isPatient ? doctor.get() : inTime(doctor.get(), CHECKS_AWAITED_MS, () => undefined);
}
