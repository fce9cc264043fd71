import { isIP } from 'node:net';
import type { Claims } from '../../core/oauth/claims.js';
import { fingerprintSession } from '../../core/protocol/fingerprint-session.js';
import { fingerprintTask } from '../../core/protocol/fingerprint-task.js';
import { escapeText } from '../context/escape-text.js';
import { findSubject } from '../context/find-subject.js';
import { findClient, type HttpRequest } from '../telemetry/network.js';

/** What a line of the log is about: the context of a request, or as much as is known of one. */
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

/** Stands for what is not known, or what there is not, as in the logs of web servers. */
const ABSENT = '-';
const LONGEST = 200;

/**
 * Writes a line of the log about a call or a refusal. All of them say in the same form who calls, in which session, and what for; no
 * secret stands in it, and no client can begin a line of its own.
 */
export function formatLine(text: string, subject: LogSubject): string {
  return `${escapeText(text)} [${describe(subject)}]`;
}

function describe({
  auth,
  authentication = auth,
  http,
  session,
  method,
  params,
  taskId,
}: LogSubject): string {
  const { sub, iss, clientId } = authentication?.claims ?? {};
  const named = http?.headers['mcp-session-id'];
  const sessionId = session?.id ?? (typeof named === 'string' ? named : undefined);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['caller', quote(sub)],
    ...(iss === undefined ? [] : [['issuer', quote(iss)] as const]),
    ...(clientId === undefined ? [] : [['client', quote(clientId)] as const]),
    ['session', sessionId && fingerprintSession(sessionId)],
    ['address', formatAddress(http && findClient({ http })?.address)],
    ['method', quote(method)],
    ['target', quote(findSubject(params))],
    ...(taskId === undefined ? [] : [['task', fingerprintTask(taskId)] as const]),
  ];
  return facts.map(([name, value = ABSENT]) => `${name}=${value}`).join(' ');
}

/** Quotes what somebody else has chosen, so that it cannot pass for the next fact. */
function quote(value: string | undefined): string | undefined {
  return value === undefined ? undefined : escapeText(JSON.stringify(cut(value)));
}

/** Behind a proxy that is trusted it may be any text of the caller. */
function formatAddress(address: string | undefined): string | undefined {
  return address === undefined || isIP(address) !== 0 ? address : quote(address);
}

function cut(value: string): string {
  return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
}
