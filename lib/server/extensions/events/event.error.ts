import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { McpError } from '../../../core/protocol/mcp.error.js';

/** The error codes that the working group's sketch of events adds. */
export const EventErrorCode = {
  /** The event or the subscription, as named in `data.kind`, does not exist. */
  NotFound: -32011,
  /** The caller lacks the required permission. */
  Forbidden: -32012,
  /** A limit is reached; `data.limit` names it. */
  ResourceExhausted: -32013,
  /** The source or the server does not support the requested `data.value` for `data.feature`. */
  Unsupported: -32014,
} as const;

/** Rejects a request of the events extension. */
export class EventError extends McpError {
  static unknownEvent(name: string): EventError {
    const text = `There is no event "${shorten(name)}": choose one from "events/list"`;
    return new EventError(EventErrorCode.NotFound, text, { kind: 'event' });
  }

  /** Missing, expired and other callers' subscriptions are indistinguishable. */
  static unknownSubscription(): EventError {
    const text =
      'There is no such subscription: send the "name", "arguments" and "delivery.url" that it was created with';
    return new EventError(EventErrorCode.NotFound, text, { kind: 'subscription' });
  }

  static unknownCaller(): EventError {
    const text = 'Webhooks belong to a caller: subscribe with an access token';
    return new EventError(EventErrorCode.Forbidden, text);
  }

  static tokenEnded(): EventError {
    return new EventError(
      EventErrorCode.Forbidden,
      'The token has expired: subscribe again with a fresh one',
    );
  }

  static tooManySubscriptions(max: number): EventError {
    const text = `At most ${max} subscriptions can be active: end one of them first`;
    return new EventError(EventErrorCode.ResourceExhausted, text, { limit: 'subscriptions', max });
  }

  static unsupportedDelivery(mode: string): EventError {
    const text = `The delivery mode "${shorten(mode)}" is not supported: choose one from "delivery" in "events/list"`;
    const data = { feature: 'deliveryMode', value: shorten(mode) };
    return new EventError(EventErrorCode.Unsupported, text, data);
  }

  /** Ends a stream whose source has completed. */
  static sourceEnded(): EventError {
    return new EventError(EventErrorCode.NotFound, 'The source has ended', { kind: 'event' });
  }

  /** Ends the subscriptions to a source that was removed. */
  static sourceRemoved(): EventError {
    const text = 'The event is no longer available: read "events/list"';
    return new EventError(EventErrorCode.NotFound, text, { kind: 'event' });
  }

  /** Ends the subscriptions that do not match a source's new schema. */
  static schemaChanged(feature: 'inputSchema' | 'payloadSchema'): EventError {
    const text = `"${feature}" has changed: read "events/list" and subscribe again`;
    return new EventError(EventErrorCode.Unsupported, text, { feature, reason: 'schema_changed' });
  }

  /** Reports a source's failure on its streams, which continue. */
  static sourceProblem(explanation: string): EventError {
    return new EventError(ErrorCode.InternalError, explanation);
  }
}

const LONGEST_QUOTE = 200;

function shorten(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}
