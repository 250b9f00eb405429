/** The paths of the supply API, on the real listener: which ids are taken. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hotel } from '../../../test/kit/catalogue-lines.ts';
import { type Installation, openInstallation, type Served } from '../../../test/kit/installation.ts';

let installation: Installation;
let service: Served;
let token: string;
before(async () => {
  installation = await openInstallation();
  const longest = hotel('x'.repeat(160));
  await installation.importLines([longest]);
  token = await installation.issueOperatorToken();
  service = await installation.serve();
});
after(() => installation.close());

async function ask(path: string): Promise<{ status: number; pointers: string[] }> {
  const response = await fetch(`${service.operatorUrl}/supply/v1/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  const errors = response.status === 400 ? (JSON.parse(text).errors as { pointer: string }[]) : [];
  return { status: response.status, pointers: errors.map(({ pointer }) => pointer) };
}

describe('an id in a path of the supply API', () => {
  it('has 1 to 160 of its characters, and is then looked for', async () => {
    assert.equal((await ask(`properties/${'x'.repeat(160)}`)).status, 200);
    assert.equal((await ask('properties/A.z_0~9-')).status, 404);
    assert.equal((await ask('properties/%61')).status, 404);
  });

  it('is refused by its name otherwise', async () => {
    for (const id of ['x'.repeat(161), 'a%20b', 'a%2Fb', 'a%zz', 'a+b', 'a%0A', '%C3%A0', '...%00']) {
      assert.deepEqual(await ask(`properties/${id}`), { status: 400, pointers: ['{propertyId}'] }, id);
      assert.deepEqual(
        await ask(`inventory-types/a/${id}/calendar.ics`),
        { status: 400, pointers: ['{inventoryTypeId}'] },
        id,
      );
    }
  });
});
