import { Query, Topic } from '../../../cluster/cluster-bus.js';
import type { ForwardedSender } from '../../../sessions/forwarded-sender.js';
import type { ResumptionFailure } from '../../../sessions/streams/stream-reading.interface.js';

/** Requests a call's stream after an event from its process. */
export interface StreamRequest {
  readonly sender: ForwardedSender;
  readonly lastEventId: string;
  /** The reading process. */
  readonly member: string;
  /** Identifies the reader across processes. */
  readonly reading: string;
}

/** Why there is no stream; absent if it follows. */
export interface StreamResponse {
  readonly failure?: ResumptionFailure;
  /** The scopes that the call required, if the token lacks one. */
  readonly required?: readonly string[];
  /** Whether messages serve as heartbeats. @default false */
  readonly showsLife?: boolean;
}

/** Events for a reading. */
export interface ForwardedEvents {
  readonly reading: string;
  /** The sequence number, starting at 1. A gap means a lost message. */
  readonly count: number;
  readonly events: readonly ForwardedEvent[];
  /** Whether the stream has ended, or has another reader. */
  readonly isLast: boolean;
  /** Whether messages serve as heartbeats. @default unknown */
  readonly showsLife?: boolean;
}

export interface ForwardedEvent {
  readonly id: string;
  readonly json: string;
}

/** How far one process's readers have read, which shows that the process is alive. */
export interface ReadingsReport {
  /** The number of messages received, per reader. */
  readonly given: { readonly [reading: string]: number };
}

/** Readers that are unknown to the call's process, or have lost a message. */
export interface ReadingsVerdict {
  readonly lost: readonly string[];
}

export const OPEN_STREAM = new Query<StreamRequest, StreamResponse>('calls.open-stream');
export const REPORT_READINGS = new Query<ReadingsReport, ReadingsVerdict>('calls.report-readings');
export const STREAM_EVENTS = new Topic<ForwardedEvents>('calls.stream-events');
/** A reader has delivered this many messages and can receive more. */
export const EVENTS_TAKEN = new Topic<{ readonly reading: string; readonly count: number }>(
  'calls.events-taken',
);
export const STREAM_LEFT = new Topic<{ readonly reading: string }>('calls.stream-left');
