import { LineReader, TOO_LONG, type Line } from '../../../lib/server/transport/stdio/lines.js';
import { assertHolds, assertSame } from '../contract.js';

const LONGEST = 64;

/** Cuts a stream into lines, however it is divided into chunks: the first byte says how. */
export function fuzz(bytes: Buffer): void {
  const size = 1 + (bytes[0] ?? 0);
  const reader = new LineReader(LONGEST);
  const found: Line[] = [];
  for (let start = 0; start < bytes.length; start += size) {
    found.push(...reader.read(bytes.subarray(start, start + size)));
  }
  const rest = reader.end();
  if (rest !== undefined) found.push(rest);
  assertSame(found.map(show), cutWhole(bytes).map(show), 'lines are the same however they come');
  for (const line of found) {
    assertHolds(line === TOO_LONG || Buffer.byteLength(line) <= 3 * LONGEST, 'a line is bounded');
  }
}

/** What a line of bytes is where all of them are there at once. */
function cutWhole(bytes: Buffer): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start <= bytes.length) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    const text = bytes.toString('utf8', start, end);
    if (end - start > LONGEST) lines.push(TOO_LONG);
    else if (text.trim() !== '') lines.push(text);
    start = end + 1;
  }
  return lines;
}

function show(line: Line): string {
  return line === TOO_LONG ? '(too long)' : `"${line}"`;
}
