import { findAuthority, type Claims } from '../../../core/oauth/access-token.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { Authentication, AuthMethod } from '../../context/authentication.js';
import { identifyCaller } from '../../context/caller-identity.js';
import { InvalidTokenError } from '../errors.js';

/** A validated token, unless its binding cannot be checked. */
interface ReadToken {
  readonly method: AuthMethod;
  readonly claims: Claims;
  readonly token: string;
  /** Whether the server checks key proofs. @default false */
  readonly takesDpop?: boolean | undefined;
}

/**
 * Builds the cached result for a validated token. Without a subject, the token itself identifies the caller, since
 * many callers may use the same client.
 *
 * @throws {BoundTokenError} if it has a binding that the server does not check
 */
export function buildAuthentication({ method, claims, token, takesDpop = false }: ReadToken): Authentication {
  const { iss, sub, extra } = claims;
  const keyThumbprint = findKeyThumbprint(extra['cnf'], takesDpop);
  const identity = identifyCaller({
    authority: findAuthority(iss, method),
    name: sub === undefined ? { token } : { subject: sub },
    key: keyThumbprint,
  });
  const scopes = new Set(claims.scopes);
  return { method, claims, scopes, identity, ...(keyThumbprint !== undefined && { keyThumbprint }) };
}

/**
 * Reports that a token has a binding that the server cannot check. The sender may learn this, because the token
 * itself contains it.
 */
export class BoundTokenError extends InvalidTokenError {
  constructor(
    reason: string,
    /** The message for the caller, as a sentence without quotes. */
    readonly description: string,
  ) {
    super(reason);
  }
}

/** The SHA-256 of a key, in base64url. */
const THUMBPRINT = /^[\w-]{43}$/;

/**
 * Returns the thumbprint of the key that a token is bound to, or `undefined` for a bearer token.
 *
 * A bound token must not be accepted without proof, so its binding must be supported and checked.
 *
 * @param cnf the claim of that name
 * @param takesDpop whether the server checks DPoP proofs
 * @throws {BoundTokenError} if it has a binding that the server does not check
 * @see RFC 9449 §6, RFC 8705 §3, RFC 7800 §3.1
 */
export function findKeyThumbprint(cnf: unknown, takesDpop: boolean): string | undefined {
  if (cnf === undefined) return undefined;
  const { jkt, 'x5t#S256': certificate } = isObject(cnf) ? cnf : {};
  if (certificate !== undefined) throw refuseCertificate(takesDpop);
  if (typeof jkt !== 'string' || !THUMBPRINT.test(jkt)) throw refuseUnknown();
  if (takesDpop) return jkt;
  throw new BoundTokenError(
    'its "cnf" claim contains "jkt", which binds it to a key: set "auth.dpop", or send an unbound token',
    'The token is bound to a key with DPoP, which this server does not accept: send an unbound token',
  );
}

function refuseCertificate(takesDpop: boolean): BoundTokenError {
  const fix = takesDpop ? 'a DPoP-bound or unbound token' : 'an unbound token';
  return new BoundTokenError(
    `its "cnf" claim contains "x5t#S256", which binds it to a TLS client certificate, and this server does not check those: send ${fix}`,
    `The token is bound to a TLS client certificate (x5t#S256), which this server does not check: send ${fix}`,
  );
}

function refuseUnknown(): BoundTokenError {
  return new BoundTokenError(
    'its "cnf" claim has no valid "jkt", so the type of its binding is unknown: send an unbound token',
    'The cnf claim of the token contains a type of binding that this server does not support: send an unbound token',
  );
}
