import { logError } from '../../core/log/describe-failure.js';
import { Logger } from '../../core/logger/logger.js';
import { OncePerMinute } from '../../core/async/rate-limits.js';
import type { Delivery, Topic } from './cluster-bus.js';

/** Receives a topic's messages. */
export type Take = (body: never, delivery: Delivery) => void;

/** Message receivers, keyed by topic. */
export class TopicSubscribers {
  readonly #receivers = new Map<string, Set<Take>>();
  readonly #due = new OncePerMinute();

  /** Adds a receiver. Returns a function that removes it. */
  add(topic: string, take: Take): () => void {
    const receivers = this.#receivers.get(topic) ?? new Set();
    this.#receivers.set(topic, receivers.add(take));
    return () => void receivers.delete(take);
  }

  /** Delivers a message to its topic's receivers. Receivers' errors propagate to the caller. */
  deliver(topic: string, body: object, delivery: Delivery): void {
    for (const take of this.#receivers.get(topic) ?? []) take(body as never, delivery);
  }

  /** Delivers a message like {@link deliver}, but logs receivers' errors, at most once a minute per topic. */
  tryToDeliver(topic: string, body: object, delivery: Delivery): void {
    try {
      this.deliver(topic, body, delivery);
    } catch (error) {
      if (this.#due.isDue(topic)) logError(new Logger('McpCluster'), error);
    }
  }
}

/** Passes a topic's messages that this release understands to its receivers. */
export function ignoreUnknown<Body extends object>(
  isBody: Topic<Body>['isBody'],
  take: (body: Body, delivery: Delivery) => void,
): (body: Body, delivery: Delivery) => void {
  return (body, delivery) => void (isBody(body) && take(body, delivery));
}

/** Notifies listeners. */
export class Signal {
  readonly #receivers = new Set<() => void>();

  /** Adds a listener. Returns a function that removes it. */
  add(take: () => void): () => void {
    this.#receivers.add(take);
    return () => void this.#receivers.delete(take);
  }

  emit(): void {
    for (const take of this.#receivers) take();
  }
}
