import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { NodeProgram } from '../../support/programs/node-program.js';

const SERVER = fileURLToPath(new URL('../../../.build/test/programs/heap-server.js', import.meta.url));

describe('A server with plain JSON Schemas in a process that allows no code from strings', () => {
  it('does not start, and says what to use instead (PLAT-02)', async () => {
    const server = new NodeProgram(SERVER, {}, ['--disallow-code-generation-from-strings']);
    expect(await server.exitCode()).not.toBe(0);
    expect(server.stderr + server.stdout).toMatch(
      /@Tool\(\) on "HeapTools\.\w+": The input schema is JSON Schema, which is compiled to code, .* use a Standard Schema/,
    );
  });
});
