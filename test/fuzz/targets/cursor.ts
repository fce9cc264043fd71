import {
  CursorError,
  formatCursor,
  type PaginatedList,
  parseCursor,
} from '../../../lib/core/protocol/cursor.js';
import { assertHolds, parseWith } from '../contract.js';

const LISTS: readonly PaginatedList[] = ['tools', 'prompts', 'resources', 'resourceTemplates'];

/** Reads a cursor, as it comes and in its encoding. */
export function fuzz(bytes: Buffer): void {
  const texts = [bytes.toString(), bytes.toString('base64url')];
  for (const list of LISTS) {
    texts.push(Buffer.from(`${list}:${bytes.toString()}`).toString('base64url'));
    for (const text of texts) {
      const parsed = parseWith(() => parseCursor(list, text), CursorError);
      if ('value' in parsed) assertHolds(formatCursor(list, parsed.value) === text, 'a cursor has one form');
    }
  }
}
