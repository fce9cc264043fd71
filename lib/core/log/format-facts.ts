import { escapeText, redactCredentials } from './escape-text.js';

/** What is known of a log line's caller and subject. */
export interface LogFacts {
  readonly caller?: LoggedCaller | undefined;
  /** The session's fingerprint. */
  readonly session?: string | undefined;
  readonly address?: string | undefined;
  readonly method?: string | undefined;
  readonly target?: string | undefined;
  /** The task's fingerprint. */
  readonly task?: string | undefined;
}

/** The caller's identity from its token. */
export interface LoggedCaller {
  readonly sub?: string | undefined;
  readonly iss?: string | undefined;
  readonly clientId?: string | undefined;
}

/** A placeholder for an unknown or missing value, as in web server logs. */
const ABSENT = '-';
const LONGEST = 200;

/**
 * Formats a log line about a call or a refusal. All of them name the caller, the session and the call in the same form.
 * They contain no secrets, and client input cannot start a new line.
 */
export function formatFacts(text: string, facts: LogFacts): string {
  const { caller: { sub, iss, clientId } = {}, session, address, method, target, task } = facts;
  const named: readonly (readonly [string, string | undefined])[] = [
    ['caller', quote(sub)],
    ...(iss === undefined ? [] : [['issuer', quote(iss)] as const]),
    ...(clientId === undefined ? [] : [['client', quote(clientId)] as const]),
    ['session', session],
    ['address', address],
    ['method', quote(method)],
    ['target', quote(target)],
    ...(task === undefined ? [] : [['task', task] as const]),
  ];
  const formatted = named.map(([name, value = ABSENT]) => `${name}=${value}`).join(' ');
  return `${escapeText(text)} [${formatted}]`;
}

/** Quotes untrusted input, so that it cannot be mistaken for the next fact. */
export function quote(value: string | undefined): string | undefined {
  return value === undefined ? undefined : escapeText(JSON.stringify(redactCredentials(value, LONGEST)));
}
