/** All kinds of connection, a row each. */
import { BEDS24 } from './kinds/beds24/beds24.ts';
import type { ConnectionKind } from './kinds/connection-kind.ts';
import { SMOOBU } from './kinds/smoobu/smoobu.ts';

export const CONNECTION_KINDS: readonly ConnectionKind[] = [SMOOBU, BEDS24];

export function findKind(name: string): ConnectionKind | undefined {
  return CONNECTION_KINDS.find(({ kind }) => kind === name);
}
