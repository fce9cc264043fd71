import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Tool } from 'nestjs-mcp';
import { z } from 'zod';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { runCommandLine } from '../support/programs/command-line.js';
import { DevApplication, writeTools } from '../support/programs/dev-application.js';
import { TerminalPicture, wrap } from './terminal-picture.js';

const PATIENCE_MS = 120_000;

/** What differs from run to run has the length that it has in the picture. */
const mask = (lines: readonly string[]) =>
  lines.map((line) => line.replaceAll(/\d\d:\d\d:\d\d/g, 'time').replaceAll(/[\d.,]+ ms/g, '… ms'));

let close: (() => Promise<unknown>) | undefined;
afterEach(() => close?.());

@Injectable()
class Shop {
  @Tool({ description: 'Finds an order by its number', inputSchema: z.object({ number: z.int() }) })
  findOrder(): string {
    return 'shipped';
  }

  @Tool({
    name: 'orders.cancel',
    description: 'Cancels an order',
    inputSchema: z.object({ number: z.int() }),
  })
  cancel(): string {
    return 'canceled';
  }
}

describe('The pictures of the terminal in the docs', () => {
  it(
    'show what "doctor" prints of a server with a warning (KIT-03)',
    async () => {
      const shop: RunningApp = await bootServer({
        options: { serverInfo: { name: 'shop', version: '1.0.0' } },
        providers: [Shop],
      });
      close = () => shop.close();
      const { stdout } = await runCommandLine(['doctor', shop.url]);
      const output = stdout.replaceAll(new URL(shop.url).host, 'localhost:3000');
      const picture = new TerminalPicture('doctor');
      picture.renew('npx nestjs-mcp-cli doctor http://localhost:3000/mcp', output);
      expect(output).toMatch(/^warning .*orders\.cancel/m);
      expect(mask(picture.read().slice(1))).toEqual(mask(wrap(output)));
    },
    PATIENCE_MS,
  );

  it(
    'show what "dev" prints while a client calls tools',
    async () => {
      const application = await DevApplication.create();
      close = () => application.remove();
      application.write(
        'greeting.tools.ts',
        writeTools({
          greet: "return 'Hello';",
          list_guests: 'const [guest] = [] as { name: string }[];\n    return guest.name;',
        }),
      );
      const command = application.start(['--no-open']);
      await command.prints(/ {2}tools +greet, list_guests\n/);
      const client = new Client({ name: 'Claude Code', version: '2.1.0' });
      await client.connect(new StreamableHTTPClientTransport(application.url));
      await client.callTool({ name: 'greet' });
      await client.callTool({ name: 'list_guests' });
      await command.prints(/tools\/call list_guests {2}tool_error.*\n/);
      await client.close();
      const shown = command.stdout.slice(command.stdout.search(/^Server at/m));
      const output = shown.replaceAll(application.url.host, 'localhost:3000');
      const picture = new TerminalPicture('dev');
      picture.renew('npx nestjs-mcp-cli dev', output);
      expect(output).toContain('list_guests fails: TypeError');
      expect(mask(picture.read().slice(1))).toEqual(mask(wrap(output)));
    },
    PATIENCE_MS,
  );
});
