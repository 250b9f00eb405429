/** What becomes of several workers that nothing can be done about. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { canSharePorts } from '../../src/app/workers/claimed-ports.ts';
import { READER_SILENCE_SECONDS_MAX } from '../../src/app/workers/catalogue-keeper.ts';
import { DEATHS_MAX } from '../../src/app/workers/threads.ts';
import { hotel } from '../kit/catalogue-lines.ts';
import { startServer, until, Workplace } from '../kit/command-line.ts';

const PROGRAMS = join(import.meta.dirname, '..', 'kit', 'processes');
const preload = (name: string): string => `--import=${pathToFileURL(join(PROGRAMS, name)).href}`;
/** Enough for a worker to start, and taken up within a few seconds. */
const HEAP_MB = 100;
const NOTICED_MS_MAX = 30_000;
/** A segment of the catalogue has room for some 19,000 of those of the test. */
const PROPERTIES_OF_TWO_SEGMENTS = 24_000;

describe('Workers', { skip: !(await canSharePorts()) }, () => {
  const workplace = new Workplace({ WORKERS: '2', PORT: '0', OPERATOR_PORT: '0' });
  after(async () => workplace.remove());

  it('that end again and again end the service, which says so in one line', async () => {
    const ended = await workplace.run(['serve'], { env: { NODE_OPTIONS: preload('crashing-worker.ts') } });
    assert.equal(ended.code, 1);
    const lines = ended.stderr.trimEnd().split('\n');
    const plain = lines.filter((line) => !line.startsWith('{'));
    assert.equal(plain.length, 1, plain.join('\n'));
    assert.match(
      plain[0]!,
      /^stayport: worker [12] ended more than 8 times within 60 seconds, .*exit code 7/,
    );
    const replaced = lines.filter((line) => line.includes('"worker ended: starting a replacement"'));
    assert.ok(replaced.length >= DEATHS_MAX && replaced.length <= 2 * DEATHS_MAX, `${replaced.length} times`);
  });

  it('that need more memory than one may have end alone, and are replaced', async () => {
    const server = await startServer(workplace, {
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MB} ${preload('mortal-worker.ts')}`,
      WORKER_ENDS_BY: 'memory',
    });
    server.child.kill('SIGUSR2');
    const log = (): string => server.printed.stderr;
    await until(async () => log().includes('"worker ended: starting a replacement"'), NOTICED_MS_MAX);
    assert.match(log(), /"how":"[^"]*memory limit[^"]*"/);
    await until(async () => log().split('"listening"').length === 4, NOTICED_MS_MAX);
    assert.equal((await fetch(`${server.operatorUrl}/readyz`)).status, 200);
    server.child.kill('SIGTERM');
    assert.equal((await server.ended).code, 0);
  });

  it('that hang are ended once the catalogue needs more memory, and the others get what changes', async () => {
    const env = { NODE_OPTIONS: preload('mortal-worker.ts'), WORKER_ENDS_BY: 'hanging' };
    const server = await startServer(workplace, env);
    const log = (): string => server.printed.stderr;
    server.child.kill('SIGUSR2');
    const lines = Array.from({ length: PROPERTIES_OF_TWO_SEGMENTS }, (_, index) => hotel(`h${index}`));
    const input = lines.map((line) => JSON.stringify(line)).join('\n');
    assert.equal((await workplace.run(['import', 'catalogue', '-'], { input })).code, 0);
    const noticedMsMax = NOTICED_MS_MAX + READER_SILENCE_SECONDS_MAX * 1_000;
    await until(async () => log().includes('"worker ended: starting a replacement"'), noticedMsMax);
    assert.match(log(), /"how":"it did not answer for 10 seconds"/);
    const metrics = async (): Promise<string> => (await fetch(`${server.operatorUrl}/metrics`)).text();
    const wanted = `stayport_catalogue_properties ${PROPERTIES_OF_TWO_SEGMENTS}\n`;
    await until(async () => (await metrics()).includes(wanted), NOTICED_MS_MAX);
    server.child.kill('SIGTERM');
    assert.equal((await server.ended).code, 0);
  });
});
