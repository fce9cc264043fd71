import type { Prompt } from '@modelcontextprotocol/client';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';

/**
 * Builds the arguments of a prompt, which are texts.
 *
 * @throws {UsageError} with a line for each that is missing, is not known or comes twice
 */
export function buildPromptArguments(
  texts: ReadonlyMap<string, readonly string[]>,
  { arguments: described = [] }: Prompt,
): { [name: string]: string } {
  const names = described.map(({ name }) => name);
  const known = names.length === 0 ? 'takes none' : `has ${names.map(quoteVisible).join(', ')}`;
  const complaints = [...texts].flatMap(([name, given]) => {
    if (!names.includes(name)) return [`The prompt has no argument ${quoteVisible(name)}: it ${known}`];
    if (given.length === 1) return [];
    return [`The argument ${quoteVisible(name)} must be one value, and was given several times`];
  });
  const missing = described.filter(({ name, required }) => required === true && !texts.has(name));
  complaints.push(
    ...missing.map(({ name }) => `The argument ${quoteVisible(name)} is required, and is missing`),
  );
  if (complaints.length > 0) throw new UsageError(complaints.join('\n'));
  return Object.fromEntries([...texts].map(([name, [text = '']]) => [name, text]));
}
