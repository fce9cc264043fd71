import type {
  AuthSettings,
  IntrospectionSettings,
  JwtSettings,
  TokenExchangeSettings,
} from '../../settings/auth-settings.js';

/** Finds which defaults are given up for an authorization server: for each a sentence that says what that costs. */
export function findExits(auth: AuthSettings): readonly string[] {
  const { insecureHosts, ignoreIssuerSlash, jwt, introspection, exchange } = auth;
  return [
    ...(insecureHosts.length === 0
      ? []
      : [
          `"auth.insecureHosts" has ${quote(insecureHosts)}: authorization servers there are reached by "http", so anybody on the way can read secrets and supply false keys`,
        ]),
    ...(ignoreIssuerSlash
      ? ['"auth.ignoreIssuerSlash" is true: issuers that differ by a slash at the end are taken for the same']
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
      `"auth.jwt.clientsWithoutAudience" has ${quote(clientsWithoutAudience)}: tokens that ${whose} got without an audience are accepted, even those for other services`,
    );
  }
  if (audienceClaim !== 'aud') {
    exits.push(
      `"auth.jwt.audienceClaim" is "${audienceClaim}": "aud" of tokens is ignored, even if it names another resource`,
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
    '"auth.exchange.assertionAudience" is "token_endpoint": assertions name a URL, which another authorization server could have named for its own',
  ];
}

function describeTolerance(option: string, claims: readonly string[]): string {
  return `"${option}.toleratedClaims" has ${quote(claims)}: ID tokens for the same audience are no longer told apart by that from access tokens`;
}

function quote(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(', ');
}
