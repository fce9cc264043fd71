import { within } from '../until.js';

/** A door in a handler: the handler waits at it until the test opens it or the signal is aborted. */
export class Gate {
  readonly #reached = new Latch();
  readonly #opened = new Latch();

  /** Lets a handler wait. @throws the reason of the signal when it is aborted first */
  async pass(signal?: AbortSignal): Promise<void> {
    this.#reached.open();
    const ways = [this.#opened.promise, ...(signal === undefined ? [] : [rejectOnAbort(signal)])];
    await Promise.race(ways);
  }

  /** Waits until a handler stands at the door. */
  reached(): Promise<void> {
    return within(this.#reached.promise, 'a handler at the gate');
  }

  open(): void {
    this.#opened.open();
  }
}

/** Doors by name, so that each test has its own. */
export class Gates {
  readonly #gates = new Map<string, Gate>();

  at(name: string): Gate {
    const gate = this.#gates.get(name) ?? new Gate();
    this.#gates.set(name, gate);
    return gate;
  }
}

class Latch {
  open: () => void = () => undefined;
  readonly promise = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
