import type { ContentBlock } from '../../../core/protocol/content.js';
import type { Encoded } from '../../../core/protocol/encoding/encode-definition.js';
import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { type Excess, formatExcess, type Shorten } from './bounded-result.js';

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
