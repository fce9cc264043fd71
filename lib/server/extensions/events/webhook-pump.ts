import type { EventRecipient } from '../../settings/extensions/event-source-options.js';
import type { EventError } from './event.error.js';
import { type EventFeed, buildOccurrence } from './feeds/event-feed.js';
import type { LogPosition } from './feeds/event-cursors.js';
import type { LoggedEvent } from './feeds/replay-log.js';
import { EventPump, type EventSink } from './streams/event-pump.js';
import type { HttpDelivery } from './webhooks/http-delivery.js';
import type { WebhookEvent } from './webhooks/webhook-delivery.interface.js';

/** A webhook subscription and its source. */
export interface WebhookPumpParts {
  readonly id: string;
  readonly identity: string;
  readonly feed: EventFeed;
  readonly recipient: EventRecipient;
  /** The number of the last event that the receiver received. */
  readonly after: number;
  /** The position up to which it has all events, if that may be ahead of this process. */
  readonly known?: LogPosition | undefined;
}

/** The most messages queued for a receiver. Further events stay in the source log. */
const MOST_WAITING = 16;

/** Moves events from a source to a webhook as fast as its receiver accepts them. */
export class WebhookPump implements EventSink {
  readonly #pump: EventPump;

  constructor(
    private readonly parts: WebhookPumpParts,
    private readonly delivery: HttpDelivery,
  ) {
    const { feed, recipient, after, known } = parts;
    this.#pump = new EventPump({ feed, recipient, sink: this, after, known });
  }

  /** The cursor after the last event that was handed to the delivery. */
  get cursor(): string | null {
    return this.#pump.cursor;
  }

  /** The number of the last event that was handed to the delivery. */
  get after(): number {
    return this.#pump.after;
  }

  start(): void {
    this.#pump.start();
  }

  /** Applies the caller's current arguments and claims. */
  renew(recipient: EventRecipient): void {
    this.#pump.renew(recipient);
  }

  stop(): void {
    this.#pump.stop();
  }

  /** While deliveries are suspended, new events stay in the log. */
  hasRoom(): boolean {
    const status = this.delivery.findStatus(this.parts.id);
    return status !== undefined && status.isActive && status.queued < MOST_WAITING;
  }

  send(event: LoggedEvent): void {
    this.delivery.deliver(this.parts.id, describe(this.parts.feed, event));
  }

  skip(): void {
    this.delivery.skip(this.parts.id, this.cursor ?? undefined);
  }

  /** Receivers are not notified of source failures, which they cannot fix. */
  problem(): void {}

  end(ending: EventError): void {
    this.delivery.finish(this.parts.id, ending.toJSON());
  }
}

const described = new WeakMap<LoggedEvent, WebhookEvent>();

/** Describes an event once for all receivers, so it is serialized only once. */
function describe(feed: EventFeed, event: LoggedEvent): WebhookEvent {
  const known = described.get(event);
  if (known !== undefined) return known;
  const body = buildOccurrence(feed, event);
  const webhookEvent = { id: body.eventId, body, cursor: body.cursor ?? undefined };
  described.set(event, webhookEvent);
  return webhookEvent;
}
