/** The files for Docker can't be run by tests; what they set is held against what the program takes. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { SETTINGS } from '../src/app/settings/settings-table.ts';
import { parseEnvironmentFile } from '../src/app/settings/environment-file.ts';
import { parseSettings } from '../src/app/settings/settings.ts';

const ROOT = join(import.meta.dirname, '..');

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly profiles: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
  readonly networks: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

const compose = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly ipam: { config: [{ subnet: string }] } }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const services = Object.entries(compose.services);
const stayports = services.filter(([name]) => name.startsWith('stayport'));
const processesOfCluster = stayports.filter(([, { profiles }]) => profiles.includes('cluster'));

/** `${NAME:-default}` as Docker fills it in when NAME is not set; what it insists on is `given`. */
function fillIn(text: string): string {
  return text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll(/\$\{\w+:\?[^}]*\}/g, 'given');
}

describe('Dockerfile', () => {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

  it('pins its base images by digest, and does not run as root', () => {
    const bases = [...dockerfile.matchAll(/^ARG \w+=(\S+)$/gm)].map(([, image]) => image!);
    assert.equal(bases.length, 2);
    for (const image of bases) assert.match(image, /^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
    assert.match(dockerfile, /^USER 1000:1000$/m);
    assert.match(dockerfile, /^HEALTHCHECK /m);
    assert.deepEqual(
      [...dockerfile.matchAll(/^VOLUME (.+)$/gm)].map(([, volume]) => volume),
      ['/data'],
    );
  });

  it('leaves its settings to a file, with settings that exist and values that are taken', () => {
    const [, block = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile) ?? [];
    const names = [...block.matchAll(/(\w+)=\S+/g)].map(([, name]) => name);
    assert.deepEqual(names, ['NODE_ENV', 'STAYPORT_ENV_FILE', 'MALLOC_ARENA_MAX']);
    assert.match(dockerfile, /^COPY ops\/container\.env \/etc\/stayport\.env$/m);
    const values = parseEnvironmentFile(readFileSync(join(ROOT, 'ops', 'container.env')));
    const known = new Set<string>(Object.values(SETTINGS).map((setting) => setting.name));
    assert.deepEqual(
      Object.keys(values).filter((name) => !known.has(name)),
      [],
    );
    const parsed = parseSettings(values);
    assert.ok(parsed.ok && parsed.settings.databaseUrl.startsWith('sqlite:/data/'));
  });
});

describe('compose.yaml', () => {
  it('has no password of its own', () => {
    const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
    // Empty unless it is given, and PostgreSQL does not start with an empty one.
    assert.equal(text.match(/PASSWORD: \$\{POSTGRES_PASSWORD:-\}|:\$\{POSTGRES_PASSWORD:-\}@/g)?.length, 2);
  });

  it('starts one process, or PostgreSQL, Redis, two processes of Stayport and a balancer', () => {
    const inProfile = (profile: string) =>
      services.filter(([, service]) => service.profiles.includes(profile)).map(([name]) => name);
    assert.deepEqual(inProfile('single'), ['stayport']);
    assert.deepEqual(inProfile('cluster'), ['postgres', 'redis', 'stayport-1', 'stayport-2', 'balancer']);
    for (const [name, { image, build }] of services) {
      assert.ok((image === undefined) !== (build === undefined), name);
      assert.ok(build === undefined || existsSync(join(ROOT, build, 'Dockerfile')));
      assert.ok(image === undefined || /^[a-z]+:\d+(?:\.\d+)*$/.test(image), image);
    }
  });

  it('gives no service rights, new ones, or a file system to write to', () => {
    for (const [name, { read_only, cap_drop, security_opt }] of services) {
      assert.equal(read_only, true, name);
      assert.deepEqual([cap_drop, security_opt], [['ALL'], ['no-new-privileges:true']], name);
    }
  });

  it('refers to nothing that is not there', () => {
    for (const [name, { depends_on = [], networks, volumes = [] }] of services) {
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      for (const other of needed) assert.ok(other in compose.services, `${name}: ${other}`);
      for (const network of networks) assert.ok(network in compose.networks, `${name}: ${network}`);
      for (const [source = ''] of volumes.map((volume) => volume.split(':'))) {
        const isThere = source.startsWith('.') ? existsSync(join(ROOT, source)) : source in compose.volumes;
        assert.ok(isThere, `${name}: ${source}`);
      }
    }
  });

  for (const [name, { environment = {} }] of stayports) {
    it(`gives ${name} settings that exist, with values that are taken`, () => {
      const known = new Set<string>([...Object.values(SETTINGS).map((setting) => setting.name), 'NODE_ENV']);
      assert.deepEqual(
        Object.keys(environment).filter((variable) => !known.has(variable)),
        [],
      );
      const values = Object.entries(environment).map(([key, value]) => [key, fillIn(value)]);
      const parsed = parseSettings(Object.fromEntries(values));
      assert.ok(parsed.ok, parsed.ok ? '' : parsed.problem);
      const { databaseUrl, redisUrl, trustedProxies } = parsed.settings;
      const servers = [databaseUrl, redisUrl ?? ''].filter((url) => /^(?:postgres|redis):/.test(url));
      for (const url of servers) assert.ok(new URL(url).hostname in compose.services);
      assert.deepEqual(trustedProxies, [compose.networks['stayport']?.ipam.config[0].subnet]);
    });
  }

  it('has a balancer that knows the processes and their ports', () => {
    const config = readFileSync(join(ROOT, 'ops/haproxy.cfg'), 'utf8');
    for (const [name, { environment = {} }] of processesOfCluster) {
      assert.match(config, new RegExp(`server ${name} ${name}:${environment['PORT']}\\b`));
      assert.match(config, new RegExp(`port ${environment['OPERATOR_PORT']} check`));
    }
    assert.match(config, /httpchk GET \/readyz/);
  });

  it('builds from files that are there', () => {
    const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) =>
      sources!.split(' '),
    );
    assert.ok(copied.length >= 5);
    for (const source of copied) assert.ok(existsSync(join(ROOT, source)), source);
    const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
    const isSent = (source: string): boolean =>
      ignored.includes(`!${source.split('/')[0]}`) || ignored.includes(`!${source}`);
    for (const source of copied) assert.ok(isSent(source), source);
  });
});
