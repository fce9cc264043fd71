import { encodeGetPromptResult } from '../../core/protocol/encoding/encode-result.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { InputRounds } from '../input-requests/input-rounds.js';
import { parsePromptArguments } from '../catalog/parse-arguments.js';
import {
  createPromptScopeFinder,
  getAuthorizedArguments,
  isDynamic,
} from '../catalog/scopes/required-scopes.js';
import type { PromptEntry } from '../catalog/entries.js';
import type { PromptRegistry } from '../catalog/registries.js';
import type { RequestContext } from '../context/request-context.js';
import { serializeInstances } from '../schema/dto/serialize-instances.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { HandlerLimits } from '../limits/handler-limits.js';
import type { McpMethod, MethodResult } from './mcp-method.interface.js';
import { refuseToShorten } from './results/shorten-result.js';
import { limitTime } from './time-limit.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import type { GetPromptResult, PromptMessage } from '../../core/protocol/results.js';
import { assertType, HandlerResultError } from './results/handler-result.js';
import { isMeantAsBlock, parseBlock } from './results/content-blocks.js';

/** Returns a prompt's messages (MCP server/prompts). */
export class PromptsGetMethod implements McpMethod {
  readonly method = 'prompts/get';

  constructor(
    private readonly prompts: PromptRegistry,
    private readonly rounds: InputRounds,
    private readonly settings: ServerSettings,
    private readonly limits: HandlerLimits,
  ) {}

  countCall(context: RequestContext): Promise<void> | undefined {
    const { name, arguments: args = {} } = context.params;
    const prompt = typeof name === 'string' ? this.prompts.find(name) : undefined;
    if (prompt === undefined || context.hidden?.has(prompt)) return undefined;
    return this.limits.admit('prompt', prompt, { args, context });
  }

  async handle(context: RequestContext): Promise<MethodResult> {
    const { name, arguments: given = {} } = context.params;
    if (typeof name !== 'string') throw McpError.invalidParams('"name" must be a string');
    const prompt = this.prompts.find(name);
    if (prompt === undefined || context.hidden?.has(prompt)) throw McpError.unknownPrompt(name);
    const { callTimeoutMs, limits } = this.settings;
    const result = await limitTime(context, callTimeoutMs, () =>
      this.rounds.complete(
        context,
        () => this.#call(prompt, given, context),
        (value) => buildPromptResult(serializeInstances(value), prompt.definition.description),
      ),
    );
    const encoded = encodeGetPromptResult(result, context.revision);
    const maxBytes = prompt.resultBytes ?? limits.resultBytes;
    if (maxBytes !== Infinity) context.resultLimit = { maxBytes, shorten: refuseMessages };
    return encoded;
  }

  async #call(prompt: PromptEntry, given: unknown, context: RequestContext): Promise<unknown> {
    const { access } = prompt;
    const args = isDynamic(access)
      ? await getAuthorizedArguments(context, {
          entry: prompt,
          access,
          findScopes: createPromptScopeFinder(prompt, access.dynamic, context.params),
        })
      : await parsePromptArguments(prompt, given);
    return this.limits.run(prompt, context, () => prompt.invoke(args, context));
  }
}

const refuseMessages = refuseToShorten('The prompt messages');

/**
 * Builds a prompt's messages from its handler's result: a string or content for one user message, messages, or a full
 * result.
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
  if (isMeantAsBlock(value)) return { role: 'user', content: parseBlock(value, path) };
  if (isMessage(value)) {
    const content = parseBlock(value.content, path === '' ? 'content' : `${path}.content`);
    return content === value.content ? value : { ...value, content };
  }
  throw new HandlerResultError(
    'A prompt must return a string, content blocks, messages with "role" and "content", or { messages }',
  );
}

function isMessage(value: unknown): value is PromptMessage {
  if (!isObject(value) || !isObject(value['content'])) return false;
  return value['role'] === 'user' || value['role'] === 'assistant';
}
