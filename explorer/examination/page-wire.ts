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

/** By what requests say who sends them. */
interface PageLogin {
  readonly token: string | undefined;
  /** Whether the token is bound to a key of the page. */
  readonly isBound: boolean;
  /** Sends a request, with a proof of the key if the token is bound. */
  send(url: string | URL, init?: RequestInit): Promise<Response>;
}

/** Where the page is, and whom it may ask. */
export interface PageContext {
  readonly endpoint: URL;
  readonly issuers: readonly string[];
  readonly login: PageLogin;
  /** Milliseconds that an answer may take if its request says nothing else. */
  readonly timeoutMs: number;
}

type Send = (url: URL, init: RequestInit) => Promise<Response>;

/**
 * Sends the doctor's requests from a page, with the rights of its browser. They go only to the server of the page and
 * to its authorization servers.
 */
export function createPageWire(surroundings: PageContext): ProbeWire {
  const { endpoint, issuers, login, timeoutMs } = surroundings;
  const reached = new Set(
    [endpoint, ...issuers.map((issuer) => new URL(issuer))].map(({ origin }) => origin),
  );
  const exchange = async (send: Send, url: URL, probe: ProbeRequest): Promise<ProbeResponse> => {
    // The browser would not let it out, and say so in the console.
    if (!reached.has(url.origin)) throw new UnreadableError('is at an origin that this page does not ask');
    const limitMs = probe.timeoutMs ?? timeoutMs;
    // A document may have another path at the same origin. A request with a token goes only to the endpoint.
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

/** What is bound to a key is sent with its proof by whoever has the key. */
function authorize({ token, isBound }: PageLogin): { readonly [name: string]: string } {
  return token === undefined || isBound ? {} : { authorization: formatAuthorization(token) };
}

/** What the browser kept says nothing of the server; Node, whose types tests go by, keeps nothing. */
const UNCACHED: object = { cache: 'no-store' };

/** Headers that pages may not set, such as `Origin`, are left out by the browser. */
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
    throw new RedirectedError('redirects the request, and a browser does not say where to');
  }
  const headers: ResponseHeaders = Object.fromEntries(response.headers);
  const aheadSeconds = measureClock(headers);
  return { status: response.status, headers, aheadSeconds, ...(await readBody(response, headers, isEnough)) };
}

/** What has come by the time-out counts: an event stream need not end. */
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

/** A browser does not say why there is no answer. */
function explain(error: unknown, facts: { readonly limitMs: number; readonly isForeign: boolean }): unknown {
  const { name } = error as Error;
  if (name === 'TimeoutError') return new ProbeError(`did not answer within ${facts.limitMs} ms`);
  if (name !== 'TypeError') return error;
  return facts.isForeign
    ? new UnreadableError('lets no page of another origin read it, or is not reached', { cause: error })
    : new ProbeError('cannot be reached from this browser', { cause: error });
}
