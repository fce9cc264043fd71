import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { measureClock } from './measure-clock.js';
import { buildProbeError } from './probe.error.js';

/** A request as it shall go over the wire. */
export interface ProbeRequest {
  readonly method: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | undefined;
  /** How long it may take; by default as long as any other. */
  readonly timeoutMs?: number;
  /** Tells whether what has come of the body will do; without it, all of the body is read. */
  readonly isEnough?: (body: string, headers: IncomingHttpHeaders) => boolean;
}

/** What came back. */
export interface ProbeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Whether the body ended, or was enough, in time and within the bound. */
  readonly isComplete: boolean;
  /** By how many seconds the clock of whoever wrote it is ahead of this machine's, if it says its time. */
  readonly aheadSeconds?: number | undefined;
}

/** Many times what any document or message here has to say. */
const LONGEST_BODY_BYTES = 512 * 1024;

/**
 * Sends a request and gives the answer, whatever its status. No redirect is followed, no connection is kept.
 *
 * @throws {ProbeError} if the head of an answer does not come in time
 */
export async function sendProbe(url: URL, probe: ProbeRequest, timeoutMs: number): Promise<ProbeAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await openExchange(url, probe, signal);
    const aheadSeconds = measureClock(response.headers);
    const { body, isComplete } = await readBody(response, probe.isEnough);
    return { status: response.statusCode ?? 0, headers: response.headers, body, isComplete, aheadSeconds };
  } catch (error) {
    throw buildProbeError(error, timeoutMs);
  }
}

function openExchange(url: URL, probe: ProbeRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, headers, body } = probe;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = send(url, { method, headers: { ...headers, ...length }, agent: false, signal });
    sent.once('response', resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

/** What has come by the time-out counts: an event stream need not end. */
async function readBody(response: IncomingMessage, isEnough: ProbeRequest['isEnough']) {
  const chunks: Buffer[] = [];
  let length = 0;
  const read = () => Buffer.concat(chunks).toString('utf8');
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (isEnough?.(read(), response.headers) === true) return { body: read(), isComplete: true };
      if (length > LONGEST_BODY_BYTES) return { body: read(), isComplete: false };
    }
    return { body: read(), isComplete: response.complete };
  } catch {
    return { body: read(), isComplete: false };
  } finally {
    response.destroy();
  }
}
