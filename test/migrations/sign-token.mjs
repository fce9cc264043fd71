import { createHmac } from 'node:crypto';

const SECRET = 'a-secret-for-development-of-32-characters';

/** Signs the token of a caller, as the authorization servers of the applications do. */
export function signToken(claims) {
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `Bearer ${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}
