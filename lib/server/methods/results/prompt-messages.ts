import { isObject } from '../../../core/protocol/json-rpc.js';
import type { GetPromptResult, PromptMessage } from '../../../core/protocol/results.js';
import { assertType } from './assert-type.js';
import { isMeantAsBlock, takeBlock } from './content-blocks.js';
import { HandlerResultError } from './handler-result.error.js';

/**
 * Builds the messages of a prompt from what its handler gave: a string or content for one message of the user, messages, or a
 * full result.
 *
 * @throws {HandlerResultError} if it cannot be sent
 */
export function buildPromptResult(value: unknown, description?: string): GetPromptResult {
  if (isObject(value) && Array.isArray(value['messages'])) {
    assertType(value['description'], 'string', 'description');
    assertType(value['_meta'], 'object', '_meta');
    return {
      ...describe(description),
      ...value,
      messages: value['messages'].map((message, index) => buildMessage(message, `messages[${index}]`)),
    };
  }
  const messages = Array.isArray(value)
    ? value.map((message, index) => buildMessage(message, `[${index}]`))
    : [buildMessage(value, '')];
  return { ...describe(description), messages };
}

function describe(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description };
}

function buildMessage(value: unknown, path: string): PromptMessage {
  if (typeof value === 'string') return { role: 'user', content: { type: 'text', text: value } };
  if (isMeantAsBlock(value)) return { role: 'user', content: takeBlock(value, path) };
  if (isMessage(value)) {
    const content = takeBlock(value.content, path === '' ? 'content' : `${path}.content`);
    return content === value.content ? value : { ...value, content };
  }
  throw new HandlerResultError(
    'A prompt must give a string, content blocks, messages with "role" and "content", or { messages }',
  );
}

function isMessage(value: unknown): value is PromptMessage {
  if (!isObject(value) || !isObject(value['content'])) return false;
  return value['role'] === 'user' || value['role'] === 'assistant';
}
