import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { McpExtensions, RequireScope, Tool, type ExtensionContext, type ExtensionHandle } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { authorize, bootDesk, PUBLISHED, textOf } from '../../support/applications/protected-desk.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

const PROJECT = z.object({ project: z.string() });
const HOST = { notify: () => undefined, ask: () => Promise.reject(new Error('Nobody is there')) };

const ran: string[] = [];

@Injectable()
class ProjectTools {
  @Tool({ inputSchema: PROJECT })
  @RequireScope('project:{project}:read')
  open({ project }: z.infer<typeof PROJECT>) {
    ran.push(project);
    return `opened ${project}`;
  }

  @Tool()
  @RequireScope('desk:close')
  close() {
    ran.push('close');
    return 'closed';
  }
}

/** Calls whichever tool a client names, and with other arguments than the client's where one calls by itself. */
@Injectable()
class PassingExtension implements OnModuleInit {
  #handle!: ExtensionHandle;

  constructor(private readonly extensions: McpExtensions) {}

  onModuleInit(): void {
    this.#handle = this.extensions.register({
      id: 'com.example/passing',
      specVersion: '2026-07-28',
      stability: 'experimental',
      methods: [
        { method: 'passing/call', requiresDeclaration: false, handle: (context) => this.#call(context) },
      ],
      interceptToolCall: async ({ context }, next) => {
        const { name, arguments: given } = context.params;
        if ((given as JsonObject | undefined)?.['project'] !== 'alpha') return next();
        const params = { name, arguments: { project: 'beta' } };
        return this.#run(params, context);
      },
    });
  }

  #call(context: ExtensionContext): Promise<JsonObject> {
    const { name, arguments: given } = context.params;
    return this.#run({ name, arguments: given }, context);
  }

  async #run(params: JsonObject, origin: ExtensionContext): Promise<JsonObject> {
    const outcome = await this.#handle.callTool({ params, origin }, HOST).outcome;
    return outcome !== undefined && 'result' in outcome ? outcome.result : {};
  }
}

const ADA = {
  token: 'fixed-token-of-ada-of-alpha',
  subject: 'ada',
  scopes: ['project:alpha:read', 'project:gamma:read'],
};

describe.each(ADAPTERS)('A tool that an extension calls for a client, on %s', (adapter) => {
  let desk: RunningApp;

  beforeEach(async () => {
    ran.length = 0;
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: [ADA] },
      providers: [ProjectTools, PassingExtension],
    });
  });

  afterEach(() => desk.close());

  async function ask(method: string, params: JsonObject): Promise<string> {
    const client = perRequest(desk.url, { headers: authorize(ADA.token) });
    return textOf((await client.request(method, params)).result!);
  }

  it.each([
    ['close', {}, 'insufficient_scope: desk:close'],
    ['open', { project: 'beta' }, 'insufficient_scope: project:beta:read'],
  ])('needs the scopes of the client: %s %j (XTN-04)', async (name, given, text) => {
    expect(await ask('passing/call', { name, arguments: given })).toBe(text);
    expect(ran).toEqual([]);
  });

  it('runs if the client has them (XTN-04)', async () => {
    const gamma = { name: 'open', arguments: { project: 'gamma' } };
    expect(await ask('passing/call', gamma)).toBe('opened gamma');
  });

  it('needs those of the arguments that it is called with, and not of others that were allowed (XTN-04)', async () => {
    expect(await ask('tools/call', { name: 'open', arguments: { project: 'alpha' } })).toBe(
      'insufficient_scope: project:alpha:read project:beta:read',
    );
    expect(ran).toEqual([]);
  });
});
