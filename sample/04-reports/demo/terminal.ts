const BAR_WIDTH = 24;
const { stdout } = process;
const paint = (code: number, text: string) => (stdout.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text);

/** A bar that is being drawn over itself; what else is shown goes above it. */
let openBar = '';

/** Begins a part of the demo. */
export function say(text: string): void {
  write(`\n${paint(1, text)}`);
}

/** Shows a line of what happened. */
export function show(what: string, text: string): void {
  write(`  ${paint(36, what.padEnd(10))} ${text}`);
}

/** Draws a progress bar over itself, or line by line where the output is not a terminal. */
export function drawBar(progress: number, total: number, message: string): void {
  const filled = Math.round((progress / total) * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  const line = `  ${paint(32, bar)} ${progress} of ${total}  ${message}`;
  if (!stdout.isTTY || progress === total) return write(line);
  openBar = line;
  stdout.write(`\r\x1b[K${line}`);
}

/** Leaves the bar as it is: nothing will be drawn over it. */
export function endBar(): void {
  if (openBar !== '') stdout.write('\n');
  openBar = '';
}

function write(text: string): void {
  if (!stdout.isTTY) return void stdout.write(`${text}\n`);
  stdout.write(`\r\x1b[K${text}\n`);
}
