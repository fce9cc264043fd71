import { Logger } from '../../core/logger/logger.js';
import { OnceAMinute } from '../../core/waiting/once-a-minute.js';
import { logFault } from '../../core/log/log-fault.js';
import type { Delivery } from './relay.js';
import type { Topic } from './topic.js';

/** Takes the body of its topic. */
export type Take = (body: never, delivery: Delivery) => void;

/** Who takes what is published, by topic. */
export class TopicTakers {
  readonly #takers = new Map<string, Set<Take>>();
  readonly #due = new OnceAMinute();

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
      if (this.#due.isDue(topic)) logFault(new Logger('McpRelay'), error);
    }
  }
}

/** Passes the messages of a topic that this release understands to its receivers. */
export function takeKnown<Body extends object>(
  isBody: Topic<Body>['isBody'],
  take: (body: Body, delivery: Delivery) => void,
): (body: Body, delivery: Delivery) => void {
  return (body, delivery) => void (isBody(body) && take(body, delivery));
}
