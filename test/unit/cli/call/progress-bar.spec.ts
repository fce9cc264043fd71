import { describe, expect, it } from '@jest/globals';
import { formatProgressBar, formatProgressLine } from '../../../../cli/call/progress-bar.js';
import { ProgressDisplay } from '../../../../cli/call/progress-display.js';

describe('formatProgressBar (MCP basic/utilities/progress)', () => {
  it.each([
    [{ progress: 0, total: 4 }, '[------------------------]   0 %  0/4'],
    [{ progress: 1, total: 4 }, '[######------------------]  25 %  1/4'],
    [{ progress: 4, total: 4, message: 'done' }, '[########################] 100 %  4/4  done'],
    [{ progress: 9, total: 4 }, '[########################] 100 %  9/4'],
    [{ progress: -1, total: 4 }, '[------------------------]   0 %  -1/4'],
    [{ progress: 2 / 3, total: 1 }, '[################--------]  66 %  0.67/1'],
    [{ progress: 3 }, '... 3'],
    [{ progress: 3, total: 0, message: 'a\nb' }, '... 3/0  a b'],
  ])('draws %j as %j (CLI-20)', (progress, expected) => {
    expect(formatProgressBar(progress, 80)).toBe(expected);
  });

  it('fits into the line, and leaves its last column free (CLI-20)', () => {
    const line = formatProgressBar({ progress: 1, total: 2, message: 'm'.repeat(200) }, 50);
    expect(line).toHaveLength(49);
    expect(formatProgressBar({ progress: 1 }, 0)).toBe('');
  });

  it('shows nothing that a terminal obeys (CLI-20)', () => {
    expect(formatProgressBar({ progress: 1, message: '\u001b[2J\u009b1m\u202e' }, 80)).not.toMatch(
      /(?!\n)\p{Cc}|\u202e/u,
    );
  });
});

describe('ProgressDisplay', () => {
  const run = (columns?: number) => {
    const shown: string[] = [];
    const complaints: string[] = [];
    const display = new ProgressDisplay({
      environment: {},
      print: () => undefined,
      complain: (line) => void complaints.push(line),
      status: columns === undefined ? undefined : { columns, show: (line) => void shown.push(line) },
    });
    display.update({ progress: 1, total: 2, message: 'first' });
    display.update({ progress: 1, total: 2, message: 'first' });
    display.updateTask('task t1: working');
    display.end();
    return { shown, complaints };
  };

  it('changes one line at a terminal, and takes it away at the end (CLI-20)', () => {
    const bar = formatProgressBar({ progress: 1, total: 2, message: 'first' }, 80);
    expect(run(80)).toEqual({ shown: [bar, bar, 'task t1: working', ''], complaints: [] });
  });

  it('writes plain lines elsewhere, each once (CLI-20)', () => {
    const line = formatProgressLine({ progress: 1, total: 2, message: 'first' });
    expect(line).toBe('progress 1/2: first');
    expect(run()).toEqual({ shown: [], complaints: [line, 'task t1: working'] });
  });
});
