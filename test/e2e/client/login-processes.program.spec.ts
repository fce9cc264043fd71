import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FileCredentialStore } from 'nestjs-mcp/client';
import { LoginScene } from '../../support/authorization/login-scene.js';
import { NodeProgram } from '../../support/programs/node-program.js';
import { until } from '../../support/until.js';

const PROGRAM = fileURLToPath(new URL('../../../.build/test/programs/login-client.js', import.meta.url));
const PATIENCE_MS = 30_000;

describe('Processes that share a folder of credentials', () => {
  let folder: string;
  let scene: LoginScene;
  const programs: NodeProgram[] = [];

  const start = () => {
    const program = new NodeProgram(PROGRAM, { FOLDER: folder, SERVER_URL: scene.server.url });
    programs.push(program);
    return program;
  };
  const addresses = () =>
    programs.flatMap(({ stdout }) => [...stdout.matchAll(/^open (.+)$/gm)].map(([, url = '']) => url));
  const hasPrinted = (text: string) => programs.filter(({ stdout }) => stdout.includes(text)).length;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'logins-'));
    scene = await LoginScene.start();
  });
  afterEach(async () => {
    await Promise.all(programs.splice(0).map((program) => program.stop('SIGKILL')));
    await scene.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('have their user log in once, though both want to at once (CLI-14)', async () => {
    const both = [start(), start()];
    // Each has been told that it needs a token, before the user has done anything.
    await until(() => scene.server.tokens.length >= 2 && addresses().length > 0, 'both', PATIENCE_MS);
    await scene.visitor.open(addresses()[0]!);
    await Promise.all(both.map((program) => program.prints('answered 200')));
    expect(addresses()).toHaveLength(1);
    expect(scene.login.at('registration')).toHaveLength(1);
    expect(scene.login.grants).toEqual(['authorization_code']);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('renew a token once, though several want to at once (CLI-14)', async () => {
    start();
    await until(() => addresses().length > 0, 'an address', PATIENCE_MS);
    await scene.visitor.open(addresses()[0]!);
    await until(() => hasPrinted('answered 200') === 1, 'an answer', PATIENCE_MS);
    const store = new FileCredentialStore({ folder });
    const key = { serverUrl: scene.server.url, issuer: scene.login.issuer };
    const kept = (await store.get(key))!;
    await store.set(key, { ...kept, tokens: { ...kept.tokens!, expiresAtMs: 1 } });
    const others = [start(), start(), start()];
    await Promise.all(others.map((program) => program.prints('answered 200')));
    expect(scene.login.grants).toEqual(['authorization_code', 'refresh_token']);
  });

  it('take over when the one that logs in is killed (CLI-14)', async () => {
    const first = start();
    await until(() => addresses().length > 0, 'an address', PATIENCE_MS);
    const second = start();
    await until(() => scene.server.tokens.length >= 2, 'the second', PATIENCE_MS);
    await first.stop('SIGKILL');
    await until(() => addresses().length > 1, 'another address', PATIENCE_MS);
    await scene.visitor.open(addresses()[1]!);
    await second.prints('answered 200');
    expect(scene.login.at('registration')).toHaveLength(1);
  });
});
