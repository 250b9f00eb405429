/** The tables of what happened, as rows of plain values. On SQLite they are in a file of their own. */
import { DURATION_COLUMNS } from '../activity/sums.ts';
import { type Column, integer, type Table, text } from './table-columns.ts';

const TRAFFIC: readonly Column[] = [
  integer('from_ms'),
  text('partner_id'),
  text('credential_id'),
  text('operation'),
  text('code'),
  ...DURATION_COLUMNS.map(integer),
];

export const ACTIVITY_TABLES: readonly Table[] = [
  {
    name: 'activity_writers',
    columns: [text('writer'), integer('last_slice'), integer('written_at_ms')],
    keyLength: 1,
  },
  { name: 'traffic_minutes', columns: TRAFFIC, keyLength: 5 },
  { name: 'traffic_days', columns: TRAFFIC, keyLength: 5 },
  {
    name: 'request_log',
    columns: [
      integer('at_ms'),
      text('correlation_id'),
      text('partner_id'),
      text('credential_id'),
      text('operation'),
      integer('status'),
      text('code'),
      integer('duration_us'),
      text('city'),
      text('property_id'),
      integer('check_in'),
      integer('check_out'),
      integer('guests'),
      integer('page'),
      integer('total'),
      text('quote_id'),
    ],
    keyLength: 2,
  },
  {
    name: 'demand_days',
    columns: [
      integer('day'),
      text('city'),
      text('country'),
      text('arrival_week'),
      text('nights'),
      text('guests'),
      text('partner_id'),
      integer('searches'),
      integer('empty'),
      integer('looks'),
    ],
    keyLength: 7,
  },
  {
    name: 'unknown_places',
    columns: [integer('day'), text('place'), integer('searches')],
    keyLength: 2,
  },
  {
    name: 'unmet_stays',
    columns: [
      text('city'),
      text('country'),
      integer('check_in'),
      integer('nights'),
      integer('guests'),
      integer('searches'),
      integer('last_day'),
      integer('judged_at_ms'),
      text('judgement'),
    ],
    keyLength: 5,
  },
];
