import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import type { ElicitResult } from '@modelcontextprotocol/client';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { McpElicitation, type McpClient } from 'nestjs-mcp/client-module';
import { until } from '../../support/until.js';
import { PROGRAM } from '../stdio/programs.js';
import { bootCustomer, WIRES, type Customer } from './shop.app.js';

@Injectable()
class Clerk {
  @McpElicitation()
  answer(): ElicitResult {
    return { action: 'accept', content: { name: 'Ada' } };
  }
}

const RECONNECT = { initialDelayMs: 10, maxDelayMs: 50 };

async function findProcess(client: McpClient): Promise<number> {
  const { transport } = await client.official();
  const { pid } = transport as StdioClientTransport;
  if (pid === null) throw new Error('There is no process');
  return pid;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.each(WIRES)('An injected client of a server that is a process (%j)', (negotiation) => {
  let customer: Customer;

  const boot = async (env: { [name: string]: string } = {}) => {
    const server = { command: process.execPath, args: [PROGRAM], env, stderr: 'ignore' } as const;
    customer = await bootCustomer({ ...server, negotiation, reconnect: RECONNECT }, [Clerk]);
    return customer.client;
  };

  afterEach(() => customer.app.close());

  it('starts it with the first use, and ends it with the application (CLI-18)', async () => {
    const client = await boot();
    expect((await client.listTools()).map(({ name }) => name)).toContain('greet');
    const pid = await findProcess(client);
    expect(isRunning(pid)).toBe(true);
    await customer.app.close();
    expect(isRunning(pid)).toBe(false);
  });

  it('gives it what is in its environment, and answers what it asks (CLI-18)', async () => {
    const client = await boot({ TOKEN: 'a-fixed-token-of-the-desk' });
    const { content } = await client.callTool('whoami');
    expect(JSON.stringify(content)).toContain('ada');
    await expect(client.callTool('ask')).resolves.toMatchObject({ content: [{ text: 'you are Ada' }] });
  });

  it('starts it again when it has ended (CLI-18)', async () => {
    const client = await boot();
    const pid = await findProcess(client);
    process.kill(pid, 'SIGKILL');
    await until(() => client.state !== 'connected', 'the loss');
    await expect(client.readResource('desk://state')).resolves.toMatchObject({
      contents: [{ text: 'open' }],
    });
    expect(await findProcess(client)).not.toBe(pid);
  });

  it('fails a call that it ended under, since nobody knows what became of it (CLI-18)', async () => {
    const client = await boot({ GRACE_MS: '1' });
    const pid = await findProcess(client);
    const call = client.callTool('hang');
    const outcome = call.catch((error: unknown) => error);
    await until(async () => (await client.ping(), true), 'a sign of life');
    process.kill(pid, 'SIGKILL');
    expect(await outcome).toMatchObject({ code: 'connection_lost' });
  });
});

describe('An injected client of a program that there is not', () => {
  it('fails at once (CLI-18)', async () => {
    const customer = await bootCustomer({ command: '/no/such/program' });
    await expect(customer.client.listTools()).rejects.toMatchObject({ code: 'ENOENT' });
    await customer.app.close();
  });
});
