/** Runs `@modelcontextprotocol/conformance` and reads what it wrote, check by check. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** As the suite names them, worst first: a check that ran more than once counts with its worst. */
const STATUSES = ['FAILURE', 'WARNING', 'SKIPPED', 'INFO', 'SUCCESS'] as const;
export type Status = (typeof STATUSES)[number];

export interface Outcome {
  readonly status: Status;
  /** Everything that the suite wrote about the check, its message included. */
  readonly said: string;
}

/** `scenario check` to what came of it. */
export type Outcomes = ReadonlyMap<string, Outcome>;

interface WrittenCheck {
  readonly id: string;
  readonly status: Status;
}

const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const RESULT_FOLDER = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/;

/** `args` choose the scenarios, such as `--requirements 2026-07-28`. */
export async function runSuite(url: string, args: readonly string[]): Promise<Outcomes> {
  const folder = mkdtempSync(join(tmpdir(), 'stayport-conformance-'));
  try {
    const printed = await print(['server', '--url', url, '--output-dir', folder, ...args]);
    const outcomes = readOutcomes(folder);
    if (outcomes.size === 0) throw new Error(`the suite ran nothing: ${printed}`);
    return outcomes;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Its exit code says only that something failed, which the list expects; what it wrote is judged instead. */
async function print(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [SUITE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (printed += String(data)));
  }
  await new Promise((resolve) => child.on('close', resolve));
  return printed;
}

function readOutcomes(folder: string): Outcomes {
  const outcomes = new Map<string, Outcome>();
  for (const name of readdirSync(folder)) {
    const scenario = RESULT_FOLDER.exec(name)?.[1];
    if (scenario === undefined) throw new Error(`the suite wrote ${name}`);
    const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as WrittenCheck[];
    for (const check of checks) {
      const key = `${scenario} ${check.id}`;
      outcomes.set(key, worse(outcomes.get(key), { status: check.status, said: JSON.stringify(check) }));
    }
  }
  return outcomes;
}

function worse(known: Outcome | undefined, next: Outcome): Outcome {
  if (known === undefined) return next;
  return STATUSES.indexOf(next.status) < STATUSES.indexOf(known.status) ? next : known;
}
