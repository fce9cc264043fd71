import { describe, expect, it } from '@jest/globals';
import { findToolNameProblem, isToolName } from '../../../../lib/core/protocol/tool-name.js';

describe('A tool name (MCP server/tools, "Tool Names")', () => {
  it.each(['a', 'getUser', 'DATA_EXPORT_v2', 'admin.tools.list', 'x-1', '..', 'n'.repeat(128)])(
    'may be %j (CORE-08)',
    (name) => {
      expect(isToolName(name)).toBe(true);
      expect(findToolNameProblem(name)).toBeUndefined();
    },
  );

  it.each([
    ['', /is empty: use 1 to 128 characters/],
    ['n'.repeat(129), /has 129 characters: shorten it to at most 128/],
    ['get user', /"get user" contains the character " "/],
    ['a,b', /the character ","/],
    ['a/b', /the character "\/"/],
    ['café', /the character "é"/],
    ['tool🔧', /the character "🔧"/],
    ['name\n', /"name\\n" contains the character "\\n"/],
  ])('may not be %j, and the fault says why (CORE-08)', (name, fault) => {
    expect(isToolName(name)).toBe(false);
    expect(findToolNameProblem(name)).toMatch(fault);
  });

  it.each([undefined, null, 7, {}, ['tool']])('is a string, not %j (CORE-08)', (name) => {
    expect(isToolName(name)).toBe(false);
    expect(findToolNameProblem(name)).toContain(`has the type "${typeof name}"`);
  });
});
