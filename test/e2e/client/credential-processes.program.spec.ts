import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FileCredentialStore } from 'nestjs-mcp/client';
import { NodeProgram } from '../../support/programs/node-program.js';

const PROGRAM = fileURLToPath(new URL('../../../.build/test/programs/credential-worker.js', import.meta.url));
const KEY = { serverUrl: 'https://desk.example.com/mcp', issuer: 'https://login.example.com' };
const ROUNDS = 20;
const KILLS = 8;

describe('A folder of credentials that several processes share', () => {
  let folder: string;
  let store: FileCredentialStore;
  const programs: NodeProgram[] = [];

  const start = (environment: NodeJS.ProcessEnv) => {
    const program = new NodeProgram(PROGRAM, { FOLDER: folder, ...environment });
    programs.push(program);
    return program;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credentials-'));
    store = new FileCredentialStore({ folder });
  });

  afterEach(async () => {
    await Promise.all(programs.splice(0).map((program) => program.stop('SIGKILL')));
    await rm(folder, { recursive: true, force: true });
  });

  it('is refreshed by two at once, and no refresh token is used twice (CLI-14)', async () => {
    const rotation = await Rotation.start();
    await store.set(KEY, buildCredentials(rotation.current));
    const environment = { WORK: 'refresh', ROTATION: rotation.url, ROUNDS: String(ROUNDS) };
    const both = [start(environment), start(environment)];
    await Promise.all(both.map((program) => program.prints('done')));
    await rotation.stop();
    expect(rotation.misuses).toBe(0);
    expect(rotation.uses).toBe(2 * ROUNDS);
    expect((await store.get(KEY))?.tokens?.refreshToken).toBe(rotation.current);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('keeps a whole file, whenever a writer is killed (CLI-14)', async () => {
    const damaged: string[] = [];
    const reader = new FileCredentialStore({ folder, onDamaged: (path) => damaged.push(path) });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const program = start({ WORK: 'write' });
      await program.prints('ready');
      // In the midst of writes: each begins as the one before ends.
      await reader.get(KEY);
      await program.stop('SIGKILL');
      const { refreshToken, accessToken } = (await reader.get(KEY))?.tokens ?? {};
      expect(accessToken).toBe(`${refreshToken} `.repeat(100_000));
    }
    expect(damaged).toEqual([]);
    await store.set(KEY, buildCredentials('next'));
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('lets the next one in when a process is killed that kept others out (CLI-14)', async () => {
    const program = start({ WORK: 'hold' });
    await program.prints('ready');
    const late = store.exclusively(KEY, async () => 'late', { waitMs: 100 });
    await expect(late).rejects.toMatchObject({ code: 'credential_store_busy' });
    const next = store.exclusively(KEY, async () => 'next');
    await program.stop('SIGKILL');
    expect(await next).toBe('next');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is named where a process may not write to it, and what was to be written is not (CLI-14)', async () => {
    await chmod(folder, 0o500);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chmod(folder, 0o755);
    const inside = join(folder, 'nestjs-mcp');
    const program = start({ WORK: 'fail', FOLDER: inside, ...(isRoot && { AS_NOBODY: '1' }) });
    await program.prints('CredentialStoreError');
    expect(await program.exitCode()).toBe(0);
    expect(program.stdout).toContain(`${JSON.stringify(inside)} must be readable and writable`);
    expect(program.stdout).toContain('"EACCES"');
    expect(program.stdout + program.stderr).not.toContain('secret');
  });
});

function buildCredentials(refreshToken: string) {
  const tokens = { accessToken: 'access', tokenType: 'bearer', refreshToken };
  return { tokens: { ...tokens, grantedScopes: [], requestedScopes: [] } };
}

/** A token endpoint as far as it rotates refresh tokens: each can be used once. */
class Rotation {
  uses = 0;
  misuses = 0;
  current: string = randomUUID();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Rotation> {
    const server = createServer((request, response) => {
      const answer = async () => rotation.#rotate(await text(request));
      void answer().then((status) => response.writeHead(status).end(rotation.current));
    });
    const rotation = new Rotation(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return rotation;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  #rotate(given: string): 200 | 400 {
    if (given !== this.current) {
      this.misuses += 1;
      return 400;
    }
    this.uses += 1;
    this.current = randomUUID();
    return 200;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
