import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpModule, Prompt, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { perRequest, PER_REQUEST_VERSION } from '../../support/clients/json-rpc.js';
import { metaKey } from '../../support/clients/message.js';
import { sendHttp, type RawResponse } from '../../support/clients/raw-http.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { ABLE, accept } from './conversation.js';

const NAME = { key: 'name', message: 'Who are you?', schema: { type: 'object', properties: {} } } as const;

@Injectable()
class DeskHandlers {
  @Tool({ description: 'Books', inputSchema: { type: 'object', properties: { day: {} } } })
  async book(_: object, context: McpContext): Promise<string> {
    const { action } = await context.elicit(NAME);
    return action;
  }

  @Tool({ description: 'Books for two', inputSchema: { type: 'object' } })
  async bookTwice(_: object, context: McpContext): Promise<string> {
    const first = await context.elicit({ ...NAME, key: 'first' });
    const second = await context.elicit({ ...NAME, key: 'second' });
    return `${first.action} ${second.action}`;
  }

  @Prompt({ arguments: [{ name: 'day' }] })
  async plan(_: object, context: McpContext): Promise<string> {
    const { action } = await context.elicit(NAME);
    return action;
  }
}

/** By default nothing of this is parsed. */
const UNBOUNDED = { bodyDepth: 1_000_000, bodyValues: 1_000_000 };

/** Far more levels than a stack has. */
const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

describe.each(ADAPTERS)('what is nested without end in a call that asks, on %s', (adapter) => {
  const log = new RecordedLog();
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootApp({
      adapter,
      imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, limits: UNBOUNDED })],
      providers: [DeskHandlers],
      nest: { logger: log },
    });
  });

  beforeEach(() => log.clear());

  afterAll(() => desk.close());

  /** Sends params that are JSON already: a client of Node could not write them. */
  function send(name: string, members: string, method = 'tools/call'): Promise<RawResponse> {
    const meta = { [metaKey('protocolVersion')]: PER_REQUEST_VERSION, [metaKey('clientCapabilities')]: ABLE };
    const params = `{"name":"${name}","_meta":${JSON.stringify(meta)},${members}}`;
    return sendHttp(desk.url, {
      body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': PER_REQUEST_VERSION,
        'mcp-method': method,
        'mcp-name': name,
      },
    });
  }

  async function expectRefused(sent: Promise<RawResponse>): Promise<void> {
    const { json } = await sent;
    expect(json).toMatchObject({ error: { code: -32602, message: expect.stringContaining('too deeply') } });
    expect(log.find('error')).toEqual([]);
    expect((await perRequest(desk.url).request('tools/list')).status).toBe(200);
  }

  it('is the fault of who sent it: the arguments of a tool (CORE-01)', async () => {
    await expectRefused(send('book', `"arguments":{"day":${DEEP}}`));
  });

  it('is the fault of who sent it: the arguments of a second round (CORE-01)', async () => {
    const { result } = await perRequest(desk.url, { capabilities: ABLE }).request('tools/call', {
      name: 'book',
    });
    const state = JSON.stringify(result?.['requestState']);
    const answers = JSON.stringify({ name: accept({}) });
    await expectRefused(
      send('book', `"requestState":${state},"inputResponses":${answers},"arguments":{"day":${DEEP}}`),
    );
  });

  it('is the fault of who sent it: an answer that is carried on (CORE-01)', async () => {
    const answers = `{"first":{"action":"decline","_meta":{"x":${DEEP}}}}`;
    await expectRefused(send('bookTwice', `"arguments":{},"inputResponses":${answers}`));
  });

  it('is the fault of who sent it: a parameter of a prompt that nobody reads (CORE-01)', async () => {
    await expectRefused(send('plan', `"arguments":{"day":"Monday"},"x":${DEEP}`, 'prompts/get'));
  });
});
