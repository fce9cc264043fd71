import { isMediaType } from '../../../lib/core/protocol/headers/http-headers.js';
import { NEWEST_HANDSHAKE_REVISION } from '../../../lib/core/protocol/revisions.js';
import { type Check, failure, ok, type Outcome, warning } from '../../../lib/core/doctor/finding.js';
import type { Target } from '../../../lib/core/doctor/target.js';
import type { ProbeRequest } from '../../../lib/core/doctor/probe/probe-wire.js';

/** Long enough for two comments of this library's streams, 15 seconds apart. */
const LONGEST_MS = 40_000;

/** The opening, and two comments: the first may come soon, since streams share a clock. */
const ENOUGH_CHUNKS = 3;

/** What comes sooner belongs to what came before. */
const BETWEEN_CHUNKS_MS = 100;

/** What was seen of a stream. */
export interface IdleStream {
  /** How often something came. */
  readonly chunks: number;
  /** How long nothing had come, at the end or before the last comment. */
  readonly silentMs: number;
  /** Whether the end came before patience was at its end. */
  readonly isCut: boolean;
}

/** Whether a stream on which nothing happens stays open. */
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

/** Gives the request for the standing stream of a session of its own. */
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

/** Gives the request that opens a stream if there are no sessions. */
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

/** Judges what was seen of a stream. */
export function judgeIdleStream({ chunks, silentMs, isCut }: IdleStream): Outcome {
  const seconds = (silentMs / 1000).toFixed(1);
  if (chunks >= ENOUGH_CHUNKS) return ok(`A silent stream is kept alive: something comes after ${seconds} s`);
  const fix = 'Raise the time-out of the proxy above "streams.keepAliveMs", 15 seconds by default';
  if (isCut) return failure(`A silent stream is cut after ${seconds} s`, fix);
  return warning(
    `Nothing comes on a silent stream for ${seconds} s`,
    'Send comments: proxies cut silent streams',
  );
}
