import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import type { Answer } from '../../support/clients/call.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { ABLE, accept, callAsWritten, questionsOf, textOf } from './conversation.js';

const TEXT = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const;

@Injectable()
class KeyedTools {
  @Tool({ description: 'Asks for a name, then for a color' })
  async ask(_: object, context: McpContext): Promise<string> {
    const name = await context.elicit({ key: 'name', message: 'Name?', schema: TEXT });
    const color = await context.elicit({ key: 'color', message: 'Color?', schema: TEXT });
    return JSON.stringify([name, color]);
  }

  @Tool({ description: 'Asks under a key that objects have' })
  async inherit(_: object, context: McpContext): Promise<string> {
    const answers = [];
    for (const key of ['constructor', 'toString', '__proto__']) {
      answers.push(await context.elicit({ key, message: key, schema: TEXT }));
    }
    return JSON.stringify(answers);
  }
}

const NAME = accept({ text: 'Ada' });
const COLOR = accept({ text: 'green' });
const DONE = JSON.stringify([NAME, COLOR]);

describe.each(ADAPTERS)('What a client answers on the stateless wire, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [KeyedTools] });
  });

  afterAll(() => desk.close());

  const call = (round: JsonObject = {}, name = 'ask'): Promise<Answer> =>
    perRequest(desk.url, { capabilities: ABLE }).request('tools/call', { name, ...round });
  const keys = ({ result = {} }: Answer) => questionsOf(result).map(({ key }) => key);
  const stateOf = ({ result }: Answer) => ({ requestState: result?.['requestState'] });

  const callWith = (round: string, name?: string) => callAsWritten(desk.url, round, name);

  it('is kept from round to round by the state (REV-02)', async () => {
    const first = await call();
    expect(keys(first)).toEqual(['name']);
    const second = await call({ inputResponses: { name: NAME }, ...stateOf(first) });
    expect(keys(second)).toEqual(['color']);
    const third = await call({ inputResponses: { color: COLOR }, ...stateOf(second) });
    expect(textOf(third)).toBe(DONE);
  });

  it('is taken without a state, in one round where it is complete (REV-02)', async () => {
    expect(textOf(await call({ inputResponses: { name: NAME, color: COLOR } }))).toBe(DONE);
    expect(keys(await call({ inputResponses: { color: COLOR } }))).toEqual(['name']);
  });

  it('may be changed in a later round, since the handler begins anew (REV-02)', async () => {
    const first = await call();
    const second = await call({ inputResponses: { name: NAME }, ...stateOf(first) });
    const other = accept({ text: 'Grace' });
    const third = await call({ inputResponses: { name: other, color: COLOR }, ...stateOf(second) });
    expect(textOf(third)).toBe(JSON.stringify([other, COLOR]));
  });

  it.each([
    ['null', null],
    ['text', 'name'],
    ['a number', 7],
    ['true', true],
    ['an array', [NAME]],
    ['an empty object', {}],
  ])('counts for nothing where it is %s: the question is put again (REV-02)', async (_, inputResponses) => {
    const first = await call();
    const second = await call({ inputResponses, ...stateOf(first) });
    expect([second.status, keys(second)]).toEqual([200, ['name']]);
    expect(keys(await call({ inputResponses }))).toEqual(['name']);
  });

  it('counts for nothing where it has other names, however many (REV-02)', async () => {
    const names = Array.from({ length: 100 }, (_, index) => [`other ${index}`, NAME]);
    const others = Object.fromEntries(names) as JsonObject;
    const first = await call({ inputResponses: others });
    expect(keys(first)).toEqual(['name']);
    const second = await call({ inputResponses: { ...others, name: NAME }, ...stateOf(first) });
    expect(keys(second)).toEqual(['color']);
    expect(String(second.result?.['requestState']).length).toBeLessThan(600);
    const third = await call({ inputResponses: { ...others, color: COLOR }, ...stateOf(second) });
    expect(textOf(third)).toBe(DONE);
  });

  it('gives no prototype to anything (REV-02)', async () => {
    const polluted = `{"__proto__":{"name":${JSON.stringify(NAME)},"polluted":true},"constructor":{"prototype":{"polluted":true}}}`;
    const first = await callWith(`"inputResponses":${polluted}`);
    expect(questionsOf(first.result ?? {}).map(({ key }) => key)).toEqual(['name']);
    expect(({} as JsonObject)['polluted']).toBeUndefined();
  });

  it('gives no prototype to a content (REV-02)', async () => {
    const content = '{"text":"Ada","__proto__":{"polluted":true}}';
    const responses = `{"name":{"action":"accept","content":${content}},"color":${JSON.stringify(COLOR)}}`;
    const { result } = await callWith(`"inputResponses":${responses}`);
    expect(textOf({ result })).toContain('"text":"Ada"');
    expect(({} as JsonObject)['polluted']).toBeUndefined();
  });

  it('is found under any key, also under one that objects have (REV-02)', async () => {
    const first = await call({}, 'inherit');
    expect(keys(first)).toEqual(['constructor']);
    const responses = ['constructor', 'toString', '__proto__'].map(
      (key) => `"${key}":${JSON.stringify(NAME)}`,
    );
    const { result } = await callWith(`"inputResponses":{${responses.join(',')}}`, 'inherit');
    expect(JSON.parse(textOf({ result }) ?? '')).toEqual([NAME, NAME, NAME]);
    const half = await callWith(`"inputResponses":{${responses.slice(0, 2).join(',')}}`, 'inherit');
    expect(JSON.stringify(half.result)).toContain('"inputRequests":{"__proto__":');
  });

  it('means nothing to a tool that asks nothing, nor where it comes twice at once (REV-02)', async () => {
    const rounds = [{ inputResponses: { name: NAME, color: COLOR } }, { inputResponses: { name: NAME } }];
    const answers = await Promise.all(rounds.map((round) => call(round)));
    expect(answers.map(keys)).toEqual([[], ['color']]);
  });
});
