import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What a machine that does a lot besides may take. */
const START_MS = 120_000;

/** Starts an application that is built, calls a tool of it, and gives the status and the body of the answer. */
export async function callTool(app, name, args) {
  return withServer(app, async (send) => {
    const response = await send('tools/call', { name, arguments: args });
    return { status: response.status, body: await response.text() };
  });
}

/**
 * Starts an application that is built, and ends it when something has been done with it.
 *
 * @template Result
 * @param {string} app its folder
 * @param {(send: (method: string, params?: object) => Promise<Response>) => Promise<Result>} act
 * @returns {Promise<Result>} what came of that
 */
export async function withServer(app, act) {
  const port = await findFreePort();
  const server = spawn(process.execPath, ['dist/main.js'], {
    cwd: app,
    env: { ...process.env, PORT: String(port) },
    stdio: 'inherit',
  });
  const ended = once(server, 'exit');
  try {
    return await act((method, params = {}) => request(`http://127.0.0.1:${port}/mcp`, method, params));
  } finally {
    server.kill();
    await ended;
  }
}

/** Tells a port that nobody listens at, of those that no system gives to connections by itself: a moment later it is still free. */
export async function findFreePort() {
  for (;;) {
    const port = randomInt(12_000, 22_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Sends a request in the newest revision, as a client that shows apps and knows the extension of the generator, and waits for the server to be there. */
async function request(url, method, given) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {
      extensions: {
        'com.example/extension-sample': {},
        'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
      },
    },
  };
  const { name = given.uri } = given;
  const init = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name && { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...given, _meta } }),
  };
  const deadline = performance.now() + START_MS;
  for (;;) {
    const response = await fetch(url, init).catch(() => undefined);
    if (response !== undefined) return response;
    if (performance.now() > deadline) throw new Error('The application did not start');
    await delay(100);
  }
}
