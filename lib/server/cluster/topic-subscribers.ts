import { logError } from '../../core/log/describe-failure.js';
import { Logger } from '../../core/logger/logger.js';
import { OncePerMinute } from '../../core/async/rate-limits.js';
import type { Delivery, Topic } from './cluster-bus.js';

/** Takes the body of its topic. */
export type Take = (body: never, delivery: Delivery) => void;

/** Who takes what is published, by topic. */
export class TopicSubscribers {
  readonly #takers = new Map<string, Set<Take>>();
  readonly #due = new OncePerMinute();

  /** Adds a receiver. Returns a function that removes it. */
  add(topic: string, take: Take): () => void {
    const takers = this.#takers.get(topic) ?? new Set();
    this.#takers.set(topic, takers.add(take));
    return () => void takers.delete(take);
  }

  /** Tells those who take a topic. What one of them throws reaches the caller. */
  deliver(topic: string, body: object, delivery: Delivery): void {
    for (const take of this.#takers.get(topic) ?? []) take(body as never, delivery);
  }

  /** Does the same, but an error of one receiver does not reach the caller. It is logged, once a minute. */
  tryToDeliver(topic: string, body: object, delivery: Delivery): void {
    try {
      this.deliver(topic, body, delivery);
    } catch (error) {
      if (this.#due.isDue(topic)) logError(new Logger('McpCluster'), error);
    }
  }
}

/** Passes the messages of a topic that this release understands to its receivers. */
export function ignoreUnknown<Body extends object>(
  isBody: Topic<Body>['isBody'],
  take: (body: Body, delivery: Delivery) => void,
): (body: Body, delivery: Delivery) => void {
  return (body, delivery) => void (isBody(body) && take(body, delivery));
}

/** Tells the listeners that something has happened. */
export class Signal {
  readonly #takers = new Set<() => void>();

  /** Adds a listener. Returns a function that removes it. */
  add(take: () => void): () => void {
    this.#takers.add(take);
    return () => void this.#takers.delete(take);
  }

  emit(): void {
    for (const take of this.#takers) take();
  }
}
