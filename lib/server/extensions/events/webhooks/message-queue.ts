import type { WebhookSettings } from '../../../settings/extensions/events-options.js';
import { createMessageId } from './sign-message.js';

/** A message on its way to a receiver. */
export interface QueuedMessage {
  readonly id: string;
  readonly body: Buffer;
  /** Where the source stands once the receiver has it, or knows that it lost it. */
  readonly cursor?: string | undefined;
  /** Whether it tells about lost events and is none itself. */
  readonly isGap: boolean;
}

/** What bounds a queue. */
type QueueBounds = Pick<WebhookSettings, 'maxQueued' | 'maxBodyBytes'>;

/** Messages in order. What does not fit pushes the oldest out, and in their place stands that there is a gap. */
export class MessageQueue {
  readonly #messages: QueuedMessage[] = [];
  /** Stands before all messages. */
  #gap: { readonly cursor: string | undefined } | undefined;

  constructor(
    private readonly bounds: QueueBounds,
    private readonly bytes: QueuedBytes,
    private readonly owner?: string,
  ) {}

  get length(): number {
    return this.#messages.length + (this.#gap === undefined ? 0 : 1);
  }

  /** Whether nothing waits but the news that something was lost. */
  get isOnlyGap(): boolean {
    return this.#messages.length === 0 && this.#gap !== undefined;
  }

  /** Adds a message. Returns how many events were lost for it, including its own if there is no room. */
  push(message: QueuedMessage): number {
    const { length } = message.body;
    if (length > this.bounds.maxBodyBytes) {
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

  /** Takes the next message out. */
  shift(): QueuedMessage | undefined {
    const gap = this.#gap;
    if (gap === undefined) return this.#take();
    this.#gap = undefined;
    return buildGap(gap.cursor);
  }

  /** Puts a gap behind all messages. */
  skip(cursor: string | undefined): void {
    if (this.#messages.at(-1)?.isGap === true) this.#removeLast();
    if (this.#messages.length === 0) this.#gap = { cursor };
    else this.#append(buildGap(cursor));
  }

  /** Puts a gap where a message was that was taken out, and tells how many events that cost. */
  lose({ cursor, isGap }: QueuedMessage): number {
    this.#gap ??= { cursor };
    return isGap ? 0 : 1;
  }

  /** Replaces all messages by a gap, and tells how many events that cost. */
  clear(): number {
    let lost = 0;
    while (this.#messages.length > 0) lost += this.#dropOldest();
    return lost;
  }

  #makeRoom(bytes: number): number {
    const { maxQueued } = this.bounds;
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

/** Makes the message that tells a receiver of lost events, and where the source stands after them. */
function buildGap(cursor: string | undefined): QueuedMessage {
  const id = createMessageId('gap');
  return { id, body: Buffer.from(JSON.stringify({ type: 'gap', cursor })), cursor, isGap: true };
}

/** Counts what waits in all queues together, and in those of each owner. */
export class QueuedBytes {
  readonly #byOwner = new Map<string, number>();
  #bytes = 0;

  constructor(
    private readonly most: number,
    private readonly mostPerOwner = most,
  ) {}

  hasRoomFor(bytes: number, owner?: string): boolean {
    return this.#bytes + bytes <= this.most && this.#count(owner) + bytes <= this.mostPerOwner;
  }

  add(bytes: number, owner?: string): void {
    this.#bytes += bytes;
    if (owner === undefined) return;
    const own = this.#count(owner) + bytes;
    if (own === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, own);
  }

  /** Messages for unknown owners have only the bound for all. */
  #count(owner: string | undefined): number {
    return owner === undefined ? 0 : (this.#byOwner.get(owner) ?? 0);
  }
}
