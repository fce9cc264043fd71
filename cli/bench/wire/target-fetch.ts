import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ProbeError } from '../../../lib/core/doctor/probe/probe-wire.js';
import { buildProbeError } from '../../doctor/probe/build-probe-error.js';
import type { LoadTarget } from './load-target.js';
import { openSocket } from './open-socket.js';

/**
 * Creates a `fetch` for one server. Each request opens a connection, but only to a machine that may be put under load.
 * Redirects, which could lead elsewhere, are not followed. Requests to other servers, such as during a login, are sent
 * as usual.
 */
export function createTargetFetch(target: Omit<LoadTarget, 'headers'>): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (url.origin !== target.url.origin) return fetch(request);
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    request.signal.throwIfAborted();
    const socket = await openSocket(target);
    return buildResponse(await exchange({ url, request, body, socket }));
  };
}

interface Exchange {
  readonly url: URL;
  readonly request: Request;
  readonly body: Buffer | undefined;
  readonly socket: Socket;
}

function exchange({ url, request, body, socket }: Exchange): Promise<IncomingMessage> {
  const { method, signal } = request;
  const headers = Object.fromEntries(request.headers);
  const length = body === undefined ? {} : { 'content-length': body.length };
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const options = { createConnection: () => socket, method, signal } as const;
  return new Promise((resolve, reject) => {
    send(url, { ...options, headers: { ...headers, ...length } })
      .once('response', resolve)
      // If the connection fails after the head, the body reports it.
      .on('error', (error) => reject(signal.aborted ? error : buildProbeError(error, 0)))
      .end(body);
  });
}

const WITHOUT_BODY = new Set([204, 205, 304]);

function buildResponse(message: IncomingMessage): Response {
  const { statusCode: status = 0, rawHeaders } = message;
  if (status < 200 || status > 599) {
    message.destroy();
    throw new ProbeError(`does not speak HTTP/1.1: its status is ${status}`);
  }
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  if (WITHOUT_BODY.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(message) as ReadableStream<Uint8Array>, { status, headers });
}
