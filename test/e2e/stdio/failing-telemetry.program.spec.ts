import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { StdioProgram } from '../../support/programs/stdio-program.js';

const PROGRAM = fileURLToPath(new URL('../../../.build/test/programs/failing-telemetry.js', import.meta.url));

describe('A process whose telemetry, audit, redactors and logger fail', () => {
  it('answers over stdio, and ends when its input does (OPS-01) (OPS-03) (OPS-06)', async () => {
    const program = new StdioProgram(PROGRAM);
    await program.initialize();
    program.send('{');
    for (const [id, name, text] of [
      [1, 'greet', 'hello'],
      [2, 'crash', 'Internal error (incident'],
    ] as const) {
      const answer = await program.request({ id, method: 'tools/call', params: { name } });
      expect(JSON.stringify(answer)).toContain(text);
    }
    expect(await program.request({ id: 3, method: 'made/up' })).toMatchObject({ error: { code: -32601 } });
    expect(
      await program.request({ id: 4, method: 'resources/read', params: { uri: 'desk://x' } }),
    ).toMatchObject({
      error: { code: -32002 },
    });
    expect(await program.finish()).toBe(0);
    expect(program.stderr).toContain("The application's logger failed: the observer is broken");
  });
});
