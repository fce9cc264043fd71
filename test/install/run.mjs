/** Makes an application with the Nest CLI, installs the packed package, lets `init` add a server, and calls its first tool. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../..');
const START_MS = 30_000;

const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-install-'));
const app = join(folder, 'shop');

function run(command, args, cwd = app) {
  console.log(`> ${command} ${args.join(' ')}`);
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Tells a port that nobody listens at. */
async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Calls the first tool in the newest revision, and waits for the server to be there. */
async function callFirstTool(url) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'greet', arguments: { name: 'Ada' }, _meta };
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'greet',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
  const deadline = performance.now() + START_MS;
  for (;;) {
    const response = await fetch(url, request).catch(() => undefined);
    if (response !== undefined) return response.json();
    if (performance.now() > deadline) throw new Error('The application did not start');
    await delay(100);
  }
}

async function serveAndCall() {
  const port = await findFreePort();
  const server = spawn(process.execPath, ['dist/main.js'], {
    cwd: app,
    env: { ...process.env, PORT: String(port) },
    stdio: 'inherit',
  });
  const ended = once(server, 'exit');
  try {
    const { result } = await callFirstTool(`http://127.0.0.1:${port}/mcp`);
    assert.deepEqual(result?.content, [{ type: 'text', text: 'Hello, Ada' }]);
  } finally {
    server.kill();
    await ended;
  }
}

/** A test of the application's own, by its own runner of tests. */
const SPEC = `import { Test } from '@nestjs/testing';
import { McpTestingModule, mcpMatchers } from 'nestjs-mcp/testing';
import { expect, it } from 'vitest';
import { AppModule } from './app.module.js';

expect.extend(mcpMatchers);

it('greets', async () => {
  const moduleRef = await Test.createTestingModule({ imports: [AppModule] }).compile();
  await moduleRef.init();
  const client = await McpTestingModule.createClient(moduleRef);
  expect(await client.callTool({ name: 'greet', arguments: { name: 'Ada' } })).toHaveText('Hello, Ada');
  expect(await client.callTool({ name: 'greet', arguments: {} })).toBeToolError(/name/);
  await client.close();
  await moduleRef.close();
});

// @ts-expect-error the matcher is known, and takes no number
export const misuse = () => expect({}).toHaveText(1);
`;

try {
  run('npm', ['pack', '--silent', '--pack-destination', folder], ROOT);
  const tarball = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz')),
  );
  run('npx', ['--yes', '@nestjs/cli@12', 'new', 'shop', '--package-manager', 'npm', '--skip-git'], folder);
  run('npm', ['install', tarball]);
  const untouched = readFileSync(join(app, 'src/app.module.ts'), 'utf8');

  console.log(run('npx', ['nestjs-mcp', 'init']));
  const changed = readFileSync(join(app, 'src/app.module.ts'), 'utf8');
  assert.match(changed, /McpModule\.forRoot/);
  assert.match(run('npx', ['nestjs-mcp', 'init']), /Everything is there already/);
  run('npm', ['run', 'build']);
  await serveAndCall();

  writeFileSync(join(app, 'src/app.module.ts'), untouched);
  rmSync(join(app, 'src/greeting.tools.ts'));
  run('npx', ['nest', 'generate', '-c', 'nestjs-mcp', 'init']);
  assert.equal(readFileSync(join(app, 'src/app.module.ts'), 'utf8'), changed);

  run('npm', ['install', '--save-dev', '@modelcontextprotocol/client']);
  writeFileSync(join(app, 'src/greeting.spec.ts'), SPEC);
  run('npx', ['vitest', 'run', 'src/greeting.spec.ts']);
  run('npx', ['tsc', '--noEmit', '-p', 'tsconfig.json']);
  console.log('An application made by the Nest CLI serves its first tool');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
