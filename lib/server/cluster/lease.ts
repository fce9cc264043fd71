import { type ClusterBus, Topic } from './cluster-bus.js';

/** Tells the others that they may take it: they need not wait until they try again. */
const FREED = new Topic<{ readonly name: string }>('cluster.freed');

/** Milliseconds for which a process without a sign of life keeps a lease. */
const HOLD_MS = 10_000;

/** Signs of life in that time. */
const SIGNS_OF_LIFE = 4;

/** Takes what one process of a server at a time may have, and keeps it as long as the process lives. */
export class Lease {
  #timer: NodeJS.Timeout | undefined;
  #leave: (() => void) | undefined;
  #isHeld = false;
  #isOver = false;

  constructor(
    private readonly bus: ClusterBus,
    private readonly name: string,
    private readonly onChange: (isHeld: boolean) => void,
  ) {}

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Tries to take it, and again and again. */
  start(): void {
    if (this.bus.shared === undefined) return this.#change(true);
    this.#leave = this.bus.on(FREED, ({ name }) => {
      if (name === this.name) void this.attempt();
    });
    this.#timer ??= setInterval(() => void this.attempt(), HOLD_MS / SIGNS_OF_LIFE).unref();
    void this.attempt();
  }

  /** Gives it back; it never rejects. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#leave?.();
    clearInterval(this.#timer);
    const wasHeld = this.#isHeld;
    this.#isHeld = false;
    if (wasHeld) await this.#free();
  }

  /** Takes or keeps the lease. While the engine is out of reach, its holder keeps it. It never rejects. */
  async attempt(): Promise<boolean> {
    const { shared } = this.bus;
    if (shared === undefined || this.#isOver) return this.#isHeld;
    const isHeld = await shared.lease(this.name, HOLD_MS).catch(() => this.#isHeld);
    if (!this.#isOver) this.#change(isHeld);
    else if (isHeld) await this.#free();
    return this.#isHeld;
  }

  async #free(): Promise<void> {
    await this.bus.shared?.release(this.name).catch(() => undefined);
    this.bus.send(FREED, { name: this.name });
  }

  #change(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    this.onChange(isHeld);
  }
}
