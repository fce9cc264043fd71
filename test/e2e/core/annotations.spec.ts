import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Prompt, Resource, ResourceTemplate, Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { entriesOf } from '../../support/clients/entries.js';
import { HANDSHAKE_VERSIONS, initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

const TOOL_ANNOTATIONS = {
  title: 'Close',
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};
const ANNOTATIONS = {
  audience: ['user', 'assistant'] as const,
  priority: 0.25,
  lastModified: '2025-01-12T15:00:58Z',
};

@Injectable()
class AnnotatedHandlers {
  @Tool({ description: 'Closes', annotations: TOOL_ANNOTATIONS })
  stable(): string {
    return 'closed';
  }

  @Tool({ description: 'Merges', annotations: { experimental: true } })
  experimental(): string {
    return 'merged';
  }

  @Resource({ uri: 'desk://stable', annotations: ANNOTATIONS })
  stableResource(): string {
    return 'text';
  }

  @Resource({ uri: 'desk://experimental', annotations: { experimental: true } })
  experimentalResource(): string {
    return 'text';
  }

  @ResourceTemplate({ uriTemplate: 'desk://stable/{id}', annotations: ANNOTATIONS })
  stableTemplate(): string {
    return 'text';
  }

  @ResourceTemplate({ uriTemplate: 'desk://experimental/{id}', annotations: { experimental: true } })
  experimentalTemplate(): string {
    return 'text';
  }

  @Prompt({ annotations: ANNOTATIONS })
  stablePrompt(): string {
    return 'text';
  }

  @Prompt({ annotations: { experimental: true } })
  experimentalPrompt(): string {
    return 'text';
  }
}

const LISTS: [string, string, JsonObject][] = [
  ['tools/list', 'tools', TOOL_ANNOTATIONS],
  ['resources/list', 'resources', ANNOTATIONS],
  ['resources/templates/list', 'resourceTemplates', ANNOTATIONS],
  ['prompts/list', 'prompts', ANNOTATIONS],
];

describe.each(ADAPTERS)('annotations on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [AnnotatedHandlers] });
  });

  afterAll(() => desk.close());

  it.each(LISTS)('appear in %s of the newest revisions (CORE-07)', async (method, member, annotations) => {
    const session = await initialize(desk.url);
    const answers = [await session.request(method), await perRequest(desk.url).request(method)];
    for (const { result } of answers) {
      const [stable] = entriesOf(result, member);
      expect(stable?.['annotations']).toEqual(annotations);
    }
  });

  it.each(LISTS)(
    'mark an entry of %s as experimental in every revision (CORE-07)',
    async (method, member) => {
      const clients = await Promise.all(
        HANDSHAKE_VERSIONS.map((version) => initialize(desk.url, { version })),
      );
      for (const client of [...clients, perRequest(desk.url)]) {
        const { result } = await client.request(method);
        const [stable, experimental] = entriesOf(result, member);
        expect(experimental?.['annotations']).toEqual({ experimental: true });
        expect(stable?.['annotations'] ?? {}).not.toHaveProperty('experimental');
      }
    },
  );
});
