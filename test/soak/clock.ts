import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** Tells visitors when to act, and when all is over. */
export class Clock {
  readonly #over = new AbortController();

  constructor(private readonly thinkMs: number) {
    setMaxListeners(0, this.#over.signal);
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Waits as long as a visitor thinks, half as long or half as long again; ends at once when all is over. */
  think(): Promise<void> {
    return this.pause(this.thinkMs * (0.5 + Math.random()));
  }

  async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#over.signal }).catch(() => undefined);
  }

  end(): void {
    this.#over.abort();
  }
}

/** Chooses by weight. */
export function choose<Choice extends { readonly weight: number }>(choices: readonly Choice[]): Choice {
  const total = choices.reduce((sum, { weight }) => sum + weight, 0);
  let point = Math.random() * total;
  const chosen = choices.find(({ weight }) => (point -= weight) < 0) ?? choices.at(-1);
  if (chosen === undefined) throw new Error('There is nothing to choose from');
  return chosen;
}
