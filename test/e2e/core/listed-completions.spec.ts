import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';
import { Complete, Prompt } from 'nestjs-mcp';
import { type } from 'arktype';
import { z } from 'zod';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

class Tone {
  @IsOptional()
  @IsIn(['formal', 'friendly'])
  tone?: string;
}

const many = Array.from({ length: 150 }, (_, at) => `v${at}`) as [string, ...string[]];

@Injectable()
class Prompts {
  @Prompt({
    arguments: z.object({
      style: z.enum(['Short', 'shorter', 'long']).optional(),
      size: z.union([z.literal('small'), z.literal('large')]),
      level: z.coerce.number().optional(),
      open: z.union([z.enum(['a', 'b']), z.string()]).optional(),
      own: z.enum(['x', 'y']).optional(),
      many: z.enum(many).optional(),
    }),
  })
  report(given: object): string {
    return JSON.stringify(given);
  }

  @Complete({ prompt: 'report', argument: 'own' })
  own(): string[] {
    return ['written'];
  }

  @Prompt()
  greet({ tone }: Tone): string {
    return `${tone}`;
  }

  @Prompt({ arguments: type({ 'kind?': '"bug" | "idea"' }) })
  sort({ kind }: { kind?: string }): string {
    return `${kind}`;
  }

  @Prompt({
    arguments: { type: 'object', properties: { lang: { enum: ['de', 'en'] } } },
    visible: () => false,
  })
  hidden(): string {
    return '';
  }
}

describe('Completion of arguments with listed values', () => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ providers: [Prompts] });
  });

  afterAll(() => desk.close());

  const complete = (name: string, argument: string, value = '') =>
    perRequest(desk.url).request('completion/complete', {
      ref: { type: 'ref/prompt', name },
      argument: { name: argument, value },
    });

  it.each([
    ['report', 'style', '', ['Short', 'shorter', 'long']],
    ['report', 'style', 'sHo', ['Short', 'shorter']],
    ['report', 'style', 'x', []],
    ['report', 'size', 'l', ['large']],
    ['report', 'level', '', []],
    ['report', 'open', 'a', []],
    ['report', 'own', '', ['written']],
    ['greet', 'tone', 'fr', ['friendly']],
    ['sort', 'kind', '', ['bug', 'idea']],
  ])('offers for %s, %s and "%s": %j (HOST-01)', async (name, argument, value, values) => {
    expect((await complete(name, argument, value)).result).toMatchObject({ completion: { values } });
  });

  it('offers a hundred of many values, and says how many there are (HOST-01)', async () => {
    const { result } = await complete('report', 'many', 'v');
    expect(result).toMatchObject({ completion: { total: 150, hasMore: true } });
  });

  it('tells nothing of a prompt that is hidden, and nothing of an argument that there is not (HOST-01)', async () => {
    expect((await complete('hidden', 'lang')).error).toMatchObject({ code: -32602 });
    expect((await complete('report', '__proto__')).error).toMatchObject({ code: -32602 });
  });

  it('is declared, although no handler completes anything (HOST-01)', async () => {
    @Injectable()
    class Only {
      @Prompt({ arguments: z.object({ style: z.enum(['a', 'b']) }) })
      only(): string {
        return '';
      }
    }
    const [declaring, silent] = await Promise.all([
      bootServer({ providers: [Only] }),
      bootServer({ providers: [Only], options: { capabilities: { completions: false } } }),
    ]);
    const read = async ({ url }: RunningApp) =>
      (await initialize(url)).handshake.result?.['capabilities'] as Record<string, unknown>;
    expect((await read(declaring))['completions']).toEqual({});
    expect(await read(silent)).not.toHaveProperty('completions');
    await Promise.all([declaring.close(), silent.close()]);
  });

  it('takes a blank for the absence of an argument that cannot be blank (HOST-01)', async () => {
    const get = async (given: Record<string, string>) => {
      const { result, error } = await perRequest(desk.url).request('prompts/get', {
        name: 'report',
        arguments: given,
      });
      const [message] = (result?.['messages'] ?? []) as { content: { text: string } }[];
      return error?.message ?? (JSON.parse(message?.content.text ?? '{}') as unknown);
    };
    expect(await get({ size: 'small', level: '', style: '', open: '' })).toEqual({ size: 'small', open: '' });
    expect(await get({ size: 'small', level: '0' })).toEqual({ size: 'small', level: 0 });
    expect(await get({ size: '' })).toContain('size: is required but missing');
  });
});
