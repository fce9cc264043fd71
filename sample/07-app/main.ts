import { randomBytes } from 'node:crypto';
import { start } from './start.js';
import { welcome } from './welcome.js';

const token = (): string => randomBytes(24).toString('base64url');

const { PORT = '3000', READING: reading = token(), WRITING: writing = token() } = process.env;

try {
  const { url } = await start(Number(PORT), { reading, writing });
  process.stdout.write(welcome(url.href, { reading, writing }));
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The board cannot start on port "${PORT}": ${reason}\n`);
  process.exit(1);
}
