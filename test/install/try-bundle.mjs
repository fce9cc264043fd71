import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const DTO = { name: 'Ada', place: { floor: 2 } };

/** Starts a bundle over HTTP and at a pipe, and calls its tools on both, rightly and wrongly. */
export async function tryBundle(file, expected) {
  await tryHttp(file, expected);
  await tryStdio(file, expected);
}

async function tryHttp(file, expected) {
  const server = start(file);
  try {
    const url = await readUrl(server);
    await tryTools(expected, (message) => post(url, message));
    await tryPage(url);
  } finally {
    await stop(server);
  }
}

async function tryStdio(file, expected) {
  const server = start(file, 'stdio');
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  try {
    await tryTools(expected, async (message) => {
      server.stdin.write(`${JSON.stringify(message)}\n`);
      const { value = '{}' } = await lines.next();
      return JSON.parse(value);
    });
  } finally {
    await stop(server);
  }
}

async function tryTools({ tools, hasClients = false }, send) {
  for (const name of tools) {
    const given = name === 'dto' ? DTO : { name: 'Ada' };
    const right = await send(call(name, given));
    assert.deepEqual(right.result?.content, [{ type: 'text', text: 'Hello, Ada' }], JSON.stringify(right));
    const wrong = await send(call(name, { ...given, name: 7 }));
    assert.equal(wrong.result?.isError, true, JSON.stringify(wrong));
    assert.match(wrong.result.content[0].text, /name|given/);
  }
  if (!hasClients) return;
  const { result } = await send(call('clients', {}));
  assert.match(result?.content[0].text ?? '', /Hello, Ada.* function function function$/);
}

/** The page for browsers is a file of the package, which is not here. In a bundle that is made for production it is switched off. */
async function tryPage(url) {
  const [page] = await once(get(url, { headers: { accept: 'text/html' } }), 'response');
  if (page.statusCode === 406) return void page.resume();
  assert.equal(page.statusCode, 501);
  const text = (await page.toArray()).join('');
  assert.match(text, /^This is an MCP endpoint\. Its explorer page, .* is not installed/);
}

function call(name, given) {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given, _meta: META } };
}

async function post(url, message) {
  const { name } = message.params;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': message.method,
      'mcp-name': name,
    },
    body: JSON.stringify(message),
  });
  return response.json();
}

function start(file, ...args) {
  return spawn(process.execPath, [file, ...args], {
    cwd: dirname(file),
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function readUrl(server) {
  for await (const line of createInterface({ input: server.stdout })) {
    const [, url] = /^ready (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('It ended before it listened');
}

async function stop(server) {
  if (server.exitCode !== null) return;
  const ended = once(server, 'exit');
  server.kill();
  await ended;
}
