import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type as arktype } from 'arktype';
import { Tool } from 'nestjs-mcp';
import * as v from 'valibot';
import { z } from 'zod';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { callTool } from '../../support/clients/tools.js';

const NONE = 'matches none of the alternatives, but must match one';

@Injectable()
class ShapeTools {
  @Tool({
    inputSchema: z.object({
      shape: z.union([z.object({ radius: z.number() }), z.object({ width: z.number(), height: z.number() })]),
    }),
  })
  zod(): void {}

  @Tool({
    inputSchema: z.object({
      values: z.array(z.union([z.number(), z.object({ on: z.union([z.string(), z.boolean()]) })])),
    }),
  })
  zodNested(): void {}

  @Tool({
    inputSchema: z.object({
      shape: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('circle'), radius: z.number() }),
        z.object({ kind: z.enum(['square', 'cube']), width: z.number() }),
      ]),
    }),
  })
  zodDiscriminated(): void {}

  @Tool({
    inputSchema: toStandardJsonSchema(
      v.object({ shape: v.union([v.object({ radius: v.number() }), v.object({ width: v.number() })]) }),
    ),
  })
  valibot(): void {}

  @Tool({
    inputSchema: toStandardJsonSchema(
      v.object({
        shape: v.variant('kind', [
          v.object({ kind: v.literal('circle'), radius: v.number() }),
          v.object({ kind: v.literal('square'), width: v.number() }),
        ]),
      }),
    ),
  })
  valibotVariant(): void {}

  @Tool({
    inputSchema: arktype({ shape: arktype({ radius: 'number' }).or({ width: 'number', height: 'number' }) }),
  })
  arktype(): void {}

  @Tool({
    inputSchema: arktype({
      shape: arktype({ kind: "'circle'", radius: 'number' }).or({ kind: "'square'", width: 'number' }),
    }),
  })
  arktypeDiscriminated(): void {}

  @Tool({
    inputSchema: {
      type: 'object',
      properties: {
        shape: {
          anyOf: [
            { type: 'object', properties: { radius: { type: 'number' } }, required: ['radius'] },
            { type: 'object', properties: { width: { type: 'number' } }, required: ['width'] },
          ],
        },
      },
    },
  })
  json(): void {}
}

describe('What a failed union answers', () => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ providers: [ShapeTools] });
  });

  afterAll(() => desk.close());

  const linesOf = async (name: string, given: object) =>
    (await callTool(desk.url, name, given)).replace(/^error: /, '').split('\n');

  it('says what each alternative of zod wants (CAT-04)', async () => {
    expect(await linesOf('zod', { shape: { radius: 'x', width: 1 } })).toEqual([
      'shape.radius: Invalid input: expected number, received string (alternative 1)',
      'shape.height: is required but missing: Invalid input: expected number, received undefined (alternative 2)',
      `shape: ${NONE}`,
    ]);
  });

  it('says it in lists and in unions of unions (CAT-04)', async () => {
    expect(await linesOf('zodNested', { values: [1, { on: 5 }] })).toEqual([
      'values.1: Invalid input: expected number, received object (alternative 1)',
      'values.1.on: Invalid input: expected string, received number (alternative 1)',
      'values.1.on: Invalid input: expected boolean, received number (alternative 2)',
      `values.1.on: ${NONE} (alternative 2)`,
      `values.1: ${NONE}`,
    ]);
  });

  it('does not explain a union that is missing (CAT-04)', async () => {
    expect(await linesOf('zod', {})).toEqual(['shape: is required but missing: Invalid input']);
  });

  it.each(['zodDiscriminated', 'valibotVariant', 'arktypeDiscriminated'])(
    'names what the discriminator may be: %s (CAT-04)',
    async (name) => {
      const [wrong = ''] = await linesOf(name, { shape: { kind: 'hexagon' } });
      expect(wrong).toMatch(/^shape\.kind: .*"circle".*"square".*"hexagon"/);
      const [missing = ''] = await linesOf(name, { shape: {} });
      expect(missing).toMatch(/^shape\.kind: .*"circle".*"square"/);
    },
  );

  it('judges by the alternative that the discriminator chooses (CAT-04)', async () => {
    for (const name of ['zodDiscriminated', 'valibotVariant', 'arktypeDiscriminated']) {
      const lines = await linesOf(name, { shape: { kind: 'circle', radius: 'x' } });
      expect(lines).toEqual([expect.stringMatching(/^shape\.radius: .*number/)]);
    }
  });

  it.each(['valibot', 'arktype', 'json'])('says what the alternatives of %s want (CAT-04)', async (name) => {
    const lines = await linesOf(name, { shape: { radius: 'x' } });
    expect(lines).toContainEqual(expect.stringMatching(/^shape\.radius: .*number.* \(.*alternative/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^shape\.(?:width|height): is required but missing.* \(.*alternative/),
    );
    expect(lines.at(-1)).toBe(`shape: ${NONE}`);
  });
});
