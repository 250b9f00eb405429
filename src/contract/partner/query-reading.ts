/** What the parameters of a query become: their values in order, put into one typed object. */
import type { Parameter } from '../partner/parameters.ts';

/** The values of parameters, in their order: `undefined` only where an optional one without a default was absent. */
type ValuesOf<Parameters extends readonly Parameter[]> = {
  readonly [Index in keyof Parameters]: Parameters[Index] extends Parameter<infer Value> ? Value : never;
};

export interface QueryReading<Query> {
  readonly parameters: readonly Parameter[];
  /** `values` are those that the schemas admit, defaults filled in, in the order of `parameters`. */
  readonly present: (values: readonly unknown[]) => Query;
}

/** `present` is checked by the compiler against the parameters: order, types and what may be absent. */
export function queryOf<const Parameters extends readonly Parameter[], Query>(
  parameters: Parameters,
  present: (values: ValuesOf<Parameters>) => Query,
): QueryReading<Query> {
  return { parameters, present: present as unknown as QueryReading<Query>['present'] };
}
