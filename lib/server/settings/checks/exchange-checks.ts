import {
  assertMembers,
  fail,
  milliseconds,
  oneOf,
  positive,
  required,
  text,
  type Check,
  type Checks,
} from '../../../core/checks/option-checks.js';
import { findIdentityFault } from '../../../core/oauth/token-endpoint/client-identity.js';
import type { TokenExchangeOptions } from '../auth-options.interface.js';
import { ASYMMETRIC_ALGORITHMS } from '../auth-settings.js';

const privateKey: Check = (option, value) => {
  const isKey =
    typeof value === 'string' ? value.includes('PRIVATE KEY') : typeof value === 'object' && value !== null;
  if (!isKey) fail(option, 'must be a private key, as PEM or JWK');
};

const EXCHANGE: Checks = {
  profile: oneOf('token-exchange', 'on-behalf-of'),
  clientId: required(text, '"desk"'),
  clientSecret: text,
  privateKey,
  assertionAudience: oneOf('issuer', 'token_endpoint'),
  signingAlgorithm: oneOf(...ASYMMETRIC_ALGORITHMS),
  keyId: text,
  authenticationMethod: oneOf('client_secret_basic', 'client_secret_post', 'private_key_jwt'),
  cacheSize: positive,
  timeoutMs: milliseconds,
};

/** Creates the check of `auth.exchange`. */
export function createExchangeCheck(secureUrl: Check): Check {
  const checks = { tokenEndpoint: secureUrl, ...EXCHANGE };
  return (option, value) => {
    assertMembers(option, value, checks);
    const options = value as TokenExchangeOptions;
    const found = findIdentityFault(options);
    if (found !== undefined) fail(`${option}.${found.member}`, found.fault);
    if (options.clientSecret === undefined && options.privateKey === undefined) {
      fail(
        `${option}.clientSecret`,
        'is required, or "privateKey": write for example process.env.DESK_SECRET',
      );
    }
  };
}
