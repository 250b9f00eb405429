/** `CATALOGUE_FILE` of a service that is stopped and started again. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { hotel } from './kit/catalogue-lines.ts';
import { type RunningServer, startServer } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';

type LogLine = Record<string, unknown>;

describe('The file of the catalogue', () => {
  const workplace = new WorkplaceHere();
  after(() => workplace.remove());
  const path = join(workplace.directory, 'catalogue.cache');
  const importAll = (...ids: string[]) =>
    workplace.json(['import', 'catalogue', '-'], {
      input: ids.map((id) => JSON.stringify(hotel(id))).join('\n'),
    });

  /** Starts, waits until it is ready, stops; what it logged. */
  async function serveOnce(env: Record<string, string> = {}): Promise<LogLine[]> {
    const server: RunningServer = await startServer(workplace, env);
    server.child.kill('SIGTERM');
    const { code, stderr } = await server.ended;
    assert.equal(code, 0, stderr);
    return linesOf(stderr);
  }

  it('is written at a stop, and the next start goes on from it, with any number of workers', async () => {
    await importAll('one', 'two');
    assert.equal(loaded(await serveOnce())['from'], 'database');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    await importAll('three');
    for (const [workers, properties] of [
      ['1', 3],
      ['2', 3],
    ] as const) {
      const lines = await serveOnce({ WORKERS: workers });
      assert.deepEqual(
        [loaded(lines)['from'], loaded(lines)['properties']],
        ['file', properties],
        JSON.stringify(lines),
      );
      assert.ok(!lines.some(isRefusal));
    }
  });

  it('is said not to be used, in one line, when it is damaged', async () => {
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
    const lines = await serveOnce();
    assert.equal(loaded(lines)['from'], 'database');
    const [refusal, ...more] = lines.filter(isRefusal);
    assert.deepEqual([refusal?.['file'], more], [path, []]);
    assert.match(String(refusal?.['reason']), /^is damaged in section \d$/);
    assert.equal(loaded(await serveOnce())['from'], 'file');
  });

  it('is not there when it is off', async () => {
    const lines = await serveOnce({ CATALOGUE_FILE: 'off' });
    assert.equal(loaded(lines)['from'], 'database');
    assert.ok(!lines.some(isRefusal));
    const other = join(workplace.directory, 'other.cache');
    await serveOnce({ CATALOGUE_FILE: other });
    assert.ok(existsSync(other));
  });

  it('stops the start when it was set and can not be written', async () => {
    const nowhere = join(workplace.directory, 'nowhere', 'x.cache');
    for (const WORKERS of ['1', '2']) {
      const env = { PORT: '0', OPERATOR_PORT: '0', WORKERS, CATALOGUE_FILE: nowhere };
      const { code, stderr } = await workplace.start(['serve'], { env }).ended;
      assert.notEqual(code, 0);
      assert.match(stderr, /CATALOGUE_FILE: .*nowhere.* can't be written: ENOENT/);
    }
  });

  it('is only missed when it is the default and can not be written', async () => {
    rmSync(path);
    mkdirSync(path);
    const lines = await serveOnce();
    assert.equal(loaded(lines)['from'], 'database');
    assert.ok(lines.some(({ msg }) => String(msg).startsWith('the catalogue can not be saved')));
  });
});

function linesOf(stderr: string): LogLine[] {
  return stderr.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []));
}

function loaded(lines: readonly LogLine[]): LogLine {
  const line = lines.find(({ msg }) => msg === 'catalogue is in memory');
  assert.ok(line !== undefined, JSON.stringify(lines));
  return line;
}

function isRefusal({ msg }: LogLine): boolean {
  return String(msg).startsWith('the saved catalogue is not used');
}
