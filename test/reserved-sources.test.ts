/** Sources that the service names itself: every way in refuses to speak in their name. */
import { inEnglish } from '../src/domain/wrong.ts';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { issueOperatorToken } from '../src/access/operator-tokens.ts';
import { SUPPLY_AGE_SOURCE } from '../src/domain/layers.ts';
import { sourceOfFeed } from '../src/supply/ical/feed-layer.ts';
import { hotel } from './kit/catalogue-lines.ts';
import { until } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { type Running, startInstallation, valueOf } from './kit/installation.ts';

const RESERVED = [SUPPLY_AGE_SOURCE, sourceOfFeed('feed_1'), 'Stayport:mine', 'manual', 'MANUAL', ' ical:x'];
const REASON = /"stayport:", "ical:", "connection:" are for the service itself|"manual" is for people/;
const MALFORMED = ['my pms', 'pms\n', '\u001b[2J', 'caffè', 'x'.repeat(65)];
const FORM = /must be 1 to 64 of the characters A-Z a-z 0-9 \. _ : ~ -/i;

describe('A reserved source on the command line', () => {
  const workplace = new WorkplaceHere();
  const file = (name: string): string => join(workplace.directory, name);
  after(() => workplace.remove());

  const commands: readonly (readonly string[])[] = [
    ['import', 'catalogue', '-'],
    [
      'import',
      'inside-airbnb',
      '--listings',
      'l',
      '--calendar',
      'c',
      '--city',
      'x',
      '--country',
      'BE',
    ].concat(['--timezone', 'Europe/Brussels', '--currency', 'EUR']),
    ['import', 'rates', '-'],
    ['import', 'ical', '-', '--property', 'a', '--type', 'double'],
    ['mapping', 'set', '--external', 'k', '--property', 'a', '--type', 'double'],
    ['mapping', 'import', 'rooms.csv'],
    ['operator-token', 'issue', '--name', 'x'],
  ];
  for (const command of commands) {
    it(`is refused by ${command.slice(0, 2).join(' ')}, and so is what is not a name`, async () => {
      const [first, ...others] =
        command[0] === 'import' && command[1] === 'catalogue'
          ? [...RESERVED, 'connection:smoobu']
          : RESERVED.slice(0, 1);
      for (const source of [first!, ...others]) {
        const { code, stderr } = await workplace.run([...command, '--source', source]);
        assert.equal(code, 1, stderr);
        assert.match(stderr, REASON);
      }
      const { code, stderr } = await workplace.run([...command, '--source', MALFORMED[0]!]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, FORM);
    });
  }

  it('is refused row by row in a file of mappings', async () => {
    writeFileSync(
      file('rooms.csv'),
      `source,external,property,type\n${SUPPLY_AGE_SOURCE},1,a,double\nchannex,2,a,double\nmy pms,3,a,double\n`,
    );
    const { stdout, stderr } = await workplace.run(['mapping', 'import', file('rooms.csv'), '--json']);
    assert.deepEqual(JSON.parse(stdout), { read: 3, set: 1, rejected: 2 });
    assert.match(stderr, REASON);
    assert.match(stderr, FORM);
  });

  it('is refused as the price source of a document', async () => {
    const [type] = hotel('a')['inventoryTypes'] as object[];
    const document = hotel('a', { inventoryTypes: [{ ...type, priceSource: SUPPLY_AGE_SOURCE }] });
    const { stdout, stderr } = await workplace.run(['import', 'catalogue', '-', '--json'], {
      input: JSON.stringify(document),
    });
    assert.equal(JSON.parse(stdout).rejected, 1);
    assert.match(stderr, /inventoryTypes\[0\]\.priceSource/);
    assert.match(stderr, REASON);
  });
});

describe('A reserved source of the supply API', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startInstallation([]);
    token = valueOf(await issueOperatorToken(running.installation.access, { name: 'any' })).token;
    await until(async () => (await send('GET', 'revision')).status !== 401);
  });
  after(() => running.installation.close());

  async function send(method: string, path: string, body?: unknown, bearer = token) {
    const response = await fetch(`${running.service.operatorUrl}/supply/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // oxlint-disable-next-line typescript/no-explicit-any -- a test looks into it as far as it wants
    return { status: response.status, body: (await response.json()) as any };
  }

  const writes: readonly (readonly [string, string, unknown?])[] = [
    ['PUT', 'properties/a', hotel('a')],
    ['DELETE', 'properties/a'],
    ['PATCH', 'calendars', { entries: [] }],
    ['POST', 'ari', { values: [] }],
    ['POST', 'import', hotel('a')],
  ];
  for (const [method, path, body] of writes) {
    it(`is refused by ${method} ${path}`, async () => {
      for (const source of RESERVED.slice(0, 5)) {
        const refused = await send(method, `${path}?source=${encodeURIComponent(source)}`, body);
        assert.deepEqual([refused.status, refused.body.code], [403, 'SUPPLY_SOURCE_MISMATCH']);
        assert.equal(refused.body.errors[0].pointer, '?source');
        assert.equal(refused.body.errors[0].code, 'SOURCE_RESERVED');
        assert.match(refused.body.errors[0].detail, REASON);
      }
      for (const source of MALFORMED) {
        const refused = await send(method, `${path}?source=${encodeURIComponent(source)}`, body);
        assert.deepEqual([refused.status, refused.body.code], [400, 'SUPPLY_VALIDATION_ERROR'], source);
        assert.equal(refused.body.errors[0].code, 'PARAMETER_INVALID');
      }
    });
  }

  it('is refused to a token that was issued with one, and can be read', async () => {
    const { storage } = running.installation.access;
    const issued = valueOf(
      await issueOperatorToken(running.installation.access, { name: 'old', source: 'old' }),
    );
    const { operatorTokens } = await storage.readAccess();
    const row = operatorTokens.find((one) => one.operatorTokenId === issued.operatorTokenId)!;
    await storage.putOperatorToken({ ...row, source: SUPPLY_AGE_SOURCE });
    let refused = await send('PATCH', 'calendars', { entries: [] }, issued.token);
    await until(async () => {
      refused = await send('PATCH', 'calendars', { entries: [] }, issued.token);
      // Until the running server has followed.
      return refused.status !== 401 && refused.status !== 200;
    });
    assert.equal(refused.body.errors[0].code, 'SOURCE_RESERVED');
    const read = await send('GET', `messages?source=${encodeURIComponent(SUPPLY_AGE_SOURCE)}`);
    assert.equal(read.status, 200);
  });

  it('may have been any name before: a token that was issued with it goes on', async () => {
    const { access } = running.installation;
    const issued = valueOf(await issueOperatorToken(access, { name: 'older', source: 'older' }));
    const { operatorTokens } = await access.storage.readAccess();
    const row = operatorTokens.find((one) => one.operatorTokenId === issued.operatorTokenId)!;
    await access.storage.putOperatorToken({ ...row, source: 'my pms\nof 2025' });
    // Until the running server has followed: the token does not speak for its first source any more.
    const speaksAsBefore = async () =>
      (await send('PATCH', 'calendars?source=older', { entries: [] }, issued.token)).status !== 403;
    await until(async () => !(await speaksAsBefore()));
    await send('PUT', 'properties/older', hotel('older'), issued.token);
    const { body } = await send('GET', 'properties/older');
    assert.equal(body.source, 'my pms\nof 2025');
  });

  it('is refused when a token is issued, and so is what is not a name', async () => {
    for (const source of MALFORMED) {
      const issued = await issueOperatorToken(running.installation.access, { name: 'x', source });
      assert.match(issued.ok ? '' : inEnglish(issued.problem), FORM, source);
    }
    for (const source of ['pms', '__proto__', 'a.b:c~d_e-F9', 'x'.repeat(64)])
      assert.ok((await issueOperatorToken(running.installation.access, { name: 'x', source })).ok, source);
    for (const source of RESERVED) {
      const issued = await issueOperatorToken(running.installation.access, { name: 'x', source });
      assert.match(issued.ok ? '' : inEnglish(issued.problem), REASON);
    }
  });
});
