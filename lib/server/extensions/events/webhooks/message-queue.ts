import type { WebhookSettings } from '../../../settings/extensions/events-options.js';
import { createMessageId } from './sign-message.js';

/** A queued message for a receiver. */
export interface QueuedMessage {
  readonly id: string;
  readonly body: Buffer;
  /** The cursor once the receiver has the message, or knows that it was lost. */
  readonly cursor?: string | undefined;
  /** Whether it is a gap notice instead of an event. */
  readonly isGap: boolean;
}

/** A queue's limits. */
type QueueLimits = Pick<WebhookSettings, 'maxQueued' | 'maxBodyBytes'>;

/** Messages in order. If a message does not fit, the oldest are evicted and replaced with a gap notice. */
export class MessageQueue {
  readonly #messages: QueuedMessage[] = [];
  /** The gap before all messages. */
  #gap: { readonly cursor: string | undefined } | undefined;

  constructor(
    private readonly limits: QueueLimits,
    private readonly bytes: QueuedBytes,
    private readonly owner?: string,
  ) {}

  get length(): number {
    return this.#messages.length + (this.#gap === undefined ? 0 : 1);
  }

  /** Whether only a gap notice is queued. */
  get isOnlyGap(): boolean {
    return this.#messages.length === 0 && this.#gap !== undefined;
  }

  /** Adds a message. Returns how many events were lost, including its own if it does not fit. */
  push(message: QueuedMessage): number {
    const { length } = message.body;
    if (length > this.limits.maxBodyBytes) {
      this.skip(message.cursor);
      return 1;
    }
    const lost = this.#makeRoom(length);
    if (!this.bytes.hasRoomFor(length, this.owner)) {
      this.skip(message.cursor);
      return lost + 1;
    }
    this.#append(message);
    return lost;
  }

  /** Removes and returns the next message. */
  shift(): QueuedMessage | undefined {
    const gap = this.#gap;
    if (gap === undefined) return this.#take();
    this.#gap = undefined;
    return buildGap(gap.cursor);
  }

  /** Adds a gap after all messages. */
  skip(cursor: string | undefined): void {
    if (this.#messages.at(-1)?.isGap === true) this.#removeLast();
    if (this.#messages.length === 0) this.#gap = { cursor };
    else this.#append(buildGap(cursor));
  }

  /** Replaces a removed message with a gap. Returns how many events were lost. */
  lose({ cursor, isGap }: QueuedMessage): number {
    this.#gap ??= { cursor };
    return isGap ? 0 : 1;
  }

  /** Replaces all messages with a gap. Returns how many events were lost. */
  clear(): number {
    let lost = 0;
    while (this.#messages.length > 0) lost += this.#dropOldest();
    return lost;
  }

  #makeRoom(bytes: number): number {
    const { maxQueued } = this.limits;
    let lost = 0;
    while (
      this.#messages.length > 0 &&
      (this.#messages.length >= maxQueued || !this.bytes.hasRoomFor(bytes, this.owner))
    ) {
      lost += this.#dropOldest();
    }
    return lost;
  }

  #dropOldest(): number {
    const oldest = this.#take();
    if (oldest === undefined) return 0;
    this.#gap = { cursor: oldest.cursor };
    return oldest.isGap ? 0 : 1;
  }

  #append(message: QueuedMessage): void {
    this.#messages.push(message);
    this.bytes.add(message.body.length, this.owner);
  }

  #take(): QueuedMessage | undefined {
    const message = this.#messages.shift();
    this.bytes.add(-(message?.body.length ?? 0), this.owner);
    return message;
  }

  #removeLast(): void {
    this.bytes.add(-(this.#messages.pop()?.body.length ?? 0), this.owner);
  }
}

/** Builds the notice of lost events, with the cursor after them. */
function buildGap(cursor: string | undefined): QueuedMessage {
  const id = createMessageId('gap');
  return { id, body: Buffer.from(JSON.stringify({ type: 'gap', cursor })), cursor, isGap: true };
}

/** Counts the queued bytes in total and per owner. */
export class QueuedBytes {
  readonly #byOwner = new Map<string, number>();
  #bytes = 0;

  constructor(
    private readonly most: number,
    private readonly mostPerCaller = most,
  ) {}

  hasRoomFor(bytes: number, owner?: string): boolean {
    return this.#bytes + bytes <= this.most && this.#count(owner) + bytes <= this.mostPerCaller;
  }

  add(bytes: number, owner?: string): void {
    this.#bytes += bytes;
    if (owner === undefined) return;
    const own = this.#count(owner) + bytes;
    if (own === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, own);
  }

  /** Messages without an owner count only toward the total limit. */
  #count(owner: string | undefined): number {
    return owner === undefined ? 0 : (this.#byOwner.get(owner) ?? 0);
  }
}
