import { afterAll, describe, expect, it } from '@jest/globals';
import { SiteFolder } from './site-folder.js';

const folder = new SiteFolder({});
afterAll(() => folder.remove());

const read = (SITE_URL?: string) =>
  folder.call('site-address.js', 'readSiteAddress', SITE_URL === undefined ? {} : { SITE_URL });

describe('The address of the site', () => {
  it.each([
    [undefined, { base: '/' }],
    ['', { base: '/' }],
    ['https://docs.example.com', { origin: 'https://docs.example.com', base: '/' }],
    ['https://example.com/nestjs-mcp', { origin: 'https://example.com', base: '/nestjs-mcp/' }],
    ['http://127.0.0.1:8080/a/b/', { origin: 'http://127.0.0.1:8080', base: '/a/b/' }],
  ])('follows from "SITE_URL": %s', (url, expected) => {
    expect(read(url)).toEqual(expected);
  });

  it.each([
    '/nestjs-mcp/',
    'docs.example.com',
    'ftp://example.com/',
    'https://example.com/?a',
    'https://example.com/#a',
  ])('is not %s', (url) => {
    expect(() => read(url)).toThrow(
      `"SITE_URL" must be where the site is, such as "https://docs.example.com/nestjs-mcp/", and not "${url}"`,
    );
  });
});
