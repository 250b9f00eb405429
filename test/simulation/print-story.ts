/** A story in words. */
import type { Ending } from './run-story.ts';
import type { Story } from './story.ts';
import type { Told } from './world.ts';

export function formatStory(
  { seed, engine, hasRedis, readers, steps }: Story,
  { wrong, told }: Ending,
): string {
  const services = readers.map((count) => `${count} reading thread${count === 1 ? '' : 's'}`).join(', ');
  const head = `seed ${seed}: ${readers.length} service${readers.length === 1 ? '' : 's'} (${services}), ${engine}${hasRedis ? ', Redis' : ''}, ${steps.length} steps`;
  return [head, ...told.map(formatTold), `  ${wrong ?? 'everything held'}`].join('\n');
}

/** When, at which revision, who, what. */
function formatTold({ atMs, revision, who, what }: Told): string {
  return `  ${(atMs / 1000).toFixed(3).padStart(8)} s  r${revision}  ${who}: ${what}`;
}
