const BAR_WIDTH = 24;
const { stdout } = process;
const paint = (code: number, text: string) => (stdout.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text);

/** Whether the line that the cursor is in is a bar; what else is shown takes its place. */
let isBarOpen = false;

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
  isBarOpen = true;
  stdout.write(`\r\x1b[K${line}`);
}

/** Leaves the bar as it is: nothing will be drawn over it. */
export function endBar(): void {
  if (isBarOpen) stdout.write('\n');
  isBarOpen = false;
}

function write(text: string): void {
  stdout.write(stdout.isTTY ? `\r\x1b[K${text}\n` : `${text}\n`);
  isBarOpen = false;
}
