import { randomUUID } from 'node:crypto';

/** Digits that count; the others stay the same as long as the process lives. */
const COUNTED_DIGITS = 12;

const OWN_DIGITS = createOwnDigits();

/** The last two digits of all ids. */
const LAST_DIGITS = Array.from({ length: 0x100 }, (_, count) => formatDigits(count, 2));

/** What all ids of a block begin with that differ in their last two digits. */
let head = '';
let blocks = 0;
let next = LAST_DIGITS.length;

/**
 * Names an event as no other is: by a UUID of digits that each process draws once, and of a count. A random one for each event costs as
 * much as the rest of the event.
 *
 * @see RFC 9562 §5.8, "UUID Version 8"
 */
export function createEventId(): string {
  if (next === LAST_DIGITS.length) beginBlock();
  const id = head + String(LAST_DIGITS[next]);
  next += 1;
  return id;
}

function beginBlock(): void {
  head = OWN_DIGITS + formatDigits(blocks, COUNTED_DIGITS - 2);
  blocks += 1;
  next = 0;
}

function formatDigits(count: number, digits: number): string {
  return count.toString(16).padStart(digits, '0');
}

function createOwnDigits(): string {
  const random = randomUUID();
  const version = '8';
  return random.slice(0, 14) + version + random.slice(15, -COUNTED_DIGITS);
}
