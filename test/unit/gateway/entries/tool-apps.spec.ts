import { describe, expect, it } from '@jest/globals';
import { isForApps, rewriteApp } from '../../../../lib/gateway/entries/tool-apps.js';

const prefix = (uri: string) => `prefixed ${uri}`;

describe('rewriteApp()', () => {
  const meta = {
    ui: { resourceUri: 'ui://board', visibility: ['app'] },
    'ui/resourceUri': 'ui://board',
    other: 1,
  };

  it('prefixes both keys of a page, and leaves the rest (GATE-01)', () => {
    expect(rewriteApp(meta, prefix)).toEqual({
      ui: { resourceUri: 'prefixed ui://board', visibility: ['app'] },
      'ui/resourceUri': 'prefixed ui://board',
      other: 1,
    });
  });

  it('removes what describes an app if apps are not offered (GATE-01)', () => {
    expect(rewriteApp(meta, undefined)).toEqual({ other: 1 });
  });

  it('removes pages of another scheme, which hosts would not display (GATE-01)', () => {
    expect(rewriteApp({ ui: { resourceUri: 'https://a.example' }, 'ui/resourceUri': 7 }, prefix)).toEqual({});
  });

  it('leaves a tool without metadata as it is', () => {
    expect(rewriteApp(undefined, prefix)).toBeUndefined();
  });
});

describe('isForApps()', () => {
  it.each([
    [{ ui: { visibility: ['app'] } }, true],
    [{ ui: { visibility: ['app', 'model'] } }, false],
    [{ ui: {} }, false],
    [undefined, false],
  ])('finds tools that models do not see: %j is %s (GATE-01)', (_meta, expected) => {
    expect(isForApps({ name: 'a', inputSchema: { type: 'object' }, ...(_meta && { _meta }) })).toBe(expected);
  });
});
