import { isContentBlock } from '../../../core/protocol/content.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { GetPromptResult, PromptMessage } from '../../../core/protocol/results.js';
import { assertType } from './assert-type.js';
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
    return { ...describe(description), ...value, messages: value['messages'].map(buildMessage) };
  }
  const messages = Array.isArray(value) ? value.map(buildMessage) : [buildMessage(value)];
  return { ...describe(description), messages };
}

function describe(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description };
}

function buildMessage(value: unknown): PromptMessage {
  if (typeof value === 'string') return { role: 'user', content: { type: 'text', text: value } };
  if (isContentBlock(value)) return { role: 'user', content: value };
  if (isMessage(value)) return value;
  throw new HandlerResultError(
    'A prompt must give a string, content blocks, messages with "role" and "content", or { messages }',
  );
}

function isMessage(value: unknown): value is PromptMessage {
  if (!isObject(value) || !isContentBlock(value['content'])) return false;
  return value['role'] === 'user' || value['role'] === 'assistant';
}
