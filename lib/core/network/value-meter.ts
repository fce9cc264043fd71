/** What a message has too much of. */
export type Excess = 'values' | 'levels';

/** How messages are delimited: the whole body is one message, or each line, or each event in an event stream. */
export type MessageFraming = 'body' | 'lines' | 'events';

/** The nesting that recursive parsers and validators handle without a stack overflow. */
export const MAXIMUM_LEVELS = 500;

const MINIMUM_VALUES = 10_000;

const BYTES_PER_VALUE = 32;

/** Computes the limit on weighted values from a limit on bytes. */
export function computeMaxValues(maxBytes: number): number {
  return Math.max(MINIMUM_VALUES, Math.floor(maxBytes / BYTES_PER_VALUE));
}

/** Paths of values that are not validated. */
const UNVALIDATED: ReadonlySet<string> = new Set([
  'error',
  'params.data',
  'params.result.structuredContent',
  'result.result.structuredContent',
  'result.structuredContent',
]);

/** Paths of values that a validation error describes in every possible form. */
const UNIONS: ReadonlySet<string> = new Set([
  'params',
  'result.content',
  'result.contents',
  'result.inputRequests',
  'result.messages',
  'result.result',
  'result.tasks',
]);

/** The maximum length of the paths above. */
const DEEPEST_MEMBER = 3;

/** Longer than any name in the paths above, even if every character is escaped. */
const LONGEST_NAME = 128;

/** The approximate validation time of a value in microseconds, by its position. */
const WEIGHT = { member: 1, container: 2, element: 6, inUnion: 32, ofResult: 16, ofMessage: 64 };

const [LF, CR, QUOTE, COMMA, COLON, BACKSLASH] = [10, 13, 34, 44, 58, 92];
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [91, 93, 123, 125];
const DATA = [...'data:'].map((letter) => letter.charCodeAt(0));
const BYTE_ORDER_MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf]);

/**
 * Estimates the cost of validating JSON-RPC messages while their bytes arrive: the official client's validators check
 * each value, and describe each invalid one. A value is weighted by its position in the message. Unvalidated values,
 * such as `structuredContent`, count only for the depth.
 */
export class ValueMeter {
  readonly #maxValues: number;
  readonly #isArray = new Uint8Array(MAXIMUM_LEVELS + 2);
  /** The latest property name in each enclosing object, from the message inward. */
  readonly #members: string[] = [];
  #values = 0;
  #depth = 0;
  #unvalidatedFrom = 0;
  #unionFrom = 0;
  #isInText = false;
  #isEscaped = false;
  #isNameNext = false;
  /** The name that is being read; absent in any other string. */
  #name: string | undefined;
  #isAtStart = true;
  /** The number of matched bytes of the `data:` prefix; -1 in other lines. */
  #matched = 0;
  #isLineEmpty = true;
  #isAfterCr = false;

  constructor(
    maxBytes: number,
    private readonly framing: MessageFraming,
  ) {
    this.#maxValues = computeMaxValues(maxBytes);
  }

  /** Reads the next bytes, and returns the kind of excess in a message, if any. */
  findExcess(chunk: Uint8Array): Excess | undefined {
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index] as number;
      if (this.framing !== 'body' && !this.#isOfMessage(byte)) continue;
      this.#read(byte);
      if (this.#depth > MAXIMUM_LEVELS) return 'levels';
      if (this.#values > this.#maxValues) return 'values';
    }
    return undefined;
  }

  #isOfMessage(byte: number): boolean {
    if (this.framing === 'events') return this.#isOfData(byte);
    if (byte === LF) this.#reset();
    return byte !== LF;
  }

  /** @see HTML Living Standard §9.2.6, "Interpreting an event stream" */
  #isOfData(byte: number): boolean {
    if (this.#isAtStart && BYTE_ORDER_MARK.has(byte)) return false;
    this.#isAtStart = false;
    const isRestOfLineEnd = byte === LF && this.#isAfterCr;
    this.#isAfterCr = byte === CR;
    if (isRestOfLineEnd) return false;
    if (byte === LF || byte === CR) {
      if (this.#isLineEmpty) this.#reset();
      this.#isLineEmpty = true;
      this.#matched = 0;
      return false;
    }
    this.#isLineEmpty = false;
    if (this.#matched === DATA.length) return true;
    this.#matched = byte === DATA[this.#matched] ? this.#matched + 1 : -1;
    return false;
  }

  #reset(): void {
    this.#values = this.#depth = this.#unvalidatedFrom = this.#unionFrom = 0;
    this.#isInText = this.#isEscaped = this.#isNameNext = false;
    this.#name = undefined;
  }

  #read(byte: number): void {
    if (this.#isInText) return this.#readText(byte);
    if (byte === QUOTE) {
      this.#isInText = true;
      this.#name = this.#isNameNext && this.#depth <= DEEPEST_MEMBER ? '' : undefined;
    } else if (byte === COMMA) this.#separate();
    else if (byte === COLON) this.#isNameNext = false;
    else if (byte === BRACKET || byte === BRACE) this.#open(byte === BRACKET);
    else if (byte === BRACKET_END || byte === BRACE_END) this.#close();
  }

  #readText(byte: number): void {
    if (byte === QUOTE && !this.#isEscaped) {
      this.#isInText = false;
      if (this.#name !== undefined) this.#members[this.#depth] = unescapeName(this.#name);
      return;
    }
    this.#isEscaped = byte === BACKSLASH && !this.#isEscaped;
    if (this.#name !== undefined && this.#name.length < LONGEST_NAME) this.#name += String.fromCharCode(byte);
  }

  #separate(): void {
    const isArray = this.#isArray[this.#depth] === 1;
    this.#isNameNext = !isArray;
    if (this.#unvalidatedFrom > 0) return;
    if (isArray) this.#values += this.#unionFrom > 0 ? WEIGHT.inUnion : WEIGHT.element;
    else this.#values += this.#weighMember();
  }

  #weighMember(): number {
    if (this.#depth === 1) return WEIGHT.ofMessage;
    return this.#depth === 2 && this.#members[1] === 'result' ? WEIGHT.ofResult : WEIGHT.member;
  }

  #open(isArray: boolean): void {
    const path = this.#depth <= DEEPEST_MEMBER ? this.#members.slice(1, this.#depth + 1).join('.') : '';
    this.#depth += 1;
    this.#isArray[this.#depth] = isArray ? 1 : 0;
    this.#isNameNext = !isArray;
    if (this.#depth <= DEEPEST_MEMBER) this.#members[this.#depth] = '';
    if (this.#unvalidatedFrom > 0) return;
    this.#values += this.#unionFrom > 0 ? WEIGHT.inUnion : WEIGHT.container;
    if (UNVALIDATED.has(path)) this.#unvalidatedFrom = this.#depth;
    const isBatch = this.#depth === 1 && isArray;
    if (this.#unionFrom === 0 && (isBatch || UNIONS.has(path))) this.#unionFrom = this.#depth;
  }

  #close(): void {
    if (this.#unvalidatedFrom === this.#depth) this.#unvalidatedFrom = 0;
    if (this.#unionFrom === this.#depth) this.#unionFrom = 0;
    this.#depth = Math.max(0, this.#depth - 1);
    this.#isNameNext = false;
  }
}

function unescapeName(name: string): string {
  if (!name.includes('\\')) return name;
  try {
    return String(JSON.parse(`"${name}"`));
  } catch {
    return name;
  }
}
