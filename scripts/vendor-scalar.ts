/**
 * Takes the one file of Scalar's API reference out of its package, compressed, with what it is and where it is from:
 * `node scripts/vendor-scalar.ts [version]`. The package itself would bring some 290 others. Without a version, the
 * file of the version that is recorded is made again, and must have the recorded hash.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';

const FOLDER = join(import.meta.dirname, '..', 'src', 'portal', 'scalar');
const RECORD = join(FOLDER, 'scalar.json');
const PACKAGE = '@scalar/api-reference';
const FILE = 'dist/browser/standalone.js';

const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as { version: string; sha256: string };
const version = process.argv[2] ?? recorded.version;

const script = takeFile(version);
const sha256 = createHash('sha256').update(script).digest('hex');
if (version === recorded.version && sha256 !== recorded.sha256)
  throw new Error(`${PACKAGE}@${version} ${FILE} has the hash ${sha256}, not ${recorded.sha256}`);

const record = { package: PACKAGE, version, file: FILE, license: 'MIT', sha256 };
writeFileSync(join(FOLDER, 'standalone.js.gz'), gzipSync(script, { level: constants.Z_BEST_COMPRESSION }));
writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
process.stdout.write(`${PACKAGE}@${version}: ${script.byteLength} bytes, sha256 ${sha256}\n`);

/** `npm pack` fetches from the registry and checks the integrity that the registry names. */
function takeFile(wanted: string): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'stayport-scalar-'));
  try {
    const packed = execFileSync('npm', ['pack', `${PACKAGE}@${wanted}`, '--silent'], {
      cwd: folder,
      encoding: 'utf8',
    });
    execFileSync('tar', ['-xzf', packed.trim(), `package/${FILE}`], { cwd: folder });
    return readFileSync(join(folder, 'package', FILE));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
