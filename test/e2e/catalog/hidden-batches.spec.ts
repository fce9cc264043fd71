import { afterEach, describe, expect, it } from '@jest/globals';
import { Public, RequireScope, Tool, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootDesk, CALLERS } from '../../support/applications/protected-desk.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';

class Desk {
  @RequireScope('desk:secret')
  @Tool({ visible: () => new Promise<boolean>(() => undefined) })
  undecided(): string {
    return 'never';
  }

  @RequireScope('desk:secret')
  @Tool({ visible: () => false })
  hidden(): string {
    return 'never';
  }

  @Tool()
  shown(): string {
    return 'shown';
  }
}

describe.each(ADAPTERS)('A batch with what is hidden on %s', (adapter) => {
  let desk: RunningApp | undefined;

  afterEach(() => desk?.close());

  async function post(names: readonly string[], options: Partial<McpOptions> = {}) {
    desk = await bootDesk(adapter, { options: { stateless: true, ...options }, providers: [Desk] });
    const calls = names.map((name, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } }));
    return sendHttp(desk.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${CALLERS.ada.token}`,
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-03-26',
      },
      json: calls,
    });
  }

  it('runs the rest, and has it unknown (NEST-06)', async () => {
    const { status, json } = await post(['hidden', 'shown']);
    expect(status).toBe(200);
    expect(JSON.stringify(json)).toContain('unknown tool');
    expect(JSON.stringify(json)).toContain('"text":"shown"');
    expect(JSON.stringify(json)).not.toContain('desk:secret');
  });

  it('ends in time though a predicate never settles, and tells nothing (NEST-06) (SAFE-04)', async () => {
    const { headers, text } = await post(['undecided', 'shown'], { callTimeoutMs: 100 });
    // Whichever clock ends first: that of the batch, or that of the predicates, after which the tool is hidden.
    expect(text).toMatch(/took longer than 100 ms|unknown tool/);
    expect(text).not.toContain('desk:secret');
    expect(headers['www-authenticate']).toBeUndefined();
  });
});

/** How often it was asked who sees a handler. */
let asked = 0;

class GuestDesk {
  @Public()
  @Tool()
  hours(): string {
    return '9 to 17';
  }

  @Tool({
    visible: () => {
      asked += 1;
      return true;
    },
  })
  visible(): string {
    return 'visible';
  }
}

describe.each(ADAPTERS)('A call without a token of what not everybody sees, on %s', (adapter) => {
  it('is asked for a token, and the application for nothing (STEP-06) (NEST-06)', async () => {
    const desk = await bootDesk(adapter, { providers: [GuestDesk] });
    asked = 0;
    expect((await perRequest(desk.url).request('tools/call', { name: 'visible' })).status).toBe(401);
    expect(asked).toBe(0);
    const headers = { authorization: `Bearer ${CALLERS.ada.token}` };
    const known = perRequest(desk.url, { headers });
    expect((await known.request('tools/call', { name: 'visible' })).status).toBe(200);
    expect(asked).toBe(1);
    await desk.close();
  });
});
