import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  LONGEST_BODY_BYTES,
  measureClock,
  type ProbeRequest,
  type ProbeResponse,
  type ResponseHeaders,
} from '../../../lib/core/doctor/probe/probe-wire.js';
import { buildProbeError } from './build-probe-error.js';

/**
 * Sends a request and returns the response, with any status. Follows no redirects, and does not reuse connections.
 *
 * @throws {ProbeError} if the response head does not arrive in time
 */
export async function sendProbe(url: URL, probe: ProbeRequest, timeoutMs: number): Promise<ProbeResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await openExchange(url, probe, signal);
    const headers = joinHeaders(response.headers);
    const aheadSeconds = measureClock(headers);
    const { body, isComplete } = await readBody(response, headers, probe.isEnough);
    return { status: response.statusCode ?? 0, headers, body, isComplete, aheadSeconds };
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

/** Node returns some headers as lists, such as cookies. */
function joinHeaders(headers: IncomingHttpHeaders): ResponseHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]));
}

/** Returns whatever has arrived before the timeout, because an event stream may never end. */
async function readBody(
  response: IncomingMessage,
  headers: ResponseHeaders,
  isEnough: ProbeRequest['isEnough'],
) {
  const chunks: Buffer[] = [];
  let length = 0;
  const read = () => Buffer.concat(chunks).toString('utf8');
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (isEnough?.(read(), headers) === true) return { body: read(), isComplete: true };
      if (length > LONGEST_BODY_BYTES) return { body: read(), isComplete: false };
    }
    return { body: read(), isComplete: response.complete };
  } catch {
    return { body: read(), isComplete: false };
  } finally {
    response.destroy();
  }
}
