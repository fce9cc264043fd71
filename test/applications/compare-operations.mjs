import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { askRoute, leaveOut, listTexts } from './compare.mjs';
import { argumentsOf } from './generate-arguments.mjs';
import { buildRequest, listOperations } from './openapi.mjs';

const INPUTS = 200;
const SEED = 20_260_728;

/** So many calls that change nothing are on their way together. */
const AT_ONCE = 10;

/**
 * Calls the tool of each operation in one copy of an application, and in another copy the route as a client of its OpenAPI document does. Both
 * see the same inputs in the same order, and must answer the same.
 */
export async function compareOperations(toolsOf, routesOf) {
  const { document: path, callers, headers } = toolsOf.application.operations;
  const document = await (await fetch(routesOf.url + path)).json();
  const clients = await Promise.all(callers.map((caller) => connect(toolsOf.url, caller)));
  try {
    const { tools } = await clients[0].listTools();
    for (const operation of listOperations(document, headers)) {
      assertSameArguments(
        operation,
        tools.find(({ name }) => name === operation.id),
      );
      await compareOperation(operation, { routesOf, callers, clients });
    }
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

async function connect(url, headers) {
  const client = new Client(
    { name: 'applications', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  return client;
}

function assertSameArguments({ id, properties, required }, tool) {
  assert.ok(tool !== undefined, `There is no tool ${id}`);
  const { inputSchema } = tool;
  assert.deepEqual(Object.keys(inputSchema.properties).toSorted(), Object.keys(properties).toSorted(), id);
  assert.deepEqual((inputSchema.required ?? []).toSorted(), required.toSorted(), id);
  for (const [name, { type, enum: values, items, oneOf }] of Object.entries(properties)) {
    const shown = inputSchema.properties[name];
    const about = `${id}.${name} is ${JSON.stringify(shown)}`;
    if (values !== undefined) assert.deepEqual(shown.enum, values, about);
    else if (oneOf !== undefined) assert.equal((shown.oneOf ?? shown.anyOf)?.length, oneOf.length, about);
    // A validator of whole numbers is narrower than the document.
    else if (shown.anyOf === undefined)
      assert.equal(type === 'number' ? shown.type?.replace('integer', type) : shown.type, type, about);
    if (items?.enum !== undefined) assert.deepEqual(shown.items?.enum, items.enum, about);
  }
}

async function compareOperation(operation, { routesOf, callers, clients }) {
  const { id, method } = operation;
  const { differs } = routesOf.application.operations;
  const statuses = {};
  const compare = async (given, at) => {
    // Most calls are those of the first, who may do everything.
    const caller = at % 8 < callers.length ? at % 8 : 0;
    const request = buildRequest(operation, given);
    const headers = { ...callers[caller], ...request.headers };
    const [result, answer] = await Promise.all([
      clients[caller].callTool({ name: id, arguments: given }),
      askRoute(routesOf.url, { ...request, headers }),
    ]);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    const about = `${id} ${JSON.stringify(given)}\n${JSON.stringify(result)}\n${JSON.stringify(answer)}`;
    assertSame({ result, answer, about, differs, hidden: routesOf.application.hidden });
  };
  const inputs = fc.sample(argumentsOf(operation), { numRuns: INPUTS, seed: SEED });
  const step = method === 'GET' ? AT_ONCE : 1;
  for (let at = 0; at < INPUTS; at += step) {
    await Promise.all(inputs.slice(at, at + step).map((given, after) => compare(given, at + after)));
  }
  console.log(`${id}: ${JSON.stringify(statuses)}`);
  assert.ok(
    Object.keys(statuses).some((status) => status < 300),
    `${id} never succeeds`,
  );
}

function assertSame({ result, answer: { status, body }, about, differs, hidden }) {
  const text = result.content.map((one) => one.text).join('\n');
  for (const secret of hidden) assert.ok(!JSON.stringify(result).includes(secret), about);
  assert.equal(result.isError ?? false, status >= 400, about);
  if (status >= 500) return assert.match(text, /^Internal error/, about);
  if (status >= 400) {
    for (const line of listTexts(body.errors ?? body.title))
      assert.ok(normalize(text).includes(normalize(line)), about);
    return undefined;
  }
  if (body === undefined) return assert.match(text, /^(?:Done|null)$/, about);
  if (typeof body === 'string') return assert.equal(text, body, about);
  assert.deepEqual(leaveOut(JSON.parse(text), differs), leaveOut(body, differs), about);
  return assert.deepEqual(result.structuredContent, JSON.parse(text), about);
}

/** Spaces and controls are the same in lines for models. */
function normalize(text) {
  return text.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
}
