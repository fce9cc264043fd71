import {
  findIdentityFault,
  type ClientIdentity,
} from '../../../core/oauth/token-endpoint/client-identity.js';

/**
 * Refuses a client that could not show who it is.
 *
 * @throws {TypeError} with the option that is wrong
 */
export function assertClient(identity: ClientIdentity, prefix = ''): void {
  const found = findIdentityFault(identity);
  if (found !== undefined) throw new TypeError(`The "${prefix}${found.member}" ${found.fault}`);
}

/**
 * Refuses a token endpoint without its issuer, if something is to be made for that.
 *
 * @throws {TypeError} if it is missing
 */
export function assertIssuerKnown(options: {
  readonly tokenEndpoint?: string | undefined;
  readonly issuer?: string | undefined;
}): void {
  if (options.tokenEndpoint === undefined || options.issuer !== undefined) return;
  throw new TypeError(
    'The "issuer" is required beside "tokenEndpoint": assertions are made for it, as its metadata spells it',
  );
}
