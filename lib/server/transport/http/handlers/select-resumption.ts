import { parseCursor } from '../../../sessions/streams/stream-cursor.js';

/**
 * Where an event id leads: to a stream that only this process knows, to the shared log of standing streams, or to the stream of
 * a call. The ids of a call's stream name the process that runs the call.
 */
export type Resumption = 'here' | 'log' | 'call';

/** Finds the place at which a stream continues, by the id of one of its events. */
export function selectResumption(lastEventId: string, isShared: boolean): Resumption {
  if (!isShared) return 'here';
  if (/[-.]/.test(lastEventId)) return 'call';
  return parseCursor(lastEventId) === undefined ? 'here' : 'log';
}
