/** `mcp/CONFORMANCE.md`: what is expected of each check, by revision. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Status } from './run-suite.ts';

export const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18'] as const;
export type Revision = (typeof REVISIONS)[number];

/** Why a check may come out as something else than passed. */
const REASONS = ['fixture', 'not offered', 'stateless'] as const;
export type Reason = (typeof REASONS)[number];

export interface Expected {
  readonly status: Status;
  /** Undefined where it passes, or has no verdict. */
  readonly reason: Reason | undefined;
}

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'CONFORMANCE.md'), 'utf8');
const CHECK_ROW = /^\| (?:`([^`]+)`|\(every scenario\)) \| `([^`]+)` \|(.*)\|$/gm;
const SUM_ROW = /^\| ([a-z ]+) \| (\d+) \| (\d+) \| (\d+) \|/gm;

/** `scenario check` to what is expected; the scenario is `*` where the row is about each of them. */
export function expectedOf(revision: Revision): ReadonlyMap<string, Expected> {
  const column = REVISIONS.indexOf(revision);
  const rows = [...PAGE.matchAll(CHECK_ROW)].flatMap(
    ([, scenario = '*', check, cells]): [string, Expected][] => {
      const cell = cells!.split('|')[column]!.trim();
      return cell === '' ? [] : [[`${scenario} ${check}`, readCell(cell)]];
    },
  );
  return new Map(rows);
}

/** The sums at the top of the page: result to number of checks. */
export function sumsOf(revision: Revision): ReadonlyMap<string, number> {
  const column = REVISIONS.indexOf(revision);
  return new Map([...PAGE.matchAll(SUM_ROW)].map(([, word, ...sums]) => [word!, Number(sums[column])]));
}

function readCell(cell: string): Expected {
  if (cell === 'passed') return { status: 'SUCCESS', reason: undefined };
  if (cell === 'noted') return { status: 'INFO', reason: undefined };
  const [, mark, word] = /^(?:(warning|skipped): )?(.*)$/.exec(cell)!;
  const reason = REASONS.find((known) => known === word);
  if (reason === undefined) throw new Error(`CONFORMANCE.md: "${cell}" is not a result`);
  return { status: mark === undefined ? 'FAILURE' : mark === 'warning' ? 'WARNING' : 'SKIPPED', reason };
}
