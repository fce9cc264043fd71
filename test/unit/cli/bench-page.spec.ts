import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { AMOUNTS } from '../../../cli/bench/bench-options.js';
import { COMMANDS } from '../../../cli/commands.js';
import { runCommand } from '../../../cli/run-command.js';
import { SERVER_OPTIONS } from '../../../cli/server/server-options.js';

const page = readFileSync('docs/bench.md', 'utf8');

async function readUsage(): Promise<string> {
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  await runCommand(['bench', '--help'], COMMANDS, { environment: {}, print, complain: () => undefined });
  return printed.join('\n');
}

describe('docs/bench.md', () => {
  it('has every option that is not of all commands (CLI-20)', async () => {
    const options = [...(await readUsage()).matchAll(/^ {2}--([a-z\d-]+)/gm)].map(([, name = '']) => name);
    const listed = [...page.matchAll(/^\| `--([a-z-]+)/gm)].map(([, name = '']) => name);
    expect(listed).toEqual(options.filter((name) => !Object.hasOwn(SERVER_OPTIONS, name)));
  });

  it.each(Object.entries(AMOUNTS))('says how much "--%s" is and may be', (option, { usual, most }) => {
    const [, usualCell = '', about = ''] =
      new RegExp(`^\\| \`--${option} <number>\` +\\| (\\d+) +\\|(.*)\\|$`, 'm').exec(page) ?? [];
    expect([usualCell, about]).toEqual([
      String(usual),
      expect.stringContaining(`up to ${most.toLocaleString('en')}`),
    ]);
  });
});
