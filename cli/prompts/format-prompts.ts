import type { GetPromptResult, Prompt } from '@modelcontextprotocol/client';
import { formatResult } from '../call/format-result.js';
import { makeLine } from '../visible-text.js';

/** Prints the prompts and their arguments, for a person. */
export function formatPrompts(prompts: readonly Prompt[]): string {
  return prompts.map(formatPrompt).join('\n\n');
}

function formatPrompt({ name, title, description, arguments: described = [] }: Prompt): string {
  const about = makeLine(description ?? title ?? '');
  const rows = described.map((one) => ({
    name: makeLine(one.name),
    kind: one.required === true ? 'required' : 'optional',
    about: makeLine(one.description ?? ''),
  }));
  const width = Math.max(0, ...rows.map((row) => row.name.length));
  return [
    about === '' ? makeLine(name) : `${makeLine(name)}  ${about}`,
    ...rows.map((row) => `  ${row.name.padEnd(width)}  ${row.kind}  ${row.about}`.trimEnd()),
  ].join('\n');
}

/** Writes the messages of a prompt for a person, each with who says it. */
export function formatMessages(messages: GetPromptResult['messages']): string {
  return messages
    .map(({ role, content }) => `${makeLine(role)}: ${formatResult({ content: [content] })}`)
    .join('\n\n');
}
