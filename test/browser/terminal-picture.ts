import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DOCS = fileURLToPath(new URL('../../docs/images', import.meta.url));

/** Pixels of a character and of a line, and those around them. */
const CHARACTER = 7.25;
const LINE = 19;
const PADDING = 20;
const BAR = 32;

/** The columns of the terminal: what is longer goes on in the next line. */
const COLUMNS = 124;

/** A picture of a terminal in the docs: what a command has printed, in light and dark. */
export class TerminalPicture {
  readonly #file: string;

  constructor(name: string) {
    this.#file = `${DOCS}/${name}.svg`;
  }

  /** Draws it again if `npm run pictures` asks for that. */
  renew(command: string, output: string): void {
    if (process.env['PICTURES'] === 'renew')
      writeFileSync(this.#file, draw([`$ ${command}`, ...wrap(output)]));
  }

  /** Reads the lines that it shows. */
  read(): readonly string[] {
    if (!existsSync(this.#file)) throw new Error(`There is no "${this.#file}": run "npm run pictures"`);
    const texts = readFileSync(this.#file, 'utf8').matchAll(/<text [^>]*>(.*?)<\/text>/g);
    return [...texts].map(([, line = '']) =>
      line.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
    );
  }
}

/** Breaks lines as a terminal does, so that pictures and outputs can be compared. */
export function wrap(output: string): readonly string[] {
  return output
    .trimEnd()
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${COLUMNS}}`, 'g')) ?? ['']);
}

function draw(lines: readonly string[]): string {
  const width = Math.ceil(COLUMNS * CHARACTER) + 2 * PADDING;
  const height = BAR + lines.length * LINE + 2 * PADDING;
  const texts = lines.map((line, index) => {
    const escaped = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return `<text${index === 0 ? ' class="command"' : ''} x="${PADDING}" y="${BAR + PADDING + (index + 0.75) * LINE}" xml:space="preserve">${escaped}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<style>
text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328 }
.back { fill: #f6f8fa; stroke: #d0d7de } .dot { fill: #d0d7de }
.command { font-weight: 700 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .back { fill: #0d1117; stroke: #3d444d } .dot { fill: #3d444d }
}
</style>
<rect class="back" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>
<circle class="dot" cx="20" cy="20" r="5"/><circle class="dot" cx="38" cy="20" r="5"/><circle class="dot" cx="56" cy="20" r="5"/>
${texts.join('\n')}
</svg>
`;
}
