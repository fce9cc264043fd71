import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StreamableHTTPClientTransport, type Client, type Transport } from '@modelcontextprotocol/client';
import type { AuditEvent } from 'nestjs-mcp';
import { bootTaskDesk, type TaskDesk } from '../../support/applications/task-desk.js';
import { publishedClient } from '../../support/clients/task-wires.js';
import { connect, WAYS } from '../telemetry/recorded-desk.js';
import { bootAuditedDesk, recordAudit, type AuditedDesk } from './audited-desk.js';

const TRANSPORTS: Readonly<Record<string, AuditEvent['transport']>> = {
  'streamable HTTP': 'http',
  'HTTP+SSE': 'http',
  stdio: 'stdio',
  'in-process': 'in-process',
};

describe.each(Object.entries(WAYS))('A session that came by %s', (way, open) => {
  let desk: AuditedDesk;
  let client: Client;
  let transport: Transport;

  beforeEach(async () => {
    desk = await bootAuditedDesk();
    transport = await open(desk);
    client = await connect(transport);
    await client.ping();
  });

  afterEach(() => desk.close());

  it('ends by the transport by which it began (OPS-03)', async () => {
    const begun = await desk.find({ type: 'session_begun' });
    expect(begun.transport).toBe(TRANSPORTS[way]);
    if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession();
    await client.close();
    const ended = await desk.find({ type: 'session_ended' });
    expect(ended.transport).toBe(TRANSPORTS[way]);
    expect(ended.session).toBe(begun.session);
  });
});

describe('A task', () => {
  let desk: TaskDesk;
  let audit: Pick<AuditedDesk, 'events' | 'find'>;

  beforeEach(async () => {
    desk = await bootTaskDesk({ tasks: { concurrency: 1 } });
    audit = recordAudit(desk);
  });

  afterEach(() => desk.close());

  it('runs, and ends without having run, by the transport of its call (OPS-03)', async () => {
    const client = publishedClient(desk.url);
    const running = await client.create('wait', { name: 'a' });
    const waiting = await client.create('wait', { name: 'b' });
    await client.send('tasks/cancel', { taskId: waiting['taskId'] });
    await audit.find({ type: 'task', outcome: 'cancelled' });
    desk.tools.gates.at('a').open();
    await client.reach(running['taskId']);
    await audit.find({ type: 'task', outcome: 'ok' });
    const ends = audit.events.filter(({ type }) => type === 'task');
    expect(ends.map(({ outcome, transport }) => [outcome, transport])).toEqual([
      ['cancelled', 'http'],
      ['ok', 'http'],
    ]);
  });
});
