/** Metrics of the traveller's pages. */
import { counter, counterBy, type MetricFamily } from './metric-family.ts';

export interface WebMeter {
  /** Pages shown, by outcome. */
  readonly pages: Record<
    'unchanged' | 'price_changed' | 'unavailable' | 'expired' | 'invalid' | 'unchecked',
    number
  >;
  /** Pictures left out, by reason. */
  readonly imagesLeftOut: Record<'missing' | 'origin', number>;
  /** Travellers who went on to the booking site. */
  continued: number;
  /** Requests beyond WEB_LIMIT or CALENDARS_LIMIT. */
  limited: number;
  /** Visits that were dropped because too many waited for the database. */
  visitsLost: number;
}

export function createWebMeter(): WebMeter {
  return {
    pages: { unchanged: 0, price_changed: 0, unavailable: 0, expired: 0, invalid: 0, unchecked: 0 },
    imagesLeftOut: { missing: 0, origin: 0 },
    continued: 0,
    limited: 0,
    visitsLost: 0,
  };
}

export function webFamilies(meter: WebMeter): MetricFamily[] {
  return [
    counterBy(
      'stayport_handoff_pages_total',
      'Handoff pages shown to travellers, by outcome; unchecked while the database was unreachable.',
      'outcome',
      () => meter.pages,
    ),
    counterBy(
      'stayport_page_images_left_out_total',
      'Pictures left out of pages: missing in WEB_IMAGES, or of an origin that WEB_IMAGE_ORIGINS does not list.',
      'reason',
      () => meter.imagesLeftOut,
    ),
    counter(
      'stayport_handoffs_continued_total',
      'Travellers who went on to the booking site.',
      () => meter.continued,
    ),
    counter(
      'stayport_web_requests_limited_total',
      'Requests to the web listener refused because their address made too many.',
      () => meter.limited,
    ),
    counter(
      'stayport_attribution_lost_total',
      'Visits that were not stored because too many waited for the database.',
      () => meter.visitsLost,
    ),
  ];
}
