import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { PORT_MAX, PORT_MIN, reservePort } from './reserved-port.ts';

const MODULE = pathToFileURL(join(import.meta.dirname, 'reserved-port.ts')).href;

/** The port that another process gets, which ends without releasing it; it begins to look at `from`. */
function reserveInOtherProcess(from: number): number {
  const program = `
    const { reservePort } = await import('${MODULE}');
    const reserved = await reservePort({ from: ${from} });
    console.log(reserved.port);`;
  const flags = ['--input-type=module', '--eval', program];
  return Number(execFileSync(process.execPath, flags, { encoding: 'utf8' }));
}

describe('A reserved port', () => {
  it('is given to nobody else, here or in another process, though nobody listens on it', async () => {
    const first = await reservePort();
    const second = await reservePort({ from: first.port });
    const third = reserveInOtherProcess(first.port);
    assert.equal(new Set([first.port, second.port, third]).size, 3);
    await Promise.all([first.release(), second.release()]);
  });

  it('is free again when it was released, or its process has ended', async () => {
    const reserved = await reservePort();
    await reserved.release();
    assert.equal(reserveInOtherProcess(reserved.port), reserved.port);
    assert.equal(reserveInOtherProcess(reserved.port), reserved.port);
  });

  it('is none that fetch refuses', async () => {
    // Asked before anything is sent, so it needs no server.
    const dispatcher = { dispatch: () => assert.fail('sent') } as unknown;
    for (let port = PORT_MIN; port < PORT_MAX; port += 1) {
      const options = { dispatcher } as RequestInit;
      const failure = await fetch(`http://127.0.0.1:${port}`, options).catch((error: unknown) => error);
      assert.match(String((failure as Error).cause), /sent/, `port ${port}`);
    }
  });
});
