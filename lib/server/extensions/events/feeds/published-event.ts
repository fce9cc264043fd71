import type { OpenObject } from '../../../../core/protocol/capabilities.js';

/** An event as processes tell one another. */
export interface PublishedEvent {
  readonly id: string;
  /** When it was emitted, in milliseconds of the epoch. */
  readonly at: number;
  /** The process that emitted it. */
  readonly by: string;
  /** The length of its payload as JSON. */
  readonly size: number;
  readonly data: OpenObject;
}
