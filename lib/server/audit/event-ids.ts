import { randomUUID } from 'node:crypto';

/** Digits that count; the others stay the same as long as the process lives. */
const COUNTED_DIGITS = 12;

const OWN_DIGITS = createOwnDigits();

let count = 0;

/**
 * Names an event as no other is: by a UUID of digits that each process draws once, and of a count. A random one for each event costs as
 * much as the rest of the event.
 *
 * @see RFC 9562 §5.8, "UUID Version 8"
 */
export function createEventId(): string {
  count += 1;
  return OWN_DIGITS + count.toString(16).padStart(COUNTED_DIGITS, '0');
}

function createOwnDigits(): string {
  const random = randomUUID();
  const version = '8';
  return random.slice(0, 14) + version + random.slice(15, -COUNTED_DIGITS);
}
