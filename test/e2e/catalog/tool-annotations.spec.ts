import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpModule, Tool, ToolAnnotations } from 'nestjs-mcp';
import { bootServer } from '../../support/applications/server.js';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { perRequest } from '../../support/clients/json-rpc.js';

@ToolAnnotations({ readOnlyHint: true, openWorldHint: false })
class Base {
  @Tool()
  inherited(): string {
    return 'inherited';
  }
}

@Injectable()
@ToolAnnotations({ idempotentHint: true, openWorldHint: true })
class Reports extends Base {
  @Tool({ annotations: { title: 'Plain' } })
  plain(): string {
    return 'plain';
  }

  @Tool({ annotations: { idempotentHint: false } })
  @ToolAnnotations({ readOnlyHint: false, idempotentHint: true, destructiveHint: true })
  remove(): string {
    return 'gone';
  }
}

@Injectable()
class Others {
  @Tool()
  other(): string {
    return 'other';
  }

  @ToolAnnotations({ readOnlyHint: true })
  @Tool()
  marked(): string {
    return 'marked';
  }
}

describe('@ToolAnnotations()', () => {
  it('gives hints to all tools of a class and of those that extend it, and the nearest one counts (HOST-01)', async () => {
    const desk = await bootServer({ providers: [Reports, Others] });
    const { result } = await perRequest(desk.url).request('tools/list');
    const tools = result?.['tools'] as { name: string; annotations?: object }[];
    expect(Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))).toEqual({
      plain: { title: 'Plain', readOnlyHint: true, openWorldHint: true, idempotentHint: true },
      inherited: { readOnlyHint: true, openWorldHint: true, idempotentHint: true },
      remove: { readOnlyHint: false, openWorldHint: true, idempotentHint: false, destructiveHint: true },
      other: undefined,
      marked: { readOnlyHint: true },
    });
    await desk.close();
  });

  it('refuses a hint that there is not, by the tool (HOST-01)', async () => {
    @Injectable()
    @ToolAnnotations({ readOnly: true } as object)
    class Wrong {
      @Tool()
      tool(): string {
        return 'tool';
      }
    }
    const failure = await bootFailure({
      imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
      providers: [Wrong],
    });
    expect(failure.message).toMatch(/Wrong\.tool.*annotations\.readOnly/s);
  });
});
