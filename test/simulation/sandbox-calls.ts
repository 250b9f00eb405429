/**
 * Partners that try the sandbox with a test token. All processes answer alike, by the day alone, whatever happens to the
 * catalogue; a test quote has no booking site; nothing of the sandbox is live, and nothing live is in the sandbox.
 */
import { DAY_MS } from '../../src/domain/local-date.ts';
import { formatMoney } from '../../src/domain/money.ts';
import { createQuote } from '../../src/partner/quotes/create-quote.ts';
import { propertyAtHandoff } from '../../src/partner/sandbox/special-properties.ts';
import type { SandboxDay } from '../../src/partner/sandbox/sandbox.ts';
import { TEST_CITY } from '../../src/partner/sandbox/test-property.ts';
import { type Held, PROPERTIES } from './base.ts';
import { type AskAfterGates, pick } from './quotes.ts';
import { type Reader, UNOPENED_DAYS } from './service.ts';
import type { Step } from './story.ts';
import { usualStay } from './today.ts';
import type { Place, World } from './world.ts';

/** Two that are as they were, and two that change until a traveller comes. */
const TEST_IDS = ['test-always', 'testville-02', 'test-price-changed', 'test-gone'] as const;

interface TestQuote {
  readonly quoteId: string;
  readonly propertyId: string;
  readonly handoff: string;
  readonly expiresAtMs: number;
}

export class SandboxCalls {
  readonly #world: World;
  readonly #asked: AskAfterGates;
  readonly #given: TestQuote[] = [];
  /** By question. */
  readonly #answers = new Map<string, string>();

  constructor(world: World, asked: AskAfterGates) {
    this.#world = world;
    this.#asked = asked;
  }

  async call([placeNumber, reader, partner, what]: Step['numbers']): Promise<void> {
    const place = pick(this.#world.places, placeNumber);
    const held = pick(this.#world.base.testCredentials, partner);
    if (what % 3 === 0 && this.#given.length > 0)
      return this.#open(place, reader, pick(this.#given, what >> 2));
    await this.#asked(place, reader, held, async (_place, asked) => {
      const day = await asked.sandbox.today();
      this.#judgeApart(place, held, day, asked.catalogue);
      this.#judgePage(place, held, day);
      await this.#quote(place, held, day, asked, pick(TEST_IDS, what >> 2));
    });
  }

  #judgeApart(place: Place, { partnerId }: Held, day: SandboxDay, live: Reader['catalogue']): void {
    this.#world.counts.checks += 1;
    if (TEST_IDS.some((id) => live.isVisible(id, partnerId)))
      this.#world.blame(place.name, `shows ${partnerId} a property of the sandbox as a live one`);
    if (PROPERTIES.some((id) => day.catalogue.isVisible(id, partnerId)))
      this.#world.blame(place.name, `shows ${partnerId} a live property in the sandbox`);
  }

  /** The same of all processes, whatever happens. */
  #judgePage(place: Place, { partnerId }: Held, { catalogue }: SandboxDay): void {
    const stay = usualStay();
    const query = {
      city: TEST_CITY,
      page: 1,
      pageSize: 20,
      partnerId,
      locale: 'en-GB',
      guests: 2,
      stay,
    } as const;
    const answer = Buffer.from(catalogue.list(query)).toString();
    const question = `${stay.checkIn}`;
    const before = this.#answers.get(question) ?? answer;
    this.#answers.set(question, before);
    if (answer !== before)
      this.#world.blame(place.name, `answers of the sandbox ${answer}, and before ${before}`);
  }

  async #quote(
    place: Place,
    { partnerId, credentialId }: Held,
    { catalogue, clock, findProperty }: SandboxDay,
    { quoteDeps }: Reader,
    propertyId: string,
  ): Promise<void> {
    const world = this.#world;
    const stay = { ...usualStay(), guests: 2 };
    const [priced] = catalogue.prices.ofProperties({ propertyIds: [propertyId], partnerId, stay });
    const made = await createQuote(
      {
        ...quoteDeps,
        storage: {
          findProperty: async (id) => findProperty(id),
          insertQuote: (quote) => quoteDeps.storage.insertQuote(quote),
        },
        isVisible: (id, asker) => catalogue.isVisible(id, asker),
        isTest: true,
        clock,
      },
      { ...stay, locale: 'en-GB', propertyId, partnerId, credentialId },
    );
    if (made.refusal !== undefined)
      return world.blame(place.name, `refuses a test quote for ${propertyId}: ${made.refusal}`);
    const { quoteId, handoffUrl, expiresAt, pricing } = made.quote;
    const total = (JSON.parse(priced!.pricing) as { readonly total: string } | null)?.total;
    if (pricing.total !== total)
      world.blame(
        place.name,
        `quotes ${pricing.total} for ${propertyId}, which it priced at ${String(total)}`,
      );
    const handoff = new URL(handoffUrl).searchParams.get('handoff')!;
    const given = { quoteId, propertyId, handoff, expiresAtMs: Date.parse(expiresAt) };
    world.acknowledgedQuotes.set(quoteId, given);
    this.#given.push(given);
  }

  /** Nobody asks a traveller for a token. */
  async #open(
    place: Place,
    reader: number,
    { quoteId, propertyId, handoff, expiresAtMs }: TestQuote,
  ): Promise<void> {
    const world = this.#world;
    await world.request(place, async ({ readers, process }) => {
      const { traveller } = readers[reader % readers.length]!;
      const page = await traveller.open(handoff);
      const way = await traveller.continueTo(handoff, undefined);
      const isOld = process.wallMs() > expiresAtMs + UNOPENED_DAYS * DAY_MS;
      if (world.excused.has(quoteId) || isOld) return;
      world.counts.checks += 1;
      if (page.kind === 'invalid') return world.blame(place.name, `does not know its test quote ${quoteId}`);
      if (way.kind !== 'test') world.blame(place.name, `leads a traveller of ${quoteId} on: ${way.kind}`);
      if (page.kind === 'unchecked' || page.review.outcome === 'expired') return;
      const { outcome, offer } = page.review;
      const isChanged = propertyAtHandoff(propertyId) !== undefined;
      if ((outcome === 'unchanged') === isChanged)
        world.blame(place.name, `shows ${propertyId} ${outcome}: ${offer && formatMoney(offer.price.total)}`);
    });
  }
}
