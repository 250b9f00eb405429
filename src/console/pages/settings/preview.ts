/** The traveller's page of a property of the sandbox: it shows the look of a site that has no property yet, too. */
import { localToday } from '../../../domain/local-date.ts';
import type { Locale } from '../../../domain/property.ts';
import type { HandoffReview } from '../../../partner/quotes/check-handoff.ts';
import { testContent } from '../../../partner/sandbox/test-content.ts';
import { TestProperties } from '../../../partner/sandbox/test-properties.ts';
import type { ActPorts } from '../../reading/console-page.ts';
import { previewReview } from '../property-form/preview.ts';

/** Days from today to the first night of the shown stay. */
const STAY_BEGINS = 30;
const STAY_NIGHTS = 3;

export async function sampleReview(
  { clock, horizonNights, samplePicture }: Pick<ActPorts, 'clock' | 'horizonNights' | 'samplePicture'>,
  locale: Locale,
): Promise<HandoffReview> {
  const moment = { nowMs: clock(), horizonNights };
  const [stored] = new TestProperties({ clock, horizonNights }).all(moment.nowMs);
  const { property } = stored!;
  const checkIn =
    localToday(property.timezone, moment.nowMs) + Math.min(STAY_BEGINS, horizonNights - STAY_NIGHTS);
  const stay = { checkIn, checkOut: checkIn + STAY_NIGHTS, guests: 1, locale };
  const { details } = testContent(stored, samplePicture)!;
  return previewReview({ property, details }, stored, stay, moment);
}
