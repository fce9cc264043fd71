import type { SamplingResult } from '../../../core/protocol/client-requests.js';
import {
  encodeRequestParams,
  findRequestGap,
} from '../../../core/protocol/encoding/encode-client-request.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { Question, SamplingQuestion } from '../../context/input-request.interface.js';
import { InvalidAnswerError } from '../invalid-answer.error.js';
import { findSamplingNeed } from './question-needs.js';

const METHOD = 'sampling/createMessage';

/**
 * Describes a question to the client's model, to ask with other questions by `context.requestAll()`.
 *
 * @example
 * const messages = [{ role: 'user', content: { type: 'text', text: `Summarise: ${note}` } }] as const;
 * const { summary } = await context.requestAll({ summary: sampling({ messages, maxTokens: 200 }) });
 *
 * @see MCP client/sampling
 */
export function sampling(question: SamplingQuestion): Question<SamplingResult> {
  const { key: _key, timeoutMs: _timeoutMs, onProgress: _onProgress, ...params } = question;
  const request = { method: METHOD, params } as const;
  return {
    method: METHOD,
    options: question,
    ...findSamplingNeed(params),
    findGap: (revision) => findRequestGap(request, revision),
    buildParams: (revision) => encodeRequestParams(request, revision),
    parseAnswer: parseResult,
  };
}

function parseResult(result: unknown): SamplingResult {
  if (!isObject(result)) throw new InvalidAnswerError(METHOD, 'it must be an object');
  const { role, content, model } = result;
  if (role !== 'user' && role !== 'assistant') {
    throw new InvalidAnswerError(METHOD, '"role" must be "user" or "assistant"');
  }
  if (typeof model !== 'string') throw new InvalidAnswerError(METHOD, '"model" must be a string');
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  if (!blocks.every((block) => isObject(block) && typeof block['type'] === 'string')) {
    throw new InvalidAnswerError(METHOD, '"content" must be a content block or an array of them');
  }
  return result as unknown as SamplingResult;
}
