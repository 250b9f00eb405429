/** The HTTP operation of an act: what its row leaves out follows from the input and the right. */
import type { OperatorOperation } from '../../contract/operator/operation.ts';
import { READ_CODES, TAG, unbound } from '../../contract/operator/setup-operations.ts';
import {
  answered,
  idempotencyKey,
  optional,
  smallBody,
  source,
} from '../../contract/operator/supply-parts.ts';
import { Type } from '../../contract/partner/json-schema.ts';
import type { Parameter } from '../../contract/partner/parameters.ts';
import * as g from '../../domain/document/grammar.ts';
import { asSentence } from '../../domain/wrong.ts';
import type { ActOperation, AnyAct, Input } from './act.ts';

export interface ServedAct extends AnyAct {
  readonly http: ActOperation;
}

export interface RoutedInputs {
  /** Names that the path has. */
  readonly inPath: readonly string[];
  /** The others, but the source, which a token may have. */
  readonly others: ReturnType<typeof g.object>;
  /** Where the others are; undefined: there are none. */
  readonly place: 'body' | 'query' | undefined;
}

export function placeInputs({ input, http: { route } }: ServedAct): RoutedInputs {
  const names = Object.keys(input);
  const inPath = names.filter((name) => route.includes(`{${name}}`));
  const others = names.filter((name) => !inPath.includes(name) && name !== 'source');
  const fields = Object.fromEntries(others.map((name) => [name, fieldOf(input[name]!)]));
  const place = route.startsWith('DELETE') ? 'query' : 'body';
  return { inPath, others: g.object(fields), place: others.length === 0 ? undefined : place };
}

export function operationOf(row: ServedAct): OperatorOperation {
  const { input, right, http } = row;
  const { route, success, problemCodes, ...rest } = http;
  const { inPath, others, place } = placeInputs(row);
  const [method, path] = route.split(' ') as [OperatorOperation['method'], string];
  const inQuery = place === 'query' ? Object.entries(others.fields) : [];
  const ofSource = 'source' in input && !inPath.includes('source') ? [source] : [];
  return {
    ...rest,
    method,
    path,
    tag: TAG,
    description: 'source' in input ? rest.description : unbound(rest.description),
    scope: right === 'viewer' ? 'supply:read' : 'supply:write',
    pathParameters: inPath.map((name) => ({ ...parameterOf(name, fieldOf(input[name]!)), required: true })),
    queryParameters: [...ofSource, ...inQuery.map(([name, field]) => parameterOf(name, field))],
    headerParameters: takesKey(row) ? [idempotencyKey] : [],
    ...(place === 'body' && { body: smallBody(Type.Unsafe(others.schema)) }),
    successes: answered(...success),
    problemCodes: [...READ_CODES, ...problemCodes],
  };
}

export function takesKey({ http }: ServedAct): boolean {
  return http.problemCodes.includes('IDEMPOTENCY_KEY_REUSED');
}

function fieldOf({ presence, value, about }: Input<unknown>): g.Field<unknown> {
  const meaning = asSentence(about);
  if (value === undefined) return g.optional(g.flag, undefined, meaning);
  return presence === 'required' ? g.required(value, meaning) : g.nullable(value, undefined, meaning);
}

function parameterOf(name: string, { part, notes }: g.Field<unknown>): Parameter {
  return optional(name, Type.Unsafe({ ...part.schema, ...notes }));
}
