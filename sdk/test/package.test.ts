/** The package as it would be published: built, small, without dependencies, with types that work; and its examples. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { hotel, inCity } from '../../test/kit/catalogue-lines.ts';
import { type Installation, openInstallation } from '../../test/kit/installation.ts';

const SDK = join(import.meta.dirname, '..');
const ROOT = join(SDK, '..');
const GZIP_BYTES_MAX = 8_192;

before(() => void npm(['run', 'build']));

describe('the package', () => {
  it('holds what is built from the source, and nothing else', () => {
    const built = readdirSync(join(SDK, 'src')).flatMap((file) => {
      const name = file.replace(/\.ts$/, '');
      return [`dist/${name}.js`, `dist/${name}.d.ts`];
    });
    assert.deepEqual(
      packedPaths().toSorted(),
      ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', ...built].toSorted(),
    );
  });

  it('has no dependency', () => {
    const manifest = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8')) as Record<string, unknown>;
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
      assert.equal(manifest[kind], undefined);
    }
  });

  /** Unlike a bundler, it takes away neither comments nor names: what a bundler makes of it is smaller. */
  it(`weighs at most ${GZIP_BYTES_MAX} bytes with gzip: all published code, as it is published`, (test) => {
    const code = packedPaths()
      .filter((path) => path.endsWith('.js'))
      .map((path) => readFileSync(join(SDK, path)));
    assert.ok(code.length > 5);
    const whole = Buffer.concat(code);
    const { length } = gzipSync(whole, { level: 9 });
    test.diagnostic(`${length} bytes with gzip, ${whole.length} without`);
    assert.ok(length <= GZIP_BYTES_MAX, `${length} bytes`);
  });

  it('passes publint, and its types work for every way of loading that it supports', () => {
    run('publint', [SDK, '--strict', '--pack', 'false']);
    const folder = mkdtempSync(join(tmpdir(), 'stayport-sdk-'));
    try {
      const [{ filename }] = JSON.parse(
        npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder]),
      ) as [{ filename: string }];
      run('attw', [join(folder, filename), '--profile', 'esm-only', '--no-emoji']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the examples', () => {
  let installation: Installation;
  let environment: NodeJS.ProcessEnv;
  before(async () => {
    installation = await openInstallation();
    await installation.importLines([hotel('h-1', inCity('Antwerp')), hotel('h-2', inCity('Antwerp'))]);
    const { token } = await installation.issue();
    const { partnerUrl } = await installation.serve();
    environment = { ...process.env, STAYPORT_URL: partnerUrl, STAYPORT_TOKEN: token };
  });
  after(() => installation.close());

  const example = async (name: string, ...args: string[]): Promise<string> => {
    const { spawn } = await import('node:child_process');
    const child = spawn(process.execPath, [join(SDK, 'examples', name), ...args], {
      env: environment,
      cwd: installation.folder,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (output += String(data)));
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.equal(code, 0, output);
    return output;
  };

  it('go from a search to a handoff', async () => {
    const output = await example('search-to-handoff.ts', 'Antwerp', '2026-12-01', '2026-12-04');
    assert.match(output, /^2 properties are available\nHotel h-1: 360\.00 EUR, indicative\nhttps:\/\/\S+\n$/);
  });

  it('keep a catalogue in a file', async () => {
    assert.match(
      await example('nightly-cache.ts', 'cache.json', 'Antwerp'),
      /^2 properties are in cache\.json/,
    );
    const { properties } = JSON.parse(readFileSync(join(installation.folder, 'cache.json'), 'utf8')) as {
      properties: unknown[];
    };
    assert.equal(properties.length, 2);
  });

  it('answer a browser from a server', async () => {
    Object.assign(process.env, environment);
    const { POST } = await import('../examples/route-handler.ts');
    const ask = (checkIn: string) =>
      POST(
        new Request('http://shop.example/api/quote', {
          method: 'POST',
          body: JSON.stringify({
            propertyId: 'h-1',
            checkIn,
            checkOut: '2026-12-04',
            guests: 2,
            locale: 'it-IT',
          }),
        }),
      );
    const quoted = (await (await ask('2026-12-01')).json()) as Record<string, unknown>;
    assert.deepEqual([quoted['total'], quoted['isIndicative']], ['360.00', true]);
    assert.equal((await ask('2026-12-05')).status, 400);
    assert.equal((await ask('2026-11-01')).status, 409);
  });
});

function packedPaths(): string[] {
  const [{ files }] = JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts'])) as [
    { files: { path: string }[] },
  ];
  return files.map(({ path }) => path);
}

function run(tool: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(join(ROOT, 'node_modules', '.bin', tool), args, {
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${tool}: ${stdout}${stderr}`);
}

function npm(args: readonly string[]): string {
  return execFileSync('npm', args, { cwd: SDK, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
