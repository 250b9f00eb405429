/** Where the time of a CPU profile went, function by function, without what they call. */

/** As the inspector writes it. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
}

export interface ProfileLine {
  readonly share: number;
  readonly place: string;
}

/** The `count` functions with the most time of their own; idle time does not count. */
export function summarizeProfile(profile: CpuProfile, count: number): ProfileLine[] {
  const places = new Map(profile.nodes.map(({ id, callFrame }) => [id, formatPlace(callFrame)]));
  const micros = new Map<string, number>();
  let total = 0;
  for (const [index, sample] of profile.samples.entries()) {
    const place = places.get(sample)!;
    if (place.startsWith('(idle)')) continue;
    const delta = profile.timeDeltas[index]!;
    micros.set(place, (micros.get(place) ?? 0) + delta);
    total += delta;
  }
  return [...micros]
    .sort((a, b) => b[1] - a[1])
    .slice(0, count)
    .map(([place, own]) => ({ share: own / total, place }));
}

function formatPlace({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const file = url.replace(/^.*\/(src|node_modules|bench)\//, '$1/');
  const name = functionName === '' ? '(anonymous)' : functionName;
  return file === '' ? name : `${name}  ${file}:${lineNumber + 1}`;
}
