/**
 * Builds the package: `node sdk/build.ts [FOLDER]`, into `dist` unless a folder is named. The client is one file, and
 * what verifies webhooks another one, which bundles with the client alone leave out; each is there as an ES module and as
 * a CommonJS module: Node.js 20 can't `require` the first before 20.19. Types lie beside each.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const SDK = import.meta.dirname;
const TSC = join(SDK, '..', 'node_modules', 'typescript', 'bin', 'tsc');
const dist = process.argv[2] ?? join(SDK, 'dist');

rmSync(dist, { recursive: true, force: true });
const webhookBeside: Plugin = {
  name: 'webhook beside',
  setup(own) {
    own.onResolve({ filter: /^\.\/webhook\.ts$/ }, () => ({ path: './webhook.js', external: true }));
  },
};
for (const format of ['esm', 'cjs'] as const) {
  await build({
    entryPoints: [join(SDK, 'src', 'index.ts'), join(SDK, 'src', 'webhook.ts')],
    outdir: join(dist, format),
    bundle: true,
    plugins: [webhookBeside],
    format,
    target: 'es2022',
    // Names and lines stay readable.
    minifySyntax: true,
    // With the source inside: the package publishes no other copy of it.
    sourcemap: true,
    logLevel: 'warning',
  });
  for (const name of ['index.js', 'webhook.js']) {
    const file = join(dist, format, name);
    writeFileSync(file, withoutComments(readFileSync(file, 'utf8')));
  }
}
const types = [TSC, '--project', join(SDK, 'tsconfig.build.json'), '--outDir', join(dist, 'esm')];
execFileSync(process.execPath, types, { stdio: 'inherit' });
mkdirSync(join(dist, 'cjs'), { recursive: true });
cpSync(join(dist, 'esm'), join(dist, 'cjs'), {
  recursive: true,
  filter: (path) => !/\.js(\.map)?$/.test(path),
});
writeFileSync(join(dist, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');

/** Types and source maps have the comments. Their lines stay, empty, so that the source maps fit. */
function withoutComments(code: string): string {
  return code.replace(/^ *(?:\/\/(?!#).*|\/\*\*[^]*?\*\/)$/gm, (comment) => comment.replace(/.+/g, ''));
}
