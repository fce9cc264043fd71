import { Query, Topic } from '../../../cluster/cluster-bus.js';
import type { ForwardedSender } from '../../../sessions/forwarded-sender.js';
import type { ResumptionFailure } from '../../../sessions/streams/stream-reading.interface.js';

/** Asks the process of a call for its stream, from an event on. */
export interface StreamRequest {
  readonly sender: ForwardedSender;
  readonly lastEventId: string;
  /** The process that reads. */
  readonly member: string;
  /** Names the reading: no other of any process has the same. */
  readonly reading: string;
}

/** The reason why there is no stream; absent if the stream is on its way. */
export interface StreamAnswer {
  readonly failure?: ResumptionFailure;
  /** The scopes that the call required, if the token lacks one. */
  readonly required?: readonly string[];
  /** Whether messages of the stream show that it lives. @default false */
  readonly showsLife?: boolean;
}

/** Events on their way to a reading. */
export interface ForwardedEvents {
  readonly reading: string;
  /** Counts these messages, from 1: one that is left out got lost. */
  readonly count: number;
  readonly events: readonly ForwardedEvent[];
  /** Whether nothing follows: the stream is over, or somebody else reads it. */
  readonly isLast: boolean;
  /** Whether messages of the stream show that it lives. @default that is not known */
  readonly showsLife?: boolean;
}

export interface ForwardedEvent {
  readonly id: string;
  readonly json: string;
}

/** How far readings of one process are, which shows that they are still there. */
export interface ReadingsReport {
  /** The number of messages that each was given. */
  readonly given: { readonly [reading: string]: number };
}

/** The readings that the process of the call knows no more, or that have lost something. */
export interface ReadingsVerdict {
  readonly lost: readonly string[];
}

export const OPEN_STREAM = new Query<StreamRequest, StreamAnswer>('calls.open-stream');
export const REPORT_READINGS = new Query<ReadingsReport, ReadingsVerdict>('calls.report-readings');
export const STREAM_EVENTS = new Topic<ForwardedEvents>('calls.stream-events');
/** That a reading has passed so many messages on, and has room for more. */
export const EVENTS_TAKEN = new Topic<{ readonly reading: string; readonly count: number }>(
  'calls.events-taken',
);
export const STREAM_LEFT = new Topic<{ readonly reading: string }>('calls.stream-left');
