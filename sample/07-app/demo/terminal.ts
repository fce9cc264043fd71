const { stdout } = process;
const paint = (code: number, text: string) => (stdout.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text);

/** Begins a part of the demo. */
export function say(text: string): void {
  stdout.write(`\n${paint(1, text)}\n`);
}

/** Shows a line of what happened. */
export function show(what: string, text: string): void {
  stdout.write(`  ${paint(36, what.padEnd(10))} ${text}\n`);
}
