/** The package as it would be published: built, small, without dependencies, with types that work; and its examples. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type * as Esbuild from 'esbuild';
import { hotel, inCity } from '../../test/kit/catalogue-lines.ts';
import type { POST as RouteHandler } from '../examples/route-handler.ts';
import { VERSION } from '../src/transport.ts';
import { compile, installPackage, SDK } from './installed-package.ts';
import { openService, type ServiceInstallation } from './service.ts';

const ROOT = join(SDK, '..');
/** By its path: on older versions of Node.js this file is itself a bundle, which cannot hold the bundler. */
const { build } = createRequire(join(ROOT, 'package.json'))('esbuild') as typeof Esbuild;
const CODE = ['index.js', 'webhook.js'];
/** The client, and with what verifies webhooks. */
const GZIP_BYTES_MAX = { 'index.js': 8_704, '': 9_472 } as const;

/** A project that has the package, and where the package lies in it. */
const folder = mkdtempSync(join(tmpdir(), 'stayport-sdk-'));
let home: string;
let packedPaths: readonly string[];
before(() => {
  home = installPackage(folder);
  packedPaths = findPackedPaths();
});
after(() => rmSync(folder, { recursive: true }));

describe('the package', () => {
  it('holds what is built from the source, and nothing else', () => {
    const types = readdirSync(join(SDK, 'src')).map((file) => file.replace(/\.ts$/, '.d.ts'));
    const built = [...CODE, ...CODE.map((file) => `${file}.map`), ...types].flatMap((name) => [
      `dist/esm/${name}`,
      `dist/cjs/${name}`,
    ]);
    assert.deepEqual(
      packedPaths.toSorted(),
      ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'dist/cjs/package.json', ...built].toSorted(),
    );
  });

  it('depends on no other package', () => {
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
      assert.equal(manifest()[kind], undefined);
    }
  });

  it('sends the version that it has', () => assert.equal(VERSION, manifest()['version']));

  it('has source maps with the source in them', () => {
    for (const format of ['esm', 'cjs']) {
      const map = JSON.parse(readFileSync(join(home, 'dist', format, 'index.js.map'), 'utf8')) as {
        sourcesContent: string[];
      };
      assert.ok(map.sourcesContent.some((source) => source.includes('export class Stayport')));
    }
  });

  /** Unlike a bundler, it takes away no names, and the same code is there twice: a program loads one of the two. */
  for (const [file, bytesMax] of Object.entries(GZIP_BYTES_MAX))
    it(`weighs at most ${bytesMax} bytes with gzip, as it is published: ${file || 'all code'}`, (test) => {
      const code = packedPaths
        .filter((path) => path.endsWith('.js') && path.endsWith(file))
        .map((path) => readFileSync(join(home, path)));
      assert.equal(code.length, file === '' ? 4 : 2);
      const whole = Buffer.concat(code);
      const { length } = gzipSync(whole, { level: 9 });
      test.diagnostic(`${length} bytes with gzip, ${whole.length} without`);
      assert.ok(length <= bytesMax, `${length} bytes`);
    });

  it('is bundled without what verifies webhooks where only the client is used', async (test) => {
    const bundle = async (contents: string): Promise<string> => {
      const stdin = { contents, resolveDir: folder };
      const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: 'esm', write: false });
      return outputFiles[0]!.text;
    };
    const client = await bundle(`import { Stayport } from '@stayport/partner'; new Stayport({});`);
    const both = await bundle(`import * as partner from '@stayport/partner'; console.log(partner);`);
    const hooks = await bundle(
      `import { verifyWebhook } from '@stayport/partner/webhooks'; verifyWebhook();`,
    );
    assert.ok(!client.includes('webhook-signature') && both.includes('webhook-signature'));
    assert.ok(hooks.includes('webhook-signature') && !hooks.includes('/v1/'));
    const sizes = [client, both, hooks].map((text) => gzipSync(text, { level: 9 }).length);
    test.diagnostic(`minified, with gzip: client ${sizes[0]} bytes, all ${sizes[1]}, webhooks ${sizes[2]}`);
  });

  it('verifyWebhook is the same function under both names of the package', () => {
    const code = `import { verifyWebhook, WebhookError } from '@stayport/partner';
      import * as hooks from '@stayport/partner/webhooks';
      import { createRequire } from 'node:module';
      const require = createRequire(${JSON.stringify(join(folder, 'names.mjs'))});
      const same = (a, b) => a.verifyWebhook === b.verifyWebhook && a.WebhookError === b.WebhookError;
      console.log(same({ verifyWebhook, WebhookError }, hooks),
        same(require('@stayport/partner'), require('@stayport/partner/webhooks')));`;
    writeFileSync(join(folder, 'names.mjs'), code);
    const output = execFileSync(process.execPath, [join(folder, 'names.mjs')], { encoding: 'utf8' });
    assert.equal(output, 'true true\n');
  });

  it('passes publint, and its types work for every way of loading', () => {
    run('publint', [home, '--strict', '--pack', 'false']);
    const [{ filename }] = JSON.parse(npm(['pack', '--json', '--ignore-scripts'])) as [{ filename: string }];
    run('attw', [join(home, filename), '--profile', 'strict', '--no-emoji']);
    rmSync(join(home, filename));
  });

  it('is a CommonJS module too, with types, and each copy knows the errors of the other', () => {
    writeFileSync(
      join(folder, 'both.cts'),
      `import partner = require('@stayport/partner');
      const made: partner.Stayport = new partner.Stayport({ baseUrl: 'https://a.example', token: 'x' });
      const code: partner.ProblemCode = 'STAY_UNAVAILABLE';
      void made.properties.get('.').catch(async (error: unknown) => {
        const { isStayportError, UsageError } = await import('@stayport/partner');
        console.log(code, isStayportError(error), error instanceof UsageError);
      });`,
    );
    assert.equal(compile(folder), '');
    const output = execFileSync(process.execPath, [join(folder, 'both.cjs')], { encoding: 'utf8' });
    assert.equal(output, 'STAY_UNAVAILABLE true false\n');
  });
});

describe('the examples', () => {
  let installation: ServiceInstallation;
  let environment: NodeJS.ProcessEnv;
  before(async () => {
    installation = await openService();
    await installation.importLines([hotel('h-1', inCity('Antwerp')), hotel('h-2', inCity('Antwerp'))]);
    const { token } = await installation.issue();
    const { partnerUrl } = await installation.serve();
    environment = { ...process.env, STAYPORT_URL: partnerUrl, STAYPORT_TOKEN: token };
    cpSync(join(SDK, 'examples'), join(folder, 'examples'), { recursive: true });
    assert.equal(compile(folder), '');
  });
  after(() => installation.close());

  const example = async (name: string, ...args: string[]): Promise<string> => {
    const child = spawn(process.execPath, [join(folder, 'examples', name), ...args], {
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
    const output = await example('search-to-handoff.js', 'Antwerp', '2026-12-01', '2026-12-04');
    assert.match(output, /^2 properties are available\nHotel h-1: 360\.00 EUR, indicative\nhttps:\/\/\S+\n$/);
  });

  it('keep a catalogue in a file', async () => {
    assert.match(
      await example('nightly-cache.js', 'cache.json', 'Antwerp'),
      /^2 properties are in cache\.json/,
    );
    const { properties } = JSON.parse(readFileSync(join(installation.folder, 'cache.json'), 'utf8')) as {
      properties: unknown[];
    };
    assert.equal(properties.length, 2);
  });

  it('answer a browser from a server', async () => {
    Object.assign(process.env, environment);
    const handler = pathToFileURL(join(folder, 'examples', 'route-handler.js')).href;
    const { POST } = (await import(handler)) as { POST: typeof RouteHandler };
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

function findPackedPaths(): string[] {
  const [{ files }] = JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts'])) as [
    { files: { path: string }[] },
  ];
  return files.map(({ path }) => path);
}

function manifest(): Record<string, unknown> {
  return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Record<string, unknown>;
}

function run(tool: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(join(ROOT, 'node_modules', '.bin', tool), args, {
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${tool}: ${stdout}${stderr}`);
}

function npm(args: readonly string[]): string {
  return execFileSync('npm', args, { cwd: home, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
