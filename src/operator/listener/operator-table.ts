/** The table of the operator listener, in the order of its documents. */
import type { AnyAct } from '../acts/act.ts';
import { operationOf, type ServedAct } from '../acts/act-operation.ts';
import * as ical from '../acts/ical-acts.ts';
import { deleteMappingAct } from '../acts/mapping-acts.ts';
import { closeAct, openAct } from '../acts/nights-acts.ts';
import { retireSourceAct } from '../acts/source-acts.ts';
import type { OperatorOperation } from '../../contract/operator/operation.ts';
import { OWN_OPERATIONS } from '../../contract/operator/operations.ts';
import * as setup from '../../contract/operator/setup-operations.ts';
import {
  getSupplyDocs,
  getSupplyOpenApi,
  MESSAGE_OPERATIONS,
} from '../../contract/operator/supply-operations.ts';

const SETUP_ROWS = [
  setup.listSupplyProperties,
  setup.listSupplySources,
  retireSourceAct,
  setup.getSupplyMessage,
  setup.listSupplyMappings,
  setup.putSupplyMappings,
  deleteMappingAct,
  setup.listFeeds,
  ical.subscribeAct,
  setup.getFeed,
  ical.pollAct,
  ical.acceptAct,
  ical.unsubscribeAct,
  closeAct,
  openAct,
  ical.publishAct,
  ical.unpublishAct,
  setup.listPublishedCalendars,
] as const;

type SetupOperation = Exclude<(typeof SETUP_ROWS)[number], AnyAct>;

function isServed(row: AnyAct): row is ServedAct {
  return row.http !== undefined;
}

const rows: readonly (OperatorOperation | AnyAct)[] = SETUP_ROWS;
export const SERVED_ACTS = rows.filter((row) => 'run' in row).filter(isServed);

export const SUPPLY_OPERATIONS: readonly OperatorOperation[] = [
  ...MESSAGE_OPERATIONS,
  ...rows.flatMap((row) => ('run' in row ? [row].filter(isServed).map(operationOf) : [row])),
];

export const OPERATOR_OPERATIONS: readonly OperatorOperation[] = [
  ...OWN_OPERATIONS,
  ...SUPPLY_OPERATIONS,
  getSupplyOpenApi,
  getSupplyDocs,
];

/** Operations with a handler of their own; those of acts share one. */
export type SetupOperationId = SetupOperation['operationId'];
export type OwnOperationId =
  | SetupOperationId
  | (typeof OWN_OPERATIONS | typeof MESSAGE_OPERATIONS)[number]['operationId']
  | 'getSupplyOpenApi'
  | 'getSupplyDocs';
