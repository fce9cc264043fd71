import {
  assertMembers,
  fail,
  flag,
  list,
  members,
  milliseconds,
  notNegative,
  oneOf,
  oneOrSeveral,
  positive,
  several,
  text,
  type Check,
  type Checks,
} from '../../../core/checks/option-checks.js';
import { isScope } from '../../../core/oauth/scope.js';
import { tracerProvider } from '../../../core/telemetry/telemetry-checks.js';
import type { JwtOptions } from '../auth-options.interface.js';
import { ASYMMETRIC_ALGORITHMS, ID_TOKEN_CLAIMS } from '../auth-settings.js';
import type { UrlChecks } from './url-checks.js';

const scopePrefix: Check = (option, value) => {
  if (value !== '' && !isScope(value)) fail(option, 'must be a prefix of scopes, such as "api://desk/"');
};

const clients: Check = (option, value) => {
  list(text)(option, value);
  const listed = value as readonly string[];
  if (listed.includes('*') && listed.length > 1) {
    fail(option, 'must be ["*"] or name clients: with "*" no other counts');
  }
};

const JWT: Checks = {
  audience: oneOrSeveral(text),
  audienceClaim: text,
  algorithms: several(oneOf(...ASYMMETRIC_ALGORITHMS)),
  types: list(text),
  toleratedClaims: list(oneOf(...ID_TOKEN_CLAIMS)),
  clientsWithoutAudience: clients,
  scopeClaims: list(text),
  scopePrefix,
  clockToleranceSeconds: notNegative,
  cacheTtlMs: notNegative,
  cacheSize: positive,
  jwks: members({
    cooldownMs: positive,
    maximumAgeMs: positive,
    maximumStaleMs: notNegative,
    timeoutMs: milliseconds,
    prefetch: flag,
  }),
  tracerProvider,
  jwksTracerProvider: tracerProvider,
};

/** Creates the check of `auth.jwt`, or of one of several. */
export function createJwtCheck({ secureUrl, issuerUrl }: UrlChecks): Check {
  const checks = { issuer: oneOrSeveral(text), jwksUrl: secureUrl, ...JWT };
  return (option, value) => {
    assertMembers(option, value, checks);
    const { issuer, jwksUrl } = value as JwtOptions;
    if (issuer === undefined || jwksUrl !== undefined) return;
    oneOrSeveral(issuerUrl)(`${option}.issuer`, issuer);
  };
}
