/** Where the time of a CPU profile went, without what each place calls. Idle time does not count. */

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

/** As the inspector writes it. */
export interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
}

export interface ProfileLine {
  readonly share: number;
  readonly place: string;
}

/** The costliest functions, at most `count`. */
export function summarizeFunctions(profile: CpuProfile, count: number): ProfileLine[] {
  return summarize(profile, formatFunction).slice(0, count);
}

/** The same by folder of ours, by package, and by what Node brings. */
export function summarizeFolders(profile: CpuProfile): ProfileLine[] {
  return summarize(profile, formatFolder);
}

function summarize(profile: CpuProfile, placeOf: (frame: CallFrame) => string): ProfileLine[] {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const micros = new Map<string, number>();
  let total = 0;
  for (const [index, sample] of profile.samples.entries()) {
    const frame = frames.get(sample)!;
    if (frame.functionName === '(idle)') continue;
    const place = placeOf(frame);
    const delta = profile.timeDeltas[index]!;
    micros.set(place, (micros.get(place) ?? 0) + delta);
    total += delta;
  }
  return [...micros].sort((a, b) => b[1] - a[1]).map(([place, own]) => ({ share: own / total, place }));
}

function formatFunction({ functionName, url, lineNumber }: CallFrame): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  const file = fileOf(url);
  return file === '' ? `${name}  (native)` : `${name}  ${file}:${lineNumber + 1}`;
}

function formatFolder({ functionName, url }: CallFrame): string {
  const file = fileOf(url);
  if (file === '') return functionName.startsWith('(') ? functionName : '(native)';
  if (file.startsWith('node:')) return 'node:*';
  const [top, ...rest] = file.split('/');
  return rest.length === 0 ? top! : `${top}/${rest[0]}`;
}

/** Below the project, or as Node calls its own. */
function fileOf(url: string): string {
  return url.replace(/^.*\/(src|node_modules|bench)\//, '$1/');
}
