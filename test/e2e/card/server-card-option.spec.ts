import { describe, expect, it } from '@jest/globals';
import { McpModule, type McpOptions } from 'nestjs-mcp';
import { bootApp } from '../../support/applications/boot.js';

const serverInfo = { name: 'desk', version: '1.0.0' };

describe('The option "serverCard"', () => {
  it.each([
    ['a name without a namespace', { name: 'desk' }, '"serverCard.name" must be a name in reverse-DNS form'],
    ['a name with two slashes', { name: 'a/b/c' }, '"serverCard.name"'],
    [
      'a long description',
      { description: 'x'.repeat(101) },
      '"serverCard.description" must have at most 100',
    ],
    ['a long title', { title: 'x'.repeat(101) }, '"serverCard.title" must have at most 100'],
    ['no URL', { websiteUrl: 'example.com' }, '"serverCard.websiteUrl"'],
    [
      'a repository without a source',
      { repository: { url: 'https://a.example' } },
      '"serverCard.repository.source"',
    ],
    [
      'a header without a name',
      { headers: [{ isRequired: true }] },
      '"serverCard.headers[0].name" is required',
    ],
    ['another format', { headers: [{ name: 'A', format: 'date' }] }, '"serverCard.headers[0].format"'],
    ['a misspelt member', { names: 'a/b' }, 'did you mean "serverCard.name"'],
    ['nothing useful', 'yes', '"serverCard" must be an object'],
  ])('is refused with %s (XTN-05) (MOD-11)', (_case, serverCard, message) => {
    const options = { serverInfo, serverCard } as McpOptions;
    expect(() => McpModule.forRoot(options)).not.toThrow();
    return expect(bootApp({ imports: [McpModule.forRoot(options)] })).rejects.toThrow(message);
  });
});
