import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { CatalogueKeeper } from './catalogue-keeper.ts';
import type { CatalogueReaderThread } from './catalogue-place.ts';

const PROGRAM = new URL('../../../test/kit/processes/announcing-thread.ts', import.meta.url);

describe('The keeper of the catalogue', () => {
  it('ends a reader that does not take new memory, so that the others get what is in it', async () => {
    const keeper = new CatalogueKeeper({
      program: PROGRAM,
      environment: process.env,
      isTerminal: false,
      readerCount: 2,
      readerSilenceSecondsMax: 1,
      logger: pino({ enabled: false }),
      onFailed: (problem) => assert.fail(problem),
    });
    const news: string[] = [];
    const loaded = Promise.withResolvers<void>();
    const makeReader = (name: string, take: () => unknown): CatalogueReaderThread => ({
      take,
      serve: () => undefined,
      receive: ({ loadsFrom }) => {
        news.push(`${name} hears of a catalogue ${loadsFrom === undefined ? 'that is loaded' : 'to come'}`);
        loaded.resolve();
      },
      refuse: assert.fail,
      end: (problem) => void news.push(`${name} is ended: ${problem}`),
    });
    keeper.join(makeReader('one', () => new Promise(() => undefined)));
    keeper.join(makeReader('two', () => undefined));
    keeper.start();
    await loaded.promise;
    await keeper.stop();
    assert.deepEqual(news, [
      'one is ended: it did not answer for 1 seconds',
      'two hears of a catalogue that is loaded',
    ]);
  });
});
