import { withTimeout } from '../../../core/async/timeouts.js';
import type { ClusterBus, SharedState, Topic } from '../../cluster/cluster-bus.js';
import type {
  ClusterFieldSwap,
  ClusterRecord,
  ClusterRecordChange,
} from '../../settings/cluster/cluster.interface.js';

/** The maximum time that a request waits for the shared state, in milliseconds. */
const LONGEST_MS = 1000;

/** A faster failure means that too many requests are waiting. It does not start a quiet period. */
const SHORT_MS = 100;

/** Milliseconds after a timeout during which requests do not wait again. */
const QUIET_MS = 5000;

/** The shared state, for requests that continue without it after a timeout. No promise rejects. */
export class BoundedState {
  #quietUntil = 0;

  constructor(private readonly bus: ClusterBus) {}

  /** Whether a request for shared state is likely to succeed. */
  get isInReach(): boolean {
    return this.bus.shared !== undefined && this.bus.isConnected && performance.now() >= this.#quietUntil;
  }

  /** Finds a record, if there is one. Returns `undefined` after a timeout. */
  async find(key: string): Promise<{ readonly record: ClusterRecord | undefined } | undefined> {
    return this.#ask(async (state) => ({ record: await state.find(key) }));
  }

  /** Ends the quiet period if the backend responds again. Never rejects. */
  async probe(key: string): Promise<void> {
    const { shared, isConnected } = this.bus;
    if (shared === undefined || !isConnected || this.isInReach) return;
    const found = withTimeout(shared.find(key), LONGEST_MS, createLateError);
    await found.then(
      () => (this.#quietUntil = 0),
      () => undefined,
    );
  }

  /** Changes a field if it has the expected value, and returns its new value. Returns `undefined` after a timeout. */
  async swap(swap: ClusterFieldSwap): Promise<{ readonly field: string | undefined } | undefined> {
    return this.#ask(async (state) => ({ field: await state.swap(swap) }));
  }

  /** Changes a record. Returns whether that succeeded in time. */
  async change(change: ClusterRecordChange): Promise<boolean> {
    return (await this.#ask((state) => state.change(change).then(() => true))) === true;
  }

  /** Returns the running processes, or `undefined` after a timeout. */
  async members(): Promise<readonly string[] | undefined> {
    return this.#ask((state) => state.members());
  }

  /** Publishes to every process, and waits until all later messages of any process are ordered after it. */
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
  return new Error(`The shared state did not arrive within ${LONGEST_MS} ms`);
}
