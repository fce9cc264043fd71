import type { Prompt } from '@modelcontextprotocol/client';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';

/**
 * Builds the arguments of a prompt, which are texts.
 *
 * @throws {UsageError} if one is missing, is not known or comes twice, with its name
 */
export function buildPromptArguments(
  texts: ReadonlyMap<string, readonly string[]>,
  { arguments: described = [] }: Prompt,
): { [name: string]: string } {
  const names = described.map(({ name }) => name);
  const known = names.length === 0 ? 'takes none' : `has ${names.map(quoteVisible).join(', ')}`;
  for (const [name, given] of texts) {
    if (!names.includes(name))
      throw new UsageError(`The prompt has no argument ${quoteVisible(name)}: it ${known}`);
    if (given.length > 1)
      throw new UsageError(
        `The argument ${quoteVisible(name)} must be one value, and was given several times`,
      );
  }
  const missing = described.find(({ name, required }) => required === true && !texts.has(name));
  if (missing !== undefined)
    throw new UsageError(`The argument ${quoteVisible(missing.name)} is required, and is missing`);
  return Object.fromEntries([...texts].map(([name, [text = '']]) => [name, text]));
}
