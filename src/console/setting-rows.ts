/** Settings and checks as rows. */

/** As `settings/shown-settings.ts` shows it: nothing in it is a secret. */
export interface SettingRow {
  readonly name: string;
  readonly value: string | null;
  readonly default: string | null;
  readonly meaning: string;
}

/** What `doctor` prints of one check. */
export interface DoctorRow {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly fix: string | null;
}

/** The checks ask the network and read files: they are run again after so long, however many look. */
export const DOCTOR_KEPT_MS = 60_000;
