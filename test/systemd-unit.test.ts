/**
 * `ops/stayport.service`, as text: systemd is not on every machine. `systemd-analyze verify` and `systemd-analyze
 * security` are run by hand; what they look at is held here.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const INSTALLED = '/opt/stayport/';
const lines = readFileSync(join(ROOT, 'ops', 'stayport.service'), 'utf8')
  .split('\n')
  .filter((line) => /^\w+=/.test(line))
  .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
const valuesOf = (name: string): string[] => lines.filter(([key]) => key === name).map(([, value]) => value);

describe('The unit for systemd', () => {
  it('takes every right away that the service does not need', () => {
    for (const name of [
      'NoNewPrivileges',
      'PrivateTmp',
      'PrivateDevices',
      'ProtectHome',
      'RestrictNamespaces',
      'RemoveIPC',
      'ProtectKernelTunables',
      'ProtectKernelModules',
      'ProtectKernelLogs',
      'ProtectControlGroups',
      'ProtectClock',
      'ProtectHostname',
      'RestrictSUIDSGID',
      'RestrictRealtime',
      'LockPersonality',
    ])
      assert.deepEqual(valuesOf(name), ['true'], name);
    for (const name of ['CapabilityBoundingSet', 'AmbientCapabilities'])
      assert.deepEqual(valuesOf(name), [''], name);
    assert.deepEqual(valuesOf('ProtectSystem'), ['strict']);
    assert.deepEqual(valuesOf('SystemCallFilter'), ['@system-service']);
    assert.deepEqual(valuesOf('RestrictAddressFamilies'), ['AF_INET AF_INET6 AF_UNIX']);
  });

  it('runs as a user of its own, who writes to one folder that nobody else reads', () => {
    assert.deepEqual([...valuesOf('User'), ...valuesOf('Group')], ['stayport', 'stayport']);
    assert.deepEqual(
      [...valuesOf('StateDirectory'), ...valuesOf('StateDirectoryMode')],
      ['stayport', '0700'],
    );
    assert.deepEqual(valuesOf('UMask'), ['0077']);
    assert.deepEqual(
      lines.filter(([key]) => /^ReadWritePaths|^BindPaths/.test(key)),
      [],
    );
    assert.deepEqual(valuesOf('WorkingDirectory'), ['/var/lib/stayport']);
  });

  it('starts what the archive unpacks to, with the settings of one file alone', () => {
    const [start = ''] = valuesOf('ExecStart');
    assert.equal(start, `${INSTALLED}bin/stayport --env-file /etc/stayport.env serve`);
    const [page = ''] = valuesOf('Documentation');
    assert.ok(existsSync(join(ROOT, page.replace(`file:${INSTALLED}`, ''))), page);
    const environment = valuesOf('Environment').map((pair) => pair.split('=') as [string, string]);
    assert.deepEqual(
      environment.map(([name]) => name),
      ['NODE_ENV', 'MALLOC_ARENA_MAX'],
    );
    // systemd's own reading would hide the file from commands, and win over what they read.
    assert.deepEqual(valuesOf('EnvironmentFile'), []);
  });
});
