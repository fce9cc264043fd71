import type { ContentBlock } from '../../../core/protocol/content.js';
import type { Encoded } from '../../../core/protocol/encoding/encode-definition.js';
import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { formatExcess, type Excess, type Shorten } from './bounded-result.js';
import { takeBytes } from './take-bytes.js';

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
  const kept = takeBlocks(blocks, excess.maximumBytes - around - NOTICE_BYTES);
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
