import { PassThrough } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Tool } from '../../../../../lib/server/decorators/handler.decorators.js';
import { getStdioToken } from '../../../../../lib/server/settings/server-tokens.js';
import type { StdioTransport } from '../../../../../lib/server/transport/stdio/stdio-transport.js';
import { until } from '../../../../support/until.js';
import { CapturedLog } from '../../../support/captured-log.js';
import { passTime, stopClocks } from '../../../support/clocks.js';
import { DuplexClient } from '../../../support/duplex-client.js';

/** A log that takes errors alone. */
class ErrorLog extends CapturedLog {
  override warn(): void {
    throw new Error('the disk is full');
  }
}

@Injectable()
class RoomTool {
  @Tool()
  look(): string {
    return 'tidy';
  }
}

describe('StdioTransport', () => {
  const log = new ErrorLog();
  let desk: DuplexClient;

  beforeEach(async () => {
    const validator = { validate: () => ({ sub: 'ada', expiresAt: Math.floor(Date.now() / 1000) + 60 }) };
    desk = await DuplexClient.open(RoomTool, {
      auth: { resourceUri: 'https://desk.example.com/mcp', validator },
    });
    Logger.overrideLogger(log);
  });

  afterEach(async () => {
    jest.useRealTimers();
    log.release();
    await desk.close();
  });

  it('answers also if the log of the application fails once the token has expired (AUTH-05)', async () => {
    stopClocks();
    const transport = desk.app.get<StdioTransport>(getStdioToken(), { strict: false });
    const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
    const { signal } = new AbortController();
    const served = transport.serve({ input, output, token: 'of-ada', graceMs: 1000, signal });
    const lines: string[] = [];
    output.on('data', (line: string) => void lines.push(line));
    const clientInfo = { name: 'unit', version: '1.0.0' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    await until(() => lines.length === 1, 'the handshake');
    passTime(120_000);
    input.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
    await until(() => lines.length === 2, 'the answer');
    expect(JSON.parse(lines[1]!)).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    input.end();
    await served;
  });
});
