import { omitEmpty } from '../oauth/omit-empty.js';
import { type Challenge, readChallenges } from '../oauth/read-challenges.js';
import { decodeBase64 } from '../protocol/base64.js';
import { type JsonObject, parseJsonObject } from '../protocol/json-rpc.js';

/**
 * Decodes a JWT's claims, without validating it and without claims that are `null`. Returns `undefined` for an opaque
 * token.
 */
export function readToken(token: string): JsonObject | undefined {
  const [, payload, signature, ...others] = token.split('.');
  if (payload === undefined || signature === undefined || others.length > 0) return undefined;
  const claims = decode(payload);
  return claims && omitEmpty(claims);
}

function decode(payload: string): JsonObject | undefined {
  try {
    return parseJsonObject(decodeBase64(payload.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
}

/** The `Bearer` challenge, or the `DPoP` challenge if bearer tokens are not accepted. */
export interface BearerFinding {
  readonly challenge: Challenge | undefined;
  /** The problem with it; absent if there is none. */
  readonly problem: string | undefined;
  /** Whether the header is malformed, in which case its content is only a hint. @default false */
  readonly isMalformed?: boolean;
}

/** Reads that challenge, and finds problems with it. */
export function readBearer(header: string): BearerFinding {
  const { challenges, problem } = readChallenges(header);
  const find = (name: string) => challenges.find(({ scheme }) => scheme === name);
  const challenge = find('bearer') ?? find('dpop');
  if (problem !== undefined)
    return { challenge, problem: `"WWW-Authenticate" is malformed: ${problem}`, isMalformed: true };
  if (challenge !== undefined) return { challenge, problem };
  return { challenge, problem: '"WWW-Authenticate" has no challenge with the scheme "Bearer" or "DPoP"' };
}
