import { isMediaType } from '../../../lib/core/protocol/headers/http-headers.js';
import { NEWEST_HANDSHAKE_REVISION } from '../../../lib/core/protocol/revisions.js';
import { type Check, failure, ok, type Outcome, warning } from '../../../lib/core/doctor/finding.js';
import type { Target } from '../../../lib/core/doctor/target.js';
import type { ProbeRequest } from '../../../lib/core/doctor/probe/probe-wire.js';

/** Long enough for two keep-alive comments of this library, which are 15 seconds apart. */
const LONGEST_MS = 40_000;

/** The opening and two comments, because the first may arrive early when streams share a timer. */
const ENOUGH_CHUNKS = 3;

/** Data that arrives sooner belongs to the previous chunk. */
const BETWEEN_CHUNKS_MS = 100;

/** An observation of an idle stream. */
export interface IdleStream {
  /** How often data arrived. */
  readonly chunks: number;
  /** The silence before the last comment, or at the end. */
  readonly silentMs: number;
  /** Whether the stream ended before the observation did. */
  readonly isCut: boolean;
}

/** Whether an idle stream stays open. */
export const IDLE_STREAM_CHECKS: readonly Check[] = [{ id: 'stream-silence', run: checkIdleStream }];

async function checkIdleStream(target: Target): Promise<Outcome | undefined> {
  const request = (await openSession(target)) ?? (await listen(target));
  if (request === undefined) return undefined;
  const began = performance.now();
  let chunks = 0;
  let last = 0;
  let silentMs = 0;
  const { status, headers } = await target.request({
    ...request,
    timeoutMs: LONGEST_MS,
    isEnough: () => {
      const now = performance.now();
      if (now - last > BETWEEN_CHUNKS_MS) chunks += 1;
      silentMs = now - last;
      last = now;
      return chunks >= ENOUGH_CHUNKS;
    },
  });
  if (status !== 200 || !isMediaType(headers['content-type'], ['text/event-stream'])) return undefined;
  if (chunks === 0) return undefined;
  const now = performance.now();
  if (chunks < ENOUGH_CHUNKS) silentMs = now - last;
  return judgeIdleStream({ chunks, silentMs, isCut: now - began < LONGEST_MS * 0.95 });
}

/** Opens a session, and builds the request for its standalone SSE stream. */
async function openSession(target: Target): Promise<ProbeRequest | undefined> {
  const { version } = NEWEST_HANDSHAKE_REVISION;
  const { headers } = await target.send(target.introductions.buildInitialize(version));
  const id = headers['mcp-session-id'];
  if (typeof id !== 'string') return undefined;
  return {
    method: 'GET',
    headers: { 'mcp-session-id': id, 'mcp-protocol-version': version, accept: 'text/event-stream' },
  };
}

/** Builds the request that opens a stream without a session. */
async function listen(target: Target): Promise<ProbeRequest | undefined> {
  if ((await target.discovery()).result === undefined) return undefined;
  const { message, headers } = target.introductions.buildPerRequest('subscriptions/listen', {
    notifications: { toolsListChanged: true },
  });
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(message),
  };
}

/** Judges an observation. */
export function judgeIdleStream({ chunks, silentMs, isCut }: IdleStream): Outcome {
  const seconds = (silentMs / 1000).toFixed(1);
  if (chunks >= ENOUGH_CHUNKS)
    return ok(`Idle streams stay open: a keep-alive comment arrives after ${seconds} s`);
  const fix = 'Raise the proxy timeout above "streams.keepAliveMs", 15 seconds by default';
  if (isCut) return failure(`An idle stream is closed after ${seconds} s`, fix);
  return warning(
    `An idle stream receives nothing for ${seconds} s`,
    'Send keep-alive comments: proxies close idle streams',
  );
}
