import type { ContentBlock } from '../../../core/protocol/content.js';
import type { Encoded } from '../../../core/protocol/encoding/encode-definition.js';
import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { ResultLimit } from '../../context/request-context.js';

type Shorten = ResultLimit['shorten'];
type Excess = Parameters<Shorten>[1];

/** Bytes reserved for the notice about the cut. */
const NOTICE_BYTES = 400;

/** A shorter excerpt is of no use to a model. */
const LEAST_TEXT_BYTES = 32;

const ASK_FOR_LESS = 'request less, with narrower arguments or one part at a time';

/**
 * Cuts the content of a tool result and appends a notice. Structured content must match its schema, so it is not cut
 * but replaced with an error that contains the notice.
 */
export const shortenToolResult: Shorten = (result, excess) => {
  const { content, structuredContent } = result;
  if (structuredContent !== undefined || !Array.isArray(content)) return refuse(excess);
  const blocks: readonly ContentBlock[] = content;
  const around = excess.bytes - measure(blocks);
  const selected = selectBlocks(blocks, excess.maxBytes - around - NOTICE_BYTES);
  if (selected.length === 0) return refuse(excess);
  const notice = { type: 'text', text: formatNotice(blocks, selected, excess) };
  return { ...result, content: [...selected, notice] };
};

/**
 * Returns a shorter result if the message that contains the result exceeds its limit.
 *
 * @throws {McpError} if there is nothing to cut
 */
export function shortenToFit(
  result: Encoded,
  message: string,
  { maxBytes, shorten }: ResultLimit,
): Encoded | undefined {
  // Most messages are so short that their bytes need not be counted.
  if (message.length * MOST_BYTES <= maxBytes) return undefined;
  const bytes = Buffer.byteLength(message);
  return bytes > maxBytes ? shorten(result, { bytes, maxBytes }) : undefined;
}

/** Refuses a long result that cannot be cut: a resource's contents, or a prompt's messages. */
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

/** Selects the first blocks that fit, and cuts the last one if it is text. */
function selectBlocks(blocks: readonly ContentBlock[], bytes: number): readonly ContentBlock[] {
  const selected: ContentBlock[] = [];
  let left = bytes;
  for (const block of blocks) {
    const size = measure(block) + 1;
    if (size > left) return [...selected, ...cutText(block, left)];
    selected.push(block);
    left -= size;
  }
  return selected;
}

function cutText(block: ContentBlock, bytes: number): readonly ContentBlock[] {
  if (block.type !== 'text') return [];
  const available = bytes - measure({ ...block, text: '' }) - 1;
  return available < LEAST_TEXT_BYTES ? [] : [{ ...block, text: takeBytes(block.text, available) }];
}

function formatNotice(
  blocks: readonly ContentBlock[],
  selected: readonly ContentBlock[],
  excess: Excess,
): string {
  const whole = blocks[selected.length - 1];
  const last = selected.at(-1);
  const isCut = whole?.type === 'text' && last?.type === 'text' && last.text.length < whole.text.length;
  const omitted = blocks.length - selected.length;
  const losses = [
    ...(isCut
      ? [`the text above was cut off after ${last.text.length} of ${whole.text.length} characters`]
      : []),
    ...(omitted > 0 ? [`${omitted} of ${blocks.length} blocks were omitted`] : []),
  ];
  return `[${formatExcess('The result takes', excess)}: ${losses.join(', and ')}. To see the rest, ${ASK_FOR_LESS}.]`;
}

/** Counts a value's bytes as sent. */
function measure(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/**
 * Characters that JSON escapes with two characters: backspace, tab, line feed, form feed, carriage return, quotation
 * mark, backslash.
 */
const IN_TWO: ReadonlySet<number> = new Set([8, 9, 10, 12, 13, 34, 92]);

const FIRST_PRINTABLE = 0x20;

/** A character escaped as a Unicode sequence, such as `\u0001`. */
const ESCAPED_BYTES = 6;

/** Returns the longest prefix of a string that fits in a number of bytes of JSON. */
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
  // JSON escapes lone surrogates.
  if (character < FIRST_PRINTABLE || (character >= 0xd800 && character <= 0xdfff)) return ESCAPED_BYTES;
  if (character < 0x80) return 1;
  if (character < 0x800) return 2;
  return character > 0xffff ? 4 : 3;
}

/** The maximum number of UTF-8 bytes per UTF-16 code unit. */
const MOST_BYTES = 3;

/** Formats how far the limit is exceeded, for a model or another reader. */
function formatExcess(subject: string, { bytes, maxBytes }: Excess): string {
  return `${subject} ${bytes} bytes, but only ${maxBytes} may be sent`;
}
