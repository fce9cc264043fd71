import { randomBytes } from 'node:crypto';
import { start } from './start.js';
import { welcome } from './welcome.js';

const { PORT = '3000', TOKEN: token = randomBytes(24).toString('base64url') } = process.env;

const MINUTE_OF_SIX_CHAPTERS = { chapterMs: 10_000 };

try {
  const { url } = await start(Number(PORT), { token, ...MINUTE_OF_SIX_CHAPTERS });
  process.stdout.write(welcome(url.href, token));
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The report office cannot start on port "${PORT}": ${reason}\n`);
  process.exit(1);
}
