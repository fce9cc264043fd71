import type { TextContent } from '../../../core/protocol/content.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { CallToolResult } from '../../../core/protocol/results.js';
import {
  assertNotIterable,
  hasOwnJson,
  isBinary,
  isMeantAsBlock,
  isMeantAsContent,
  parseBlock,
  parseBlocks,
} from './content-blocks.js';
import { assertType, formatJson, HandlerResultError } from './handler-result.js';

/** A result without its structured content as text, unless the handler returned content. */
export type GivenResult = Omit<CallToolResult, 'content'> & Partial<Pick<CallToolResult, 'content'>>;

/** Hosts fail on a result without content, and models mistake an empty one for a missing result. */
const DONE: TextContent = Object.freeze({ type: 'text', text: 'Done' });
const FAILED: TextContent = Object.freeze({ type: 'text', text: 'The tool failed without giving a reason' });

/** A full result's properties; an object with other properties is an application value. */
const RESULT_MEMBERS: ReadonlySet<string> = new Set([
  'content',
  'structuredContent',
  'isError',
  '_meta',
  'resultType',
]);

/**
 * Builds a tool call's result from its handler's return value: a string, content, a full result, or a value that
 * becomes structured content.
 *
 * @param isStructured whether the tool has an output schema, in which case it returns structured content
 * @throws {HandlerResultError} if it cannot be sent
 */
export function buildGivenResult(value: unknown, isStructured: boolean): GivenResult {
  if (isCallToolResult(value, isStructured)) return parseFullResult(value);
  if (isStructured && value !== undefined) return buildStructured(value);
  if (value === undefined) return { content: [] };
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
  if (isMeantAsBlock(value)) return { content: [parseBlock(value, '')] };
  if (isMeantAsContent(value)) return { content: parseBlocks(value, '') };
  if (isPrimitive(value)) return { content: [{ type: 'text', text: String(value) }] };
  return buildStructured(value);
}

/**
 * Repeats structured content as text for clients that read only text (MCP server/tools, "Structured Content"). If a
 * tool returned nothing, the text reports that it is done. The structured content must already have been validated
 * against its output schema.
 *
 * @param done the text for a tool that returned nothing
 * @throws {HandlerResultError} if JSON cannot represent it
 */
export function completeContent(result: GivenResult, done?: string): CallToolResult {
  if (hasContent(result)) return result;
  const { structuredContent, isError } = result;
  if (structuredContent !== undefined) return { ...result, content: [asText(structuredContent)] };
  if (isError === true) return { ...result, content: [FAILED] };
  return { ...result, content: [done === undefined ? DONE : { type: 'text', text: done }] };
}

function hasContent(result: GivenResult): result is CallToolResult {
  return result.content !== undefined && result.content.length > 0;
}

/** A lookup without a match returns `null`, which a model must not read as "Done". */
function isPrimitive(value: unknown): value is number | boolean | bigint | null {
  return (
    value === null || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
  );
}

/**
 * A full result has `isError: true`, `structuredContent` or, without an output schema, `content` and no properties
 * that are unknown in results.
 */
function isCallToolResult(value: unknown, isStructured: boolean): value is GivenResult {
  if (!isObject(value)) return false;
  if (value['isError'] === true || 'structuredContent' in value) return true;
  if (isStructured || !Array.isArray(value['content'])) return false;
  return Object.keys(value).every((member) => RESULT_MEMBERS.has(member));
}

function parseFullResult(result: GivenResult): GivenResult {
  const { content, isError, _meta } = result;
  assertType(isError, 'boolean', 'isError');
  assertType(_meta, 'object', '_meta');
  if (content === undefined) return result;
  if (!Array.isArray(content)) {
    throw new HandlerResultError('The property "content" must be an array of content blocks');
  }
  const parsed = parseBlocks(content, 'content');
  return parsed === content ? result : { ...result, content: parsed };
}

function buildStructured(value: unknown): GivenResult {
  if (isBinary(value)) {
    throw new HandlerResultError(
      'A tool cannot return bytes: return an image, audio or resource block that contains them in base64',
    );
  }
  assertNotIterable(value, 'tool');
  return { structuredContent: hasOwnJson(value) ? JSON.parse(formatJson(value)) : value };
}

function asText(value: unknown): TextContent {
  return { type: 'text', text: formatJson(value) };
}
