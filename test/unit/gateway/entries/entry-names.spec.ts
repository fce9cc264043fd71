import { describe, expect, it } from '@jest/globals';
import { EntryNames } from '../../../../lib/gateway/entries/entry-names.js';

describe('EntryNames', () => {
  const names = new EntryNames('files_', 'files+', (uri) => uri === 'https://offered.example/a');

  it.each([
    ['file:///a.txt', 'files+file:///a.txt'],
    ['note://{id}', 'files+note://{id}'],
    ['ui://board/main', 'ui://files+board/main'],
    ['UI://board', 'ui://files+board'],
  ])('adds the prefix to %s, behind the scheme of apps (GATE-01)', (listed, offered) => {
    expect(names.formatUri(listed)).toBe(offered);
  });

  it.each([
    ['files+file:///a.txt', 'file:///a.txt'],
    ['FILES+file:///a.txt', 'file:///a.txt'],
    ['ui://files+board/main', 'ui://board/main'],
  ])('removes it from %s (GATE-01)', (offered, listed) => {
    expect(names.parseUri(offered)).toBe(listed);
  });

  it.each([
    ['{+uri}', 'a template must start with a fixed scheme'],
    ['n{rest}', 'a template must start with a fixed scheme'],
    ['files+note://{id}', 'URIs that start with "files+" belong to another server'],
    ['FILES+note://1', 'URIs that start with "files+" belong to another server'],
    ['ui://{page}', 'URIs that start with "ui://files+" belong to another server'],
    ['ui://%66iles+board', 'URIs that start with "ui://files+" belong to another server'],
  ])('refuses %s without a prefix (GATE-01)', (uri, message) => {
    expect(() => new EntryNames('', '', () => false, ['files+']).assertSeparate(uri)).toThrow(message);
    expect(() => names.assertSeparate(uri)).not.toThrow();
  });

  it.each(['note://{id}', 'note://1', 'files:///a', 'ui://board', 'ui://board/{id}'])(
    'accepts %s without a prefix (GATE-01)',
    (uri) => {
      expect(() => new EntryNames('', '', () => false, ['files+']).assertSeparate(uri)).not.toThrow();
    },
  );

  it('rewrites links and embedded resources, and nothing else (GATE-01)', () => {
    const blocks = [
      { type: 'text', text: 'note://1' },
      { type: 'resource_link', uri: 'note://1', name: 'one' },
      { type: 'resource', resource: { uri: 'note://1', text: 'x' } },
    ] as const;
    expect(names.rewriteContent(blocks)).toEqual([
      blocks[0],
      { ...blocks[1], uri: 'files+note://1' },
      { ...blocks[2], resource: { uri: 'files+note://1', text: 'x' } },
    ]);
  });

  it('leaves addresses that clients fetch themselves, unless the server offers them (GATE-01)', () => {
    const rewrite = (uri: string) => names.rewriteContents({ uri, text: '' }).uri;
    expect(rewrite('https://other.example/a')).toBe('https://other.example/a');
    expect(rewrite('https://offered.example/a')).toBe('files+https://offered.example/a');
  });
});
