import { describe, expect, it } from '@jest/globals';
import {
  Complete,
  EventSource,
  Prompt,
  ResourceTemplate,
  Resource,
  Tool,
} from '../../../../lib/server/decorators/handler.decorators.js';
import { HANDLER_METADATA } from '../../../../lib/server/settings/mcp.constants.js';

class Desk {
  @Tool()
  plain() {
    return 'plain';
  }

  @Tool({ name: 'named', title: 'Named' })
  described() {
    return 'described';
  }

  @Resource({ uri: 'desk://open' })
  @ResourceTemplate({ uriTemplate: 'desk://{id}' })
  read() {
    return 'read';
  }

  @Prompt({ arguments: [{ name: 'id' }] })
  ask() {
    return 'ask';
  }

  @Complete({ prompt: 'ask', argument: 'id' })
  @Complete({ resourceTemplate: 'desk://{id}', argument: 'id' })
  complete() {
    return [];
  }
}

const read = (method: keyof Desk): unknown => Reflect.getMetadata(HANDLER_METADATA, Desk.prototype[method]);

describe('A handler decorator', () => {
  it('writes what it was given, and nothing where it was given nothing', () => {
    expect(read('plain')).toEqual([{ kind: 'tool', options: {} }]);
    expect(read('described')).toEqual([{ kind: 'tool', options: { name: 'named', title: 'Named' } }]);
    expect(read('ask')).toEqual([{ kind: 'prompt', options: { arguments: [{ name: 'id' }] } }]);
  });

  it('leaves the method as it is', () => {
    expect(new Desk().plain()).toBe('plain');
    expect(Object.keys(Desk.prototype)).toEqual([]);
  });

  it('adds to others on the method, in the order of the source', () => {
    expect(read('read')).toEqual([
      { kind: 'resource', options: { uri: 'desk://open' } },
      { kind: 'resourceTemplate', options: { uriTemplate: 'desk://{id}' } },
    ]);
    expect(read('complete')).toEqual([
      { kind: 'completion', options: { prompt: 'ask', argument: 'id' } },
      { kind: 'completion', options: { resourceTemplate: 'desk://{id}', argument: 'id' } },
    ]);
  });
});

describe('A handler decorator that is not on a method', () => {
  const decorate = (source: Function, ...place: readonly unknown[]) =>
    Reflect.apply(source, undefined, place) as unknown;

  class Dice {
    static roll(): string {
      return 'four';
    }
    sides = 6;
    get highest(): number {
      return this.sides;
    }
  }

  const describeMember = (target: object, name: string) => [
    target,
    name,
    Object.getOwnPropertyDescriptor(target, name),
  ];

  it.each<[string, readonly unknown[], string]>([
    ['a class', [Dice], '@Tool() on "Dice" is on a class: move it to one of its methods'],
    [
      'a static method',
      describeMember(Dice, 'roll'),
      '@Tool() on "Dice.roll" is on a static method: remove "static"',
    ],
    [
      'a property',
      [Dice.prototype, 'sides'],
      '@Tool() on "Dice.sides" is not on a method: write "sides() { … }"',
    ],
    [
      'an accessor',
      describeMember(Dice.prototype, 'highest'),
      '@Tool() on "Dice.highest" is not on a method',
    ],
  ])('says so of %s, and what to do (MOD-11)', (_what, place, says) => {
    expect(() => decorate(Tool(), ...place)).toThrow(TypeError);
    expect(() => decorate(Tool(), ...place)).toThrow(says);
  });

  it.each<[string, Function]>([
    ['@Resource()', Resource({ uri: 'desk://open' })],
    ['@ResourceTemplate()', ResourceTemplate({ uriTemplate: 'desk://{id}' })],
    ['@Prompt()', Prompt()],
    ['@Complete()', Complete({ prompt: 'ask', argument: 'id' })],
    ['@EventSource()', EventSource()],
  ])('is named, %s as well (MOD-11)', (name, decorator) => {
    expect(() => decorate(decorator, Dice)).toThrow(`${name} on "Dice" is on a class`);
  });
});
