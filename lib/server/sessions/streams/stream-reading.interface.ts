import type { StreamEvent } from './event-log.js';
import type { ScopeHolder } from './scope-holder.interface.js';

/** The reader of a stream, and the event after which it reads. */
export interface StreamReading {
  /** The number of the preceding event. If absent, all events that were not sent to any reader are sent. */
  readonly after?: number;
  readonly holder: ScopeHolder | undefined;
}

/** Why a client cannot resume a stream. */
export type ResumptionFailure = 'unknown' | 'expired';

/** The attributes of a message on a stream. */
export type StreamDelivery = Partial<Pick<StreamEvent, 'isLast' | 'scopes'>>;
