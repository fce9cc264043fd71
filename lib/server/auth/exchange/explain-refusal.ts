import { TokenEndpointError } from '../../../core/oauth/token-endpoint/token-endpoint.error.js';
import type { WantedToken } from '../../context/exchange.interface.js';
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
