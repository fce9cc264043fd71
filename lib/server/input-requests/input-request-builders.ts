import { randomUUID } from 'node:crypto';
import type { OpenObject } from '../../core/protocol/capabilities.js';
import type { InputRequest, Root, SamplingResult } from '../../core/protocol/input-requests.js';
import { encodeRequestParams, findRequestGap } from '../../core/protocol/encoding/encode-client-request.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type {
  InputRequestBuilders,
  InputRequestOptions,
  SamplingOptions,
  TypedInputRequest,
} from '../context/input-request.interface.js';
import { InvalidAnswerError } from './errors.js';
import { elicitation, urlElicitation } from './elicitation.js';
import {
  type CapabilityRequirement,
  FORM_CAPABILITY,
  ROOTS_CAPABILITY,
  selectSamplingCapability,
  URL_CAPABILITY,
} from './required-capabilities.js';

/** The input requests for which a context has methods. */
export const INPUT_REQUEST_BUILDERS: InputRequestBuilders = {
  elicitation,
  urlElicitation,
  sampling,
  listRoots,
  raw: buildRawRequest,
};

/**
 * Builds an input request from one that a handler wrote. Parameters that the revision lacks are removed, and the
 * response is not changed.
 *
 * @throws {TypeError} if clients have no such method
 */
export function buildRawRequest(request: InputRequest): TypedInputRequest<unknown> {
  const { method, params = {} } = request;
  return {
    method,
    options: {},
    ...findNeed(method, params),
    findUnsupported: (revision) => findRequestGap(request, revision),
    buildParams: (revision) => completeParams(encodeRequestParams(request, revision), revision),
    parseAnswer: (result) => result,
  };
}

function findNeed(method: string, params: OpenObject): CapabilityRequirement {
  if (method === 'roots/list') return ROOTS_CAPABILITY;
  if (method === 'sampling/createMessage') return selectSamplingCapability(params);
  if (method !== 'elicitation/create')
    throw new TypeError(`"${method}" is not an input request that clients support`);
  return params['mode'] === 'url' ? URL_CAPABILITY : FORM_CAPABILITY;
}

/** Some revisions require `elicitationId`, which handlers for all revisions do not provide. */
function completeParams(params: OpenObject, { defines }: Revision): OpenObject {
  const needsId = params['mode'] === 'url' && defines.elicitationId;
  return needsId ? { elicitationId: randomUUID(), ...params } : params;
}

const ROOTS_METHOD = 'roots/list';

/**
 * Builds a request for the client's roots, the folders that servers may work in, to send with other input requests through
 * `context.requestAll()`.
 *
 * @example
 * const { roots } = await context.requestAll({ roots: listRoots() });
 *
 * @see MCP client/roots
 */
export function listRoots(options: InputRequestOptions = {}): TypedInputRequest<readonly Root[]> {
  return {
    method: ROOTS_METHOD,
    options,
    ...ROOTS_CAPABILITY,
    buildParams: () => ({}),
    parseAnswer: parseRoots,
  };
}

function parseRoots(result: unknown): readonly Root[] {
  const roots = isObject(result) ? result['roots'] : undefined;
  if (Array.isArray(roots) && roots.every(isRoot)) return roots;
  throw new InvalidAnswerError(ROOTS_METHOD, '"roots" must be an array of objects with a "uri" string');
}

function isRoot(value: unknown): value is Root {
  return isObject(value) && typeof value['uri'] === 'string';
}

const SAMPLING_METHOD = 'sampling/createMessage';

/**
 * Builds a sampling request to the client's model, to send with other input requests through `context.requestAll()`.
 *
 * @example
 * const messages = [{ role: 'user', content: { type: 'text', text: `Summarise: ${note}` } }] as const;
 * const { summary } = await context.requestAll({ summary: sampling({ messages, maxTokens: 200 }) });
 *
 * @see MCP client/sampling
 */
export function sampling(question: SamplingOptions): TypedInputRequest<SamplingResult> {
  const { key: _key, timeoutMs: _timeoutMs, onProgress: _onProgress, ...params } = question;
  const request = { method: SAMPLING_METHOD, params } as const;
  return {
    method: SAMPLING_METHOD,
    options: question,
    ...selectSamplingCapability(params),
    findUnsupported: (revision) => findRequestGap(request, revision),
    buildParams: (revision) => encodeRequestParams(request, revision),
    parseAnswer: parseResult,
  };
}

function parseResult(result: unknown): SamplingResult {
  if (!isObject(result)) throw new InvalidAnswerError(SAMPLING_METHOD, 'it must be an object');
  const { role, content, model } = result;
  if (role !== 'user' && role !== 'assistant') {
    throw new InvalidAnswerError(SAMPLING_METHOD, '"role" must be "user" or "assistant"');
  }
  if (typeof model !== 'string') throw new InvalidAnswerError(SAMPLING_METHOD, '"model" must be a string');
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  if (!blocks.every((block) => isObject(block) && typeof block['type'] === 'string')) {
    throw new InvalidAnswerError(SAMPLING_METHOD, '"content" must be a content block or an array of them');
  }
  return result as unknown as SamplingResult;
}
