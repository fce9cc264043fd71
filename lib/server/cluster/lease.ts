import { type ClusterBus, Topic } from './cluster-bus.js';

/** Notifies the others that the lease is free, so that they do not have to wait for their next attempt. */
const FREED = new Topic<{ readonly name: string }>('cluster.freed');

/** How long a lease remains valid without renewal, in milliseconds. */
const HOLD_MS = 10_000;

/** The number of renewals in that time. */
const RENEWALS = 4;

/** A lease that only one of a server's processes can hold at a time, and that it renews until it ends. */
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

  /** Starts to acquire the lease, and retries until the process holds it. */
  start(): void {
    if (this.bus.shared === undefined) return this.#change(true);
    this.#leave = this.bus.on(FREED, ({ name }) => {
      if (name === this.name) void this.attempt();
    });
    this.#timer ??= setInterval(() => void this.attempt(), HOLD_MS / RENEWALS).unref();
    void this.attempt();
  }

  /** Releases the lease. It never rejects. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#leave?.();
    clearInterval(this.#timer);
    const wasHeld = this.#isHeld;
    this.#isHeld = false;
    if (wasHeld) await this.#free();
  }

  /** Acquires or renews the lease. While the backend is unreachable, the holder still holds it. It never rejects. */
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
