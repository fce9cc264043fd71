const { stdout } = process;
const paint = (code: number, text: string) => (stdout.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text);

/** Begins a part of the demo. */
export function say(text: string): void {
  stdout.write(`\n${paint(1, text)}\n`);
}

/** Shows what somebody does or hears. */
export function show(who: string, text: string): void {
  stdout.write(`  ${paint(36, who.padEnd(10))} ${text}\n`);
}

/** Shows whether a promise held. */
export function showCheck(holds: boolean, text: string): void {
  stdout.write(`  ${holds ? paint(32, 'kept  ') : paint(31, 'BROKEN')} ${text}\n`);
}
