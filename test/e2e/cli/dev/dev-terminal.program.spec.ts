import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DevApplication, isRunning, writeTools } from '../../../support/programs/dev-application.js';
import { PseudoTerminal } from '../../../support/programs/pseudo-terminal.js';
import { until } from '../../../support/until.js';

const FILE = fileURLToPath(new URL('../../../../cli/dist/main.js', import.meta.url));
const LONGEST_TEST_MS = 120_000;
const PATIENCE_MS = 30_000;

/** What a key does that interrupts. */
const CTRL_C = '\u0003';

describe('nestjs-mcp-cli dev at a terminal', () => {
  let application: DevApplication;
  let terminal: PseudoTerminal;
  let opened: string;

  beforeEach(async () => {
    application = await DevApplication.create();
    opened = join(application.folder, 'opened');
    for (const opener of ['xdg-open', 'open']) {
      application.put(`bin/${opener}`, `#!/bin/sh\necho "$1" >> ${opened}\n`);
      chmodSync(join(application.folder, 'bin', opener), 0o755);
    }
  });

  afterEach(async () => {
    terminal.type(CTRL_C);
    await terminal.exitCode();
    await application.remove();
  });

  const start = (args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}): void => {
    const PATH = `${join(application.folder, 'bin')}:${process.env.PATH}`;
    const variables = {
      PATH,
      DISPLAY: ':0',
      CI: '',
      NODE_ENV: '',
      PORT: String(application.port),
      ...environment,
    };
    terminal = new PseudoTerminal([process.execPath, FILE, 'dev', ...args], variables, application.folder);
  };

  const listProcesses = () =>
    [...terminal.shown.matchAll(/application (\d+)\r/g)].map(([, pid]) => Number(pid));

  it(
    'opens the page once, and keeps colors',
    async () => {
      application.put('dist/color.js', "console.log(process.env['FORCE_COLOR'] ? 'in color' : 'plain');\n");
      application.describe({ 'start:dev': 'node dist/color.js && node --watch dist/main.js' });
      start();
      await terminal.shows('in color');
      await until(() => existsSync(opened), 'the browser', PATIENCE_MS);
      application.write('greeting.tools.ts', writeTools({ bow: "return 'bowed';" }));
      await until(() => terminal.shown.includes('added tool bow'), 'the change', PATIENCE_MS);
      expect(readFileSync(opened, 'utf8')).toBe(`${application.url.href}\n`);
    },
    LONGEST_TEST_MS,
  );

  it.each([
    ['is not asked to', ['--no-open'], {}],
    ['builds', [], { CI: 'true' }],
  ])(
    'opens nothing if it %s',
    async (_, args, environment) => {
      start(args, environment);
      await until(() => terminal.shown.includes('Server at'), 'the server', PATIENCE_MS);
      application.write('greeting.tools.ts', writeTools({ bow: "return 'bowed';" }));
      await until(() => terminal.shown.includes('added tool bow'), 'the change', PATIENCE_MS);
      expect(existsSync(opened)).toBe(false);
    },
    LONGEST_TEST_MS,
  );

  it(
    'ends with everything at Ctrl-C',
    async () => {
      start(['--no-open']);
      await until(() => terminal.shown.includes('Server at'), 'the server', PATIENCE_MS);
      terminal.type(CTRL_C);
      await terminal.exitCode();
      expect(terminal.shown).toContain('Stopping the application; press Ctrl-C again to kill it');
      const processes = listProcesses();
      expect(processes).not.toHaveLength(0);
      await until(() => !processes.some((pid) => isRunning(pid)), 'the end of the application');
    },
    LONGEST_TEST_MS,
  );
});
