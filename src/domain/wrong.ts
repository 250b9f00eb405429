/** Why a text is refused: the one answer of all that parse texts of people, as settings, options and forms do. */
export class Wrong {
  /** The end of a sentence that begins with the text, without its full stop: `is not a host name`. */
  readonly reason: string;
  /** Well-formed, but refused anyway; the reason is then a clause of its own. */
  readonly isReserved: boolean;

  constructor(reason: string, isReserved = false) {
    this.reason = reason;
    this.isReserved = isReserved;
  }

  /** `It is not a host name.` */
  get sentence(): string {
    return this.isReserved ? this.reason : `It ${this.reason}.`;
  }
}

export type Parse<T> = (text: string) => T | Wrong;
