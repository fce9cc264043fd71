import type { EventRecipient } from '../../settings/extensions/event-source-options.js';
import type { EventError } from './event.error.js';
import { type EventFeed, buildOccurrence } from './feeds/event-feed.js';
import type { EventPlace } from './feeds/event-cursors.js';
import type { KeptEvent } from './feeds/replay-log.js';
import { EventPump, type EventSink } from './streams/event-pump.js';
import type { WebhookDelivery, WebhookEvent } from './webhooks/webhook-delivery.interface.js';

/** One webhook subscription and its source. */
export interface RelayParts {
  readonly id: string;
  readonly identity: string;
  readonly feed: EventFeed;
  readonly recipient: EventRecipient;
  /** The number of the last event that the receiver has. */
  readonly after: number;
  /** What it has got everything up to, if it may be ahead of this process. */
  readonly known?: EventPlace | undefined;
}

/** Messages that wait for a receiver; the log of the source keeps the rest, also if these are lost with a suspension. */
const MOST_WAITING = 16;

/** Moves the events of a source to a webhook as fast as that takes them. */
export class WebhookRelay implements EventSink {
  readonly #pump: EventPump;

  constructor(
    private readonly parts: RelayParts,
    private readonly delivery: WebhookDelivery,
  ) {
    const { feed, recipient, after, known } = parts;
    this.#pump = new EventPump({ feed, recipient, sink: this, after, known });
  }

  /** How far events are handed over, as a cursor. */
  get cursor(): string | null {
    return this.#pump.cursor;
  }

  /** The number of the last event that was handed over. */
  get after(): number {
    return this.#pump.after;
  }

  start(): void {
    this.#pump.start();
  }

  /** Goes by what the caller may hear now. */
  renew(recipient: EventRecipient): void {
    this.#pump.renew(recipient);
  }

  stop(): void {
    this.#pump.stop();
  }

  /** Deliveries to a receiver that fails are suspended; what comes meanwhile stays in the log. */
  hasRoom(): boolean {
    const status = this.delivery.findStatus(this.parts.id);
    return status !== undefined && status.isActive && status.queued < MOST_WAITING;
  }

  send(event: KeptEvent): void {
    this.delivery.deliver(this.parts.id, describe(this.parts.feed, event));
  }

  skip(): void {
    this.delivery.skip(this.parts.id, this.cursor ?? undefined);
  }

  /** Receivers are told about what they can do something about. */
  fault(): void {}

  end(ending: EventError): void {
    this.delivery.finish(this.parts.id, ending.toJSON());
  }
}

const described = new WeakMap<KeptEvent, WebhookEvent>();

/** Describes an event once for all receivers: it is serialized once, too. */
function describe(feed: EventFeed, event: KeptEvent): WebhookEvent {
  const known = described.get(event);
  if (known !== undefined) return known;
  const body = buildOccurrence(feed, event);
  const webhookEvent = { id: body.eventId, body, cursor: body.cursor ?? undefined };
  described.set(event, webhookEvent);
  return webhookEvent;
}
