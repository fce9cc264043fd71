import { describe, expect, it } from '@jest/globals';
import { buildCatalog, buildTool } from '../core/lint/good-catalog.js';
import '../../support/mcp-matchers.js';

const UNTITLED = { tools: [buildTool({ title: undefined })] };
const UNDESCRIBED = { tools: [buildTool({ description: undefined })] };

describe('The matcher of lists', () => {
  it('takes lists in which there is nothing to find, together and alone (KIT-04)', () => {
    const { prompts, resources } = buildCatalog();
    expect(buildCatalog()).toHaveNoLintFindings();
    expect({ prompts }).toHaveNoLintFindings({ severity: 'advice' });
    expect({ resources, nextCursor: 'more' }).toHaveNoLintFindings();
  });

  it('passes over advice unless it is asked for (KIT-04)', () => {
    expect(UNTITLED).toHaveNoLintFindings();
    expect(UNTITLED).not.toHaveNoLintFindings({ severity: 'advice' });
    expect(UNDESCRIBED).not.toHaveNoLintFindings({ severity: 'error' });
  });

  it('takes rules and bounds as they are given (KIT-04)', () => {
    expect(UNDESCRIBED).toHaveNoLintFindings({ rules: { 'tool-description': 'advice' } });
    expect(UNTITLED).not.toHaveNoLintFindings({ maxTokens: 5 });
    expect(() => expect(UNTITLED).toHaveNoLintFindings({ rules: { titel: 'off' } })).toThrow(
      'There is no rule',
    );
  });

  it('says what it found and what to do (KIT-04)', () => {
    expect(() => expect(UNDESCRIBED).toHaveNoLintFindings()).toThrow(
      [
        'Expected no lint findings, but found:',
        '  error tool-description: tool "find_tickets" has no description (Describe what it does, when to use it and what it returns: a model has nothing else to go on)',
      ].join('\n'),
    );
    expect(() => expect(UNTITLED).not.toHaveNoLintFindings()).toThrow('but found none');
  });

  it('tells a part of many findings (KIT-04)', () => {
    const tools = Array.from({ length: 30 }, (_, index) => buildTool({ name: `t ${index}` }));
    expect(() => expect({ tools }).toHaveNoLintFindings({ severity: 'error' })).toThrow(/ {2}and \d+ more$/);
  });

  it.each([[undefined], [[]], [{}], [{ tools: 7 }], [{ content: [] }]])(
    'refuses %j, which is no list, with "not" too (KIT-04)',
    (value) => {
      expect(() => expect(value).toHaveNoLintFindings()).toThrow('Expected a list from "listTools()"');
      expect(() => expect(value).not.toHaveNoLintFindings()).toThrow('Expected a list from');
    },
  );
});
