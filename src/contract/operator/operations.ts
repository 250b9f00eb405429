/** The rows of the operator listener itself. */
import { Type } from '../partner/json-schema.ts';
import {
  HandoffResolutionSchema,
  RecordConversionRequestSchema,
  RecordedConversionSchema,
  ResolveHandoffRequestSchema,
} from './handoff-schemas.ts';
import type { OperatorOperation } from './operation.ts';
import { answered, JSON_TYPE, smallBody } from './supply-parts.ts';

const statusSchema = Type.Object({ status: Type.String() });

const getLiveness = {
  operationId: 'getLiveness',
  method: 'GET',
  path: '/livez',
  tag: 'Health',
  summary: 'Is the process alive',
  description: '200 as long as the process answers at all.',
  scope: undefined,
  successes: answered(200, 'Alive.', statusSchema),
  problemCodes: [],
} as const satisfies OperatorOperation;

const getReadiness = {
  operationId: 'getReadiness',
  method: 'GET',
  path: '/readyz',
  tag: 'Health',
  summary: 'Are partners served',
  description: '200 while partners are served, else 503 with the reason: for load balancers.',
  scope: undefined,
  successes: answered(200, 'Ready.', statusSchema),
  problemCodes: [],
} as const satisfies OperatorOperation;

const getMetrics = {
  operationId: 'getMetrics',
  method: 'GET',
  path: '/metrics',
  tag: 'Health',
  summary: 'Metrics',
  description: 'All metrics in the text format of Prometheus.',
  scope: undefined,
  successes: [{ status: 200, description: 'The metrics.', mediaType: 'text/plain' }],
  problemCodes: [],
} as const satisfies OperatorOperation;

const getOperatorOpenApi = {
  operationId: 'getOperatorOpenApi',
  method: 'GET',
  path: '/openapi.json',
  tag: 'Description',
  summary: 'This document',
  description: 'The OpenAPI 3.1 document of the operator listener.',
  scope: undefined,
  successes: [{ status: 200, description: 'The document.', mediaType: JSON_TYPE }],
  problemCodes: [],
} as const satisfies OperatorOperation;

const resolveHandoff = {
  operationId: 'resolveHandoff',
  method: 'POST',
  path: '/handoff/resolve',
  tag: 'Handoff',
  summary: 'Resolve a handoff value',
  description:
    'Opens the value of a link, and checks availability and price of its stay again: a quote promises neither.',
  scope: 'handoff:resolve',
  body: smallBody(ResolveHandoffRequestSchema),
  successes: answered(200, 'What became of the quote.', HandoffResolutionSchema),
  problemCodes: ['INVALID_JSON', 'HANDOFF_INVALID'],
} as const satisfies OperatorOperation;

const recordConversion = {
  operationId: 'recordConversion',
  method: 'POST',
  path: '/handoff/conversions',
  tag: 'Handoff',
  summary: 'Report a booking',
  description:
    'Records that a quote was booked, or that a booking was cancelled; the report of attribution counts both. The same ' +
    'report again changes nothing.',
  scope: 'handoff:resolve',
  body: smallBody(RecordConversionRequestSchema),
  successes: answered(200, 'Recorded.', RecordedConversionSchema),
  problemCodes: ['INVALID_JSON', 'QUOTE_NOT_FOUND', 'CONVERSION_CONFLICT'],
} as const satisfies OperatorOperation;

/** Before those of supply. */
export const OWN_OPERATIONS = [
  getLiveness,
  getReadiness,
  getMetrics,
  getOperatorOpenApi,
  resolveHandoff,
  recordConversion,
] as const satisfies readonly OperatorOperation[];
