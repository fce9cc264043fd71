import { isMediaType, parseAccept } from '../../../lib/core/protocol/headers/http-headers.js';
import { assertHolds, assertSame } from '../contract.js';

const JSON_TYPE = 'application/json';

/** Reads `Accept` and `Content-Type`. */
export function fuzz(bytes: Buffer): void {
  const header = bytes.toString('latin1');
  const accepted = parseAccept(header);
  assertHolds(
    typeof accepted.json === 'boolean' && typeof accepted.eventStream === 'boolean',
    'each is taken or not',
  );
  assertSame(parseAccept(` ${header} `), accepted, 'white space around it makes no difference');
  assertSame(parseAccept(header.toUpperCase()), accepted, 'case makes no difference');
  if (!isMediaType(header, [JSON_TYPE])) return;
  assertHolds(header.trim().toLowerCase().startsWith(JSON_TYPE), 'a type begins with its name');
  assertHolds(isMediaType(`${header};charset=utf-8`, [JSON_TYPE]), 'parameters make no difference');
}
