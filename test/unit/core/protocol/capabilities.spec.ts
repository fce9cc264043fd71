import { describe, expect, it } from '@jest/globals';
import {
  declaresExtension,
  mergeCapabilities,
  parseCapabilities,
  type ClientCapabilities,
} from '../../../../lib/core/protocol/capabilities.js';

const parse = (json: string) => JSON.parse(json) as ClientCapabilities;

describe('declaresExtension', () => {
  it.each([
    ['{"extensions":{"io.example/a":{}}}', true],
    ['{"extensions":{"io.example/a":null}}', true],
    ['{"extensions":{"io.example/b":{}}}', false],
    ['{"extensions":null}', false],
    ['{"extensions":["io.example/a"]}', false],
    ['{}', false],
  ])('finds in %s whether it is there: %s (EXT-03)', (capabilities, isDeclared) => {
    expect(declaresExtension(parse(capabilities), 'io.example/a')).toBe(isDeclared);
  });

  it('finds no name that objects have of themselves (EXT-03)', () => {
    expect(declaresExtension({ extensions: {} }, 'toString')).toBe(false);
  });

  it.each(['null', 'true', '7', '"io.example/a"', '["io.example/a"]'])(
    'finds none in %s (CAP-03)',
    (extensions) => {
      const capabilities = parse(`{"extensions":${extensions}}`);
      for (const id of ['io.example/a', '0', 'length'])
        expect(declaresExtension(capabilities, id)).toBe(false);
    },
  );
});

describe('mergeCapabilities', () => {
  it.each<[string, string, string, string]>([
    ['adds a capability', '{"roots":{}}', '{"sampling":{}}', '{"roots":{},"sampling":{}}'],
    ['adds to nothing', '{}', '{"elicitation":{"form":{}}}', '{"elicitation":{"form":{}}}'],
    [
      'adds a part of one',
      '{"elicitation":{"form":{}}}',
      '{"elicitation":{"url":{}}}',
      '{"elicitation":{"form":{},"url":{}}}',
    ],
    [
      'adds an extension',
      '{"extensions":{"io.example/a":{"v":1}}}',
      '{"extensions":{"io.example/b":{}}}',
      '{"extensions":{"io.example/a":{"v":1},"io.example/b":{}}}',
    ],
    [
      'turns a flag on',
      '{"roots":{"listChanged":false}}',
      '{"roots":{"listChanged":true}}',
      '{"roots":{"listChanged":true}}',
    ],
    [
      'takes null for nothing',
      '{"extensions":null,"roots":{"listChanged":null}}',
      '{"extensions":{"io.example/b":{}},"roots":{"listChanged":true}}',
      '{"extensions":{"io.example/b":{}},"roots":{"listChanged":true}}',
    ],
  ])('%s (CAP-01)', (_what, session, request, merged) => {
    expect(mergeCapabilities(parse(session), parse(request))).toEqual(JSON.parse(merged));
  });

  it.each<[string, string, string]>([
    ['an empty declaration', '{"roots":{"listChanged":true}}', '{}'],
    ['an empty capability', '{"roots":{"listChanged":true}}', '{"roots":{}}'],
    ['a flag that is off', '{"roots":{"listChanged":true}}', '{"roots":{"listChanged":false}}'],
    ['null', '{"sampling":{"tools":{}}}', '{"sampling":null}'],
    ['null within', '{"sampling":{"tools":{}}}', '{"sampling":{"tools":null}}'],
    ['a value of another type', '{"elicitation":{"form":{}}}', '{"elicitation":false}'],
    ['an array', '{"elicitation":{"form":{}}}', '{"elicitation":[]}'],
    [
      'another value of a setting',
      '{"extensions":{"io.example/a":{"v":1}}}',
      '{"extensions":{"io.example/a":{"v":2}}}',
    ],
  ])('revokes nothing of a session for %s (CAP-01)', (_what, session, request) => {
    expect(mergeCapabilities(parse(session), parse(request))).toEqual(JSON.parse(session));
  });

  it('changes neither declaration (CAP-01)', () => {
    const session = parse('{"elicitation":{"form":{}}}');
    const request = parse('{"elicitation":{"url":{}}}');
    mergeCapabilities(session, request);
    expect([session, request]).toEqual([{ elicitation: { form: {} } }, { elicitation: { url: {} } }]);
  });

  it.each([
    '{"__proto__":{"sampling":{},"polluted":true}}',
    '{"roots":{"__proto__":{"polluted":true}}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"extensions":{"__proto__":{"polluted":true},"toString":{}}}',
  ])('gives no object a new ancestor: %s (CAP-01)', (request) => {
    const merged = mergeCapabilities(parse('{"roots":{},"extensions":{}}'), parse(request));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(merged.roots)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(merged.extensions)).toBe(Object.prototype);
    expect((merged as { sampling?: unknown }).sampling).toBeUndefined();
  });

  it('takes an extension by the name of an inherited member for what it is (CAP-03)', () => {
    const merged = mergeCapabilities(parse('{"extensions":{}}'), parse('{"extensions":{"toString":{}}}'));
    expect(Object.keys(merged.extensions ?? {})).toEqual(['toString']);
  });
});

describe('parseCapabilities', () => {
  it.each<[string, string, string]>([
    ['null', '{"sampling":null,"roots":{}}', '{"roots":{}}'],
    ['a flag', '{"sampling":false,"elicitation":true}', '{}'],
    ['text, a number and an array', '{"roots":"yes","tasks":7,"experimental":[]}', '{}'],
    [
      'a part that is none',
      '{"sampling":{"tools":null,"context":{}},"elicitation":{"form":{},"url":false}}',
      '{"sampling":{"context":{}},"elicitation":{"form":{}}}',
    ],
    [
      'an extension that is none',
      '{"extensions":{"io.example/a":null,"io.example/b":{}}}',
      '{"extensions":{"io.example/b":{}}}',
    ],
    ['extensions that are none', '{"extensions":null}', '{}'],
    ['an experiment that is none', '{"experimental":{"a":1}}', '{"experimental":{}}'],
    ['a mark of changes that is none', '{"roots":{"listChanged":"yes"}}', '{"roots":{}}'],
  ])('leaves out %s (CAP-01)', (_what, declared, parsed) => {
    expect(parseCapabilities(JSON.parse(declared) as object as Record<string, unknown>)).toEqual(
      JSON.parse(parsed),
    );
  });

  it.each([
    '{}',
    '{"roots":{"listChanged":false},"sampling":{},"elicitation":{}}',
    '{"elicitation":{"form":{"applyDefaults":true},"url":{}},"sampling":{"tools":{},"context":{}}}',
    '{"sampling":{"depth":3},"elicitation":{"style":"plain"},"tasks":{"list":{}}}',
    '{"extensions":{"io.example/a":{"v":1,"w":null}},"experimental":{"b":{}},"com.example":{"c":null}}',
  ])('gives %s as it is, for there is nothing to leave out (CAP-01)', (json) => {
    const declared = JSON.parse(json) as Record<string, unknown>;
    expect(parseCapabilities(declared)).toBe(declared);
    expect(declared).toEqual(JSON.parse(json));
  });

  it('gives no object a new ancestor (CAP-01)', () => {
    const declared = JSON.parse('{"__proto__":{"sampling":{}},"roots":null}') as Record<string, unknown>;
    const parsed = parseCapabilities(declared);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(parsed.sampling).toBeUndefined();
  });
});
