import { quoteAll } from '../../../core/words/words.js';
import type { AuthSettings } from '../../settings/auth/auth-options.js';
import type { TokenExchangeSettings } from '../../settings/auth/exchange-options.js';
import type { IntrospectionSettings } from '../../settings/auth/introspection-options.js';
import type { JwtSettings } from '../../settings/auth/jwt-options.js';

/** Finds the safe defaults that the settings disable. Returns a sentence about the consequences of each. */
export function findUnsafeSettings(auth: AuthSettings): readonly string[] {
  const { insecureHosts, ignoreIssuerSlash, jwt, introspection, exchange } = auth;
  return [
    ...(insecureHosts.length === 0
      ? []
      : [
          `"auth.insecureHosts" contains ${quoteAll(insecureHosts)}: authorization servers there are accessed over "http", so anyone on the network path can read secrets and supply false keys`,
        ]),
    ...(ignoreIssuerSlash
      ? [
          '"auth.ignoreIssuerSlash" is true: issuers that differ only by a trailing slash are treated as the same',
        ]
      : []),
    ...new Set(jwt.flatMap(findExitsOfJwt)),
    ...(introspection ? findExitsOfIntrospection(introspection) : []),
    ...(exchange ? findExitsOfExchange(exchange) : []),
  ];
}

function findExitsOfJwt({
  toleratedClaims,
  clientsWithoutAudience,
  audienceClaim,
}: JwtSettings): readonly string[] {
  const exits: string[] = [];
  if (toleratedClaims.length > 0) exits.push(describeTolerance('auth.jwt', toleratedClaims));
  if (clientsWithoutAudience.length > 0) {
    const whose = clientsWithoutAudience.includes('*') ? 'any client' : 'these clients';
    exits.push(
      `"auth.jwt.clientsWithoutAudience" contains ${quoteAll(clientsWithoutAudience)}: tokens from ${whose} are accepted without an audience, even those for other services`,
    );
  }
  if (audienceClaim !== 'aud') {
    exits.push(
      `"auth.jwt.audienceClaim" is "${audienceClaim}": the server ignores "aud", even if it names another resource`,
    );
  }
  return exits;
}

function findExitsOfIntrospection({
  toleratedClaims,
  unsafeAllowMissingAudience,
}: IntrospectionSettings): readonly string[] {
  return [
    ...(toleratedClaims.length > 0 ? [describeTolerance('auth.introspection', toleratedClaims)] : []),
    ...(unsafeAllowMissingAudience
      ? [
          '"auth.introspection.unsafeAllowMissingAudience" is true: tokens without an audience are accepted, even those for other services',
        ]
      : []),
  ];
}

function findExitsOfExchange({ privateKey, assertionAudience }: TokenExchangeSettings): readonly string[] {
  if (privateKey === undefined || assertionAudience === 'issuer') return [];
  return [
    '"auth.exchange.assertionAudience" is "token_endpoint": assertions name a URL that another authorization server could claim as its own',
  ];
}

function describeTolerance(option: string, claims: readonly string[]): string {
  return `"${option}.toleratedClaims" contains ${quoteAll(claims)}: tokens with these claims are no longer refused as ID tokens, so ID tokens for the same audience may be accepted`;
}
