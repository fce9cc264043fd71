import type { StreamEvent } from './event-log.js';
import type { ScopeHolder } from './scope-holder.interface.js';

/** Who reads a stream, and behind which event. */
export interface StreamReading {
  /** The number of the event that comes before; left out for all that no reader was given. */
  readonly after?: number;
  readonly holder: ScopeHolder | undefined;
}

/** Why a client cannot resume a stream. */
export type ResumptionFailure = 'unknown' | 'expired';

/** How a message goes on a stream. */
export type StreamDelivery = Partial<Pick<StreamEvent, 'isLast' | 'scopes'>>;
