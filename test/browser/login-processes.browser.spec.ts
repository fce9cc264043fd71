import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { LoginScene } from '../support/authorization/login-scene.js';
import { NodeProgram } from '../support/programs/node-program.js';
import { until } from '../support/until.js';
import { launchChromium } from './chromium.js';
import { logIn, welcomePerson } from './provider-pages.js';

const PROGRAM = fileURLToPath(new URL('../../.build/test/programs/login-client.js', import.meta.url));
const PATIENCE_MS = 60_000;

let browser: Browser;
let folder: string;
let scene: LoginScene;
const programs: NodeProgram[] = [];

beforeAll(async () => {
  browser = await launchChromium();
  folder = await mkdtemp(join(tmpdir(), 'logins-'));
  scene = await LoginScene.start({ showsPages: true });
}, PATIENCE_MS);
afterEach(() => Promise.all(programs.splice(0).map((program) => program.stop('SIGKILL'))));
afterAll(async () => {
  await scene?.stop();
  await rm(folder, { recursive: true, force: true });
  await browser?.close();
});

describe('Two processes that want a person with Chromium to log in at once', () => {
  it(
    'have them log in once (CLI-14)',
    async () => {
      const environment = { FOLDER: folder, SERVER_URL: scene.server.url };
      for (let count = 0; count < 2; count += 1) programs.push(new NodeProgram(PROGRAM, environment));
      const both = [...programs];
      const addresses = () =>
        both.flatMap(({ stdout }) => [...stdout.matchAll(/^open (.+)$/gm)].map(([, url = '']) => url));
      await until(() => scene.server.tokens.length >= 2 && addresses().length > 0, 'both', PATIENCE_MS);
      const end = await logIn(await welcomePerson(browser), addresses()[0]!);
      expect(end).toContain('go back to the program');
      await Promise.all(both.map((program) => program.prints('answered 200')));
      expect(addresses()).toHaveLength(1);
      expect(scene.login.grants).toEqual(['authorization_code']);
    },
    PATIENCE_MS,
  );
});
