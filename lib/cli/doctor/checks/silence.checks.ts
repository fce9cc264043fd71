import { isMediaType } from '../../../core/protocol/headers/media-type.js';
import { NEWEST_HANDSHAKE_REVISION } from '../../../core/protocol/revisions.js';
import type { Check } from '../check.interface.js';
import { fault, ok, warning, type Outcome } from '../finding.js';
import type { Patient } from '../patient.js';
import type { ProbeRequest } from '../probe/http-probe.js';
import { buildInitialize, buildPerRequest } from '../probe/messages.js';

/** Longer than this library's streams are silent, and shorter than most proxies wait. */
const LONGEST_SILENCE_MS = 20_000;

/** What comes sooner belongs to the opening of the stream. */
const OPENING_MS = 100;

/** Whether a stream on which nothing happens stays open. */
export const SILENCE_CHECKS: readonly Check[] = [{ id: 'stream-silence', run: checkSilence }];

async function checkSilence(patient: Patient): Promise<Outcome | undefined> {
  const request = (await openSession(patient)) ?? (await listen(patient));
  if (request === undefined) return undefined;
  let openedAt: number | undefined;
  let isKeptAlive = false;
  const { status, headers } = await patient.request({
    ...request,
    timeoutMs: LONGEST_SILENCE_MS,
    isEnough: () => {
      openedAt ??= performance.now();
      isKeptAlive = performance.now() - openedAt > OPENING_MS;
      return isKeptAlive;
    },
  });
  if (status !== 200 || !isMediaType(headers['content-type'], ['text/event-stream'])) return undefined;
  if (openedAt === undefined) return undefined;
  return judgeSilence(isKeptAlive, performance.now() - openedAt);
}

/** Gives the request for the standing stream of a session of its own. */
async function openSession(patient: Patient): Promise<ProbeRequest | undefined> {
  const { version } = NEWEST_HANDSHAKE_REVISION;
  const { headers } = await patient.send(buildInitialize(version));
  const id = headers['mcp-session-id'];
  if (typeof id !== 'string') return undefined;
  return {
    method: 'GET',
    headers: { 'mcp-session-id': id, 'mcp-protocol-version': version, accept: 'text/event-stream' },
  };
}

/** Gives the request that opens a stream where there are no sessions. */
async function listen(patient: Patient): Promise<ProbeRequest | undefined> {
  if ((await patient.discovery()).result === undefined) return undefined;
  const { message, headers } = buildPerRequest('subscriptions/listen', {
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

/** Judges a stream that was open for so long. */
export function judgeSilence(isKeptAlive: boolean, lastedMs: number): Outcome {
  const seconds = (lastedMs / 1000).toFixed(1);
  if (isKeptAlive) return ok(`A silent stream is kept alive: something comes after ${seconds} s`);
  const remedy = 'Raise the time-out of the proxy above "streams.keepAliveMs", 15 seconds by default';
  if (lastedMs < LONGEST_SILENCE_MS * 0.9) return fault(`A silent stream is cut after ${seconds} s`, remedy);
  return warning(
    `Nothing comes on a silent stream for ${seconds} s`,
    'Send comments: proxies cut silent streams',
  );
}
