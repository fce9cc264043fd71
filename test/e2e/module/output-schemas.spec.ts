import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type as arktype } from 'arktype';
import { IsInt } from 'class-validator';
import { Tool, type CallToolResult } from 'nestjs-mcp';
import * as v from 'valibot';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { entriesOf } from '../../support/clients/entries.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

class CountDto {
  @IsInt()
  open!: number;
}

const SOURCES = {
  zod: z.object({ open: z.int() }),
  valibot: toStandardJsonSchema(v.object({ open: v.pipe(v.number(), v.integer()) })),
  arktype: arktype({ open: 'number.integer' }),
  raw: { type: 'object', properties: { open: { type: 'integer' } }, required: ['open'] },
  dto: CountDto,
} as const;
const KINDS = Object.keys(SOURCES) as (keyof typeof SOURCES)[];

const KIND = { type: 'object', properties: { given: {} }, required: ['given'] };

@Injectable()
class CountingTools {
  @Tool({ description: 'zod', inputSchema: KIND, outputSchema: SOURCES.zod })
  zod({ given }: { given: unknown }): unknown {
    return given;
  }

  @Tool({ description: 'valibot', inputSchema: KIND, outputSchema: SOURCES.valibot })
  valibot({ given }: { given: unknown }): unknown {
    return given;
  }

  @Tool({ description: 'arktype', inputSchema: KIND, outputSchema: SOURCES.arktype })
  arktype({ given }: { given: unknown }): unknown {
    return given;
  }

  @Tool({ description: 'raw JSON Schema', inputSchema: KIND, outputSchema: SOURCES.raw })
  raw({ given }: { given: unknown }): unknown {
    return given;
  }

  @Tool({ description: 'class-validator', inputSchema: KIND, outputSchema: SOURCES.dto })
  dto({ given }: { given: unknown }): unknown {
    return given;
  }

  @Tool({ description: 'Gives more than it declares', outputSchema: z.object({ id: z.string() }) })
  generous(): unknown {
    return { id: '7', passwordHash: 'secret' };
  }

  @Tool({ description: 'Gives more as a full result', outputSchema: z.object({ id: z.string() }) })
  generousResult(): unknown {
    return { structuredContent: { id: '7', passwordHash: 'secret' } };
  }

  @Tool({ description: 'Fails in its own way', outputSchema: SOURCES.raw })
  failing(): CallToolResult {
    return { content: [{ type: 'text', text: 'no count today' }], isError: true };
  }

  @Tool({ description: 'Has words of its own', outputSchema: SOURCES.raw })
  worded(): CallToolResult {
    return { content: [{ type: 'text', text: 'three are open' }], structuredContent: { open: 3 } };
  }

  @Tool({ description: 'Gives a list', outputSchema: { type: 'array', items: { type: 'integer' } } })
  listing(): unknown {
    return [1, 2];
  }
}

describe.each(ADAPTERS)('output schemas on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [CountingTools] });
  });

  afterAll(() => desk.close());

  const call = async (name: string, given?: unknown) =>
    (
      await perRequest(desk.url).request('tools/call', {
        name,
        ...(given !== undefined && { arguments: { given } }),
      })
    ).result;

  it.each(KINDS)('of %s are listed as JSON Schema (MOD-08)', async (kind) => {
    const { result } = await perRequest(desk.url).request('tools/list');
    const tool = entriesOf(result, 'tools').find(({ name }) => name === kind);
    expect(tool?.['outputSchema']).toMatchObject({
      type: 'object',
      properties: { open: { type: 'integer' } },
      required: ['open'],
    });
  });

  it.each(KINDS)('of %s let what fits through, as structured content and as text (MOD-08)', async (kind) => {
    const result = await call(kind, { open: 3 });
    expect(result).toMatchObject({
      structuredContent: { open: 3 },
      content: [{ type: 'text', text: '{"open":3}' }],
    });
    expect(result?.['isError']).toBeUndefined();
  });

  it.each(KINDS)('of %s keep what does not fit from the client (MOD-08)', async (kind) => {
    for (const given of [{ open: 'many' }, {}, { open: 1.5 }, 'three', null]) {
      const result = await call(kind, given);
      expect(result?.['isError']).toBe(true);
      expect(result).not.toHaveProperty('structuredContent');
      expect(JSON.stringify(result)).not.toContain('many');
    }
  });

  it.each(['generous', 'generousResult'])(
    'keep what they leave out from the text too, in every revision: %s (MOD-08)',
    async (name) => {
      expect(await call(name)).toMatchObject({
        structuredContent: { id: '7' },
        content: [{ type: 'text', text: '{"id":"7"}' }],
      });
      const oldest = await initialize(desk.url, { version: '2024-11-05' });
      const { result } = await oldest.request('tools/call', { name });
      expect(result).toEqual({ content: [{ type: 'text', text: '{"id":"7"}' }] });
    },
  );

  it('do not judge a result that is an error (MOD-08)', async () => {
    expect(await call('failing')).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'no count today' }],
    });
  });

  it('leave the words of a tool beside its structured content (MOD-08)', async () => {
    expect(await call('worded')).toMatchObject({
      content: [{ type: 'text', text: 'three are open' }],
      structuredContent: { open: 3 },
    });
  });

  it('may be of any type where the revision allows it, and are kept to text where not (MOD-08, VER-03)', async () => {
    expect((await call('listing'))?.['structuredContent']).toEqual([1, 2]);
    const session = await initialize(desk.url);
    const { result } = await session.request('tools/call', { name: 'listing' });
    expect(result?.['content']).toEqual([{ type: 'text', text: '[1,2]' }]);
    expect(Array.isArray(result?.['structuredContent'])).toBe(false);

    const list = await session.request('tools/list');
    const listing = entriesOf(list.result, 'tools').at(-1);
    expect((listing?.['outputSchema'] as JsonObject | undefined)?.['type'] ?? 'object').toBe('object');
  });
});
