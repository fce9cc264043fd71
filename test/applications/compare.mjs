import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Asks the routes that tools are compared with, and gives the status and the body of each answer. */
export async function askRoutes({ url, headers, application }) {
  const answers = [];
  for (const { route, differs = [] } of application.calls) {
    if (route === undefined) continue;
    const { status, body } = await askRoute(url, { ...route, headers: { ...headers, ...route.headers } });
    answers.push({ route, status, body: leaveOut(body, differs) });
  }
  return answers;
}

/**
 * Calls each tool, and the tool that `@ToolController()` makes of its route, and compares what they answer with what the route does. What
 * changes something is called once.
 */
export async function compareTools({ url, headers, application, log }) {
  const { unwrap, routeTools } = application;
  const calls = application.calls.flatMap((call) => [
    { ...call, ...(unwrap && { unwrap }) },
    // The tool of a route has the whole body of its response.
    ...(call.route && routeTools[call.tool] ? [{ ...call, tool: routeTools[call.tool] }] : []),
  ]);
  for (const revision of ['auto', 'legacy']) {
    for (const call of calls.filter(({ tool, isOnce = false }) => tool && (revision === 'auto' || !isOnce))) {
      const given = { ...headers, ...(call.route?.headers ?? call.headers) };
      const result = await callTool(url, { ...call, headers: given, revision });
      const text = JSON.stringify(result);
      for (const secret of application.hidden ?? [])
        assert.ok(!text.includes(secret), `${call.tool} shows ${text}`);
      if (call.matches !== undefined) assert.match(text, call.matches);
      if (call.route === undefined) continue;
      const answer = await askRoute(url, { ...call.route, headers: given });
      assertSame(call, result, answer);
    }
  }
  for (const expected of application.logSays ?? []) assert.match(log.join(''), expected);
}

/** Sends a request to a route. A body that is no JSON is its text. */
export async function askRoute(url, { path, method = 'GET', body, headers }) {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, body: isJson ? JSON.parse(text) : text || undefined };
}

async function callTool(url, { tool, arguments: given = {}, headers, revision }) {
  const client = new Client(
    { name: 'applications', version: '1.0.0' },
    { versionNegotiation: { mode: revision } },
  );
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } });
  await client.connect(transport);
  try {
    return await client.callTool({ name: tool, arguments: given });
  } finally {
    await client.close();
  }
}

/** Structured content and its text are what the route answers; what fails tells every text that the route's answer has. */
function assertSame({ tool, differs = [], unwrap = (whole) => whole }, result, { status, body }) {
  const [{ text }] = result.content;
  console.log(`${tool}: ${status} ${text}`);
  if (status >= 400) {
    assert.equal(result.isError, true, `${tool} succeeds, and its route answers ${status}`);
    for (const line of listTexts(body.errors ?? body.message))
      assert.ok(text.includes(line), `${text} lacks ${line}`);
    return;
  }
  assert.ok(result.isError !== true, `${tool} fails: ${text}`);
  const expected = leaveOut(unwrap(body), differs);
  assert.deepEqual(leaveOut(JSON.parse(text), differs), expected);
  if (!Array.isArray(expected)) assert.deepEqual(leaveOut(result.structuredContent, differs), expected);
}

/** Members that differ from call to call, such as the id of what is made. */
export function leaveOut(value, names) {
  if (Array.isArray(value)) return value.map((member) => leaveOut(member, names));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, leaveOut(member, names)]));
}

/** Lists the texts in a value. */
export function listTexts(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}
