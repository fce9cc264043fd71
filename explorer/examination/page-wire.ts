import { formatAuthorization } from '../../lib/client/authorization/authorization-headers.js';
import {
  LONGEST_BODY_BYTES,
  measureClock,
  ProbeError,
  type ProbeRequest,
  type ProbeResponse,
  type ProbeWire,
  RedirectedError,
  type ResponseHeaders,
  UnreadableError,
} from '../../lib/core/doctor/probe/probe-wire.js';

/** The page's token, and the function that sends requests with it. */
interface PageLogin {
  readonly token: string | undefined;
  /** Whether the token is bound to one of the page's keys. */
  readonly isBound: boolean;
  /** Sends a request, with a proof if the token is bound to a key. */
  send(url: string | URL, init?: RequestInit): Promise<Response>;
}

/** The endpoint, and the origins that the page may send requests to. */
export interface PageContext {
  readonly endpoint: URL;
  readonly issuers: readonly string[];
  readonly login: PageLogin;
  /** The default timeout of a request, in milliseconds. */
  readonly timeoutMs: number;
}

type Send = (url: URL, init: RequestInit) => Promise<Response>;

/**
 * Sends the doctor's requests from a page, within its browser's restrictions. They go only to the page's server and
 * its authorization servers.
 */
export function createPageWire(surroundings: PageContext): ProbeWire {
  const { endpoint, issuers, login, timeoutMs } = surroundings;
  const reached = new Set(
    [endpoint, ...issuers.map((issuer) => new URL(issuer))].map(({ origin }) => origin),
  );
  const exchange = async (send: Send, url: URL, probe: ProbeRequest): Promise<ProbeResponse> => {
    // The browser would block it, and log an error.
    if (!reached.has(url.origin))
      throw new UnreadableError('is at an origin to which this page does not send requests');
    const limitMs = probe.timeoutMs ?? timeoutMs;
    // A document may be redirected within its origin. A request with a token goes only to the endpoint.
    const redirect = probe.method === 'GET' && url.href !== endpoint.href ? 'follow' : 'manual';
    const signal = AbortSignal.timeout(limitMs);
    try {
      return await readAnswer(await send(url, { ...buildInit(probe, signal), redirect }), probe);
    } catch (error) {
      if (error instanceof ProbeError) throw error;
      throw explain(error, { limitMs, isForeign: url.origin !== endpoint.origin });
    }
  };
  return {
    send: (url, probe) => exchange((target, init) => fetch(target, init), url, probe),
    sendAuthorized: (url, probe) => {
      const headers = { ...authorize(login), ...probe.headers };
      return exchange((target, init) => login.send(target, init), url, { ...probe, headers });
    },
  };
}

/** Requests with a bound token go through the login, which has the key. */
function authorize({ token, isBound }: PageLogin): { readonly [name: string]: string } {
  return token === undefined || isBound ? {} : { authorization: formatAuthorization(token) };
}

/** Cached responses reveal nothing about the server. Node has no cache, and its types lack this option. */
const UNCACHED: object = { cache: 'no-store' };

/** Browsers omit headers that pages may not set, such as `Origin`. */
function buildInit({ method, headers, body }: ProbeRequest, signal: AbortSignal): RequestInit {
  return {
    method,
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    credentials: 'omit',
    ...UNCACHED,
    signal,
  };
}

async function readAnswer(response: Response, { isEnough }: ProbeRequest): Promise<ProbeResponse> {
  if (response.type === 'opaqueredirect') {
    throw new RedirectedError('redirects the request, but browsers hide the target');
  }
  const headers: ResponseHeaders = Object.fromEntries(response.headers);
  const aheadSeconds = measureClock(headers);
  return { status: response.status, headers, aheadSeconds, ...(await readBody(response, headers, isEnough)) };
}

/** The part that arrived before the timeout counts, because an event stream may not end. */
async function readBody(
  { body: stream }: Response,
  headers: ResponseHeaders,
  isEnough: ProbeRequest['isEnough'],
): Promise<Pick<ProbeResponse, 'body' | 'isComplete'>> {
  const reader = stream?.getReader();
  const decoder = new TextDecoder();
  let body = '';
  let bytes = 0;
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return { body, isComplete: true };
      body += decoder.decode(chunk.value, { stream: true });
      bytes += chunk.value.byteLength;
      if (isEnough?.(body, headers) === true) return { body, isComplete: true };
      if (bytes > LONGEST_BODY_BYTES) return { body, isComplete: false };
    }
  } catch {
    return { body, isComplete: false };
  } finally {
    reader?.cancel().catch(() => undefined);
  }
}

/** Browsers hide the reason for a failed request. */
function explain(error: unknown, facts: { readonly limitMs: number; readonly isForeign: boolean }): unknown {
  const { name } = error as Error;
  if (name === 'TimeoutError') return new ProbeError(`did not respond within ${facts.limitMs} ms`);
  if (name !== 'TypeError') return error;
  return facts.isForeign
    ? new UnreadableError('does not allow cross-origin requests, or cannot be reached', { cause: error })
    : new ProbeError('cannot be reached from this browser', { cause: error });
}
