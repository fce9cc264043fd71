import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { McpCatalog, RequireScope, Tool, type McpOptions, type ScopedCall } from 'nestjs-mcp';
import * as v from 'valibot';
import { z } from 'zod';
import { bootServer, type ServerParts } from '../../support/applications/server.js';
import type { RunningApp } from '../../support/applications/boot.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { RecordedMetrics } from '../../support/records/recorded-metrics.js';
import { RecordedTraces } from '../../support/records/recorded-traces.js';
import { until } from '../../support/until.js';

class Place {
  @IsString()
  city!: string;

  @IsOptional()
  @IsInt()
  zip?: number;
}

class TripDto {
  @ValidateNested()
  @Type(() => Place)
  to!: Place;

  @IsArray()
  @IsInt({ each: true })
  days!: number[];

  @IsOptional()
  @IsBoolean()
  express?: boolean;

  @IsOptional()
  @IsString()
  note?: string;
}

const SOURCES = {
  zod: z.object({
    to: z.object({ city: z.string(), zip: z.int().optional() }),
    days: z.array(z.int()),
    express: z.boolean().optional(),
    note: z.string().optional(),
  }),
  asynchronous: z
    .object({
      to: z.object({ city: z.string(), zip: z.int().optional() }),
      days: z.array(z.int()),
      express: z.boolean().optional(),
      note: z.string().optional(),
    })
    .refine(async ({ days }) => Promise.resolve(days.length > 0)),
  valibot: toStandardJsonSchema(
    v.object({
      to: v.object({ city: v.string(), zip: v.optional(v.pipe(v.number(), v.integer())) }),
      days: v.array(v.pipe(v.number(), v.integer())),
      express: v.optional(v.boolean()),
      note: v.optional(v.string()),
    }),
  ),
  arktype: type({
    to: { city: 'string', 'zip?': 'number.integer' },
    days: 'number.integer[]',
    'express?': 'boolean',
    'note?': 'string',
  }),
  json_schema: {
    type: 'object',
    properties: {
      to: {
        type: 'object',
        properties: { city: { type: 'string' }, zip: { type: 'integer' } },
        required: ['city'],
      },
      days: { type: 'array', items: { type: 'integer' } },
      express: { type: 'boolean' },
      note: { type: 'string' },
    },
    required: ['to', 'days'],
  },
  dto: TripDto,
} as const;

const AS_MODELS_WRITE = {
  to: '{"city": "Bonn", "zip": "53111"}',
  days: '["1", 2]',
  express: 'true',
  note: null,
};
const MEANT = { to: { city: 'Bonn', zip: 53_111 }, days: [1, 2], express: true };

@Injectable()
class Trips {
  @Tool({ inputSchema: z.object({ count: z.number() }), repairArguments: true })
  own({ count }: { count: number }): string {
    return typeof count;
  }

  @Tool({ inputSchema: z.object({ count: z.number() }), repairArguments: false })
  strict({ count }: { count: number }): string {
    return typeof count;
  }

  @Tool({ inputSchema: z.object({ count: z.number() }) })
  usual({ count }: { count: number }): string {
    return typeof count;
  }
}

describe('Arguments as models write them', () => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  async function boot(options: Partial<McpOptions>, parts: ServerParts = {}): Promise<void> {
    desk = await bootServer({ providers: [Trips], options, ...parts });
  }

  function call(name: string, given: object): Promise<{ isError?: boolean; content: { text: string }[] }> {
    return perRequest(desk.url)
      .request('tools/call', { name, arguments: given })
      .then(({ result }) => result as never);
  }

  describe.each(Object.entries(SOURCES))('for a schema of %s', (name, inputSchema) => {
    async function add(repair: boolean) {
      await boot({ arguments: { repair } });
      desk.app.get(McpCatalog).tools.add({ name, inputSchema }, (args) => JSON.stringify(args));
    }

    it('are repaired by option, in a session and without one (HOST-02)', async () => {
      await add(true);
      const { content, isError } = await call(name, AS_MODELS_WRITE);
      expect([isError, JSON.parse(content[0]?.text ?? '')]).toEqual([undefined, MEANT]);
      const session = await initialize(desk.url, { version: '2025-06-18' });
      const inSession = await session.request('tools/call', { name, arguments: AS_MODELS_WRITE });
      expect(inSession.result?.['content']).toEqual(content);
    });

    it('are refused otherwise, with what was sent in the error (HOST-02)', async () => {
      await add(false);
      const { content, isError } = await call(name, AS_MODELS_WRITE);
      expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('days')]);
      expect(await call(name, MEANT)).not.toHaveProperty('isError');
    });
  });

  it('are repaired for a tool that says so, and not for one that says the opposite (HOST-02)', async () => {
    await boot({});
    expect((await call('own', { count: '5' })).content[0]?.text).toBe('number');
    expect(await call('usual', { count: '5' })).toHaveProperty('isError', true);
    await desk.close();
    await boot({ arguments: { repair: true } });
    expect((await call('usual', { count: '5' })).content[0]?.text).toBe('number');
    expect(await call('strict', { count: '5' })).toHaveProperty('isError', true);
  });

  it('are told about as they were sent if the repaired ones do not fit (HOST-02)', async () => {
    await boot({ arguments: { repair: true } });
    const schema = z.object({ count: z.number().max(3), other: z.number() });
    desk.app.get(McpCatalog).tools.add({ name: 'few', inputSchema: schema }, () => 'few');
    const { content, isError } = await call('few', { count: '5', other: '1' });
    expect([isError, content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/^count: .*expected number, received string.*\nother: /),
    ]);
  });

  it('decide about scopes as the handler gets them (HOST-02)', async () => {
    const told: unknown[] = [];
    @Injectable()
    class Scoped {
      @Tool({ inputSchema: z.object({ ids: z.array(z.number()) }) })
      @RequireScope(({ arguments: given }: ScopedCall<{ ids: number[] }>) => {
        told.push(given.ids);
        return given.ids.includes(2) ? ['two'] : [];
      })
      read({ ids }: { ids: number[] }): string {
        return `${ids.length}`;
      }
    }
    const validator = { validate: () => ({ sub: 'ada', scopes: ['one'] }) };
    await boot({ arguments: { repair: true }, auth: { validator } }, { providers: [Scoped] });
    const ask = (ids: unknown) =>
      perRequest(desk.url, { headers: { authorization: 'Bearer token' } }).request('tools/call', {
        name: 'read',
        arguments: { ids },
      });
    expect((await ask('[1]')).result).toMatchObject({ content: [{ text: '1' }] });
    expect((await ask('[1, 2]')).status).toBe(403);
    expect(told).toEqual([[1], [1, 2]]);
  });

  it('are counted, marked on the span and said in the log at debug (HOST-02)', async () => {
    const [traces, metrics, log] = [new RecordedTraces(), new RecordedMetrics(), new RecordedLog()];
    const telemetry = { tracerProvider: traces.provider, meterProvider: metrics.provider };
    await boot({ arguments: { repair: true }, telemetry }, { nest: { logger: log } });
    await call('usual', { count: 5 });
    expect(await metrics.points('nestjs_mcp.calls.repaired')).toEqual([]);
    await call('usual', { count: '5' });
    expect(await metrics.points('nestjs_mcp.calls.repaired')).toMatchObject([
      { value: 1, attributes: { 'nestjs_mcp.server': 'default', 'gen_ai.tool.name': 'usual' } },
    ]);
    const spans = await until(() => {
      const ended = traces.spans.filter(({ name }) => name === 'tools/call usual');
      return ended.length === 2 && ended;
    }, 'both spans of the tool');
    expect(spans.map(({ attributes }) => attributes['nestjs_mcp.arguments.repaired'])).toEqual([
      undefined,
      1,
    ]);
    expect(log.find('debug', 'Arguments of the tool "usual" were repaired: "count"')).toHaveLength(1);
    await metrics.stop();
  });
});
