import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestSecure } from 'node:https';
import { rootCertificates } from 'node:tls';
import { parseRetryAfter } from '../../../../core/protocol/headers/http-headers.js';
import type { SlotClaim } from '../../../../core/async/concurrency.js';
import type { WebhookSettings } from '../../../settings/extensions/events-options.js';
import { pinLookup, resolveReceiver } from './receiver-address.js';
import type { DeliveryProblem } from './webhook-delivery.interface.js';
import { WebhookReceiverError } from './webhook.error.js';
import { signMessage, type SignedMessage } from './sign-message.js';

/** A request to a receiver. */
interface ReceiverRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The outcome of an attempt. A final failure is not retried. */
export type PostOutcome =
  | { readonly kind: 'accepted'; readonly answer?: Buffer }
  /** The receiver rejected this message with 410, which is not a failure. */
  | { readonly kind: 'rejected' }
  | {
      readonly kind: 'failed';
      readonly problem: DeliveryProblem;
      readonly isFinal: boolean;
      readonly retryAfterMs?: number | undefined;
    };

/** Client errors that may be temporary. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

const TLS_CODE =
  /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_|EPROTO)/;

/**
 * Sends a message once, over a separate connection to a checked address. Redirects are not followed, and only the
 * response status counts.
 *
 * @see Standard Webhooks 1.0.0, "Delivery success and failure"
 */
export async function postMessage(
  message: ReceiverRequest,
  settings: WebhookSettings,
  signal: AbortSignal,
): Promise<PostOutcome> {
  const limit = new AbortController();
  const stop = () => limit.abort();
  const timer = setTimeout(stop, settings.timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await exchange(message, settings, limit.signal);
  } catch (error) {
    return { kind: 'failed', problem: limit.signal.aborted ? 'timeout' : findProblem(error), isFinal: false };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

async function exchange(
  message: ReceiverRequest,
  settings: WebhookSettings,
  signal: AbortSignal,
): Promise<PostOutcome> {
  const addresses = await resolveReceiver(message.url, settings, signal);
  signal.throwIfAborted();
  const response = await send(message, {
    lookup: pinLookup(addresses),
    signal,
    ...(settings.certificateAuthorities.length > 0 && {
      ca: [...rootCertificates, ...settings.certificateAuthorities],
    }),
  });
  const outcome = judge(response);
  const answer = await drain(response, settings.maxResponseBytes);
  return outcome.kind === 'accepted' ? { ...outcome, answer } : outcome;
}

/** No agent reuses the connection, because the next request may be pinned to other addresses. */
function send({ url, headers, body }: ReceiverRequest, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const start = url.protocol === 'https:' ? requestSecure : requestPlain;
    const request = start(url, {
      ...options,
      method: 'POST',
      agent: false,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': body.length,
        'user-agent': 'nestjs-mcp',
      },
    });
    request.on('response', resolve);
    request.on('error', reject);
    request.on('close', () => reject(new Error('The connection was closed without a response')));
    request.end(body);
  });
}

function judge({ statusCode = 0, headers }: IncomingMessage): PostOutcome {
  if (statusCode >= 200 && statusCode < 300) return { kind: 'accepted' };
  if (statusCode === 410) return { kind: 'rejected' };
  const retryAfterMs = parseRetryAfter(headers['retry-after'], Date.now());
  if (statusCode >= 300 && statusCode < 400) {
    return { kind: 'failed', problem: 'http_3xx_redirect', isFinal: true };
  }
  if (statusCode >= 400 && statusCode < 500) {
    return { kind: 'failed', problem: 'http_4xx', isFinal: !PASSING_STATUSES.has(statusCode), retryAfterMs };
  }
  return { kind: 'failed', problem: 'http_5xx', isFinal: false, retryAfterMs };
}

/** Reads the response body up to a limit. The outcome depends only on the status, which is already known. */
async function drain(response: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    response.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > mostBytes) response.destroy();
      else chunks.push(chunk);
    });
    const end = () => resolve(Buffer.concat(chunks));
    response.on('error', end);
    response.on('close', end);
  });
}

/** A forbidden address is reported like an unreachable one, because the difference would reveal the local network. */
function findProblem(error: unknown): DeliveryProblem {
  if (error instanceof WebhookReceiverError) return 'connection_refused';
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ETIMEDOUT') return 'timeout';
  return TLS_CODE.test(code ?? '') ? 'tls_error' : 'connection_refused';
}

/** Builds the signed request that sends a message to a subscription's receiver. */
export function buildSignedRequest(
  { id, body }: Pick<SignedMessage, 'id' | 'body'>,
  subscription: { readonly id: string; readonly receiver: URL },
  keys: readonly Buffer[],
): ReceiverRequest {
  const signed = signMessage({ id, body, sentAt: Date.now() }, keys);
  const headers = { ...signed, 'x-mcp-subscription-id': subscription.id };
  return { url: subscription.receiver, headers, body };
}

/**
 * Identifies the owner and the receiver for the fair distribution of slots. Without an owner, the application itself
 * is the sender, and no share applies.
 */
export function claimSlot(owner: string | undefined, receiver: URL): SlotClaim {
  return owner === undefined ? {} : { caller: owner, target: receiver.href };
}
