import type { ContentBlock } from '../../../core/protocol/content.js';
import type { Encoded } from '../../../core/protocol/encoding/encode-definition.js';
import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { McpError } from '../../../core/protocol/mcp.error.js';

/** Bytes that are reserved for the text about the cut. */
const NOTICE_BYTES = 400;

/** A shorter beginning tells nothing. */
const LEAST_TEXT_BYTES = 32;

const ASK_FOR_LESS = 'ask for less, with narrower arguments or a part at a time';

/**
 * Cuts the content of a tool's result, and says so in a text at its end. Structured content must fit its schema. So it is
 * not cut, but replaced by an error with the same text.
 */
export const shortenToolResult: Shorten = (result, excess) => {
  const { content, structuredContent } = result;
  if (structuredContent !== undefined || !Array.isArray(content)) return refuse(excess);
  const blocks: readonly ContentBlock[] = content;
  const around = excess.bytes - measure(blocks);
  const kept = takeBlocks(blocks, excess.maxBytes - around - NOTICE_BYTES);
  if (kept.length === 0) return refuse(excess);
  const notice = { type: 'text', text: formatNotice(blocks, kept, excess) };
  return { ...result, content: [...kept, notice] };
};

/** Refuses a long result that cannot be cut: the contents of a resource, or the messages of a prompt. */
export function refuseToShorten(subject: string): Shorten {
  return (_result, excess) => {
    const text = `${formatExcess(`${subject} take`, excess)}: ${ASK_FOR_LESS}`;
    throw new McpError(ErrorCode.InternalError, text, { ...excess });
  };
}

function refuse(excess: Excess): Encoded {
  const text = `${formatExcess('The result takes', excess)}: ${ASK_FOR_LESS}`;
  return { content: [{ type: 'text', text }], isError: true };
}

/** Takes blocks from the first on, the last of them cut if it is a text. */
function takeBlocks(blocks: readonly ContentBlock[], bytes: number): readonly ContentBlock[] {
  const kept: ContentBlock[] = [];
  let left = bytes;
  for (const block of blocks) {
    const size = measure(block) + 1;
    if (size > left) return [...kept, ...cutText(block, left)];
    kept.push(block);
    left -= size;
  }
  return kept;
}

function cutText(block: ContentBlock, bytes: number): readonly ContentBlock[] {
  if (block.type !== 'text') return [];
  const room = bytes - measure({ ...block, text: '' }) - 1;
  return room < LEAST_TEXT_BYTES ? [] : [{ ...block, text: takeBytes(block.text, room) }];
}

function formatNotice(
  blocks: readonly ContentBlock[],
  kept: readonly ContentBlock[],
  excess: Excess,
): string {
  const whole = blocks[kept.length - 1];
  const last = kept.at(-1);
  const isCut = whole?.type === 'text' && last?.type === 'text' && last.text.length < whole.text.length;
  const omitted = blocks.length - kept.length;
  const losses = [
    ...(isCut ? [`the text above is cut after ${last.text.length} of ${whole.text.length} characters`] : []),
    ...(omitted > 0 ? [`${omitted} of ${blocks.length} blocks are left out`] : []),
  ];
  return `[${formatExcess('The result takes', excess)}: ${losses.join(', and ')}. To see the rest, ${ASK_FOR_LESS}.]`;
}

/** Counts the bytes of a value as it goes out. */
function measure(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Characters that JSON writes as two: backspace, tab, line feed, form feed, carriage return, quotation mark, backslash. */
const IN_TWO: ReadonlySet<number> = new Set([8, 9, 10, 12, 13, 34, 92]);

const FIRST_PRINTABLE = 0x20;

/** A character of another notation, such as `\u0001`. */
const ESCAPED_BYTES = 6;

/** Takes as much of the beginning of a text as goes into so many bytes of JSON. */
export function takeBytes(text: string, bytes: number): string {
  let left = bytes;
  let end = 0;
  while (end < text.length) {
    const character = text.codePointAt(end) ?? 0;
    left -= countBytes(character);
    if (left < 0) break;
    end += character > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

function countBytes(character: number): number {
  if (IN_TWO.has(character)) return 2;
  // JSON writes half of a pair by its number.
  if (character < FIRST_PRINTABLE || (character >= 0xd800 && character <= 0xdfff)) return ESCAPED_BYTES;
  if (character < 0x80) return 1;
  if (character < 0x800) return 2;
  return character > 0xffff ? 4 : 3;
}

/** By how much an answer is too long, in bytes of what goes out. */
interface Excess {
  readonly bytes: number;
  readonly maxBytes: number;
}

/**
 * Makes something shorter of a result that is too long.
 *
 * @throws {McpError} if there is nothing to cut
 */
type Shorten = (result: Encoded, excess: Excess) => Encoded;

/** The most bytes that a UTF-16 code unit takes as UTF-8. */
const MOST_BYTES = 3;

/** A result of which only so much may go out. */
export class BoundedResult {
  constructor(
    readonly result: Encoded,
    private readonly maxBytes: number,
    private readonly shorten: Shorten,
  ) {}

  /**
   * Returns something shorter if the message that carries the result is too long.
   *
   * @throws {McpError} if there is nothing to cut
   */
  shortenFor(message: string): Encoded | undefined {
    // Most are so short that nothing has to be counted.
    if (message.length * MOST_BYTES <= this.maxBytes) return undefined;
    const bytes = Buffer.byteLength(message);
    return bytes > this.maxBytes ? this.shorten(this.result, { bytes, maxBytes: this.maxBytes }) : undefined;
  }
}

/** Bounds a result, if there is a limit. */
export function boundResult(result: Encoded, maxBytes: number, shorten: Shorten): Encoded | BoundedResult {
  return maxBytes === Infinity ? result : new BoundedResult(result, maxBytes, shorten);
}

/** Bounds a result that is not there yet, if there is a limit: otherwise nothing waits for it here. */
export function boundLater(
  result: Promise<Encoded>,
  maxBytes: number,
  shorten: Shorten,
): Promise<Encoded | BoundedResult> {
  if (maxBytes === Infinity) return result;
  return result.then((given) => boundResult(given, maxBytes, shorten));
}

/** Formats the text for a model or another reader. */
function formatExcess(subject: string, { bytes, maxBytes }: Excess): string {
  return `${subject} ${bytes} bytes, and only ${maxBytes} may be sent`;
}
