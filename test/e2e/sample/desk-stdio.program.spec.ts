import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../conformance/find-free-port.js';
import { StdioProgram } from '../../support/programs/stdio-program.js';

const PROGRAM = fileURLToPath(new URL('../../../.build/sample/01-desk/stdio.js', import.meta.url));

describe('The support desk over stdio', () => {
  it('answers calls, and ends with its input (STDIO-01, STDIO-02)', async () => {
    const program = new StdioProgram(PROGRAM, { DATABASE_URL: undefined });
    expect(await program.initialize()).toMatchObject({ result: { serverInfo: { name: 'desk' } } });
    const params = { name: 'search_tickets', arguments: { priority: 'urgent', status: 'open' } };
    const { result } = await program.request({ id: 1, method: 'tools/call', params });
    expect(result).toHaveProperty('structuredContent');
    expect(await program.finish()).toBe(0);
  });

  it('says in one sentence why it cannot start (STDIO-02)', async () => {
    const DATABASE_URL = `postgres://127.0.0.1:${await findFreePort()}/none`;
    const program = new StdioProgram(PROGRAM, { DATABASE_URL });
    expect(await program.exitCode()).toBe(1);
    expect(program.lines).toEqual([]);
    expect(program.stderr).toContain('No database answers at "DATABASE_URL"');
  });
});
