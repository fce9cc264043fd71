import { afterEach, describe, expect, it } from '@jest/globals';
import { McpClientCommandError } from 'nestjs-mcp/client-module';
import { bootCustomer, WIRES, type Customer } from './shop.app.js';

describe.each([...WIRES, 'auto'] as const)(
  'An injected client whose process cannot be started (%j)',
  (negotiation) => {
    let customer: Customer;

    afterEach(() => customer.app.close());

    it.each([
      ['a command that there is not', { command: 'no-such-command' }, 'no-such-command', 'ENOENT'],
      ['a file that is no program', { command: '/dev/null' }, '/dev/null', 'EACCES'],
      [
        'a folder that there is not',
        { command: process.execPath, cwd: '/no/such/folder' },
        process.execPath,
        'ENOENT',
      ],
    ])('says so by its name at once, of %s (CLI-18)', async (_what, server, command, code) => {
      customer = await bootCustomer({ ...server, negotiation });
      const error: unknown = await customer.client.listTools().catch((fault: unknown) => fault);
      expect(error).toBeInstanceOf(McpClientCommandError);
      expect(error).toMatchObject({ client: 'shop', code, cause: { code } });
      const folder = 'cwd' in server ? ', and that the "cwd" folder does too' : '';
      expect(String(error)).toContain(
        `The client "shop" cannot start "${command}" (${code}): make sure that the program exists${folder}`,
      );
    });
  },
);
