import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { devCommand } from '../../../cli/dev/dev.command.js';

describe('docs/dev.md', () => {
  it('has every option of the command', async () => {
    const page = readFileSync('docs/dev.md', 'utf8');
    const printed: string[] = [];
    const terminal = {
      environment: {},
      print: (line: string) => void printed.push(line),
      complain: () => undefined,
    };
    expect(await devCommand.run(['--help'], terminal)).toBe(0);
    const options = [...printed.join('\n').matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option);
    const listed = [...page.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, option]) => option);
    expect(listed).toEqual(options);
  });
});
