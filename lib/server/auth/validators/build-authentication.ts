import type { Claims } from '../../../core/oauth/access-token.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { Authentication, AuthMethod } from '../../context/authentication.js';
import { identifyCaller } from '../../context/caller-identity.js';
import { InvalidTokenError } from '../errors.js';

/** A token that is good, unless it is bound to what is not checked. */
interface ReadToken {
  readonly method: AuthMethod;
  readonly claims: Claims;
  readonly token: string;
  /** Whether the server checks proofs of keys. @default false */
  readonly takesDpop?: boolean | undefined;
}

/**
 * Builds the cached result of a validated token. Without a subject, the token itself tells callers apart, since many
 * may use the same client.
 *
 * @throws {BoundTokenError} if it is bound to anything that the server does not check
 */
export function buildAuthentication({ method, claims, token, takesDpop = false }: ReadToken): Authentication {
  const { iss, sub, extra } = claims;
  const keyThumbprint = findKeyThumbprint(extra['cnf'], takesDpop);
  const identity = identifyCaller({
    // If no issuer is named, the same name may be somebody else's to each kind of validator.
    authority: iss === undefined ? { method } : { issuer: iss },
    name: sub === undefined ? { token } : { subject: sub },
    key: keyThumbprint,
  });
  const scopes = new Set(claims.scopes);
  return { method, claims, scopes, identity, ...(keyThumbprint !== undefined && { keyThumbprint }) };
}

/** Says that a token is bound to what the server cannot check. The sender may learn this, because it says no more than the token. */
export class BoundTokenError extends InvalidTokenError {
  constructor(
    reason: string,
    /** The same for the caller, as a sentence without quotes. */
    readonly description: string,
  ) {
    super(reason);
  }
}

/** The SHA-256 of a key, in base64url. */
const THUMBPRINT = /^[\w-]{43}$/;

/**
 * Finds the key that a token is bound to, by its thumbprint; nothing for a bearer token.
 *
 * A token that is bound is worth nothing without proof: what it is bound by has to be known, and checked.
 *
 * @param cnf the claim of that name
 * @param takesDpop whether the server checks proofs
 * @throws {BoundTokenError} if it is bound to anything that the server does not check
 * @see RFC 9449 §6, RFC 8705 §3, RFC 7800 §3.1
 */
export function findKeyThumbprint(cnf: unknown, takesDpop: boolean): string | undefined {
  if (cnf === undefined) return undefined;
  const { jkt, 'x5t#S256': certificate } = isObject(cnf) ? cnf : {};
  if (certificate !== undefined) throw refuseCertificate(takesDpop);
  if (typeof jkt !== 'string' || !THUMBPRINT.test(jkt)) throw refuseUnknown();
  if (takesDpop) return jkt;
  throw new BoundTokenError(
    'it has the claim "cnf" with "jkt", which binds it to a key: set "auth.dpop", or send one that is not bound',
    'The token is bound to a key by DPoP, which this server does not take: send one that is not bound',
  );
}

function refuseCertificate(takesDpop: boolean): BoundTokenError {
  const remedy = takesDpop ? 'one that is bound by DPoP, or not bound' : 'one that is not bound';
  return new BoundTokenError(
    `it has the claim "cnf" with "x5t#S256", which binds it to a TLS certificate of the client, and these are not checked: send ${remedy}`,
    `The token is bound to a TLS client certificate by x5t#S256, which this server does not check: send ${remedy}`,
  );
}

function refuseUnknown(): BoundTokenError {
  return new BoundTokenError(
    'it has the claim "cnf" without a valid "jkt", so the kind of its binding is unknown: send one that is not bound',
    'The token is bound by its cnf in a way that this server does not know: send one that is not bound',
  );
}
