const BAR_WIDTH = 30;
const { stdout } = process;
const paint = (code: number, text: string) => (stdout.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text);

/** Begins a step of the demo. */
export function say(text: string): void {
  stdout.write(`\n${paint(1, text)}\n`);
}

/** Shows one line of what came back. */
export function show(...columns: readonly string[]): void {
  const [first = '', ...rest] = columns;
  stdout.write(`  ${rest.length === 0 ? first : [paint(36, first.padEnd(36)), ...rest].join(' ')}\n`);
}

/** Draws a progress bar over itself, or line by line where the output is not a terminal. */
export function drawBar(progress: number, total: number, message = ''): void {
  const filled = Math.round((progress / total) * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  const percent = `${Math.round((progress / total) * 100)} %`.padStart(5);
  const line = `  ${paint(32, bar)} ${percent}  ${message}`;
  if (!stdout.isTTY) stdout.write(`${line}\n`);
  else stdout.write(`\r${line}${progress === total ? '\n' : ''}`);
}
