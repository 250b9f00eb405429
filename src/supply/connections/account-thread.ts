/** The thread in which the code of a kind runs: it parses what a provider sends, and asks back for each call. */
import { randomUUID } from 'node:crypto';
import { workerData } from 'node:worker_threads';
import { machineUptime } from '../../runtime/clock.ts';
import { serveJobs } from '../../runtime/job-thread.ts';
import type { AccountJob, AccountTerms, BackAnswer, BackQuestion } from './account-jobs.ts';
import { packFailure, unpackFailure } from './packed-failure.ts';
import { readCalendars } from './read-calendars.ts';
import { type Account, type CallAnswer, ConnectionFailure } from './kinds/connection-kind.ts';
import { findKind } from './connection-kinds.ts';
import { Wrong } from '../../domain/wrong.ts';

const terms = workerData as AccountTerms;
const kind = findKind(terms.kind)!;
const startedMs = machineUptime();

const askBack = serveJobs<AccountJob>({
  answer: async (job) => ({ result: await answer(account, job) }),
  packError: packFailure,
});

const account: Account = kind.open({
  key: terms.key,
  settings: terms.settings,
  allowed: new Set(terms.allowed),
  tokens: terms.tokens,
  nowMs: () => terms.nowMs + Math.floor(machineUptime() - startedMs),
  newNonce: randomUUID,
  async call(request) {
    const { answer: raw, failure } = (await ask({ call: request })) as Extract<BackAnswer, object>;
    if (failure !== undefined) throw unpackFailure(failure);
    return decode(raw!);
  },
  keepToken: async (name, token) => void (await ask({ token: { name, ...token } })),
});

function ask(question: BackQuestion): Promise<unknown> {
  return askBack(question);
}

function decode({ status, headers, body }: NonNullable<BackAnswer['answer']>): CallAnswer {
  try {
    return { status, headers, text: new TextDecoder('utf-8', { fatal: true }).decode(body) };
  } catch {
    throw new ConnectionFailure(new Wrong('answerNotJson', { system: kind.title }));
  }
}

function answer(of: Account, job: AccountJob): Promise<unknown> {
  switch (job.what) {
    case 'identify':
      return of.identify();
    case 'rooms':
      return of.listRooms();
    case 'calendars':
      return readCalendars(of, job.rooms, job);
    case 'stay':
      return of.askStay(job.rooms, job.stay);
  }
}
