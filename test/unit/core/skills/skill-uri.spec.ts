import { describe, expect, it } from '@jest/globals';
import { decodePath, encodePath, findSkillRoot } from '../../../../lib/core/skills/skill.js';

describe('encodePath and decodePath', () => {
  it.each(['a.md', 'a b/c%2F.md', 'Größe & Form?.txt', '#1/€.md', "(a)!~*'.md"])(
    'make %j a part of a URI, and it again of that (XTN-01)',
    (path) => {
      const encoded = encodePath(path);
      expect(URL.canParse(`skill://refunds/${encoded}`)).toBe(true);
      expect(encoded.split('/')).toHaveLength(path.split('/').length);
      expect(decodePath(encoded)).toBe(path);
    },
  );

  it.each(['', '/a', 'a/', 'a//b', 'a b', '%61', '%', '%ff', 'a%2fb', '%2e%2e/x?'])(
    'give no path for %j, which would be another way to a file (XTN-01)',
    (encoded) => {
      expect(decodePath(encoded)).toBeUndefined();
    },
  );
});

describe('findSkillRoot', () => {
  it.each([
    ['skill://refunds/SKILL.md', 'skill://refunds'],
    ['github://owner/repo/skills/refunds/SKILL.md', 'github://owner/repo/skills/refunds'],
    ['skill://refunds/skill.md', undefined],
    ['skill://SKILL.md', undefined],
    ['/refunds/SKILL.md', undefined],
    ['skill:///SKILL.md', undefined],
  ])('finds in %j the folder %j (XTN-01)', (uri, root) => {
    expect(findSkillRoot(uri)).toBe(root);
  });
});
