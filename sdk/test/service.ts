/**
 * A whole installation in a process of its own, under the Node.js that the service needs: the tests of this package
 * also run on older ones.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { IssuedCredential } from '../../src/access/credential-changes.ts';
import type { Line } from '../../test/kit/catalogue-lines.ts';
import type { ImportOptions, PartnerOptions } from '../../test/kit/installation.ts';
import type { Acts, Asked, Told } from './service-process.ts';
import { SERVICE_NODE } from './service-node.ts';

export interface ServiceInstallation {
  readonly folder: string;
  importLines(lines: readonly Line[], options?: ImportOptions): Promise<unknown>;
  issue(options?: PartnerOptions): Promise<IssuedCredential>;
  issueOperatorToken(): Promise<string>;
  withdraw(propertyIds: readonly string[]): Promise<void>;
  /** Until it is ready; with settings of its own. */
  serve(
    environment?: Readonly<Record<string, string>>,
  ): Promise<{ readonly partnerUrl: string; readonly operatorUrl: string }>;
  close(): Promise<void>;
}

/** Fails where the installation does; `close` ends the process. */
export async function openService(): Promise<ServiceInstallation> {
  const child = fork(join(import.meta.dirname, 'service-process.ts'), [], {
    execPath: SERVICE_NODE,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // What a test runner hands to its children is not for this one.
    env: { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined },
  });
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  child.on('message', ({ id, value, error }: Told) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(value);
    else asked?.reject(new Error(error));
  });
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the service ended with ${code}`));
  });
  let lastId = 0;
  const ask = <Name extends keyof Acts>(name: Name, ...args: readonly unknown[]) =>
    new Promise<never>((resolve, reject) => {
      const asked: Asked = { id: (lastId += 1), name, args };
      waiting.set(asked.id, { resolve: resolve as (value: unknown) => void, reject });
      child.send(asked);
    }) as unknown as Promise<Awaited<ReturnType<Acts[Name]>>>;
  return {
    folder: await ask('folder'),
    importLines: (...args) => ask('importLines', ...args),
    issue: (...args) => ask('issue', ...args),
    issueOperatorToken: () => ask('issueOperatorToken'),
    withdraw: (...args) => ask('withdraw', ...args),
    serve: (...args) => ask('serve', ...args),
    close: () => ask('close'),
  };
}
