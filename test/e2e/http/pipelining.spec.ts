import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { Gate } from '../../support/applications/gate.js';
import { bootServer } from '../../support/applications/server.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import { initialize, PER_REQUEST_VERSION, perRequest } from '../../support/clients/json-rpc.js';
import { metaKey } from '../../support/clients/message.js';
import { until, within } from '../../support/until.js';

/** Formats a request as it goes over the wire. */
function format(method: string, headers: object, json?: object): string {
  const body = json === undefined ? '' : JSON.stringify(json);
  const entity = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const all = { host: 'localhost', ...headers, ...(json && entity) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} /mcp HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

function formatStateless(method: string, params: object, name?: string): string {
  const _meta = {
    [metaKey('protocolVersion')]: PER_REQUEST_VERSION,
    [metaKey('clientCapabilities')]: {},
  };
  const headers = {
    'mcp-protocol-version': PER_REQUEST_VERSION,
    'mcp-method': method,
    ...(name && { 'mcp-name': name }),
  };
  return format('POST', headers, { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
}

const callOf = (gate: string) => formatStateless('tools/call', { name: 'wait', arguments: { gate } }, 'wait');

let counter = 0;

describe.each(ADAPTERS)('requests that came with too many others on one connection, on %s', (adapter) => {
  it('reach no validator once the connection is closed (FAIR-02)', async () => {
    let checks = 0;
    const gate = new Gate();
    const validate = async (): Promise<undefined> => {
      checks += 1;
      await gate.pass();
    };
    const desk = await bootServer({ adapter, options: { auth: { validator: { validate } } } });
    const socket = connect(desk.port, '127.0.0.1').on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      format('GET', { authorization: 'Bearer of-nobody', accept: 'text/event-stream' }).repeat(400),
    );
    await within(closed, 'the end of the connection');
    expect(checks).toBeGreaterThan(1);
    expect(checks).toBeLessThan(100);
    // A check that nobody ends would be logged as too long, beside the applications of later suites.
    gate.open();
    await desk.close();
  });
});

describe.each(ADAPTERS)('requests that wait behind another on one connection, on %s', (adapter) => {
  let desk: RunningApp;
  let tools: WaitingTools;
  let socket: Socket;
  let first: string;
  let second: string;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      options: { streams: { maxListeners: 1 } },
      providers: [WaitingTools],
    });
    tools = desk.app.get(WaitingTools);
  });

  beforeEach(() => {
    counter += 1;
    [first, second] = [`first ${counter}`, `second ${counter}`];
    socket = connect(desk.port, '127.0.0.1').on('error', () => undefined);
  });

  afterAll(() => desk.close());

  it('are answered in their order (HTTP-02)', async () => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.write(callOf(first) + callOf(second));
    await tools.gates.at(second).reached();
    tools.gates.at(second).open();
    tools.gates.at(first).open();
    await until(() => text.includes(`"${second}"`), 'the second answer');
    expect(text.indexOf(`"${first}"`)).toBeLessThan(text.indexOf(`"${second}"`));
    socket.destroy();
  });

  it('are cancelled with it when the client goes away (HTTP-09)', async () => {
    socket.write(callOf(first) + callOf(second));
    await tools.gates.at(first).reached();
    await tools.gates.at(second).reached();
    socket.destroy();
    await until(() => tools.aborted.includes(second), 'an aborted handler');
    expect(tools.aborted).toContain(first);
  });

  it('leave no subscription behind when the client goes away (HTTP-09)', async () => {
    const listen = () =>
      perRequest(desk.url)
        .listen({})
        .catch(() => undefined);
    socket.write(callOf(first) + formatStateless('subscriptions/listen', { notifications: {} }));
    await until(async () => {
      const stream = await listen();
      await stream?.close();
      return stream === undefined;
    }, 'the subscription to take the only place');
    socket.destroy();
    const stream = await until(listen, 'a place for another subscription');
    expect(stream.isEnded).toBe(false);
    await stream.close();
  });

  it('leave no reader on the standing stream when the client goes away (HTTP-10)', async () => {
    const session = await initialize(desk.url);
    const open = () => session.openStream().catch(() => undefined);
    socket.write(callOf(first) + format('GET', { ...session.headers, accept: 'text/event-stream' }));
    await until(async () => {
      const stream = await open();
      await stream?.close();
      return stream === undefined;
    }, 'the standing stream to be taken');
    socket.destroy();
    const stream = await until(open, 'the standing stream to be free');
    expect(stream.isEnded).toBe(false);
    await stream.close();
  });

  it('are not kept without end: their connection is closed, and others are served (FAIR-02)', async () => {
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(callOf(first));
    await tools.gates.at(first).reached();
    socket.write(format('GET', {}).repeat(1000));
    await within(closed, 'the end of the connection');
    await until(() => tools.aborted.includes(first), 'the aborted handler');
    expect((await perRequest(desk.url).request('tools/list')).status).toBe(200);
  });

  it('may be many (SAFE-01)', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on('warning', warn);
    const gates = Array.from({ length: 30 }, (_, index) => `${first} ${index}`);
    socket.write(gates.map(callOf).join(''));
    for (const gate of gates) await tools.gates.at(gate).reached();
    socket.destroy();
    await until(() => gates.every((gate) => tools.aborted.includes(gate)), 'aborted handlers');
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  });
});
