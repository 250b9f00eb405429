/** The handler of acts: input from path, query and body, what the act came to as an answer, and one line of the log. */
import { type RoutedInputs, placeInputs, type ServedAct, takesKey } from '../acts/act-operation.ts';
import { supplyId } from '../acts/values.ts';
import type { Refused } from '../../domain/outcome.ts';
import { asSentence, inEnglish, optionOf, sayDetail } from '../../domain/wrong.ts';
import { presentProblem } from '../../http/answers/present-problem.ts';
import type { OperatorExchange, OperatorHook } from './operator-exchange.ts';
import { answerJson } from './present-supply.ts';
import { logSetup, readBody, readFields, refuseSource, type SetupDeps } from './setup-query.ts';
import * as request from './supply-query.ts';

type Values = Readonly<Record<string, unknown>>;

export function actHandler(row: ServedAct, deps: SetupDeps): OperatorHook {
  const placed = placeInputs(row);
  return async (exchange) => {
    if (!('source' in row.input) && refuseSource(exchange)) return;
    const asked = readAsked(exchange, row, placed);
    const key = asked && (takesKey(row) ? request.idempotencyKeyOf(exchange) : null);
    if (asked === undefined || key === undefined) return;
    const written = placed.place === 'body' ? readBody(exchange, placed.others) : {};
    if (written === undefined) return;
    const input: Values = { ...asked, ...written };
    const requestKey = key === null ? undefined : `${exchange.operator?.operatorTokenId} ${key}`;
    const misuse = row.check?.(input);
    if (misuse !== undefined) return presentRefused(exchange, row, { ok: false, problem: misuse });
    const outcome = await row.run({ ...deps.acts, requestKey }, input);
    if (!outcome.ok) return presentRefused(exchange, row, outcome);
    const view = outcome.value as Values;
    if (input['dryRun'] !== true) logSetup(deps, exchange, row.name, { ...view, ...input });
    answerJson(exchange.response, view, row.http.success[0]);
  };
}

/** Path, query, and the source that the token speaks for; undefined, and answered, when something is wrong with them. */
function readAsked(
  exchange: OperatorExchange,
  { input }: ServedAct,
  { inPath, others, place }: RoutedInputs,
): Values | undefined {
  const asked: Record<string, unknown> = {};
  for (const name of inPath) {
    const read = input[name]!.value === supplyId ? request.idOf : request.nameOf;
    asked[name] = read(exchange, name);
    if (asked[name] === undefined) return undefined;
  }
  const query = request.readSupplyQuery(exchange);
  if (query === undefined) return undefined;
  const own = exchange.operator?.source ?? undefined;
  if (inPath.includes('source') && own !== undefined && own !== asked['source'])
    return request.refuseForeign(exchange, own, '{source}');
  if ('source' in input) asked['source'] ??= request.sourceOf(exchange, query);
  if ('source' in input && asked['source'] === undefined) return undefined;
  if (place !== 'query') return asked;
  const given = Object.entries(others.fields)
    .filter(([name]) => query[name] !== undefined)
    .map(([name, { part }]) => [name, part.kind === 'flag' ? query[name] === 'true' : query[name]]);
  const { value, errors } = readFields(Object.fromEntries(given), others);
  const named = errors.named.map(({ pointer, detail }) => ({
    pointer: pointer.replace('/', '?'),
    code: 'PARAMETER_INVALID',
    detail,
  }));
  return value === undefined ? request.refuse(exchange, ...named) : { ...asked, ...value };
}

const CODES = {
  unknown: 'SUPPLY_NOT_FOUND',
  'property-unknown': 'SUPPLY_PROPERTY_NOT_FOUND',
  'type-unknown': 'SUPPLY_PROPERTY_NOT_FOUND',
  'key-reused': 'IDEMPOTENCY_KEY_REUSED',
} as const;

/** A reason that is about an option is about its input. */
function presentRefused(
  exchange: OperatorExchange,
  { input, http }: ServedAct,
  { problem: wrong, kind }: Refused,
): void {
  const names = new Map(Object.entries(input).map(([name, { usage }]) => [usage.split(' ', 1)[0]!, name]));
  const named = (said: string): string =>
    said.replaceAll(/--[\w-]+/g, (option) => names.get(option) ?? option);
  const about = kind === 'type-unknown' ? 'inventoryTypeId' : names.get(`--${optionOf(wrong)}`);
  if (about !== undefined && !http.route.includes(`{${about}}`)) {
    const code = kind === 'type-unknown' ? 'INVENTORY_TYPE_UNKNOWN' : 'FIELD_INVALID';
    const detail = named(sayDetail(wrong, 'en-GB'));
    return request.refuse(exchange, { pointer: `/${about}`, code, detail });
  }
  const detail = (kind === 'unknown' ? http.unknown : undefined) ?? asSentence(named(inEnglish(wrong)));
  presentProblem(exchange.response, kind === undefined ? 'SUPPLY_CONFLICT' : CODES[kind], { detail });
}
