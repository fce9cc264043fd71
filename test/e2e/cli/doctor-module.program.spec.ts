import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../support/programs/command-line.js';

const FILE = fileURLToPath(new URL('../../../.build/test/programs/shop-app.js', import.meta.url));
const environment = { NODE_ENV: 'production' };

interface Line {
  readonly id: string;
  readonly status: string;
}

async function examine(target: string, variables: NodeJS.ProcessEnv = {}) {
  const args = ['doctor', '--production', '--json', target];
  const ending = await runCommandLine(args, { environment: { ...environment, ...variables } });
  return { ...ending, lines: ending.code === 2 ? [] : (JSON.parse(ending.stdout) as readonly Line[]) };
}

describe('"doctor --production" and a file', () => {
  it('makes the application as the file does, and ends though that holds connections (KIT-03)', async () => {
    const { code, lines, stderr } = await examine(FILE);
    expect(code).toBe(0);
    expect(lines).toContainEqual(expect.objectContaining({ id: 'trust-proxy', status: 'ok' }));
    expect(lines).toContainEqual(expect.objectContaining({ id: 'secret', status: 'warning' }));
    // What an application prints is no report.
    expect(stderr).toBe('');
  });

  it('takes a module by its name, and says nothing of what surrounds it (KIT-03)', async () => {
    const { code, lines } = await examine(`${FILE}#AppModule`, { EXPOSE_ERRORS: '1' });
    expect(code).toBe(1);
    expect(lines).toContainEqual(expect.objectContaining({ id: 'error-details', status: 'error' }));
    expect(lines.map(({ id }) => id)).not.toContain('trust-proxy');
  });

  it.each([
    ['dist/no-such-file.js', 'The file "dist/no-such-file.js" does not exist: build the application first'],
    [`${FILE}#OtherModule`, 'does not export "OtherModule"'],
    [`${FILE}#EmptyModule`, 'The application has no server'],
    [`${FILE}#FailingModule`, 'The database is not there'],
  ])('ends with 2 where it cannot be examined: %s (KIT-03)', async (target, reason) => {
    const { code, stdout, stderr } = await examine(target);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
  });

  it.each(['dist/no-such-file.js', `${FILE}#OtherModule`])(
    'names its usage, and not the variables of the application, after a wrong call: %s (KIT-03)',
    async (target) => {
      const { stderr } = await examine(target);
      expect(stderr).toMatch(/\nUsage: nestjs-mcp-cli doctor .*\(see --help\)\n$/);
      expect(stderr).not.toContain('Make sure that the application starts here');
    },
  );
});
