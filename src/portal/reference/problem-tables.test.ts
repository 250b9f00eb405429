import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALL_OPERATIONS } from '../../contract/partner/extra-operations.ts';
import { PROBLEM_CODES, PROBLEMS } from '../../contract/partner/problems.ts';
import type { PageSettings } from '../frame/page-settings.ts';
import { buildPages } from '../pages.ts';
import { statusText } from './problem-tables.ts';

const SETTINGS: PageSettings = {
  publicUrl: 'https://partners.example',
  problemsBaseUrl: 'https://partners.example/problems',
  handoffBaseUrl: 'https://localhost:8443/handoff',
  ingressLimit: 300,
  partnerQuota: 120,
  quotesPerDay: 100_000,
  maxConnectionsPerAddress: 256,
  quoteTtlSeconds: 1_800,
  horizonNights: 730,
  bodyLimitBytes: 16_384,
  supportContact: undefined,
};
/** 20 November 2026. */
const TODAY = 20_777;
function pageAt(path: string, supportContact?: string): string {
  const page = buildPages({ ...SETTINGS, supportContact }, TODAY).find((one) => one.path === path);
  assert.ok(page, path);
  return Buffer.from(page.body).toString('utf8');
}

describe('the pages of problems', () => {
  it('say which operations answer with them, and say nothing where none does', () => {
    for (const code of PROBLEM_CODES) {
      const page = pageAt(`/problems/${PROBLEMS[code].slug}`);
      const answering = ALL_OPERATIONS.filter(({ problemCodes }) => problemCodes.includes(code));
      assert.equal(page.includes('Operations that answer with it'), answering.length > 0, code);
      for (const { method, path } of answering)
        assert.ok(page.replaceAll('<wbr />', '').includes(`<code>${method} ${path}</code>`), code);
    }
  });

  it('have the status of each, and both of the one that has two', () => {
    for (const code of PROBLEM_CODES) {
      const expected = code === 'PARTNER_OPERATION_NOT_FOUND' ? '404 or 405' : String(PROBLEMS[code].status);
      assert.equal(statusText(code), expected);
    }
  });
});

describe('llms.txt', () => {
  it('has a whole call for each operation, with its body where it has one', () => {
    const calls = pageAt('/llms.txt')
      .split('\n')
      .filter((line) => line.startsWith('    '));
    assert.equal(calls.length, ALL_OPERATIONS.length);
    for (const [index, { method, path }] of ALL_OPERATIONS.entries()) {
      const call = calls[index]!.trim();
      assert.ok(call.startsWith(`${method} ${path.split('{')[0]}`), call);
      assert.equal(/ \{".*\}$/.test(call), method === 'POST', call);
      assert.doesNotMatch(call, /undefined/);
    }
  });

  it('names whom to ask, where there is somebody', () => {
    assert.match(pageAt('/llms.txt', 'mailto:a@b.example'), /- Support: mailto:a@b\.example\n/);
    assert.doesNotMatch(pageAt('/llms.txt'), /Support:|undefined/);
  });
});
