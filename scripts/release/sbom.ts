/**
 * The bill of materials of a release: CycloneDX 1.6, JSON. All that the archives hold and others wrote: the packages
 * with the hashes of the lockfile, Node, and files that were taken out of packages.
 */
import { type LockedPackage, type Lockfile, neededBy, productionPackages } from './locked-packages.ts';

/** One file of a package, kept in the source. */
export interface VendoredFile {
  readonly package: string;
  readonly version: string;
  readonly file: string;
  readonly license: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

export interface SbomInput {
  readonly version: string;
  /** When the commit was made, RFC 3339. */
  readonly timestamp: string;
  readonly lock: Lockfile;
  /** Packages of compiled code, each for one platform. */
  readonly compiled: readonly LockedPackage[];
  /** The packages that bring Node, one for each platform, of one version. */
  readonly nodes: readonly LockedPackage[];
  readonly vendored: readonly VendoredFile[];
}

/** The text of `sbom.cdx.json`. The same input gives the same bytes: no serial number, no clock. */
export function sbomText({ version, timestamp, lock, nodes, compiled, vendored }: SbomInput): string {
  const packages = [...productionPackages(lock), ...compiled];
  const refs = new Map(packages.map(({ path, name, version: of }) => [path, refOf(path, name, of)]));
  const node = nodeComponent(nodes);
  const files = vendored.map(vendoredComponent);
  const self = { 'bom-ref': `stayport@${version}`, type: 'application', name: 'stayport', version };
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { timestamp, component: { ...self, ...licensed('MIT'), purl: purl('stayport', version) } },
    components: [
      node,
      ...files,
      ...packages.map((locked) => packageComponent(locked, refs.get(locked.path) ?? '')),
    ],
    dependencies: [
      {
        ref: self['bom-ref'],
        dependsOn: [
          node['bom-ref'],
          ...files.map((file) => file['bom-ref']),
          ...neededBy(lock, '').map((path) => refs.get(path)),
        ],
      },
      ...packages.map(({ path, needs }) => ({
        ref: refs.get(path),
        dependsOn: needs.map((need) => refs.get(need)),
      })),
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** A name and version that lie in two folders are two components. */
function refOf(path: string, name: string, version: string): string {
  return path === `node_modules/${name}` ? `${name}@${version}` : `${path}@${version}`;
}

function packageComponent({ path, name, version, integrity, license }: LockedPackage, ref: string) {
  return {
    'bom-ref': ref,
    type: 'library',
    ...named(name),
    version,
    hashes: [sha512(integrity)],
    ...licensed(license),
    purl: purl(name, version),
    properties: [{ name: 'cdx:npm:package:path', value: path }],
  };
}

/** Flaws of Node are published under this CPE; the packages that bring it are nested. */
function nodeComponent(nodes: readonly LockedPackage[]) {
  const { version = '' } = nodes[0] ?? {};
  return {
    'bom-ref': `node@${version}`,
    type: 'platform',
    name: 'node',
    version,
    ...licensed('MIT'),
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/node@${version}`,
    components: nodes.map((locked) => packageComponent(locked, `${locked.name}@${version}`)),
  };
}

function vendoredComponent({ package: name, version, file, license, sha256 }: VendoredFile) {
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    ...named(name),
    version,
    description: `one file of the package: ${file}`,
    hashes: [{ alg: 'SHA-256', content: sha256 }],
    ...licensed(license),
    purl: purl(name, version),
  };
}

/** `@scope/name` in CycloneDX's two fields. */
function named(name: string): { group?: string; name: string } {
  const [scope, rest] = name.split('/');
  return rest === undefined ? { name } : { group: scope ?? '', name: rest };
}

/** The lockfile's text is an SPDX expression; an identifier alone is one as well. */
function licensed(expression: string | undefined) {
  return expression === undefined ? {} : { licenses: [{ expression }] };
}

function sha512(integrity: string): { alg: 'SHA-512'; content: string } {
  const [algorithm, base64] = integrity.split('-', 2);
  if (algorithm !== 'sha512' || base64 === undefined) throw new Error(`${integrity} is not a SHA-512`);
  return { alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') };
}

function purl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
