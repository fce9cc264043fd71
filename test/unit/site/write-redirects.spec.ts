import { afterEach, describe, expect, it } from '@jest/globals';
import { SiteFolder } from './site-folder.js';

let folder: SiteFolder;
afterEach(() => folder.remove());

/** Writes the redirects of a site below `/books/` that has two pages, each with a heading. */
function write(redirects: Readonly<Record<string, string>>): unknown {
  folder = new SiteFolder({
    'loans.html': '<h2 id="terms">Terms</h2>',
    'branches/north.html': '<h2 id="hours">Hours</h2>',
  });
  return folder.call('write-redirects.js', 'writeRedirects', { redirects, to: folder.path, base: '/books/' });
}

describe('A redirect', () => {
  it('is a page at the old address that leads to the new one without JavaScript', () => {
    expect(write({ lending: 'loans#terms', 'branches/old': 'branches/north' })).toEqual([]);
    expect(folder.read('lending.html')).toContain('content="0; url=/books/loans.html#terms"');
    expect(folder.read('branches/old.html')).toContain('<a href="/books/branches/north.html">');
  });

  it.each([
    ['no page', { lending: 'gone' }, 'leads to no page or heading'],
    ['no heading', { lending: 'loans#gone' }, 'leads to no page or heading'],
    ['away from a page', { loans: 'branches/north' }, 'redirects an address that still exists'],
    ['away from a heading', { 'loans#terms': 'branches/north' }, 'redirects an address that still exists'],
  ])('must not lead %s', (_, redirects, fault) => {
    expect(write(redirects)).toEqual([expect.stringContaining(fault)]);
  });

  it('is for the whole page, if the page is gone', () => {
    expect(write({ 'lending#fees': 'loans#terms' })).toEqual([
      '"tools/site/redirects.json" has no row for the page "lending"',
    ]);
  });

  it('of a heading of a page that exists leaves that page alone', () => {
    expect(write({ 'loans#fees': 'branches/north#hours' })).toEqual([]);
    expect(folder.read('loans.html')).toBe('<h2 id="terms">Terms</h2>');
  });
});
