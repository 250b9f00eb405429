/** Barriers of a page for people with disabilities, by the rules of axe-core. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Each violation of a rule, best practice too, with what violates it; empty where there is none. Runs in a world of its
 * own: the page's policy allows no script of a test.
 */
export async function barriersOf(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const run = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      contextId,
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return result.value;
  };
  await run(axe.source);
  const found = (await run(FIND_VIOLATIONS)) as readonly string[];
  await session.detach();
  return found;
}

/** A target of 24 by 24 pixels, or with as much room (WCAG 2.2, 2.5.8), is a rule that axe-core does not ask for by itself. */
const FIND_VIOLATIONS = `axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`;
