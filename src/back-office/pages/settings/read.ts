/** The settings that are in force, and what `doctor` finds. */
import type { PagePorts } from '../../console/console-page.ts';

export async function readSettings({ settings, doctor }: PagePorts) {
  return { rows: { settings, doctor: await doctor.get() } };
}
