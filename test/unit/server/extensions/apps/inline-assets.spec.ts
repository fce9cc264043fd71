import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readPage } from '../../../../../lib/server/extensions/apps/read-page.js';
import { SkillFolder } from '../../../../support/applications/skill-folder.js';

const dataOf = (content: string, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`;
const DOT = dataOf('dot');

describe('A page that loads what lies beside it', () => {
  let folder: SkillFolder;

  beforeEach(() => {
    folder = new SkillFolder(
      {
        'a.js': 'A',
        'a b.js': 'B',
        'a.css': 'p { color: red }',
        'dot.png': 'dot',
        'assets/dot.png': 'inner',
        'assets/a.css': 'p { background: url(dot.png) }',
        '..assets/dot.png': 'dot',
        '100%.png': 'dot',
      },
      'pages',
    );
  });

  afterEach(() => folder.remove());

  function show(html: string): string {
    folder.write('board.html', `<p>before</p>${html}<p>after</p>`);
    const source = { path: folder.at('board.html'), expects: 'file' } as const;
    const page = readPage(source, { maxBytes: 100_000, note: () => undefined });
    expect(page).toMatch(/^<p>before<\/p>[^]*<p>after<\/p>$/);
    return page.slice('<p>before</p>'.length, -'<p>after</p>'.length);
  }

  it.each([
    ['a script', '<script src="a.js"></script>', '<script>A</script>'],
    [
      'its type and id',
      '<script id="m" type="module" src="a.js"></script>',
      '<script type="module" id="m">A</script>',
    ],
    ['a script that waits', '<script defer src="a.js"></script>', '<script type="module">A</script>'],
    [
      'a type rather than the wait',
      '<script defer type="text/javascript" src="a.js"></script>',
      '<script type="text/javascript">A</script>',
    ],
    ['a style', '<link rel="stylesheet" href="a.css">', '<style>p { color: red }</style>'],
    [
      'its media',
      '<link REL="Preload STYLESHEET" media=\'"print"\' href="a.css">',
      '<style media="&quot;print&quot;">p { color: red }</style>',
    ],
    [
      'an image that a style loads from its own folder',
      '<link rel="stylesheet" href="assets/a.css">',
      `<style>p { background: url("${dataOf('inner')}") }</style>`,
    ],
    [
      'an image of a style in the page, in all spellings',
      `<style>a { b: url(dot.png) url('dot.png') URL( "dot.png" ) }</style>`,
      `<style>a { b: url("${DOT}") url("${DOT}") url("${DOT}") }</style>`,
    ],
    [
      'an image by a name without quotes',
      '<img alt=x src=dot.png class=y>',
      `<img alt=x src="${DOT}" class=y>`,
    ],
    ['an image by a name in single quotes', "<img src = 'dot.png'>", `<img src = "${DOT}">`],
    [
      'an image whose other attributes say the same',
      `<img alt="a src=b" title=' srcset="c" ' data-src="d" src="dot.png" src="e">`,
      `<img alt="a src=b" title=' srcset="c" ' data-src="d" src="${DOT}" src="e">`,
    ],
    ['an image without a space before it', '<img alt="a"src="dot.png"/>', `<img alt="a"src="${DOT}"/>`],
    [
      'candidates beside one in quotes',
      `<img srcset='dot.png 1x, https://cdn.example.com/"d".png 2x'>`,
      `<img srcset="${DOT} 1x, https://cdn.example.com/&quot;d&quot;.png 2x">`,
    ],
    ['a poster', '<video poster="dot.png"></video>', `<video poster="${DOT}"></video>`],
    [
      'images of an SVG',
      '<svg><image xlink:href="dot.png"/><feImage href="dot.png"/></svg>',
      `<svg><image xlink:href="${DOT}"/><feImage href="${DOT}"/></svg>`,
    ],
    [
      'sources, sounds and buttons',
      '<source src="dot.png"><audio src="dot.png"></audio><input type=image src="dot.png">',
      `<source src="${DOT}"><audio src="${DOT}"></audio><input type=image src="${DOT}">`,
    ],
    [
      'candidates by width, height and density',
      '<img srcset="dot.png 480w, dot.png 2.5x,dot.png 10h, dot.png">',
      `<img srcset="${DOT} 480w, ${DOT} 2.5x,${DOT} 10h, ${DOT}">`,
    ],
  ])('has %s in it (XTN-02)', (_what, written, expected) => {
    expect(show(written)).toBe(expected);
  });

  it.each([
    ['a script for browsers that know no modules', '<script nomodule src="a.js"></script>'],
    ['an icon', '<link rel="shortcut ICON" href="dot.png">'],
    ['what is to be fetched early', '<link rel="modulepreload" href="a.js">'],
  ])('loses %s (XTN-02)', (_what, written) => {
    expect(show(written)).toBe('');
  });

  it.each([
    '<script>run()</script>',
    '<script src=""></script>',
    '<script nomodule src="https://cdn.example.com/a.js"></script>',
    '<link rel="stylesheet" href="https://cdn.example.com/a.css">',
    '<link rel="icon" href="https://cdn.example.com/i.png">',
    '<link rel="icon" href="data:,">',
    '<link rel="icon">',
    '<link rel="canonical" href="a.js">',
    '<link href="a.js">',
    '<link rel="stylesheet">',
    '<style>@import "https://cdn.example.com/a.css"; @import url(//cdn.example.com/a.css);</style>',
    '<style>a { b: url(#c) url(data:,) url(https://cdn.example.com/d.png) url("") }</style>',
    '<img src="https://cdn.example.com/d.png">',
    '<img src="//cdn.example.com/d.png">',
    '<img src="\\\\cdn.example.com\\d.png">',
    '<img src="data:image/gif;base64,AA">',
    '<img src="#a">',
    '<img srcset="">',
    '<img srcset="https://cdn.example.com/d.png 2x, data:,x 3x">',
    '<img alt="dot.png">',
    '<a href="a.js">a</a>',
    '<iframe src="frame.html"></iframe>',
  ])('leaves %s as it is (XTN-02)', (written) => {
    expect(show(written)).toBe(written);
  });

  it('lets no script or style end its element (XTN-02)', () => {
    folder.write('a.js', 'x = "</script>" + "</SCRIPT" + "</b>" + "<!--"');
    folder.write('a.css', 'a::after { content: "</style></STYLE>" }');
    expect(show('<script src="a.js"></script><link rel="stylesheet" href="a.css">')).toBe(
      '<script>x = "<\\/script>" + "<\\/SCRIPT" + "</b>" + "<\\!--"</script>' +
        '<style>a::after { content: "<\\/style><\\/STYLE>" }</style>',
    );
  });

  it('keeps what a file says, whatever a replacement would make of it (XTN-02)', () => {
    folder.write('a.js', "'$& $1 $$'");
    expect(show('<script src="a.js"></script><style>a { b: "$&" url(dot.png) }</style>')).toBe(
      `<script>'$& $1 $$'</script><style>a { b: "$&" url("${DOT}") }</style>`,
    );
  });

  it('loads nothing that a comment of a style says (XTN-02)', () => {
    expect(show('<style>/* url(none.png) @import "none.css" */a {}</style>')).toBe('<style>a {}</style>');
  });

  it.each(['a%20b.js', './a b.js', '/a b.js', 'assets/../a%20b.js', 'a%20b.js?v=1#x', 'a b.js#x?'])(
    'finds a script by the address "%s" (XTN-02)',
    (url) => {
      expect(show(`<script src="${url}"></script>`)).toBe('<script>B</script>');
    },
  );

  it.each(['100%.png', '..assets/dot.png'])('finds an image by the address "%s" (XTN-02)', (url) => {
    expect(show(`<img src="${url}">`)).toBe(`<img src="${DOT}">`);
  });

  it.each(['../dot.png', '/../dot.png', 'assets/../../dot.png', '%2e%2e/dot.png', '..'])(
    'takes nothing outside its folder by the address "%s" (XTN-02)',
    (url) => {
      expect(() => show(`<img src="${url}">`)).toThrow(`loads "${url}", which is outside its folder`);
    },
  );

  it.each(['none.png', 'assets', 'assets/none.png'])('loads no file by the address "%s" (XTN-02)', (url) => {
    expect(() => show(`<img src="${url}">`)).toThrow(`but there is no file "${folder.at(url)}"`);
  });

  it('says of a file what it is by its name, and refuses one of which nothing is known (XTN-02)', () => {
    const types = {
      avif: 'image/avif',
      gif: 'image/gif',
      ico: 'image/x-icon',
      jpeg: 'image/jpeg',
      jpg: 'image/jpeg',
      mp3: 'audio/mpeg',
      mp4: 'video/mp4',
      ogg: 'audio/ogg',
      otf: 'font/otf',
      PNG: 'image/png',
      svg: 'image/svg+xml',
      ttf: 'font/ttf',
      wav: 'audio/wav',
      webm: 'video/webm',
      webp: 'image/webp',
      woff: 'font/woff',
      woff2: 'font/woff2',
    };
    for (const [extension, type] of Object.entries(types)) {
      folder.write(`file.${extension}`, extension);
      expect(show(`<img src="file.${extension}">`)).toBe(`<img src="${dataOf(extension, type)}">`);
    }
    folder.write('file.exe', '');
    expect(() => show('<img src="file.exe">')).toThrow('whose media type is unknown');
  });

  it.each(['import "./a.js"', "export * from './a.js'", 'import( "/a.js" )', 'import x from"../pages/a.js"'])(
    'refuses a script with %s, whose address would be relative to nothing (XTN-02)',
    (script) => {
      folder.write('main.js', script);
      expect(() => show('<script src="main.js"></script>')).toThrow(
        'configure the bundler to combine the scripts',
      );
    },
  );

  it.each([
    'import "./none.js"',
    'import "a.js"',
    'reimport("./a.js")',
    'import "https://cdn.example.com/a.js"',
  ])('takes a script with %s (XTN-02)', (script) => {
    folder.write('main.js', script);
    expect(show('<script src="main.js"></script>')).toBe(`<script>${script}</script>`);
  });

  it.each(['@import "a.css"', "@import url( 'a.css' )", '@IMPORT url(a.css)', '@import a.css'])(
    'refuses a style with %s (XTN-02)',
    (style) => {
      expect(() => show(`<style>${style};</style>`)).toThrow('has a style that imports "a.css"');
    },
  );
});
