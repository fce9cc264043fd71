import { isObject, type Params } from '../../../core/protocol/json-rpc.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { PromptEntry } from '../entries.js';
import { formatIssues } from '../../schema/format-issues.js';

/**
 * Reads the arguments of a tool, as the client sent them.
 *
 * @throws {McpError} -32602 if they are no object
 */
export function readToolArguments({ arguments: given = {} }: Params): object {
  if (isObject(given)) return given;
  throw McpError.invalidParams('"arguments" must be an object');
}

/**
 * Returns the arguments of a prompt as its handler takes them.
 *
 * @throws {McpError} -32602 if they are not what the prompt takes
 */
export async function parsePromptArguments(prompt: PromptEntry, given: unknown): Promise<unknown> {
  if (!isObject(given) || !Object.values(given).every((value) => typeof value === 'string')) {
    throw McpError.invalidParams('"arguments" must be an object whose members are strings');
  }
  if (prompt.input === undefined) return assertRequired(prompt, given);
  const outcome = await prompt.input.validate(given);
  if (!outcome.valid) throw McpError.invalidParams(formatIssues(outcome.issues));
  return outcome.value;
}

function assertRequired(prompt: PromptEntry, given: { readonly [name: string]: unknown }): unknown {
  for (const { name, required } of prompt.definition.arguments ?? []) {
    if (required === true && !Object.hasOwn(given, name)) {
      throw McpError.invalidParams(`the argument "${name}" is required`);
    }
  }
  return given;
}
