import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { COMMANDS } from '../../../cli/commands.js';
import { CHECKS } from '../../../cli/doctor/checks.js';
import { runCommand } from '../../../cli/run-command.js';

const page = readFileSync('docs/doctor.md', 'utf8');

describe('docs/doctor.md', () => {
  it('lists every option, in the order of the usage (CLI-20)', async () => {
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    await runCommand(['doctor', '--help'], COMMANDS, { environment: {}, print, complain: () => undefined });
    const options = [...printed.join('\n').matchAll(/^ {2}(--[a-z\d-]+)/gm)].map(([, option]) => option);
    const listed = [...page.matchAll(/^\| `(--[a-z\d-]+)/gm)].map(([, option]) => option);
    expect(listed).toEqual(options);
  });

  it('lists every check, in the order in which they are made (KIT-03)', () => {
    const listed = [...page.matchAll(/^\| `([a-z][a-z-]*)` /gm)].map(([, id]) => id);
    expect(listed).toEqual(CHECKS.map(({ id }) => id));
  });
});
