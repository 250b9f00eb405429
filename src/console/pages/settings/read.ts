/** The settings that are in force, those of the site for changing, and what `doctor` finds. */
import type { PagePorts, PageQuestion } from '../../reading/console-page.ts';
import { inTime } from '../../../runtime/time-limit.ts';
import { siteFormOf } from './save.ts';

/** An address that answers nothing keeps a check waiting for seconds; the form is needed to correct it. */
const CHECKS_AWAITED_MS = 1_500;

export async function readSettings({ settings, doctor, storage }: PagePorts, { isJson }: PageQuestion) {
  const rows = await settings();
  const checks = isJson ? await doctor.get() : await inTime(doctor.get(), CHECKS_AWAITED_MS, () => undefined);
  return {
    rows: { settings: rows, doctor: checks ?? [] },
    areChecksRunning: checks === undefined,
    form: siteFormOf(rows, await storage.readSiteSettings()),
  };
}
