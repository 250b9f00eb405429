/** The findings of `doctor`, kept for a minute. Settings of the site change what is checked: then nothing older is shown. */
import type { DoctorRow } from '../../../console/reading/console-page.ts';
import { createCache, type Cache } from '../../../console/reading/cache.ts';
import type { Storage } from '../../../storage/storage.ts';

/** Checks use the network and read files, so they run again only after this time, however many pages are opened. */
const DOCTOR_KEPT_MS = 60_000;

export function keepDoctor(
  storage: Pick<Storage, 'readSiteSettings'>,
  make: () => Promise<readonly DoctorRow[]>,
): Cache<readonly DoctorRow[]> {
  const start = () => createCache({ make, isOutdated: (ageMs) => ageMs >= DOCTOR_KEPT_MS });
  let kept = start();
  let checked: string | undefined;
  return {
    async get() {
      // Not by revision: a restored database may come to the same one with other values.
      const settings = JSON.stringify(await storage.readSiteSettings());
      if (settings !== checked) {
        if (checked !== undefined) kept = start();
        checked = settings;
      }
      return kept.get();
    },
  };
}
