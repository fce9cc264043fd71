import { createLimitedFetch } from '../../lib/core/network/limited-fetch.js';
import { ProbeError } from '../../lib/core/doctor/probe/probe-wire.js';
import { formatTimeoutHint } from './parse-timeout.js';
import type { ServerOptions } from './server-options.js';

/**
 * Creates a `fetch` for a server: responses must start in time, and their size is limited. A stream's duration is up
 * to its reader.
 *
 * @param send sends the requests
 */
export function createServerFetch(
  { timeoutMs, responseLimit }: Pick<ServerOptions, 'timeoutMs' | 'responseLimit'>,
  send: typeof fetch = fetch,
): typeof fetch {
  return createLimitedFetch(createPromptFetch(timeoutMs, send), responseLimit);
}

function createPromptFetch(timeoutMs: number, send: typeof fetch): typeof fetch {
  return async (input, init = {}) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal;
    try {
      return await send(input, { ...init, signal });
    } catch (cause) {
      if (!late.signal.aborted) throw cause;
      throw new ProbeError(`did not respond within ${timeoutMs} ms: ${formatTimeoutHint(timeoutMs)}`, {
        cause,
      });
    } finally {
      clearTimeout(timer);
    }
  };
}
