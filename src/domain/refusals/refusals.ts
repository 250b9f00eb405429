/** All rows, by code. */
import { ACT_ROWS } from './act-rows.ts';
import { CONNECTION_ACT_ROWS } from './connection-act-rows.ts';
import { CONNECTION_ROWS } from './connection-rows.ts';
import { DOCTOR_ROWS } from './doctor-rows.ts';
import { DOCUMENT_ROWS } from './document-rows.ts';
import { FEED_ROWS } from './feed-rows.ts';
import { FILE_ROWS } from './file-rows.ts';
import { PICTURE_ROWS } from './picture-rows.ts';
import type { ValueNames } from './refusal-row.ts';
import { SETTING_ROWS } from './setting-rows.ts';
import { SUPPLY_ROWS } from './supply-rows.ts';
import { VALUE_ROWS } from './value-rows.ts';

export const REFUSALS = {
  ...VALUE_ROWS,
  ...DOCUMENT_ROWS,
  ...FILE_ROWS,
  ...SUPPLY_ROWS,
  ...FEED_ROWS,
  ...CONNECTION_ACT_ROWS,
  ...CONNECTION_ROWS,
  ...PICTURE_ROWS,
  ...SETTING_ROWS,
  ...ACT_ROWS,
  ...DOCTOR_ROWS,
};

export type RefusalCode = keyof typeof REFUSALS;

type OptionOf<Row> = Row extends { readonly option: infer Option extends string } ? Option : never;
/** The values that a row names. */
export type NamesOf<Code extends RefusalCode> = ValueNames<
  (typeof REFUSALS)[Code]['en-GB'] | OptionOf<(typeof REFUSALS)[Code]>
>;
