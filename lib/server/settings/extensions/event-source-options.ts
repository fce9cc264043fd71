import * as check from '../../../core/checks/option-checks.js';
import type { Check } from '../../../core/checks/option-checks.js';
import type { Claims } from '../../../core/oauth/access-token.js';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { SchemaSource } from '../schema-source.interface.js';

/** How clients receive events: polling, a stream, or POST requests to a webhook. */
export type EventDeliveryMode = 'poll' | 'push' | 'webhook';

/** A listener to an event source. */
export interface EventRecipient {
  /** The subscription's arguments, as `inputSchema` parsed them. */
  readonly arguments: OpenObject;
  /** The claims in the caller's token when the subscription was created or last refreshed; absent on an open server. */
  readonly claims: Claims | undefined;
}

/** Describes an event source. */
export interface EventSourceOptions<Payload extends object = OpenObject> {
  /** The name, unique in the server. @default the method's name */
  readonly name?: string;
  /** A display name. @default none: clients display `name` */
  readonly title?: string;
  /** Describes the events to a model. @default none */
  readonly description?: string;
  /** The schema of a subscription's arguments: an object. @default no arguments */
  readonly inputSchema?: SchemaSource;
  /** Each payload's schema: an object. A payload that does not match is dropped. @default any object */
  readonly payloadSchema?: SchemaSource;
  /** How clients may receive the events. @default all modes that the server supports for the source */
  readonly delivery?: readonly EventDeliveryMode[];
  /**
   * Stores no events for clients that reconnect, and subscribes to the Observable only while there are listeners. Use
   * it for events that soon lose their value.
   * @default false
   */
  readonly cursorless?: boolean;
  /**
   * Subscribes to the Observable in only one process of the server at a time. If that process ends, another process
   * continues. Use it for events that every process would receive, such as rows from a polled database.
   * @default false
   */
  readonly singleInstance?: boolean;
  /** Metadata that clients see in the list. @default none */
  readonly _meta?: OpenObject;
  /**
   * Returns an id for an event's payload. Clients use it to recognize duplicates, and events that several processes
   * emit are deduplicated with it.
   * @default a generated id
   */
  eventId?(payload: Payload): string;
  /**
   * Decides which listeners receive an event. It is called for each event and each listener, so it must be fast, and
   * must not return a promise.
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
