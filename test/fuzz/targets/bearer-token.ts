import { parseBearerToken } from '../../../lib/core/oauth/access-token.js';
import { isScope, parseScope } from '../../../lib/core/oauth/scope.js';
import { assertHolds } from '../contract.js';

/** Reads `Authorization`, and a list of scopes. */
export function fuzz(bytes: Buffer): void {
  const text = bytes.toString('latin1');
  for (const header of [text, `Bearer ${text}`]) {
    const token = parseBearerToken(header);
    if (token === undefined) continue;
    assertHolds(/^[\w.~+/-]+=*$/.test(token), 'a token is one of RFC 6750');
    assertHolds(/^bearer /i.test(header), 'a token is of its scheme');
    assertHolds(header.includes(token), 'a token is what was sent');
  }
  for (const scope of parseScope(text))
    assertHolds(scope !== '' && !scope.includes(' '), 'a scope is a word');
  if (isScope(text)) assertHolds(parseScope(text)[0] === text, 'a scope is a list of itself');
}
