import { describe, expect, it } from '@jest/globals';
import { Complete } from '../../../lib/decorators/complete.decorator.js';
import { Prompt } from '../../../lib/decorators/prompt.decorator.js';
import { ResourceTemplate } from '../../../lib/decorators/resource-template.decorator.js';
import { Resource } from '../../../lib/decorators/resource.decorator.js';
import { Tool } from '../../../lib/decorators/tool.decorator.js';
import { HANDLER_METADATA } from '../../../lib/settings/mcp.constants.js';

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
