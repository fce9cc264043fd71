import type { Claims } from '../../../core/oauth/claims.js';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { SchemaSource } from '../schema-source.interface.js';

/** How events reach clients: on demand, on a stream, or posted to a URL. */
export type EventDeliveryMode = 'poll' | 'push' | 'webhook';

/** Who listens to a source. */
export interface EventRecipient {
  /** The arguments of the subscription, as `inputSchema` lets them through. */
  readonly arguments: OpenObject;
  /** What the caller's token said when the subscription began, or was refreshed; absent on an open server. */
  readonly claims: Claims | undefined;
}

/** Describes a source of events. */
export interface EventSourceOptions<Payload extends object = OpenObject> {
  /** Unique in the server. @default the method's name */
  readonly name?: string;
  /** A name for people. @default none: clients show `name` */
  readonly title?: string;
  /** Tells a model what the events are. @default none */
  readonly description?: string;
  /** What the arguments of a subscription must be: an object. @default no arguments */
  readonly inputSchema?: SchemaSource;
  /** What each payload is: an object. One that is not is left out. @default any object */
  readonly payloadSchema?: SchemaSource;
  /** How clients may get the events. @default every way that the server has for the source */
  readonly delivery?: readonly EventDeliveryMode[];
  /**
   * Keeps nothing for clients that come back, and subscribes to the Observable only while somebody listens: for events that
   * are worthless a moment later. @default false
   */
  readonly cursorless?: boolean;
  /**
   * Subscribes to the Observable in one process of the server at a time, and in another when that one ends. Use it for events
   * that every process would get, such as the rows of a polled database. @default false
   */
  readonly exclusive?: boolean;
  /** Metadata that clients see in the list. @default none */
  readonly _meta?: OpenObject;
  /**
   * Names an event by its payload, so that clients recognise repeats, and several processes of the server emit it once.
   * @default a name of the server's
   */
  identify?(payload: Payload): string;
  /** Decides who gets an event. It is called for each event and each listener, so it must be quick, and return no promise. @default everybody gets it */
  filter?(payload: Payload, recipient: EventRecipient): boolean;
}
