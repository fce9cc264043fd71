import { ProbeError } from '../../core/doctor/probe/probe.error.js';
import { formatMoreTime } from './format-more-time.js';

/**
 * Creates a `fetch` whose answers begin in time; how long they go on is not its matter.
 *
 * @param send sends the requests
 */
export function createBoundedFetch(timeoutMs: number, send: typeof fetch = fetch): typeof fetch {
  return async (input, init = {}) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal;
    try {
      return await send(input, { ...init, signal });
    } catch (cause) {
      if (!late.signal.aborted) throw cause;
      throw new ProbeError(`did not answer within ${timeoutMs} ms: ${formatMoreTime(timeoutMs)}`, { cause });
    } finally {
      clearTimeout(timer);
    }
  };
}
