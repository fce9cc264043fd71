import * as check from '../../../core/checks/option-checks.js';
import type { Check } from '../../../core/checks/option-checks.js';
import type { Claims } from '../../../core/oauth/access-token.js';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { SchemaSource } from '../schema-source.interface.js';

/** How events reach clients: by polling, on a stream, or by a POST to a URL. */
export type EventDeliveryMode = 'poll' | 'push' | 'webhook';

/** A listener of a source. */
export interface EventRecipient {
  /** The arguments of the subscription, as `inputSchema` parsed them. */
  readonly arguments: OpenObject;
  /** The claims of the caller's token when the subscription was created or last refreshed; absent on an open server. */
  readonly claims: Claims | undefined;
}

/** Describes a source of events. */
export interface EventSourceOptions<Payload extends object = OpenObject> {
  /** Unique in the server. @default the method's name */
  readonly name?: string;
  /** A name for people. @default none: clients show `name` */
  readonly title?: string;
  /** Describes the events to a model. @default none */
  readonly description?: string;
  /** The schema of a subscription's arguments: an object. @default no arguments */
  readonly inputSchema?: SchemaSource;
  /** The schema of each payload: an object. A payload that does not fit is left out. @default any object */
  readonly payloadSchema?: SchemaSource;
  /** How clients may get the events. @default all modes that the server supports for the source */
  readonly delivery?: readonly EventDeliveryMode[];
  /**
   * Stores no events for clients that reconnect, and subscribes to the Observable only while there are listeners. Use
   * it for events that are worthless a moment later.
   * @default false
   */
  readonly cursorless?: boolean;
  /**
   * Subscribes to the Observable in only one process of the server at a time. If that process ends, another process
   * continues. Use it for events that every process would get, such as the rows of a polled database.
   * @default false
   */
  readonly singleInstance?: boolean;
  /** Metadata that clients see in the list. @default none */
  readonly _meta?: OpenObject;
  /**
   * Returns an id for the payload of an event, with which clients recognize repeats, and events that several processes
   * emit are deduplicated.
   * @default a generated id
   */
  eventId?(payload: Payload): string;
  /**
   * Decides who gets an event. It is called for each event and each listener, so it must be fast, and must not return a
   * promise.
   * @default every recipient gets it
   */
  filter?(payload: Payload, recipient: EventRecipient): boolean;
}

/** Checked when the schema is compiled. */
const schema: Check = () => undefined;

const CHECKS: Readonly<Record<keyof EventSourceOptions, Check>> = {
  name: check.nonEmptyString,
  title: check.string,
  description: check.string,
  inputSchema: schema,
  payloadSchema: schema,
  delivery: check.list(check.oneOf('poll', 'push', 'webhook')),
  cursorless: check.flag,
  singleInstance: check.flag,
  _meta: check.object,
  eventId: check.callable,
  filter: check.callable,
};

const ALIASES = new Map([
  ['schema', 'payloadSchema'],
  ['outputSchema', 'payloadSchema'],
  ['parameters', 'inputSchema'],
  ['arguments', 'inputSchema'],
]);

/**
 * Checks the options of `@EventSource()`.
 *
 * @throws {OptionError} that names the first invalid option
 */
export function assertEventSourceOptions(options: unknown): void {
  check.assertProperties('', options, CHECKS, ALIASES);
}
