/** Settings and checks as rows. */

/** As `settings/shown-settings.ts` shows it, without secrets. */
export interface SettingRow {
  readonly name: string;
  readonly value: string | null;
  readonly default: string | null;
  readonly meaning: string;
}

/** The result of one check, as `doctor` prints it. */
export interface DoctorRow {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly fix: string | null;
}

/** Checks use the network and read files, so they run again only after this time, however many pages are opened. */
export const DOCTOR_KEPT_MS = 60_000;
