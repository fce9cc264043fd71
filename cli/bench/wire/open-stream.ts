import {
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { isMediaType } from '../../../lib/core/protocol/headers/http-headers.js';
import type { GivenHeaders } from '../../server/parse-header.js';
import { MeasurementError } from '../measurement.error.js';
import type { LoadTarget } from './load-target.js';
import { buildMessage, buildMessageHeaders, type BenchWire } from './mcp-request.js';
import { openSocket } from './open-socket.js';

/** The filter of a stream without a session: all lists that the server may have. */
const EVERYTHING = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

const OPEN_MS = 10_000;

/** The request for a stream. */
export interface StreamSetup {
  readonly target: LoadTarget;
  readonly wire: BenchWire;
  /** Its session's headers, if it has one. */
  readonly session: GivenHeaders;
  /** The resource to listen to, in addition to lists. */
  readonly subscribedUri: string | undefined;
  /** Aborted if the stream does not open in time. @default never */
  readonly signal?: AbortSignal;
  readonly onText: (text: string) => void;
  /** Called when the stream ends, unless it was closed here. */
  readonly onEnd: () => void;
}

/**
 * Opens a stream of changes. Returns a function that closes it.
 *
 * @throws {MeasurementError} if the server does not open a stream
 */
export async function openStream({ onText, onEnd, ...setup }: StreamSetup): Promise<() => void> {
  const sent = sendRequest(setup, await openSocket(setup.target));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
    sent.setTimeout(OPEN_MS, () => sent.destroy(new MeasurementError('a stream did not open in time')));
  });
  sent.setTimeout(0);
  // The response reports the end.
  sent.on('error', () => undefined);
  const { statusCode = 0, headers } = response;
  if (statusCode !== 200 || !isMediaType(headers['content-type'], ['text/event-stream'])) {
    sent.destroy();
    throw new MeasurementError(`the server responds with ${statusCode} instead of opening a stream`);
  }
  response
    .setEncoding('utf8')
    .on('data', onText)
    .on('error', () => undefined)
    .once('close', onEnd);
  return () => {
    response.off('close', onEnd);
    sent.destroy();
  };
}

function sendRequest(setup: Omit<StreamSetup, 'onText' | 'onEnd'>, socket: Socket): ClientRequest {
  const { target, wire, session, subscribedUri, signal } = setup;
  const { url } = target;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const options: RequestOptions = { ...(signal && { signal }), createConnection: () => socket };
  if (wire.isHandshake) {
    const headers = { ...target.headers, ...session, accept: 'text/event-stream' };
    return send(url, { ...options, method: 'GET', headers }).end();
  }
  const resources = subscribedUri === undefined ? {} : { resourceSubscriptions: [subscribedUri] };
  const listen = {
    method: 'subscriptions/listen',
    params: { notifications: { ...EVERYTHING, ...resources } },
  };
  const headers = { ...target.headers, ...buildMessageHeaders(wire, listen) };
  return send(url, { ...options, method: 'POST', headers }).end(
    JSON.stringify(buildMessage(wire, listen, 1)),
  );
}
