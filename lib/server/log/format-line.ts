import { isIP } from 'node:net';
import { formatFacts, quote } from '../../core/log/format-facts.js';
import type { Claims } from '../../core/oauth/access-token.js';
import { fingerprintSession, fingerprintTask } from '../../core/protocol/fingerprints.js';
import { findSubject } from '../context/find-subject.js';
import { findClientAddress, type HttpRequest } from '../telemetry/network.js';

/** A log line's subject: a request's context, or the part of it that is known. */
export interface LogSubject {
  readonly auth?: { readonly claims?: Claims | undefined } | undefined;
  /** @default the value of `auth` */
  readonly authentication?: { readonly claims?: Claims | undefined } | undefined;
  readonly http?: HttpRequest | undefined;
  /** @default the session that the HTTP request names */
  readonly session?: { readonly id: string } | undefined;
  readonly method?: string | undefined;
  readonly params?: unknown;
  /** The id of the related task. @default none */
  readonly taskId?: string | undefined;
}

/**
 * Formats a log line about a call or a refusal. All lines name the caller, the session and the call in the same form.
 * They contain no secrets, and clients cannot inject line breaks.
 */
export function formatLine(text: string, subject: LogSubject): string {
  const { auth, authentication = auth, http, session, method, params, taskId } = subject;
  const named = http?.headers['mcp-session-id'];
  const sessionId = session?.id ?? (typeof named === 'string' ? named : undefined);
  return formatFacts(text, {
    caller: authentication?.claims,
    session: sessionId && fingerprintSession(sessionId),
    address: formatAddress(http && findClientAddress({ http })),
    method,
    target: findSubject(params),
    task: taskId === undefined ? undefined : fingerprintTask(taskId),
  });
}

/** Behind a trusted proxy, the address may be any string that the caller sent. */
function formatAddress(address: string | undefined): string | undefined {
  return address === undefined || isIP(address) !== 0 ? address : quote(address);
}

/** Returns the subject for a log line about a request whose body has not been read. */
export function buildLogSubject(request: object | undefined): { readonly http?: HttpRequest } {
  if (request === undefined || !('headers' in request)) return {};
  return { http: { headers: request.headers as HttpRequest['headers'], request } };
}
