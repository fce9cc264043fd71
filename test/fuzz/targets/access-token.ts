import {
  assertTokenKind,
  type DecodedToken,
  decodeToken,
} from '../../../lib/server/auth/validators/jwt/decode-token.js';
import { assertAudience, assertTimes, readClaims } from '../../../lib/server/auth/validators/token-claims.js';
import { InvalidTokenError } from '../../../lib/server/auth/errors.js';
import { isScope } from '../../../lib/core/oauth/scope.js';
import { isObject } from '../../../lib/core/protocol/json-rpc.js';
import { assertHolds, assertSame, parseWith, readFields, readJson } from '../contract.js';

const PLACES = {
  audienceClaim: 'aud',
  audiences: ['https://desk.example.com/mcp'],
  scopeClaims: ['scp', 'permissions'],
  scopePrefix: 'desk/',
};

/** Decodes a token, as it comes and of whatever header and payload, and checks what it says. */
export function fuzz(bytes: Buffer): void {
  const [header = '', payload] = readFields(bytes);
  const decoded = decodeToken(bytes.toString('latin1'));
  if (decoded !== undefined) check(decoded);
  if (payload === undefined) return;
  const made = decodeToken(`${encode(header)}.${encode(payload)}.c2ln`);
  const parts = [readJson(header), readJson(payload)];
  assertHolds((made !== undefined) === parts.every(isObject), 'a token is two objects and a signature');
  if (made === undefined) return;
  assertSame([made.header, made.payload], parts, 'a token says what it was made of');
  check(made);
}

function check(token: DecodedToken): void {
  const { payload } = token;
  parseWith(
    () => assertTokenKind(token, { types: ['at+jwt', 'JWT'], toleratedClaims: [] }),
    InvalidTokenError,
  );
  parseWith(() => assertTimes(payload, 5), InvalidTokenError);
  parseWith(() => assertAudience(payload, PLACES), InvalidTokenError);
  const claims = parseWith(() => readClaims(payload, PLACES), InvalidTokenError);
  if ('error' in claims) return;
  assertHolds(claims.value.scopes.every(isScope), 'what a token allows are scopes');
  assertHolds(
    claims.value.aud.every((one) => typeof one === 'string'),
    'whom it is for are texts',
  );
  assertHolds(claims.value.sub !== '', 'whom it stands for is somebody');
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}
