import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DevApplication } from '../../../support/programs/dev-application.js';

const LONGEST_TEST_MS = 120_000;

/** How long a second signal is taken for the same press of a key, and a little more. */
const SAME_PRESS_MS = 600;

/** Starts another process, says who both are, and does not end when it is asked to. */
const STUBBORN = `import { spawn } from 'node:child_process';
process.on('SIGINT', () => console.log('no'));
process.on('SIGTERM', () => console.log('no'));
if (process.argv[2] === undefined) spawn(process.execPath, [process.argv[1], 'child'], { stdio: 'inherit' });
console.log('application ' + process.pid);
setInterval(() => undefined, 1000);
`;

/** Starts a process that goes on, and ends when that has said who it is. */
const DESERTING = `import { spawn } from 'node:child_process';
const child = spawn(process.execPath, ['-e', "console.log('application ' + process.pid); setInterval(() => undefined, 1000)"]);
child.stdout.once('data', (said) => process.stdout.write(said, () => process.exit(7)));
`;

let application: DevApplication;

beforeEach(async () => {
  application = await DevApplication.create();
});

afterEach(async () => {
  application.command.signal('SIGINT');
  await application.remove();
});

describe('the end of nestjs-mcp-cli dev', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
    'is that of the application and all that it has started, at %s',
    async (signal) => {
      const command = application.start();
      await command.prints(/ {2}tools +greet\n/);
      command.signal(signal);
      await command.ends();
      expect(application.processes).not.toHaveLength(0);
      await application.isGone();
    },
    LONGEST_TEST_MS,
  );

  it(
    'comes at the second signal, whatever the script does',
    async () => {
      application.put('stubborn.js', STUBBORN);
      application.describe({ 'start:dev': 'node stubborn.js' });
      const command = application.start();
      await command.prints(/application \d+\n[^]*application \d+\n/);
      command.signal('SIGINT');
      await command.prints(/no\n[^]*no\n/);
      expect(application.processes).toHaveLength(2);
      await delay(SAME_PRESS_MS);
      command.signal('SIGINT');
      expect((await command.ends()).code).toBe(137);
      await application.isGone();
    },
    LONGEST_TEST_MS,
  );

  it(
    'leaves nothing that the script has left',
    async () => {
      application.put('deserting.js', DESERTING);
      application.describe({ 'start:dev': 'node deserting.js' });
      const command = application.start();
      await command.prints(/application \d+\n/);
      expect((await command.ends()).code).toBe(7);
      await application.isGone();
    },
    LONGEST_TEST_MS,
  );

  it(
    'leaves nothing if nobody reads what it prints',
    async () => {
      const command = application.start();
      await command.prints(/ {2}tools +greet\n/);
      command.stopReading();
      // The application may be gone before it has answered.
      await fetch(application.url, { method: 'DELETE' }).catch(() => undefined);
      const { code } = await command.ends();
      await application.isGone();
      expect(code).toBe(0);
    },
    LONGEST_TEST_MS,
  );

  it(
    'has the exit code of the script',
    async () => {
      application.describe({ dev: 'node -e "process.exit(3)"' });
      expect((await application.start().ends()).code).toBe(3);
    },
    LONGEST_TEST_MS,
  );
});

describe('what nestjs-mcp-cli dev cannot start', () => {
  const refuse = async (args: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
    const { code, stderr } = await application.start(args, environment).ends();
    expect(code).toBe(2);
    return stderr;
  };

  it('is named with what to do, if there is no such script', async () => {
    application.describe({ build: 'tsc' });
    expect(await refuse([])).toContain(
      'has no script "start:dev" or "dev": pass one with "--script": "build"',
    );
    expect(await refuse(['--script', 'serve'])).toContain('has no script "serve"');
  });

  it('is named if the environment is that of production', async () => {
    expect(await refuse([], { NODE_ENV: 'production' })).toContain('"NODE_ENV" is "production"');
  });

  it('is named if the package manager is not installed', async () => {
    application.put('pnpm-lock.yaml', '');
    expect(await refuse([], { PATH: '/nowhere' })).toContain(
      '"pnpm", which runs this application\'s scripts',
    );
  });
});
