import { hash } from 'node:crypto';
import { TokenEndpointError } from '../../../core/oauth/token-endpoint/token-endpoint.error.js';
import type { RequestedToken } from '../../context/token-exchange.js';
import { UnexchangeableTokenError } from '../errors.js';
import { quoteUrl, quoteValue } from '../quote-value.js';

/** How to fix each refusal of an authorization server. */
const REMEDIES: { readonly [error: string]: string } = {
  invalid_client:
    'check "auth.exchange.clientId", and its secret or key; if it is a key, set "auth.exchange.assertionAudience" as the server wants it',
  unauthorized_client:
    'allow the client of "auth.exchange" the grant of RFC 8693 there, or that of its "profile"',
  unsupported_grant_type:
    'name an authorization server in "auth.exchange" that has the grant of RFC 8693, or set "profile" to "on-behalf-of" if it is Entra ID',
  invalid_target: 'make the audience or the resource known there, or ask for another',
  invalid_scope: 'ask for scopes that the service has',
  invalid_grant: 'the caller\'s token is over or revoked, or was not given for the client of "auth.exchange"',
  interaction_required:
    'the user must log in again with more, such as a second factor: "claims" of the error says with what',
  consent_required: 'the user, or an administrator, must consent to the request',
  login_required: 'the user has to log in again',
  access_denied:
    'allow the client of "auth.exchange" to exchange this caller\'s token for that service; its policy, or the "aud" of the token, forbids it',
  invalid_request:
    'check that exchanges are switched on for the client of "auth.exchange", and that it may ask for the audience and the scopes',
};

/**
 * How to fix what Keycloak describes. It uses one error code for several problems.
 *
 * @see https://www.keycloak.org/securing-apps/token-exchange
 */
const REMEDIES_BY_TEXT: readonly (readonly [text: RegExp, fix: string])[] = [
  [
    /not within the token audience/i,
    'have the caller\'s token name the client of "auth.exchange" in "aud": in Keycloak, add an audience mapper to a scope of the client that the user logs in with',
  ],
  [
    /token exchange is not enabled/i,
    'in Keycloak, switch on "Standard token exchange" in the settings of the client of "auth.exchange"',
  ],
  [
    /audience not available/i,
    'in Keycloak, give the user a role of the client that is asked for, or add an audience mapper for it to a scope of the client of "auth.exchange"',
  ],
  [/public client/i, 'give the client of "auth.exchange" a secret or a key: public clients cannot exchange'],
];

/** Describes, for the log, why a token was not exchanged. */
export function explainRefusal(error: unknown, wanted: RequestedToken): string {
  if (!(error instanceof TokenEndpointError))
    return error instanceof Error ? error.message : quoteValue(error);
  const { error: name, status, description, claims } = error;
  const said = description === undefined ? '' : ` (${quoteValue(description)})`;
  const wish = claims === undefined ? '' : `, and asks for the claims ${quoteValue(claims)}`;
  const fix = findFix(error);
  const end = fix === undefined ? '' : `: ${fix}`;
  return `the authorization server answered with status ${status} and ${quoteValue(name)}${said}${describeTarget(wanted)}${wish}${end}`;
}

function findFix({ error: name, description = '' }: TokenEndpointError): string | undefined {
  const described = REMEDIES_BY_TEXT.find(([text]) => text.test(description));
  if (described !== undefined) return described[1];
  return Object.hasOwn(REMEDIES, name) ? REMEDIES[name] : undefined;
}

function describeTarget({ audience, resource }: RequestedToken): string {
  const targets = [
    ...[audience ?? []].flat().map((one) => `the audience ${quoteUrl(one)}`),
    ...[resource ?? []].flat().map((one) => `the resource ${quoteUrl(one)}`),
  ];
  return targets.length === 0 ? '' : ` to a request for ${targets.slice(0, MOST_TARGETS).join(', ')}`;
}

/** The most targets that a log line names. */
const MOST_TARGETS = 4;

/** Milliseconds between two warnings about the same refusal. */
const PAUSE_MS = 10_000;

/**
 * The most refusals of one status and code that are distinguished, because callers may choose the audience and
 * descriptions may vary.
 */
const MOST_OF_A_KIND = 16;

/** The most refusals that are distinguished in total. */
const MOST = 256;

/** The most characters that are compared. */
const LONGEST = 1000;

/** The parts of descriptions that vary although the problem is the same: ids, times and counts. */
const VARYING =
  /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b|\b\d{4}-\d\d-\d\d[T ][\d:.]+Z?|\b(?=\w*\d)\w{16,}\b|\b\d+\b/gi;

/** The identity of a refusal for throttling. */
interface RefusalName {
  /** The status and code. */
  readonly kind: string;
  /** The description of the authorization server, and the requested target. */
  readonly detail: string;
}

/** Throttles warnings about refusals, so that an outage does not fill the log with a line per call. */
export class RefusalThrottle {
  /** When each was logged, oldest first. */
  readonly #warnedAt = new Map<string, number>();
  readonly #kinds = new Map<string, number>();

  /** Returns whether to log a refusal as a warning, and records it. */
  shouldWarn(error: unknown, wanted: RequestedToken): boolean {
    const now = performance.now();
    this.#forget(now);
    const { kind, detail } = nameRefusal(error, wanted);
    const id = hash('sha256', kind, 'base64');
    const count = this.#kinds.get(id) ?? 0;
    // Beyond the limit, all refusals of a kind count as one.
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
