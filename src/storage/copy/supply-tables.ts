/**
 * The tables of supply, as rows of plain values.
 */
import { bytes, integer, type Table, text } from './table-columns.ts';

export const SUPPLY_TABLES: readonly Table[] = [
  {
    name: 'calendar_layers',
    columns: [
      text('property_id'),
      text('inventory_type_id'),
      text('source'),
      integer('changed_at_ms'),
      bytes('nights'),
      bytes('rates'),
    ],
    keyLength: 3,
  },
  {
    name: 'supply_confirmations',
    columns: [text('property_id'), text('source'), integer('confirmed_at_ms')],
    keyLength: 2,
  },
  {
    name: 'supply_messages',
    columns: [
      text('message_id'),
      text('source'),
      text('kind'),
      integer('received_at_ms'),
      text('verdict'),
      integer('revision'),
      integer('changed'),
      integer('unchanged'),
      text('detail'),
      text('entries'),
    ],
    keyLength: 1,
  },
  {
    name: 'supply_message_properties',
    columns: [text('message_id'), text('property_id'), text('said')],
    keyLength: 2,
  },
  {
    name: 'supply_keys',
    columns: [
      text('source'),
      text('idempotency_key'),
      integer('used_at_ms'),
      text('body_hash'),
      text('outcome'),
    ],
    keyLength: 2,
  },
  {
    name: 'supply_mappings',
    columns: [text('source'), text('external_key'), text('property_id'), text('inventory_type_id')],
    keyLength: 2,
  },
  {
    name: 'ical_feeds',
    columns: [
      text('feed_id'),
      text('property_id'),
      text('inventory_type_id'),
      text('url'),
      text('name'),
      integer('every_seconds'),
      integer('created_at_ms'),
      integer('next_poll_at_ms'),
      integer('polled_at_ms'),
      integer('confirmed_at_ms'),
      integer('failure_count'),
      text('failure'),
      text('etag'),
      text('last_modified'),
      text('content_hash'),
      text('held_hash'),
      text('held_nights'),
      integer('event_count'),
      integer('night_count'),
    ],
    keyLength: 1,
  },
  {
    name: 'published_calendars',
    columns: [
      text('property_id'),
      text('inventory_type_id'),
      integer('revision'),
      text('secret_hash'),
      integer('published_at_ms'),
    ],
    keyLength: 2,
  },
];
