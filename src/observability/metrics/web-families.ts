/** Metrics of the traveller's pages. */
import { type MetricFamily, single } from './metric-family.ts';

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
    {
      name: 'stayport_handoff_pages_total',
      help: 'Handoff pages shown to travellers, by outcome; unchecked while the database was unreachable.',
      type: 'counter',
      *read() {
        for (const [outcome, value] of Object.entries(meter.pages)) yield { value, labels: { outcome } };
      },
    },
    {
      name: 'stayport_page_images_left_out_total',
      help: 'Pictures left out of pages: missing in WEB_IMAGES, or of an origin that WEB_IMAGE_ORIGINS does not list.',
      type: 'counter',
      *read() {
        for (const [reason, value] of Object.entries(meter.imagesLeftOut))
          yield { value, labels: { reason } };
      },
    },
    {
      name: 'stayport_handoffs_continued_total',
      help: 'Travellers who went on to the booking site.',
      type: 'counter',
      read: single(() => meter.continued),
    },
    {
      name: 'stayport_web_requests_limited_total',
      help: 'Requests to the web listener refused because their address made too many.',
      type: 'counter',
      read: single(() => meter.limited),
    },
    {
      name: 'stayport_attribution_lost_total',
      help: 'Visits that were not stored because too many waited for the database.',
      type: 'counter',
      read: single(() => meter.visitsLost),
    },
  ];
}
