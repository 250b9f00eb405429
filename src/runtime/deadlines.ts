/**
 * Deadlines of one length for much concurrent work. A timer for each would cost more than the guarded work, because
 * nearly all end within milliseconds. One timer waits for the oldest.
 */
export interface Deadline {
  /** By `performance.now()`. */
  readonly dueAtMs: number;
  readonly onDue: () => void;
}

export class Deadlines {
  readonly #limitMs: number;
  /** In the order in which they are due. */
  readonly #running = new Set<Deadline>();
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Calls `onDue` after the limit, unless the deadline ends before; it keeps the process alive. */
  start(onDue: () => void): Deadline {
    const deadline = { dueAtMs: performance.now() + this.#limitMs, onDue };
    this.#running.add(deadline);
    if (this.#timer === undefined) this.#wait(this.#limitMs);
    else if (this.#running.size === 1) this.#timer.ref();
    return deadline;
  }

  /** Ending a deadline again changes nothing. */
  end(deadline: Deadline): void {
    if (this.#running.delete(deadline) && this.#running.size === 0) this.#timer?.unref();
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#giveUp(), Math.ceil(milliseconds));
  }

  #giveUp(): void {
    const nowMs = performance.now();
    const due: Deadline[] = [];
    this.#timer = undefined;
    for (const deadline of this.#running) {
      if (deadline.dueAtMs > nowMs) {
        this.#wait(deadline.dueAtMs - nowMs);
        break;
      }
      due.push(deadline);
      this.#running.delete(deadline);
    }
    for (const { onDue } of due) onDue();
  }
}
