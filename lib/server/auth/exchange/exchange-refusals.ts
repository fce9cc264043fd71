import { hash } from 'node:crypto';
import { TokenEndpointError } from '../../../core/oauth/token-endpoint/token-endpoint.error.js';
import type { RequestedToken } from '../../context/token-exchange.js';
import { UnexchangeableTokenError } from '../errors.js';
import { quoteUrl, quoteValue } from '../quote-value.js';

/** How to fix each refusal of an authorization server. */
const FIXES: { readonly [error: string]: string } = {
  invalid_client:
    'check "auth.exchange.clientId" and its secret or key; for a key, set "auth.exchange.assertionAudience" to the value that the server expects',
  unauthorized_client:
    'allow the "auth.exchange" client to use the token exchange grant (RFC 8693), or the grant of its "profile"',
  unsupported_grant_type:
    'use an authorization server in "auth.exchange" that supports the token exchange grant (RFC 8693), or set "profile" to "on-behalf-of" for Entra ID',
  invalid_target:
    'register the audience or the resource with the authorization server, or request a different one',
  invalid_scope: 'request scopes that the service defines',
  invalid_grant:
    'the caller\'s token has expired or was revoked, or was not issued for the "auth.exchange" client',
  interaction_required:
    'the user must log in again with stronger authentication, such as a second factor: "claims" in the error lists what is required',
  consent_required: 'the user, or an administrator, must consent to the request',
  login_required: 'the user must log in again',
  access_denied:
    'allow the "auth.exchange" client to exchange this caller\'s token for that service, because its policy or the "aud" of the token forbids it',
  invalid_request:
    'check that token exchange is enabled for the "auth.exchange" client, and that it may request the audience and the scopes',
};

/**
 * How to fix what Keycloak describes. It uses one error code for several problems.
 *
 * @see https://www.keycloak.org/securing-apps/token-exchange
 */
const FIXES_BY_DESCRIPTION: readonly (readonly [text: RegExp, fix: string])[] = [
  [
    /not within the token audience/i,
    'add the "auth.exchange" client to the "aud" of the caller\'s token: in Keycloak, add an audience mapper to a scope of the client that the user logs in with',
  ],
  [
    /token exchange is not enabled/i,
    'in Keycloak, enable "Standard token exchange" in the settings of the "auth.exchange" client',
  ],
  [
    /audience not available/i,
    'in Keycloak, give the user a role of the requested client, or add an audience mapper for it to a scope of the "auth.exchange" client',
  ],
  [
    /public client/i,
    'configure a secret or a key for the "auth.exchange" client: public clients cannot exchange tokens',
  ],
];

/** Describes, for the log, why a token was not exchanged. */
export function explainRefusal(error: unknown, wanted: RequestedToken): string {
  if (!(error instanceof TokenEndpointError))
    return error instanceof Error ? error.message : quoteValue(error);
  const { error: name, status, description, claims } = error;
  const said = description === undefined ? '' : ` (${quoteValue(description)})`;
  const wish = claims === undefined ? '' : `, and requires the claims ${quoteValue(claims)}`;
  const fix = findFix(error);
  const end = fix === undefined ? '' : `: ${fix}`;
  return `the authorization server responded with status ${status} and ${quoteValue(name)}${said}${describeTarget(wanted)}${wish}${end}`;
}

function findFix({ error: name, description = '' }: TokenEndpointError): string | undefined {
  const described = FIXES_BY_DESCRIPTION.find(([text]) => text.test(description));
  if (described !== undefined) return described[1];
  return Object.hasOwn(FIXES, name) ? FIXES[name] : undefined;
}

function describeTarget({ audience, resource }: RequestedToken): string {
  const targets = [
    ...[audience ?? []].flat().map((one) => `the audience ${quoteUrl(one)}`),
    ...[resource ?? []].flat().map((one) => `the resource ${quoteUrl(one)}`),
  ];
  return targets.length === 0 ? '' : ` to a request for ${targets.slice(0, MOST_TARGETS).join(', ')}`;
}

/** The maximum number of targets listed in a log line. */
const MOST_TARGETS = 4;

/** Milliseconds between two warnings about the same refusal. */
const PAUSE_MS = 10_000;

/**
 * The maximum number of distinct refusals per status and code, because callers may choose the audience and
 * descriptions may vary.
 */
const MOST_OF_A_KIND = 16;

/** The maximum number of distinct refusals in total. */
const MOST = 256;

/** The maximum number of characters to compare. */
const LONGEST = 1000;

/** The parts of a description that vary even if the problem is the same: ids, times and counts. */
const VARYING =
  /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b|\b\d{4}-\d\d-\d\d[T ][\d:.]+Z?|\b(?=\w*\d)\w{16,}\b|\b\d+\b/gi;

/** The key under which a refusal is throttled. */
interface RefusalName {
  /** The status and code. */
  readonly kind: string;
  /** The authorization server's description, and the requested target. */
  readonly detail: string;
}

/** Throttles warnings about refusals. Otherwise, an outage would fill the log with a line per call. */
export class RefusalThrottle {
  /** When each was logged, oldest first. */
  readonly #warnedAt = new Map<string, number>();
  readonly #kinds = new Map<string, number>();

  /** Records a refusal, and returns whether to log it as a warning. */
  shouldWarn(error: unknown, wanted: RequestedToken): boolean {
    const now = performance.now();
    this.#forget(now);
    const { kind, detail } = nameRefusal(error, wanted);
    const id = hash('sha256', kind, 'base64');
    const count = this.#kinds.get(id) ?? 0;
    // Beyond the limit, all refusals of a kind are treated as one.
    const isCrowded = count >= MOST_OF_A_KIND;
    const key = isCrowded ? id : `${id} ${hash('sha256', detail, 'base64')}`;
    if (this.#warnedAt.has(key) || this.#warnedAt.size >= MOST) return false;
    this.#warnedAt.set(key, now);
    this.#kinds.set(id, count + 1);
    return true;
  }

  #forget(now: number): void {
    for (const [key, warnedAt] of this.#warnedAt) {
      if (now - warnedAt < PAUSE_MS) return;
      this.#warnedAt.delete(key);
      const [id = ''] = key.split(' ');
      const left = (this.#kinds.get(id) ?? 1) - 1;
      if (left === 0) this.#kinds.delete(id);
      else this.#kinds.set(id, left);
    }
  }
}

function nameRefusal(error: unknown, { audience, resource }: RequestedToken): RefusalName {
  if (!(error instanceof TokenEndpointError)) {
    const kind = error instanceof UnexchangeableTokenError ? 'unexchangeable' : 'unavailable';
    return { kind, detail: error instanceof Error ? error.message.slice(0, LONGEST) : '' };
  }
  const said = (error.description ?? '').slice(0, LONGEST).replace(VARYING, '#');
  const asked = [audience, resource].map((one) => String(one).slice(0, LONGEST));
  return { kind: `${error.status} ${error.error.slice(0, LONGEST)}`, detail: JSON.stringify([said, asked]) };
}
