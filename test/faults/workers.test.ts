/** What becomes of several workers that nothing can be done about. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DEATHS_MAX } from '../../src/workers/restarts.ts';
import { startServer, until, Workplace } from '../kit/command-line.ts';

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'crashing-worker.ts')).href;

describe('Workers', () => {
  const workplace = new Workplace({ WORKERS: '2', PORT: '0', OPERATOR_PORT: '0' });
  after(async () => workplace.remove());

  it('that die again and again end the service, which says so in one line', async () => {
    const ended = await workplace.run(['serve'], { env: { NODE_OPTIONS: `--import=${PRELOAD}` } });
    assert.equal(ended.code, 1);
    const lines = ended.stderr.trimEnd().split('\n');
    const plain = lines.filter((line) => !line.startsWith('{'));
    assert.equal(plain.length, 1, plain.join('\n'));
    assert.match(
      plain[0]!,
      /^stayport: worker [12] ended more than 8 times within 60 seconds, .*exit code 7/,
    );
    const replaced = lines.filter((line) => line.includes('"a worker ended and is replaced"'));
    assert.ok(replaced.length >= DEATHS_MAX && replaced.length <= 2 * DEATHS_MAX, `${replaced.length} times`);
  });

  it('do not outlive the process that started them', async () => {
    const server = await startServer(workplace);
    const started = server.printed.stderr.split('\n').filter((line) => line.endsWith('"worker started"}'));
    const pids = started.map((line) => (JSON.parse(line) as { pid: number }).pid);
    assert.equal(pids.length, 2);
    server.child.kill('SIGKILL');
    await server.ended;
    await until(async () => pids.every((pid) => !isAlive(pid)));
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
