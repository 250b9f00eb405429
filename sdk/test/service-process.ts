/** The process of `service.ts`: an installation, and what its parent asks of it. */
import { type Installation, openInstallation } from '../../test/kit/installation.ts';

export interface Asked {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

export interface Told {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

const installation = await openInstallation();

const ACTS = {
  folder: () => installation.folder,
  importLines: (...args: Parameters<Installation['importLines']>) => installation.importLines(...args),
  issue: (...args: Parameters<Installation['issue']>) => installation.issue(...args),
  issueOperatorToken: () => installation.issueOperatorToken(),
  withdraw: (ids: string[]) => installation.storage.withdrawProperties(ids).then(() => undefined),
  async serve(...args: Parameters<Installation['serve']>) {
    const { partnerUrl, operatorUrl } = await installation.serve(...args);
    return { partnerUrl, operatorUrl };
  },
  close: () => installation.close(),
};
/** What the parent may ask for. */
export type Acts = typeof ACTS;

process.on('message', ({ id, name, args }: Asked) => void answer(id, name, args));
// A parent that was killed takes the service with it.
process.on('disconnect', () => process.exit());

async function answer(id: number, name: string, args: readonly unknown[]): Promise<void> {
  const act = ACTS[name as keyof Acts] as (...values: readonly unknown[]) => unknown;
  let told: Told;
  try {
    told = { id, value: await act(...args) };
  } catch (error) {
    told = { id, error: String((error as Error).stack) };
  }
  process.send?.(told, () => {
    if (name === 'close') process.exit();
  });
}
