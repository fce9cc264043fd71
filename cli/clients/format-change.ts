import { makeVisible } from '../visible-text.js';

/** Shows how a text changes: the lines that go with "-", those that come with "+". */
export function formatChange(before: string, after: string): string {
  const [old, renewed] = [before, after].map(splitLines) as [string[], string[]];
  const shorter = Math.min(old.length, renewed.length);
  let start = 0;
  while (start < shorter && old[start] === renewed[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === renewed.at(-1 - end)) end += 1;
  const gone = old.slice(start, old.length - end).map((line) => `- ${line}`);
  const come = renewed.slice(start, renewed.length - end).map((line) => `+ ${line}`);
  return makeVisible([...gone, ...come].join('\n'));
}

function splitLines(text: string): string[] {
  return text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .filter((line, _index, all) => all.length > 1 || line !== '');
}
