import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const START_MS = 30_000;

/** Starts an application that is built, calls a tool of it, and gives the status and the body of the answer. */
export async function callTool(app, name, args) {
  const port = await findFreePort();
  const server = spawn(process.execPath, ['dist/main.js'], {
    cwd: app,
    env: { ...process.env, PORT: String(port) },
    stdio: 'inherit',
  });
  const ended = once(server, 'exit');
  try {
    const response = await call(`http://127.0.0.1:${port}/mcp`, { name, arguments: args });
    return { status: response.status, body: await response.text() };
  } finally {
    server.kill();
    await ended;
  }
}

/** Tells a port that nobody listens at. */
export async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Calls in the newest revision, and waits for the server to be there. */
async function call(url, { name, arguments: args }) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, arguments: args, _meta };
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
  const deadline = performance.now() + START_MS;
  for (;;) {
    const response = await fetch(url, request).catch(() => undefined);
    if (response !== undefined) return response;
    if (performance.now() > deadline) throw new Error('The application did not start');
    await delay(100);
  }
}
