import { isUtf8 } from 'node:buffer';
import { type JsonObject, parseJsonObject } from '../../../../core/protocol/json-rpc.js';
import { ID_TOKEN_CLAIMS } from '../../../settings/auth/jwt-options.js';
import { InvalidTokenError } from '../../errors.js';
import { quoteChoices, quoteValue } from '../../quote-value.js';

/** A JSON object in a token. */
export type TokenPart = JsonObject;

/** The unverified contents of a token. */
export interface DecodedToken {
  readonly header: TokenPart;
  readonly payload: TokenPart;
}

const COMPACT = /^([\w-]+)\.([\w-]+)\.[\w-]*$/;

/** Decodes a JWT without verifying its signature. Returns `undefined` if the string is not a JWT. */
export function decodeToken(token: string): DecodedToken | undefined {
  const [, encodedHeader, encodedPayload] = COMPACT.exec(token) ?? [];
  const header = decodePart(encodedHeader);
  const payload = decodePart(encodedPayload);
  return header && payload && { header, payload };
}

function decodePart(encoded = ''): TokenPart | undefined {
  return parseExactObject(Buffer.from(encoded, 'base64url'));
}

/**
 * Parses a JSON object strictly. Returns `undefined` for anything else. Invalid UTF-8 and byte order marks are
 * rejected, because byte sequences that differ only in them would become equal.
 */
export function parseExactObject(bytes: Buffer): JsonObject | undefined {
  return isUtf8(bytes) ? parseJsonObject(bytes.toString()) : undefined;
}

/** Claims that name a token's purpose, and their values for access tokens. */
const MARKERS = [
  { claim: 'token_use', expected: ['access', 'access_token'] },
  { claim: 'typ', expected: ['Bearer'] },
] as const;

/** Claims in ID tokens (OpenID Connect Core 1.0 §2, §3.3.2.11) and logout tokens (Back-Channel Logout 1.0 §2.4). */
const CLAIMS_FOR_CLIENTS = [...ID_TOKEN_CLAIMS, 'events'] as const;

/** The access token media type (RFC 9068 §2.1). */
const ACCESS_TOKEN = 'at+jwt';

/** The accepted form of an issuer's access tokens. */
interface TokenKind {
  /** The accepted `typ` values; the claim may also be absent. */
  readonly types: readonly string[];
  /** ID token claims that access tokens may also have. */
  readonly toleratedClaims: readonly string[];
  /** The option group, for messages. */
  readonly option?: string;
}

/**
 * Rejects tokens other than access tokens, such as ID tokens, logout tokens and refresh tokens.
 *
 * @throws {InvalidTokenError} if it is not an access token
 * @see RFC 9068 §2.1, RFC 8725 §3.11
 */
export function assertTokenKind({ header, payload }: DecodedToken, kind: TokenKind): void {
  const { types, toleratedClaims, option = 'auth.jwt' } = kind;
  const type = parseType(header, types);
  if (isMarkedForAccess(payload) || type === ACCESS_TOKEN) return;
  const isForClients = (claim: string) => payload[claim] !== undefined && !toleratedClaims.includes(claim);
  const found = CLAIMS_FOR_CLIENTS.find(isForClients);
  if (found === undefined) return;
  const fix =
    found === 'events'
      ? ''
      : `; if the access tokens from this issuer contain it too, list it in "${option}.toleratedClaims"`;
  throw new InvalidTokenError(
    `it has the claim "${found}", which only tokens meant for clients contain: send the access token${fix}`,
  );
}

function parseType({ typ }: TokenPart, types: readonly string[]): string | undefined {
  if (typ === undefined) return undefined;
  const type = typeof typ === 'string' ? normaliseType(typ) : undefined;
  if (type !== undefined && types.some((known) => normaliseType(known) === type)) return type;
  throw new InvalidTokenError(
    `"typ" is ${quoteValue(typ)}, expected ${[...types.map(quoteValue), 'none'].join(' or ')}: ` +
      'list it in "auth.jwt.types" if the issuer does not follow RFC 9068',
  );
}

/** Returns whether the issuer has marked it as an access token. */
function isMarkedForAccess(payload: TokenPart): boolean {
  const marked = MARKERS.filter(({ claim }) => payload[claim] !== undefined);
  const wrong = marked.find(({ claim, expected }) => !isAmong(payload[claim], expected));
  if (wrong === undefined) return marked.length > 0;
  const { claim, expected } = wrong;
  throw new InvalidTokenError(
    `the claim "${claim}" is ${quoteValue(payload[claim])}, expected ${quoteChoices(expected)}: send the access token`,
  );
}

function isAmong(value: unknown, expected: readonly string[]): boolean {
  if (typeof value !== 'string') return false;
  return expected.some((purpose) => purpose.toLowerCase() === value.toLowerCase());
}

function normaliseType(type: string): string {
  return type.toLowerCase().replace(/^application\//, '');
}
