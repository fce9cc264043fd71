import { isIP } from 'node:net';
import { formatFacts, quote } from '../../core/log/format-facts.js';
import type { Claims } from '../../core/oauth/access-token.js';
import { fingerprintSession, fingerprintTask } from '../../core/protocol/fingerprints.js';
import { findSubject } from '../context/find-subject.js';
import { findClientAddress, type HttpRequest } from '../telemetry/network.js';

/** The subject of a log line: the context of a request, or the known part of it. */
export interface LogSubject {
  readonly auth?: { readonly claims?: Claims | undefined } | undefined;
  /** @default that of `auth` */
  readonly authentication?: { readonly claims?: Claims | undefined } | undefined;
  readonly http?: HttpRequest | undefined;
  /** @default the one that the HTTP request names */
  readonly session?: { readonly id: string } | undefined;
  readonly method?: string | undefined;
  readonly params?: unknown;
  /** The id of the task that it is about. @default none */
  readonly taskId?: string | undefined;
}

/**
 * Writes a line of the log about a call or a refusal. All of them name the caller, the session and the call in the same
 * form. They contain no secrets, and no client can begin a line of its own.
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

/** Behind a proxy that is trusted it may be any text of the caller. */
function formatAddress(address: string | undefined): string | undefined {
  return address === undefined || isIP(address) !== 0 ? address : quote(address);
}

/** Says of what request a line of the log is, as far as it is known before its body is read. */
export function buildLogSubject(request: object | undefined): { readonly http?: HttpRequest } {
  if (request === undefined || !('headers' in request)) return {};
  return { http: { headers: request.headers as HttpRequest['headers'], request } };
}
