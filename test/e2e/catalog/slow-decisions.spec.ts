import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { Prompt, RequireScope, Resource, Tool, type McpOptions } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer, type ServerParts } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { until } from '../../support/until.js';
import { CapturedLog } from '../../unit/support/captured-log.js';

/** Never settles. */
const hang = (): Promise<never> => new Promise(() => undefined);

@Injectable()
class Desk {
  @Tool({ visible: hang })
  hidden(): string {
    return 'hidden';
  }

  @Tool({ visible: () => Promise.resolve(true) })
  shown(): string {
    return 'shown';
  }

  @Prompt({ visible: hang })
  ask(): string {
    return 'ask';
  }

  @Resource({ uri: 'desk://rules', visible: hang })
  rules(): string {
    return 'rules';
  }
}

@Injectable()
class ManyTools {
  @Tool()
  one(): string {
    return 'one';
  }
}

@Injectable()
class ScopedTools {
  @Tool()
  @RequireScope(hang)
  close(): string {
    return 'closed';
  }

  @Tool()
  open(): string {
    return 'opened';
  }
}

describe('Decisions of the application that are never made', () => {
  let app: RunningApp;
  let log: CapturedLog;

  afterEach(async () => {
    await app.close();
    Logger.overrideLogger(['fatal']);
  });

  async function boot(parts: Omit<ServerParts, 'options'>, options: Partial<McpOptions>) {
    app = await bootServer({ ...parts, options });
    log = CapturedLog.begin();
    return perRequest(app.url);
  }

  it('hide what they are about, while the rest is listed and called, and the log names it (NEST-06)', async () => {
    const client = await boot({ providers: [Desk] }, {});
    const listed = await client.request('tools/list');
    expect(JSON.stringify(listed.response)).toContain('"shown"');
    expect(JSON.stringify(listed.response)).not.toContain('"hidden"');
    const refused = await Promise.all([
      client.request('tools/call', { name: 'hidden' }),
      client.request('prompts/get', { name: 'ask' }),
      client.request('resources/read', { uri: 'desk://rules' }),
    ]);
    for (const { response } of refused) expect(response).toMatchObject({ error: { code: -32602 } });
    expect((await client.request('tools/call', { name: 'shown' })).response).toMatchObject({
      result: { content: [{ text: 'shown' }] },
    });
    expect(
      log.errors.toSorted().map((line) => line.replace(/\d+ ms/, '… ms').replace(/ \[.*$/s, '')),
    ).toEqual([
      'The prompt "ask" is hidden, because its visibility check failed: it took longer than … ms',
      'The resource "rules" is hidden, because its visibility check failed: it took longer than … ms',
      'The tool "hidden" is hidden, because its visibility check failed: it took longer than … ms',
    ]);
  }, 20_000);

  it('end with their request, and the log names what they are about (NEST-06)', async () => {
    const client = await boot({ providers: [Desk] }, { callTimeoutMs: 100 });
    expect((await client.request('tools/list')).response).toMatchObject({ error: { code: -32603 } });
    await until(() => log.errors[0], 'the line about the check');
    expect(log.errors[0]).toContain('The tool "hidden" is hidden, because its visibility check failed');
  });

  it('take no longer together than one may take (NEST-06)', async () => {
    const asked: string[] = [];
    const isVisible = ({ name }: { name: string }): Promise<boolean> => {
      asked.push(name);
      return hang();
    };
    const tools = Array.from({ length: 60 }, (_, index) => {
      @Injectable()
      class Tools {
        @Tool({ name: `tool-${index}` })
        run(): string {
          return 'run';
        }
      }
      return Tools;
    });
    const client = await boot({ providers: tools }, { catalog: { visibility: { isVisible } } });
    expect((await client.request('tools/list')).response).toMatchObject({ result: { tools: [] } });
    // Sixteen are asked about at once. Hardly any other is, and never all of them.
    expect(asked.length).toBeLessThanOrEqual(2 * 16);
    expect(log.errors.length).toBeGreaterThan(16);
  }, 20_000);

  it('refuse calls whose scopes they would tell (NEST-06)', async () => {
    const auth = {
      resourceUri: 'https://desk.example.com/mcp',
      bearer: { token: 'a-token-of-the-desk', scopes: ['desk:read'] },
    };
    await boot({ providers: [ScopedTools] }, { auth });
    const client = perRequest(app.url, { headers: { authorization: 'Bearer a-token-of-the-desk' } });
    const pending = client.request('tools/call', { name: 'close' });
    expect((await client.request('tools/call', { name: 'open' })).response).toMatchObject({
      result: { content: [{ text: 'opened' }] },
    });
    expect(JSON.stringify((await pending).response)).toContain('Internal error (incident');
    expect(log.errors.join('\n')).toContain(
      'The scopes of the tool "close" cannot be determined: expected the "RequireScope" function to return a scope or an array of scopes ("[]" for none), got nothing within 5000 ms',
    );
  }, 20_000);

  it('refuse calls whose limits they would tell (OPS-04)', async () => {
    const throttlers = ThrottlerModule.forRoot([{ ttl: 60_000, limit: hang }]);
    const client = await boot({ providers: [ManyTools], imports: [throttlers] }, { throttle: {} });
    const { response } = await client.request('tools/call', { name: 'one' });
    expect(JSON.stringify(response)).toContain('Internal error (incident');
    expect(log.errors.join('\n')).toContain(
      'The "ThrottlerModule" options did not resolve to a limit within 5000 ms',
    );
    expect((await client.request('tools/list')).response).toMatchObject({
      result: { tools: [{ name: 'one' }] },
    });
  }, 20_000);
});
