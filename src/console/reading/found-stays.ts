/** Whether a stay that was searched in vain is found by now. */
import { stayToJudge } from '../../operator/activity/judge-stored.ts';
import type { UnmetStay } from '../../storage/activity/store.ts';
import type { PagePorts } from './console-page.ts';

/** Partners, and properties of a city, to ask; a stay that needs more of them counts as not found. */
export const PARTNERS_ASKED_MAX = 10;
const PROPERTIES_ASKED_MAX = 50;

/** Each partner is asked by itself: only its own properties count. */
export async function isFoundByAll(ports: PagePorts, stay: UnmetStay): Promise<boolean> {
  const { partners } = await ports.storage.readAccess();
  const asked = partners.filter(({ disabled }) => !disabled);
  if (asked.length > PARTNERS_ASKED_MAX) return false;
  for (const { partnerId } of asked) if (!(await isFoundBy(ports, partnerId, stay))) return false;
  return true;
}

async function isFoundBy(ports: PagePorts, partnerId: string, stay: UnmetStay): Promise<boolean> {
  const cities = await ports.partnerView.findCities(stay.city, partnerId, PROPERTIES_ASKED_MAX);
  const propertyIds = cities.find(({ country }) => country === stay.country)?.firstIds ?? [];
  if (propertyIds.length === 0) return false;
  const question = {
    propertyIds,
    stays: [stayToJudge(stay)],
    nowMs: ports.clock(),
    horizonNights: ports.horizonNights,
  };
  const [judged] = await ports.judgeStays(question);
  return judged?.nearest?.distance === 0;
}
