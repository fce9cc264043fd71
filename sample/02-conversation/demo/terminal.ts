const { stdout } = process;
const paint = (code: number, text: string) => (stdout.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text);

/** Begins a part of the demo. */
export function say(text: string): void {
  stdout.write(`\n${paint(1, text)}\n`);
}

/** Shows a message between client and server. */
export function showMessage(direction: '-->' | '<--', text: string): void {
  stdout.write(`  ${paint(36, direction)} ${text}\n`);
}

/** Shows what somebody says. */
export function showSpeech(speaker: string, text: string): void {
  stdout.write(`${' '.repeat(8)}${paint(33, `${speaker}:`.padEnd(11))} ${text}\n`);
}
