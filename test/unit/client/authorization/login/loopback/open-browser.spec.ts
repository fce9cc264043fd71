import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openBrowser } from '../../../../../../lib/client/authorization/login/loopback/open-browser.js';

const LOGIN = 'https://login.example.com/authorize?a=1&b=$(touch+x);%22`id`%25PATH%25';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browser-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Puts a program in the place of the system's; it notes its arguments. */
async function place(command: string, exitCode = 0): Promise<NodeJS.ProcessEnv> {
  const file = join(folder, command);
  await writeFile(file, `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/seen"\nexit ${exitCode}\n`);
  await chmod(file, 0o755);
  return { PATH: `${folder}:${process.env['PATH']}` };
}

const seen = async () => (await readFile(join(folder, 'seen'), 'utf8')).trimEnd().split('\n');

describe('Opening a browser', () => {
  it.each([
    ['linux', 'xdg-open', { DISPLAY: ':0' }, []],
    ['linux', 'xdg-open', { WAYLAND_DISPLAY: 'wayland-0' }, []],
    ['linux', 'xdg-open', { BROWSER: 'firefox' }, []],
    ['darwin', 'open', {}, []],
    ['win32', 'rundll32', {}, ['url.dll,FileProtocolHandler']],
  ] as const)(
    'is done on %s by %s, which gets the address as it is (CLI-09)',
    async (platform, command, screen, args) => {
      const environment = { ...(await place(command)), ...screen };
      await openBrowser(LOGIN, { platform, environment });
      expect(await seen()).toEqual([...args, LOGIN]);
    },
  );

  it('fails on a machine without a screen, and starts nothing (CLI-09)', async () => {
    const environment = await place('xdg-open');
    const opened = openBrowser(LOGIN, { platform: 'linux', environment });
    await expect(opened).rejects.toMatchObject({ code: 'browser_unavailable' });
    await expect(seen()).rejects.toThrow('ENOENT');
  });

  it('fails where the program says that there is none, or is not there (CLI-09)', async () => {
    const environment = { ...(await place('xdg-open', 3)), DISPLAY: ':0' };
    const unavailable = { code: 'browser_unavailable' };
    await expect(openBrowser(LOGIN, { platform: 'linux', environment })).rejects.toMatchObject(unavailable);
    const nothing = { PATH: folder, DISPLAY: ':0' };
    await rm(join(folder, 'xdg-open'));
    const missing = openBrowser(LOGIN, { platform: 'linux', environment: nothing });
    await expect(missing).rejects.toMatchObject(unavailable);
  });
});
