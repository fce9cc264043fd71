import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ScopeTemplate } from '../../../../../lib/core/oauth/scope.js';
import { McpError } from '../../../../../lib/core/protocol/mcp.error.js';
import {
  DynamicScopes,
  ScopeFunctionError,
} from '../../../../../lib/server/catalog/scopes/dynamic-scopes.js';
import type { ScopedCall, ScopeFunction } from '../../../../../lib/server/settings/scoped-call.interface.js';

const call = (given: object, more: Partial<ScopedCall> = {}): ScopedCall => ({
  kind: 'tool',
  name: 'move',
  arguments: given as ScopedCall['arguments'],
  variables: {},
  context: {
    auth: { claims: undefined, hasScope: () => false },
    http: undefined,
    signal: new AbortController().signal,
  },
  ...more,
});

const create = (templates: readonly string[], ...functions: readonly ScopeFunction[]) =>
  new DynamicScopes(
    templates.map((text) => new ScopeTemplate(text)),
    functions,
  );

describe('DynamicScopes', () => {
  beforeEach(() => void jest.spyOn(Logger.prototype, 'warn').mockReturnValue());

  it('tells what templates make of a call, at once and each once (XTN-04)', () => {
    const scopes = create(['p:{a}', 'q:{b.c}', 'p:{d}']);
    expect(scopes.resolve(call({ a: 'x', b: { c: 7 }, d: 'x' }))).toEqual(['p:x', 'q:7']);
    expect(scopes.variables).toEqual(['a', 'b.c', 'd']);
  });

  it('takes own members of arguments alone (XTN-04)', () => {
    for (const variable of ['constructor.name', '__proto__.x', 'toString']) {
      expect(() => create([`p:{${variable}}`]).resolve(call({}))).toThrow(McpError);
    }
  });

  it('leaves out templates whose argument is completed (XTN-04)', () => {
    const scopes = create(['p:{a}', 'q:{b}']);
    expect(scopes.resolve(call({ b: 'y' }, { completes: 'a' }))).toEqual(['q:y']);
  });

  it('tells what functions give behind that (XTN-04)', async () => {
    const scopes = create(
      ['p:{a}'],
      () => 'one',
      async () => ['two', 'p:x'],
      () => [],
    );
    expect(await scopes.resolve(call({ a: 'x' }))).toEqual(['p:x', 'one', 'two']);
  });

  it.each([
    [undefined, 'nothing'],
    [null, 'null'],
    [7, 'number 7'],
    [['a', 7], 'array of 2 items'],
    [new Set(['a']), 'object'],
  ])('fails for what is no scope: %p (XTN-04)', async (given, text) => {
    const told = create([], (() => given) as unknown as ScopeFunction).resolve(call({}));
    await expect(told).rejects.toThrow(ScopeFunctionError);
    await expect(told).rejects.toThrow(
      `The scopes of the tool "move" cannot be determined: expected the "RequireScope" function to return a scope or an array of scopes ("[]" for none), got ${text}`,
    );
  });

  it.each(['', 'a b', 'a"', ['a', 'b\n'], 'ä'])(
    'refuses a text that is no scope: %j (XTN-04)',
    async (given) => {
      await expect(create([], () => given).resolve(call({}))).rejects.toMatchObject({ code: -32602 });
    },
  );

  it('says so in the log, once a minute for each function (XTN-04)', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    warn.mockClear();
    const scopes = create([], () => 'a b');
    for (let count = 0; count < 3; count += 1)
      await expect(scopes.resolve(call({}))).rejects.toThrow(McpError);
    expect(warn.mock.calls).toEqual([
      [
        expect.stringContaining(
          'the "RequireScope" function of the tool "move" returned a string that is not a scope',
        ),
      ],
    ]);
  });

  it('passes on what a function throws (XTN-04)', async () => {
    const failure = new Error('down');
    const scopes = create([], () => {
      throw failure;
    });
    await expect(scopes.resolve(call({}))).rejects.toBe(failure);
  });
});
