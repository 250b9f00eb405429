/**
 * The cheapest of many, in the order of prices: by currency, amount, check-in, nights, then order of arrival. Keeps only
 * as many as the requested page and those before it show.
 */
export interface Ordered<Item> {
  /** `currencyCode`: sorts like the letters. */
  readonly currency: number;
  /** Minor units, or their lower bound. */
  readonly total: bigint | number;
  /** The amount is the total divided by this: 1, or the nights. */
  readonly per: number;
  readonly checkIn: number;
  readonly nights: number;
  /** PropertyRef in the order of the search. */
  readonly position: number;
  readonly item: Item;
}

export class CheapestFirst<Item> {
  readonly #countMax: number;
  /** A heap with the last in order at its top. */
  readonly #heap: Ordered<Item>[] = [];

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  /** Whether an item of this currency and at least this amount comes too late to be kept. */
  isBeyond(currency: number, least: number): boolean {
    const last = this.#heap[0];
    if (last === undefined || this.#heap.length < this.#countMax) return false;
    if (currency !== last.currency) return currency > last.currency;
    return least >= amountOf(last);
  }

  add(ordered: Ordered<Item>): void {
    const heap = this.#heap;
    if (heap.length < this.#countMax) {
      heap.push(ordered);
      this.#rise(heap.length - 1);
    } else if (heap.length > 0 && isBefore(ordered, heap[0]!)) {
      heap[0] = ordered;
      this.#sink();
    }
  }

  get count(): number {
    return this.#heap.length;
  }

  sorted(): Ordered<Item>[] {
    return this.#heap.toSorted((one, other) => (isBefore(one, other) ? -1 : 1));
  }

  #rise(from: number): void {
    const heap = this.#heap;
    for (let index = from; index > 0;) {
      const parent = (index - 1) >>> 1;
      if (!isBefore(heap[parent]!, heap[index]!)) return;
      [heap[parent], heap[index]] = [heap[index]!, heap[parent]!];
      index = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    for (let index = 0; ;) {
      let last = index;
      for (const child of [2 * index + 1, 2 * index + 2])
        if (child < heap.length && isBefore(heap[last]!, heap[child]!)) last = child;
      if (last === index) return;
      [heap[last], heap[index]] = [heap[index]!, heap[last]!];
      index = last;
    }
  }
}

type Amount = Pick<Ordered<unknown>, 'total' | 'per'>;

/** As a double: bounds are below amounts by more than its rounding. */
export function amountOf({ total, per }: Amount): number {
  return Number(total) / per;
}

function isBefore<Item>(one: Ordered<Item>, other: Ordered<Item>): boolean {
  if (one.currency !== other.currency) return one.currency < other.currency;
  return isCheaper(one, other) ?? one.position < other.position;
}

/** The order of two stays of one currency; undefined when they are equal in all of it. */
export function isCheaper(
  one: Amount & Pick<Ordered<unknown>, 'checkIn' | 'nights'>,
  other: Amount & Pick<Ordered<unknown>, 'checkIn' | 'nights'>,
): boolean | undefined {
  const [amount, otherAmount] = comparable(one, other);
  if (amount !== otherAmount) return amount < otherAmount;
  if (one.checkIn !== other.checkIn) return one.checkIn < other.checkIn;
  return one.nights === other.nights ? undefined : one.nights < other.nights;
}

/** Exact: amounts by night are compared without a division. */
function comparable(one: Amount, other: Amount): readonly [bigint | number, bigint | number] {
  if (one.per === other.per) return [one.total, other.total];
  return [BigInt(one.total) * BigInt(other.per), BigInt(other.total) * BigInt(one.per)];
}
