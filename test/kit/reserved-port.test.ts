import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { reservePort } from './reserved-port.ts';

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
});
