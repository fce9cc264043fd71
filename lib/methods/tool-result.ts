import { isContentBlock, type ContentBlock } from '../protocol/content.js';
import { isObject } from '../protocol/json-rpc.js';
import type { CallToolResult } from '../protocol/results.js';

/** A handler gave something that cannot be sent as a result. */
export class HandlerResultError extends Error {
  override readonly name = 'HandlerResultError';
}

/**
 * Builds the result of a tool call from whatever its handler gave: a string, content, a full result, or a value that
 * becomes structured content.
 *
 * @throws {HandlerResultError} where it cannot be sent
 */
export function buildToolResult(value: unknown, isStructured: boolean): CallToolResult {
  if (isCallToolResult(value)) return completeResult(value);
  if (isStructured && value !== undefined) return buildStructured(value);
  if (value === undefined || value === null) return { content: [] };
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
  if (isContentBlock(value)) return { content: [value] };
  if (Array.isArray(value) && value.every(isContentBlock)) return { content: value };
  if (typeof value === 'object') return buildStructured(value);
  return { content: [{ type: 'text', text: String(value) }] };
}

/** A full result has `content` or `structuredContent`, or says of itself that it is an error. */
function isCallToolResult(value: unknown): value is Partial<CallToolResult> {
  if (!isObject(value)) return false;
  return Array.isArray(value['content']) || 'structuredContent' in value || 'isError' in value;
}

function completeResult(result: Partial<CallToolResult>): CallToolResult {
  const { content, structuredContent } = result;
  if (content === undefined) {
    return { ...result, content: structuredContent === undefined ? [] : [asText(structuredContent)] };
  }
  const wrong = content.findIndex((block) => !isContentBlock(block));
  if (wrong !== -1) {
    throw new HandlerResultError(`The member "content[${wrong}]" is not a content block`);
  }
  return { ...result, content };
}

function buildStructured(value: unknown): CallToolResult {
  if (value instanceof Uint8Array) {
    throw new HandlerResultError(
      'A tool cannot give bytes: give an image, audio or resource block with base64 in it',
    );
  }
  const text = asText(value);
  return { content: [text], structuredContent: value };
}

/** Structured content is repeated as text for clients that read no other (MCP server/tools, "Structured Content"). */
function asText(value: unknown): ContentBlock {
  const text = JSON.stringify(value);
  if (text === undefined) throw new HandlerResultError(`A ${typeof value} cannot be sent as JSON`);
  return { type: 'text', text };
}
