import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { buildHandshake } from '../../cli/bench/wire/mcp-request.js';
import type { Contender } from './contender.js';
import { buildCallExchange } from './exchange.js';
import type { ServerSettings } from './servers/serve.js';
import type { Sample } from './statistics.js';
import { PROTOCOL_VERSIONS } from './wire.js';

/** A server at a pipe that is started afresh in each slice, and measured until a tool has given its first answer. */
export class StdioStartUpContender implements Contender {
  private readonly exchange = buildCallExchange('handshake');

  constructor(
    private readonly program: string,
    private readonly settings: ServerSettings,
  ) {}

  /** Has the files read once that every start reads. */
  async warmUp(): Promise<void> {
    await this.measureSlice();
  }

  async measureSlice(): Promise<Sample> {
    const begun = performance.now();
    const file = fileURLToPath(new URL(`servers/${this.program}.js`, import.meta.url));
    const child = spawn(process.execPath, [file, JSON.stringify(this.settings)], {
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      const { message, assertResult } = this.exchange;
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      send(child, { id: 1, ...buildHandshake(PROTOCOL_VERSIONS.handshake) });
      await readResult(lines);
      send(child, { method: 'notifications/initialized' });
      send(child, { id: 2, ...message });
      const result = await readResult(lines);
      const cost = performance.now() - begun;
      assertResult(result);
      return { cost };
    } finally {
      await end(child);
    }
  }

  async stop(): Promise<void> {}
}

function send(child: ChildProcess, message: object): void {
  child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

async function readResult(lines: AsyncIterator<string>): Promise<Record<string, unknown>> {
  const { value, done } = await lines.next();
  if (done === true) throw new Error('The process ended before it answered');
  const { result } = JSON.parse(value) as { result?: Record<string, unknown> };
  if (result === undefined) throw new Error(`No result: ${value}`);
  return result;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
