import { describe, expect, it } from '@jest/globals';
import {
  findAppProblems,
  formatAppProblem,
} from '../../../../../lib/core/protocol/apps/find-app-problems.js';
import { growthOf, LINEAR } from '../growth.js';
import type { AppResourceMeta } from '../../../../../lib/core/protocol/apps/app-meta.js';

const say = (page: string, meta: AppResourceMeta = {}) => findAppProblems(page, meta).map(formatAppProblem);

describe('What a page uses and does not declare (SEP-1865, "Content Security Policy Enforcement")', () => {
  it.each([
    ['<script src="https://a.example.com/x.js"></script>', '<script src>', 'resourceDomains'],
    ['<SCRIPT SRC=https://a.example.com/x.js></SCRIPT>', '<script src>', 'resourceDomains'],
    ['<link rel="preload stylesheet" href="https://a.example.com/x.css">', '<link href>', 'resourceDomains'],
    ['<img alt="" src=\'https://a.example.com/x.png\'>', '<img src>', 'resourceDomains'],
    ['<img srcset="x.invalid 1x, https://a.example.com/x.png 2x">', '<img srcset>', 'resourceDomains'],
    [
      '<picture><source srcset="https://a.example.com/x.png"></picture>',
      '<source srcset>',
      'resourceDomains',
    ],
    ['<input type="image" src="https://a.example.com/x.png">', '<input src>', 'resourceDomains'],
    ['<svg><image href="https://a.example.com/x.png"/></svg>', '<image href>', 'resourceDomains'],
    ['<video poster="https://a.example.com/x.png">', '<video poster>', 'resourceDomains'],
    ['<video><source src="https://a.example.com/x.mp4">', '<source src>', 'resourceDomains'],
    ['<audio src="https://a.example.com/x.mp3">', '<audio src>', 'resourceDomains'],
    ['<iframe src="https://a.example.com/"></iframe>', '<iframe src>', 'frameDomains'],
    ['<base href="https://a.example.com/">', '<base href>', 'baseUriDomains'],
    ['<p style="background:url(https://a.example.com/x.png)">', '"style"', 'resourceDomains'],
    ['<style>@import "https://a.example.com/x.css";</style>', '<style>', 'resourceDomains'],
    ['<style>@font-face { src: url(https://a.example.com/x) }</style>', '<style>', 'resourceDomains'],
    ['<style>p { background: URL("https://a.example.com/x") }</style>', '<style>', 'resourceDomains'],
    [
      '<style>p { background: image-set("https://a.example.com/x" 1x) }</style>',
      '<style>',
      'resourceDomains',
    ],
    ['<link rel="modulepreload" href="https://a.example.com/x.js">', '<link href>', 'resourceDomains'],
    ['<link rel="preload" as="image" href="https://a.example.com/x.png">', '<link href>', 'resourceDomains'],
    ['<link rel=preload as=fetch href="https://a.example.com/x.json">', '<link href>', 'connectDomains'],
    [
      '<link rel="preload" as="image" imagesrcset="https://a.example.com/x.png 2x">',
      '<link imagesrcset>',
      'resourceDomains',
    ],
    ['<svg><script href="https://a.example.com/x.js"/></svg>', '<script href>', 'resourceDomains'],
    ['<svg><use href="https://a.example.com/x.svg#y"/></svg>', '<use href>', 'resourceDomains'],
  ])('finds that %s certainly fails', (page, by, member) => {
    const faults = findAppProblems(`<!doctype html>${page}`, {});
    const certain = faults.find(({ fix }) => fix.includes('https://a.example.com'));
    expect(certain).toMatchObject({ isCertain: true, found: expect.stringContaining(`with ${by}`) });
    expect(certain?.fix).toBe(`add "https://a.example.com" to "csp.${member}"`);
    expect(findAppProblems(page, { csp: { [member]: ['https://a.example.com'] } })).not.toContainEqual(
      certain,
    );
  });

  it.each([
    ['fetch("https://a.example.com/x")', 'fetch()', 'https:', 'connectDomains'],
    ['fetch(`https://a.example.com/${id}`)', 'fetch()', 'https:', 'connectDomains'],
    ["new WebSocket('wss://a.example.com')", 'new WebSocket()', 'wss:', 'connectDomains'],
    ["new EventSource('https://a.example.com')", 'new EventSource()', 'https:', 'connectDomains'],
    ["navigator.sendBeacon('https://a.example.com', x)", 'sendBeacon()', 'https:', 'connectDomains'],
    ["request.open('POST', 'https://a.example.com')", 'XMLHttpRequest.open()', 'https:', 'connectDomains'],
    ["await import('https://a.example.com/x.js')", 'import()', 'https:', 'resourceDomains'],
    ["import x from 'https://a.example.com/x.js'", 'import', 'https:', 'resourceDomains'],
    ["new WebTransport('https://a.example.com')", 'new WebTransport()', 'https:', 'connectDomains'],
    ["x.audioWorklet.addModule('https://a.example.com/x.js')", 'addModule()', 'https:', 'resourceDomains'],
  ])('finds that %s may fail', (script, by, scheme, member) => {
    expect(findAppProblems(`<script type="module">${script}</script>`, {})).toEqual([
      {
        found: expect.stringContaining(`with ${by}, which hosts block`),
        fix: `add "${scheme}//a.example.com" to "csp.${member}"`,
        isCertain: false,
      },
    ]);
  });

  it.each([
    '<!-- <img src="https://a.example.com/x.png"> -->',
    '<title><img src="https://a.example.com/x.png"></title>',
    '<noscript><img src="https://a.example.com/x.png"></noscript>',
    '<textarea><img src="https://a.example.com/x.png"></textarea>',
    '<script type="application/json">{"a": "fetch(\'https://a.example.com\')"}</script>',
    '<style>/* url(https://a.example.com/x.png) */</style>',
    '<a href="https://a.example.com">a</a>',
    '<link rel="icon" href="https://a.example.com/x.ico">',
    '<link rel="alternate stylesheet" href="https://a.example.com/x.css">',
    '<img src="data:image/png;base64,AAAA">',
    '<img src="">',
    '<svg><use href="#x"/></svg>',
    '<link rel="preconnect" href="https://a.example.com">',
    '<form onsubmit="return send()"><button formmethod="dialog">Send</button></form>',
    '<form method="dialog" action="https://a.example.com"></form>',
    '<meta name="refresh" content="0; url=https://a.example.com">',
    '<style>p { background: image-set(url("data:image/png;base64,AAAA") type("image/png") 1x) }</style>',
    '<script>new Function("return this")()</script>',
    '<script>my.eval("1"); retrieval(2)</script>',
    '<p title="<img src=https://a.example.com/x.png>">',
    'no page at all',
    '<',
  ])('finds nothing in %s', (page) => {
    expect(say(page)).toEqual([]);
  });

  it('takes an address without a scheme for one of the host’s, which uses TLS', () => {
    expect(say('<img src="//a.example.com/x.png">')).toEqual([
      expect.stringContaining('add "https://a.example.com" to "csp.resourceDomains"'),
    ]);
  });

  it('reads ampersands of addresses as browsers do, and shows no more of an address than one reads', () => {
    const [said] = say(`<img src="https://a.example.com/?a=1&amp;b=${'x'.repeat(500)}">`);
    expect(said).toContain('https://a.example.com/?a=1&b=xxx');
    expect(said?.length).toBeLessThan(300);
  });

  it('finds what lies beside the page, which a host does not have', () => {
    expect(say('<img src="x.png"><script>fetch("/x")</script>')).toEqual([
      'loads "x.png" with <img src>, but hosts serve no files besides the page: put it in the page',
      'may load "/x" with fetch(), but hosts serve no files besides the page: call a tool instead, or use an absolute URL',
    ]);
  });

  it('resolves relative addresses by a base that the policy allows', () => {
    const page = '<base href="https://a.example.com/app/"><img src="x.png">';
    const csp = { baseUriDomains: ['https://a.example.com'] };
    expect(say(page, { csp })).toEqual([
      expect.stringContaining('add "https://a.example.com" to "csp.resourceDomains"'),
    ]);
    expect(say(page, { csp: { ...csp, resourceDomains: ['https://a.example.com'] } })).toEqual([]);
  });

  it('finds what no host allows, whatever is declared', () => {
    const csp = { frameDomains: ['https://a.example.com'], resourceDomains: ['https://a.example.com'] };
    const [said] = say('<object data="https://a.example.com/x"></object>', { csp });
    expect(said).toContain('which no host allows: use <iframe>');
    expect(say('<embed src="https://a.example.com/x">', { csp })).toHaveLength(1);
  });

  it.each([
    ["new Worker('x.js')", 'new Worker()'],
    ['new Worker(URL.createObjectURL(x))', 'new Worker()'],
    ['new SharedWorker(x)', 'new SharedWorker()'],
    ['navigator.serviceWorker?.register(x)', 'serviceWorker.register()'],
    ['await WebAssembly.instantiateStreaming(x)', 'WebAssembly'],
    ['new WebAssembly.Module(x)', 'WebAssembly'],
    ['eval(x)', 'eval()'],
    ["new Function('x', y)", 'new Function()'],
  ])('finds that %s may fail, whatever is declared', (script, name) => {
    const fault = { isCertain: false, found: `may use ${name}, which many hosts block` };
    expect(findAppProblems(`<script>${script}</script>`, {})).toMatchObject([fault]);
    expect(findAppProblems(`<p onclick="${script.replaceAll('"', '&quot;')}">`, {})).toMatchObject([fault]);
  });

  it('finds what a handler in an attribute may load', () => {
    expect(say(`<p onclick="fetch('https://a.example.com')">`)).toEqual([
      expect.stringContaining('add "https://a.example.com" to "csp.connectDomains"'),
    ]);
  });

  it('finds what an import map may load', () => {
    const map = '{"imports": {"x": "https://a.example.com/x.js"}}';
    expect(say(`<script type="importmap">${map}</script>`)).toEqual([
      expect.stringContaining('add "https://a.example.com" to "csp.resourceDomains"'),
    ]);
  });

  it.each([
    ['<form action="/send"></form>', 'may go to "/send" with <form action>'],
    ['<form><button formaction="/send">', 'may go to "/send" with <button formaction>'],
    ['<form><input type=submit formaction=/send>', 'may go to "/send" with <input formaction>'],
    [
      '<meta http-equiv="refresh" content="5; url=https://a.example.com">',
      'goes to "https://a.example.com" with <meta http-equiv=refresh>',
    ],
  ])('finds that %s leaves the app', (page, found) => {
    expect(say(page)).toEqual([expect.stringContaining(`${found}, which leaves the app: `)]);
  });

  it('finds fonts inside a page, which many hosts block', () => {
    const page = '<style>@font-face { src: url("data:font/woff2;base64,AAAA") }</style>';
    expect(findAppProblems(page, {})).toMatchObject([
      { isCertain: false, found: expect.stringContaining('fonts') },
    ]);
  });

  it.each([
    ['camera', 'navigator.mediaDevices.getUserMedia({ video: true })'],
    ['microphone', 'navigator.mediaDevices.getUserMedia({ audio: true })'],
    ['geolocation', 'navigator.geolocation.getCurrentPosition(f)'],
    ['clipboardWrite', 'navigator.clipboard.writeText("x")'],
  ])('finds that a script may need the permission %s', (permission, script) => {
    const page = `<script>${script}</script>`;
    expect(say(page)).toEqual([expect.stringContaining(`add "${permission}" to "permissions"`)]);
    expect(say(page, { permissions: { [permission]: {} } })).toEqual([]);
    expect(say(`<p>${script}</p>`)).toEqual([]);
  });

  it('tells a fault once', () => {
    expect(say('<img src="x.png"><img src="x.png">')).toHaveLength(1);
  });

  it.each([
    '<',
    '<a ',
    '<a b="',
    '<a b ',
    '<script><',
    '<a/',
    '<style>url(',
    '<style>@font-face {',
    '<style>url(/* ',
    '<style>url( @font-face { ',
    '<script>getUserMedia({',
    '<script>fetch("',
    '<style>image-set(',
    '<script>new Worker ',
    '<meta http-equiv=refresh content="',
    '<script type=importmap>:"',
    '<!--',
  ])('takes time that grows with the page, be it made of %j', (part) => {
    const work = (size: number) => findAppProblems(part.repeat(Math.ceil(size / part.length)), {});
    expect(growthOf(60_000, work)).toBeLessThan(LINEAR);
  });
});
