import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, UrlElicitationRequiredError } from 'nestjs-mcp';
import { McpElicitation, McpUrlElicitationRequiredError } from 'nestjs-mcp/client-module';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { bootCustomer, type Customer } from './shop.app.js';

const PAGE = { url: 'https://shop.example.com/pay', message: 'Pay first' } as const;

@Injectable()
class Till {
  @Tool()
  open(): never {
    throw new UrlElicitationRequiredError({ ...PAGE, elicitationId: 'pay-7' });
  }
}

@Injectable()
class Pages {
  @McpElicitation({ url: true })
  answer() {
    return { action: 'decline' as const };
  }
}

describe('An injected client whose server wants the user on a page', () => {
  let server: RunningApp;
  let customer: Customer;

  beforeAll(async () => {
    server = await bootServer({ providers: [Till] });
    customer = await bootCustomer({ url: server.url, negotiation: 'legacy' }, [Pages]);
  });

  afterAll(async () => {
    await customer.app.close();
    await server.close();
  });

  it('fails with an error that names the page (XTN-04) (CLI-18)', async () => {
    const error = await customer.client.callTool('open').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(McpUrlElicitationRequiredError);
    expect(error).toMatchObject({
      code: 'url_elicitation_required',
      client: 'shop',
      elicitations: [{ mode: 'url', elicitationId: 'pay-7', ...PAGE }],
      cause: expect.objectContaining({ code: -32042 }),
    });
  });
});
