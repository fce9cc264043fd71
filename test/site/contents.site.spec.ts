import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { listPages, listServed, readServed } from './served-site.js';

const served = new Set(listServed());

/** Pages below `docs`, as they are called on the site. */
const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .map((name) => name.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'));

/** Names that the entries of the package export, as `test/surface` lists them. */
const exported = readdirSync('test/surface')
  .filter((name) => name.endsWith('.md') && name !== 'names.md')
  .map((name) => {
    const report = readFileSync(`test/surface/${name}`, 'utf8');
    const [, entry = ''] = /^# `(.+)`/.exec(report) ?? [];
    const names = report.matchAll(
      /^export (?:abstract class|class|const|enum|function|interface|type) (\w+)/gm,
    );
    return { entry, names: new Set([...names].map(([, one = '']) => one.replace(/_\d$/, ''))) };
  });

describe('The site', () => {
  it('has every page of "docs", and the README as its first page', () => {
    expect(pages.length).toBeGreaterThan(50);
    expect(pages.filter((page) => !served.has(page))).toEqual([]);
    expect(readServed('index.html')).toContain('id="choose-your-path"');
  });

  it('shows a tool beside the explorer on its first page, and names the file of a block', () => {
    const first = readServed('index.html');
    expect(first).toMatch(/<div class="example"><p class="file-name">src\/\S+<\/p>[\s\S]+?explorer/);
    expect(first).toContain('alt="Bars: processor time of tools/call');
    expect(first.match(/class="VPButton[^"]*"/g)?.length).toBe(4);
  });

  it('leads to every page from the sidebar, in the sections of the index', () => {
    const sidebar = readServed('contents.html');
    expect(
      pages.filter((page) => !sidebar.includes(`/nestjs-mcp/${page.replace(/index\.html$/, '')}"`)),
    ).toEqual([]);
    const sections = [...readFileSync('docs/README.md', 'utf8').matchAll(/^##+ (.+)$/gm)].map(
      ([, title]) => title,
    );
    const shown = [...sidebar.matchAll(/<h[23] class="text"[^>]*>([^<]+)</g)].map(([, title]) => title);
    expect(shown).toEqual(expect.arrayContaining(sections));
  });

  it.each(exported)('has what "$entry" exports, from its docstrings', ({ entry, names }) => {
    const reference = readServed(`api/${entry}/index.html`);
    const missing = [...names].filter(
      (name) => !new RegExp(`>(?:<code>)?${name}(?:</code>)?<`).test(reference),
    );
    expect(names.size).toBeGreaterThan(5);
    expect(missing).toEqual([]);
  });

  it('has the example of a docstring', () => {
    const page = [...served].find((name) => name.endsWith('classes/McpTasks.html')) ?? '';
    expect(readServed(page)).toContain('tasks.changes$');
  });

  it('leads from the API reference to the sources', () => {
    const sources = readServed('api/nestjs-mcp/interfaces/McpOptions.html').matchAll(
      /\/blob\/main\/([^"#]+)#L\d+"/g,
    );
    const files = [...new Set([...sources].map(([, file = '']) => file))];
    expect(files).toEqual(['lib/server/settings/mcp-options.ts']);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('leads from a page to the file that is changed for it', () => {
    expect(readServed('identity-providers/index.html')).toMatch(
      /<a[^>]* href="https:\/\/[^"]+\/edit\/main\/docs\/identity-providers\/README\.md"/,
    );
  });

  it('takes nothing from other origins before somebody follows a link', () => {
    const html = [...served].filter((name) => name.endsWith('.html')).map(readServed);
    const foreign = html.flatMap(
      (text) => text.match(/<(?:script|link|img)[^>]*(?:src|href)="(?:https?:)?\/\/[^>]*>/g) ?? [],
    );
    expect(foreign).toEqual([]);
  });
});

describe('What the site has for models', () => {
  const list = readServed('llms.txt');
  const urlOf = (name: string) => `http://127.0.0.1/nestjs-mcp/${name}.md`;

  it('begins as llms.txt has to', () => {
    expect(list).toMatch(/^# nestjs-mcp\n\n> .+\n\n[^#]+\n## Getting started\n\n- \[/);
  });

  it('lists every page, and each thing of the API reference', () => {
    const html = listPages().filter((name) => name !== 'contents.html');
    const missing = html.filter((name) => !list.includes(`](${urlOf(name)}`));
    expect(missing).toEqual([]);
  });

  it('has the Markdown of every page', () => {
    expect(listPages().filter((name) => !served.has(`${name}.md`))).toEqual([]);
  });

  it('has all pages in one file', () => {
    const whole = readServed('llms-full.txt');
    expect(pages.filter((name) => !whole.includes(`<!-- ${urlOf(name)} -->`))).toEqual([]);
    expect(whole).toContain(readServed('getting-started.html.md'));
  });
});
