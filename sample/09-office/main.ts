import { start } from './start.js';

const { PORT = '3000' } = process.env;

try {
  const { url, adminUrl } = await start(Number(PORT));
  process.stdout.write(`
The office serves MCP at ${url.href}, and for its administrators at ${adminUrl.href} (Ctrl+C ends it).

See its search, and a cart without a session: npm run demo:office
`);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The office cannot start on the port "${PORT}": ${reason}\n`);
  process.exit(1);
}
