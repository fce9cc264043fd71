import { hash } from 'node:crypto';
import { TokenEndpointError } from '../../../core/oauth/token-endpoint/request-token.js';
import type { WantedToken } from '../../context/token-exchange.js';
import { UnexchangeableTokenError } from '../errors.js';
import { quoteUrl, quoteValue } from '../quote-value.js';

/** What is to be done about each refusal of an authorization server. */
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
 * What is to be done about what Keycloak describes. It has the same name for several faults.
 *
 * @see https://www.keycloak.org/securing-apps/token-exchange
 */
const REMEDIES_BY_TEXT: readonly (readonly [text: RegExp, remedy: string])[] = [
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

/** Says why a token was not exchanged, for the log. */
export function explainRefusal(error: unknown, wanted: WantedToken): string {
  if (!(error instanceof TokenEndpointError))
    return error instanceof Error ? error.message : quoteValue(error);
  const { error: name, status, description, claims } = error;
  const said = description === undefined ? '' : ` (${quoteValue(description)})`;
  const wish = claims === undefined ? '' : `, and asks for the claims ${quoteValue(claims)}`;
  const remedy = findRemedy(error);
  const end = remedy === undefined ? '' : `: ${remedy}`;
  return `the authorization server answered with status ${status} and ${quoteValue(name)}${said}${describeTarget(wanted)}${wish}${end}`;
}

function findRemedy({ error: name, description = '' }: TokenEndpointError): string | undefined {
  const described = REMEDIES_BY_TEXT.find(([text]) => text.test(description));
  if (described !== undefined) return described[1];
  return Object.hasOwn(REMEDIES, name) ? REMEDIES[name] : undefined;
}

function describeTarget({ audience, resource }: WantedToken): string {
  const targets = [
    ...[audience ?? []].flat().map((one) => `the audience ${quoteUrl(one)}`),
    ...[resource ?? []].flat().map((one) => `the resource ${quoteUrl(one)}`),
  ];
  return targets.length === 0 ? '' : ` to a request for ${targets.slice(0, MOST_TARGETS).join(', ')}`;
}

/** Nobody reads more of them. */
const MOST_TARGETS = 4;

/** Between two warnings of the same refusal. */
const PAUSE_MS = 10_000;

/** Refusals of one status and code that are told apart: a caller may choose the audience, and texts may have numbers in them. */
const MOST_OF_A_KIND = 16;

/** Refusals that are told apart in all. */
const MOST = 256;

/** What is compared of a text. */
const LONGEST = 1000;

/** What differs in each description though the fault is the same: ids, times and counts. */
const VARYING =
  /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b|\b\d{4}-\d\d-\d\d[T ][\d:.]+Z?|\b(?=\w*\d)\w{16,}\b|\b\d+\b/gi;

/** A refusal, as those are told apart that are warned of each. */
interface RefusalName {
  /** The status and code. */
  readonly kind: string;
  /** What the authorization server says, and what was asked for; of any length. */
  readonly detail: string;
}

/** Knows which refusals the log has had lately, so that an outage that lasts does not fill it with a line for each call. */
export class RefusalThrottle {
  /** When each was warned of, the longest ago first. */
  readonly #warnedAt = new Map<string, number>();
  readonly #kinds = new Map<string, number>();

  /** Tells whether a refusal is to be warned of, and takes note that it is. */
  shouldWarn(error: unknown, wanted: WantedToken): boolean {
    const now = performance.now();
    this.#forget(now);
    const { kind, detail } = nameRefusal(error, wanted);
    const id = hash('sha256', kind, 'base64');
    const count = this.#kinds.get(id) ?? 0;
    // Beyond these, all refusals of a kind are one.
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

function nameRefusal(error: unknown, { audience, resource }: WantedToken): RefusalName {
  if (!(error instanceof TokenEndpointError)) {
    const kind = error instanceof UnexchangeableTokenError ? 'unexchangeable' : 'unavailable';
    return { kind, detail: error instanceof Error ? error.message.slice(0, LONGEST) : '' };
  }
  const said = (error.description ?? '').slice(0, LONGEST).replace(VARYING, '#');
  const asked = [audience, resource].map((one) => String(one).slice(0, LONGEST));
  return { kind: `${error.status} ${error.error.slice(0, LONGEST)}`, detail: JSON.stringify([said, asked]) };
}
