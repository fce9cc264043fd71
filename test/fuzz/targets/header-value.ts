import {
  formatHeaderValue,
  HeaderValueError,
  matchesHeaderValue,
  parseHeaderValue,
} from '../../../lib/core/protocol/headers/header-value.js';
import { assertHolds, parseWith } from '../contract.js';

/** Reads a mirrored header, and writes one of any text. */
export function fuzz(bytes: Buffer): void {
  for (const text of [bytes.toString('latin1'), bytes.toString()]) {
    const parsed = parseWith(() => parseHeaderValue(text), HeaderValueError);
    if ('value' in parsed) assertReads(text, parsed.value);
    else assertHolds(!matchesHeaderValue(text, text), 'a header that cannot be read stands for nothing');
    assertWrites(text);
  }
  const number = bytes.length >= 8 ? bytes.readDoubleLE() : bytes.length;
  const written = parseWith(() => formatHeaderValue(number), HeaderValueError);
  assertHolds(
    'value' in written === Number.isSafeInteger(number),
    'safe integers have a header, and they alone',
  );
  if ('value' in written) assertHolds(matchesHeaderValue(written.value, number), 'a number comes back');
}

function assertReads(text: string, value: string): void {
  assertHolds(matchesHeaderValue(text, value), 'a header stands for what is read from it');
  assertHolds(value.length <= text.length, 'what is read is no longer than the header');
  const written = formatHeaderValue(value);
  assertHolds(parseHeaderValue(written) === value, 'what is read can be written and read again');
}

function assertWrites(text: string): void {
  const written = parseWith(() => formatHeaderValue(text), HeaderValueError);
  assertHolds('value' in written === !/\p{Surrogate}/u.test(text), 'every well-formed text has a header');
  if ('error' in written) return;
  assertHolds(/^[\x20-\x7e]*$/.test(written.value), 'a header is visible ASCII');
  assertHolds(parseHeaderValue(written.value) === text, 'a text comes back');
}
