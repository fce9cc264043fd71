import type { TextContent } from '../../../core/protocol/content.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { CallToolResult } from '../../../core/protocol/results.js';
import {
  assertNotIterable,
  hasOwnJson,
  isBinary,
  isMeantAsBlock,
  isMeantAsContent,
  takeBlock,
  takeBlocks,
} from './content-blocks.js';
import { assertType, formatJson, HandlerResultError } from './handler-result.js';

/** A result whose text is still to be made of its structured content, unless its handler wrote one. */
export type GivenResult = Omit<CallToolResult, 'content'> & Partial<Pick<CallToolResult, 'content'>>;

/** Hosts fail on a result without content, and models take an empty one for a tool that does not answer. */
const DONE: TextContent = Object.freeze({ type: 'text', text: 'Done' });
const FAILED: TextContent = Object.freeze({ type: 'text', text: 'The tool failed and gave no reason' });

/** Members that a full result may have; an object with others is a value of the application's. */
const RESULT_MEMBERS: ReadonlySet<string> = new Set([
  'content',
  'structuredContent',
  'isError',
  '_meta',
  'resultType',
]);

/**
 * Builds the result of a tool call from what its handler gave: a string, content, a full result, or a value that becomes
 * structured content.
 *
 * @param isStructured whether the tool has an output schema: what it gives is structured content then
 * @throws {HandlerResultError} if it cannot be sent
 */
export function buildGivenResult(value: unknown, isStructured: boolean): GivenResult {
  if (isCallToolResult(value, isStructured)) return takeFullResult(value);
  if (isStructured && value !== undefined) return buildStructured(value);
  if (value === undefined) return { content: [] };
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
  if (isMeantAsBlock(value)) return { content: [takeBlock(value, '')] };
  if (isMeantAsContent(value)) return { content: takeBlocks(value, '') };
  if (isPrimitive(value)) return { content: [{ type: 'text', text: String(value) }] };
  return buildStructured(value);
}

/**
 * Repeats structured content as text for clients that read only text (MCP server/tools, "Structured Content"). If a tool
 * returned nothing, the text says so. What an output schema leaves out has to be left out before.
 *
 * @param done what to say of a tool that gave nothing
 * @throws {HandlerResultError} if JSON has nothing for it
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

/** A lookup that finds nothing says `null`: a model would take "Done" for success. */
function isPrimitive(value: unknown): value is number | boolean | bigint | null {
  return (
    value === null || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
  );
}

/** A full result says that it is an error, has `structuredContent`, or, if no schema is declared, has `content` and nothing else. */
function isCallToolResult(value: unknown, isStructured: boolean): value is GivenResult {
  if (!isObject(value)) return false;
  if (value['isError'] === true || 'structuredContent' in value) return true;
  if (isStructured || !Array.isArray(value['content'])) return false;
  return Object.keys(value).every((member) => RESULT_MEMBERS.has(member));
}

function takeFullResult(result: GivenResult): GivenResult {
  const { content, isError, _meta } = result;
  assertType(isError, 'boolean', 'isError');
  assertType(_meta, 'object', '_meta');
  if (content === undefined) return result;
  if (!Array.isArray(content)) {
    throw new HandlerResultError('The member "content" must be an array of content blocks');
  }
  const taken = takeBlocks(content, 'content');
  return taken === content ? result : { ...result, content: taken };
}

function buildStructured(value: unknown): GivenResult {
  if (isBinary(value)) {
    throw new HandlerResultError(
      'A tool cannot give bytes: give an image, audio or resource block with base64 in it',
    );
  }
  assertNotIterable(value, 'tool');
  return { structuredContent: hasOwnJson(value) ? JSON.parse(formatJson(value)) : value };
}

function asText(value: unknown): TextContent {
  return { type: 'text', text: formatJson(value) };
}
