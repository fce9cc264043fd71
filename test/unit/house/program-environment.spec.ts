import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NodeProgram } from '../../support/programs/node-program.js';

const SETUP = {
  NODE_OPTIONS: '--throw-deprecation',
  FORCE_COLOR: '1',
  NO_COLOR: '1',
  REDIS_URL: 'redis://own',
};

describe('A program that a test starts', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-'));
    Object.assign(process.env, SETUP);
  });
  afterEach(() => {
    for (const name of Object.keys(SETUP)) delete process.env[name];
    rmSync(folder, { recursive: true });
  });

  async function run(environment: NodeJS.ProcessEnv = {}): Promise<{ printed: unknown; stderr: string }> {
    const file = join(folder, 'program.mjs');
    writeFileSync(file, 'const { PATH, NODE_OPTIONS, FORCE_COLOR, NO_COLOR, REDIS_URL } = process.env;\n');
    writeFileSync(
      file,
      'console.log(JSON.stringify({ hasPath: PATH !== undefined, NODE_OPTIONS, FORCE_COLOR, NO_COLOR, REDIS_URL }));\n',
      { flag: 'a' },
    );
    const program = new NodeProgram(file, environment);
    await program.exitCode();
    return { printed: JSON.parse(program.stdout), stderr: program.stderr };
  }

  it('does not see how somebody set up programs of their own', async () => {
    expect(await run()).toEqual({ printed: { hasPath: true }, stderr: '' });
  });

  it('sees what the test sets', async () => {
    expect(await run({ REDIS_URL: 'redis://test' })).toMatchObject({
      printed: { REDIS_URL: 'redis://test' },
    });
  });
});
