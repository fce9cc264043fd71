import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../../support/until.js';
import { ScriptOutput } from '../../../../cli/dev/dev.command.js';

function follow() {
  const output = new ScriptOutput();
  const source = new PassThrough();
  const target = new PassThrough({ highWaterMark: 64 }).setEncoding('utf8');
  const lines: string[] = [];
  output.follow(source, target, (line) => void lines.push(line));
  return { output, source, target, lines, read: () => String(target.read() ?? '') };
}

describe('ScriptOutput', () => {
  it('passes on what comes with its colors, but for what empties the terminal', () => {
    const { source, lines, read } = follow();
    source.write('\u001b[2J\u001b[3J\u001b[H\u001bc\u001b[32mready\u001b[0m\r\n');
    expect(read()).toBe('\u001b[32mready\u001b[0m\r\n');
    expect(lines).toEqual(['ready']);
  });

  it('reads lines and characters that come in pieces', () => {
    const { source, lines, read } = follow();
    const bytes = Buffer.from('grüße\nzwei\n');
    source.write(bytes.subarray(0, 3));
    source.write(bytes.subarray(3));
    expect(read()).toBe('grüße\nzwei\n');
    expect(lines).toEqual(['grüße', 'zwei']);
  });

  it('ends a line that is not finished before something else is told', () => {
    const { output, source, target, read } = follow();
    output.begin(target);
    source.write('name? ');
    output.begin(target);
    output.begin(target);
    expect(read()).toBe('name? \n');
  });

  it('reads no faster than it is read', () => {
    const { source, lines, read } = follow();
    source.write(`${'x'.repeat(100)}\n`);
    source.write('next\n');
    expect(lines).toHaveLength(1);
    read();
    return until(() => lines.length === 2, 'both lines');
  });
});
