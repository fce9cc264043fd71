import { withTimeout } from '../../../core/async/timeouts.js';
import type { ClusterBus, SharedState, Topic } from '../../cluster/cluster-bus.js';
import type {
  ClusterFieldSwap,
  ClusterRecord,
  ClusterRecordChange,
} from '../../settings/cluster/cluster.interface.js';

/** Milliseconds that a request waits for what processes know together. */
const LONGEST_MS = 1000;

/** A refusal that is faster than this came at once, because too many requests wait. It is no reason for others not to ask. */
const SHORT_MS = 100;

/** Milliseconds without further waiting after a wait without a result. */
const QUIET_MS = 5000;

/** What processes know together, for requests that go on without it if it does not come soon. Nothing here rejects. */
export class BoundedState {
  #quietUntil = 0;

  constructor(private readonly bus: ClusterBus) {}

  /** Whether it is worth while to ask. */
  get isInReach(): boolean {
    return this.bus.shared !== undefined && this.bus.isConnected && performance.now() >= this.#quietUntil;
  }

  /** Finds a record, if there is one. Returns `undefined` if that is not known in time. */
  async find(key: string): Promise<{ readonly record: ClusterRecord | undefined } | undefined> {
    return this.#ask(async (state) => ({ record: await state.find(key) }));
  }

  /** Lets patient callers ask again, if that is useful now. It never rejects. */
  async probe(key: string): Promise<void> {
    const { shared, isConnected } = this.bus;
    if (shared === undefined || !isConnected || this.isInReach) return;
    const found = withTimeout(shared.find(key), LONGEST_MS, createLateError);
    await found.then(
      () => (this.#quietUntil = 0),
      () => undefined,
    );
  }

  /** Changes a field if it has the expected value, and returns its new value. Returns `undefined` if that is not known in time. */
  async swap(swap: ClusterFieldSwap): Promise<{ readonly field: string | undefined } | undefined> {
    return this.#ask(async (state) => ({ field: await state.swap(swap) }));
  }

  /** Changes a record, and returns whether that is known to have happened. */
  async change(change: ClusterRecordChange): Promise<boolean> {
    return (await this.#ask((state) => state.change(change).then(() => true))) === true;
  }

  /** Returns the processes that live, or `undefined` if that cannot be told in time. */
  async members(): Promise<readonly string[] | undefined> {
    return this.#ask((state) => state.members());
  }

  /** Tells every process, and waits until whatever is published afterwards, by whichever process, comes behind it. */
  async publish<Body extends object>(
    topic: Topic<Body>,
    body: Body,
    change?: ClusterRecordChange,
  ): Promise<void> {
    if (this.isInReach) await this.#ask(() => this.bus.publishFlushed(topic, body, change));
    else this.bus.publish(topic, body, change);
  }

  async #ask<Answer>(ask: (state: SharedState) => Promise<Answer>): Promise<Answer | undefined> {
    const { shared } = this.bus;
    if (shared === undefined || !this.isInReach) return undefined;
    const begin = performance.now();
    try {
      return await withTimeout(ask(shared), LONGEST_MS, createLateError);
    } catch {
      const now = performance.now();
      if (now - begin > SHORT_MS) this.#quietUntil = now + QUIET_MS;
      return undefined;
    }
  }
}

function createLateError(): Error {
  return new Error(`The shared state of the processes did not arrive in ${LONGEST_MS} ms`);
}
