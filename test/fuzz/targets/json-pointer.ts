import { decodeFragment, findByPointer, findByReference } from '../../../lib/core/protocol/json-schema.js';
import { copyJson } from '../../../lib/server/schema/json.js';
import { assertHolds, assertPristine, assertSame, readFields, readJson } from '../contract.js';

/** Follows a pointer, and a reference, into a document that stands behind the first zero. */
export function fuzz(bytes: Buffer): void {
  const [pointer = '', text = ''] = readFields(bytes);
  const document = readJson(text);
  const found = findByPointer(document, pointer);
  const json = JSON.stringify(document) ?? '';
  assertHolds(
    found === undefined || json.includes(JSON.stringify(found)),
    'what is found is of the document',
  );
  findByReference(document, `#${pointer}`);
  assertHolds(decodeFragment(pointer).length <= pointer.length, 'what is decoded is not longer');
  assertSame(copyJson(document), document, 'a copy is the same');
  assertPristine();
}
