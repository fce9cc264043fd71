import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type as arktype } from 'arktype';
import { Type } from 'class-transformer';
import { IsDate, IsOptional, MinDate, ValidateNested } from 'class-validator';
import { Tool } from 'nestjs-mcp';
import * as v from 'valibot';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { callTool, listedTool } from '../../support/clients/tools.js';

const AT = '2026-01-31T09:30:00.000Z';
const DATE_TIME = { type: 'string', format: 'date-time' };

class DateDto {
  @Type(() => Date)
  @IsDate()
  at!: Date;
}

class UntypedDateDto {
  @IsDate()
  at!: Date;
}

class SpanDto {
  @ValidateNested()
  @Type(() => UntypedDateDto)
  from!: UntypedDateDto;

  @IsOptional()
  @IsDate({ each: true })
  @MinDate(new Date('2000-01-01'), { each: true })
  stops?: Date[];
}

const SOURCES = {
  zod: z.object({ at: z.date() }),
  coerced: z.object({ at: z.coerce.date() }),
  nullable: z.object({ at: z.date().nullable() }),
  valibot: toStandardJsonSchema(v.object({ at: v.date() })),
  bounded: toStandardJsonSchema(v.object({ at: v.pipe(v.date(), v.minValue(new Date('2000-01-01'))) })),
  arktype: arktype({ at: 'Date' }),
  dto: DateDto,
  untyped: UntypedDateDto,
} as const;
const KINDS = Object.keys(SOURCES) as (keyof typeof SOURCES)[];

const Event = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), at: z.string() }),
  z.object({ kind: z.literal('date'), at: z.date(), log: z.array(z.object({ on: z.date() })) }),
]);

function tell(value: unknown): unknown {
  if (value instanceof Date) return `Date ${value.toISOString()}`;
  if (Array.isArray(value)) return value.map(tell);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, tell(member)]));
}

@Injectable()
class DateTools {
  result: unknown;

  @Tool({ inputSchema: z.object({ event: Event }) })
  event(given: object): string {
    return JSON.stringify(tell(given));
  }

  @Tool({ inputSchema: z.object({ at: z.union([z.date(), z.string()]) }) })
  either(given: object): string {
    return JSON.stringify(tell(given));
  }

  @Tool({
    inputSchema: z.object({ at: z.preprocess((text) => new Date(`${String(text)}T12:00:00Z`), z.date()) }),
  })
  preprocessed(given: object): string {
    return JSON.stringify(tell(given));
  }

  @Tool({
    inputSchema: toStandardJsonSchema(v.object({ at: v.optional(v.date(), new Date(AT)) })),
  })
  initial(given: object): string {
    return JSON.stringify(tell(given));
  }

  @Tool({ inputSchema: z.object({ at: z.date().min(new Date('2027-01-01')) }) })
  late(given: object): string {
    return JSON.stringify(tell(given));
  }

  @Tool({ inputSchema: SpanDto })
  span(given: object): string {
    return JSON.stringify(tell(given));
  }

  @Tool({ outputSchema: z.object({ at: z.iso.datetime() }) })
  texts(): unknown {
    return this.result;
  }

  @Tool({
    outputSchema: z.object({
      at: z.codec(z.iso.datetime(), z.date(), {
        decode: (text) => new Date(text),
        encode: (date) => date.toISOString(),
      }),
    }),
  })
  codec(): unknown {
    return this.result;
  }
}

for (const kind of KINDS) {
  Object.assign(DateTools.prototype, {
    [`take_${kind}`]: (given: object) => JSON.stringify(tell(given)),
    [`give_${kind}`](this: DateTools) {
      return this.result;
    },
  });
  const decorate = (name: string, options: object) =>
    Tool(options)(
      DateTools.prototype,
      name,
      Object.getOwnPropertyDescriptor(DateTools.prototype, name) ?? {},
    );
  decorate(`take_${kind}`, { inputSchema: SOURCES[kind] });
  decorate(`give_${kind}`, { outputSchema: SOURCES[kind] });
}

describe.each(ADAPTERS)('dates in schemas on %s', (adapter) => {
  let desk: RunningApp;
  let tools: DateTools;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [DateTools] });
    tools = desk.app.get(DateTools);
  });

  afterAll(() => desk.close());

  it.each(KINDS)('of %s are listed as texts, in and out (CAT-04)', async (kind) => {
    const { inputSchema } = await listedTool(desk.url, `take_${kind}`);
    const { outputSchema } = await listedTool(desk.url, `give_${kind}`);
    const listed = kind === 'nullable' ? { anyOf: [DATE_TIME, { type: 'null' }] } : DATE_TIME;
    expect([inputSchema, outputSchema]).toMatchObject([
      { properties: { at: listed }, required: ['at'] },
      { properties: { at: listed }, required: ['at'] },
    ]);
    expect(JSON.stringify([inputSchema, outputSchema])).not.toContain('~');
  });

  it.each(KINDS)('of %s take ISO texts (CAT-04)', async (kind) => {
    expect(await callTool(desk.url, `take_${kind}`, { at: AT })).toBe(JSON.stringify({ at: `Date ${AT}` }));
    expect(await callTool(desk.url, `take_${kind}`, { at: '2026-01-31' })).toBe(
      JSON.stringify({ at: 'Date 2026-01-31T00:00:00.000Z' }),
    );
  });

  it.each(KINDS)('of %s show how a date is written (CAT-04)', async (kind) => {
    for (const at of ['yesterday', '2026-02-30T00:00:00Z'].slice(
      0,
      kind === 'coerced' || kind === 'dto' ? 1 : 2,
    )) {
      expect(await callTool(desk.url, `take_${kind}`, { at })).toBe(
        `error: at: expected a date and time such as "2026-01-31T09:30:00Z", received string "${at}"`,
      );
    }
    expect(await callTool(desk.url, `take_${kind}`, {})).toMatch(/^error: at: is required but missing/);
  });

  it.each(KINDS)('of %s give ISO texts, whether a date was returned or its text (CAT-04)', async (kind) => {
    for (const at of [new Date(AT), AT]) {
      tools.result = { at };
      expect(JSON.parse(await callTool(desk.url, `give_${kind}`, {}))).toEqual({ at: AT });
    }
  });

  it.each(['texts', 'codec'])('become texts where the schema wants these: %s (CAT-04)', async (name) => {
    for (const at of [new Date(AT), AT]) {
      tools.result = { at };
      expect(JSON.parse(await callTool(desk.url, name, {}))).toEqual({ at: AT });
    }
  });

  it('are made in the alternative that is meant (CAT-04)', async () => {
    const text = { event: { kind: 'text', at: AT } };
    expect(JSON.parse(await callTool(desk.url, 'event', text))).toEqual(text);
    const date = { event: { kind: 'date', at: AT, log: [{ on: AT }] } };
    expect(JSON.parse(await callTool(desk.url, 'event', date))).toEqual({
      event: { kind: 'date', at: `Date ${AT}`, log: [{ on: `Date ${AT}` }] },
    });
  });

  it('are not made of a text that may stay one (CAT-04)', async () => {
    expect(JSON.parse(await callTool(desk.url, 'either', { at: AT }))).toEqual({ at: AT });
  });

  it('are left to what the schema does before them (CAT-04)', async () => {
    expect(JSON.parse(await callTool(desk.url, 'preprocessed', { at: '2026-01-31' }))).toEqual({
      at: 'Date 2026-01-31T12:00:00.000Z',
    });
  });

  it('are texts in a default (CAT-04)', async () => {
    expect((await listedTool(desk.url, 'initial'))['inputSchema']).toMatchObject({
      properties: { at: { ...DATE_TIME, default: AT } },
    });
    expect(JSON.parse(await callTool(desk.url, 'initial', {}))).toEqual({ at: `Date ${AT}` });
  });

  it('are texts in a bound that is not kept (CAT-04)', async () => {
    expect(await callTool(desk.url, 'late', { at: AT })).toContain('>=2027-01-01T00:00:00.000Z');
  });

  it('are made in nested members and items of DTO classes (CAT-04)', async () => {
    expect(JSON.parse(await callTool(desk.url, 'span', { from: { at: AT }, stops: [AT] }))).toEqual({
      from: { at: `Date ${AT}` },
      stops: [`Date ${AT}`],
    });
    expect(await callTool(desk.url, 'span', { from: { at: AT }, stops: ['1999-01-01'] })).toMatch(
      /^error: stops: /,
    );
  });
});
