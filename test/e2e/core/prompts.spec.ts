import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Complete, Prompt, ResourceTemplate } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

const TONES = ['calm', 'brisk', 'curt', 'warm'];

@Injectable()
class DeskPrompts {
  @Prompt({
    description: 'Asks for a reply',
    arguments: [
      { name: 'ticket', description: 'Its number', required: true },
      { name: 'tone', description: 'How it sounds' },
    ],
  })
  reply({ ticket, tone = 'any' }: { ticket: string; tone?: string }): string {
    return `Reply to ${ticket} in ${tone} tone`;
  }

  @Prompt({ arguments: z.object({ city: z.string().describe('Where'), day: z.string().optional() }) })
  visit({ city }: { city: string }) {
    return [
      { role: 'user' as const, content: { type: 'text' as const, text: `Plan a visit to ${city}` } },
      { role: 'assistant' as const, content: { type: 'text' as const, text: 'Gladly' } },
    ];
  }

  @Complete({ prompt: 'reply', argument: 'tone' })
  tones({ value }: { value: string }): string[] {
    return TONES.filter((tone) => tone.startsWith(value));
  }

  @Complete({ prompt: 'reply', argument: 'ticket' })
  tickets({ arguments: known }: { arguments: Record<string, string> }) {
    return { values: [`for ${known['tone'] ?? 'nothing'}`], total: 300, hasMore: true };
  }

  @Complete({ prompt: 'visit', argument: 'city' })
  cities(): string[] {
    return Array.from({ length: 150 }, (_, index) => `city ${index}`);
  }

  @ResourceTemplate({ uriTemplate: 'desk://tickets/{id}' })
  ticket({ id }: { id: string }): string {
    return id;
  }

  @Complete({ resourceTemplate: 'desk://tickets/{id}', argument: 'id' })
  ids({ value, name }: { value: string; name: string }): string[] {
    return [`${name}-${value}1`];
  }
}

const REPLY = { type: 'ref/prompt', name: 'reply' };

describe.each(ADAPTERS)('prompts and completion on %s', (adapter) => {
  let desk: RunningApp;
  let session: SessionClient;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [DeskPrompts] });
    session = await initialize(desk.url);
  });

  afterAll(() => desk.close());

  async function complete(params: JsonObject): Promise<unknown> {
    const answer = await session.request('completion/complete', params);
    return answer.result?.['completion'] ?? answer.error?.code;
  }

  it('lists prompts with the arguments they take (CORE-03)', async () => {
    const { result } = await session.request('prompts/list');
    expect(result).toEqual({
      prompts: [
        {
          name: 'reply',
          description: 'Asks for a reply',
          arguments: [
            { name: 'ticket', description: 'Its number', required: true },
            { name: 'tone', description: 'How it sounds' },
          ],
        },
        {
          name: 'visit',
          arguments: [
            { name: 'city', description: 'Where', required: true },
            expect.objectContaining({ name: 'day' }),
          ],
        },
      ],
    });
  });

  it('gives a text as one message of the user (CORE-03)', async () => {
    const params = { name: 'reply', arguments: { ticket: '42', tone: 'calm' } };
    const { result } = await session.request('prompts/get', params);
    expect(result).toEqual({
      description: 'Asks for a reply',
      messages: [{ role: 'user', content: { type: 'text', text: 'Reply to 42 in calm tone' } }],
    });
  });

  it('gives the messages that a handler returns (CORE-03)', async () => {
    const { result } = await session.request('prompts/get', { name: 'visit', arguments: { city: 'Rome' } });
    expect(result?.['messages']).toEqual([
      { role: 'user', content: { type: 'text', text: 'Plan a visit to Rome' } },
      { role: 'assistant', content: { type: 'text', text: 'Gladly' } },
    ]);
  });

  it.each([
    { name: 'reply' },
    { name: 'reply', arguments: { tone: 'calm' } },
    { name: 'visit', arguments: {} },
    { name: 'reply', arguments: { ticket: 42 } },
  ])('answers %j, which lacks a proper argument, with -32602 (CORE-03)', async (params) => {
    expect((await session.request('prompts/get', params)).error?.code).toBe(-32602);
  });

  it('completes an argument of a prompt (CORE-03)', async () => {
    const completion = await complete({ ref: REPLY, argument: { name: 'tone', value: 'c' } });
    expect(completion).toEqual({ values: ['calm', 'curt'] });
  });

  it('completes by the arguments that are known already (CORE-03)', async () => {
    const completion = await complete({
      ref: REPLY,
      argument: { name: 'ticket', value: '' },
      context: { arguments: { tone: 'calm' } },
    });
    expect(completion).toEqual({ values: ['for calm'], total: 300, hasMore: true });
  });

  it('completes a variable of a resource template (CORE-03)', async () => {
    const ref = { type: 'ref/resource', uri: 'desk://tickets/{id}' };
    expect(await complete({ ref, argument: { name: 'id', value: '4' } })).toEqual({ values: ['id-41'] });
  });

  it('gives no more than a hundred completions (CORE-03)', async () => {
    const completion = (await complete({
      ref: { type: 'ref/prompt', name: 'visit' },
      argument: { name: 'city', value: '' },
    })) as { values: string[]; hasMore: boolean };
    expect(completion.values).toHaveLength(100);
    expect(completion.hasMore).toBe(true);
  });

  it('gives no completions for an argument that nobody completes (CORE-03)', async () => {
    const ref = { type: 'ref/prompt', name: 'visit' };
    expect(await complete({ ref, argument: { name: 'day', value: '' } })).toEqual({ values: [] });
  });

  it.each([
    { type: 'ref/prompt', name: 'missing' },
    { type: 'ref/resource', uri: 'desk://missing/{id}' },
  ])('answers the completion of the unknown %j with -32602 (CORE-03)', async (ref) => {
    expect(await complete({ ref, argument: { name: 'id', value: '' } })).toBe(-32602);
  });
});
