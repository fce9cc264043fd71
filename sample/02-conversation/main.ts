import { start } from './start.js';

const { PORT = '3000' } = process.env;

try {
  const { url } = await start(Number(PORT));
  process.stdout.write(`
The booking assistant serves MCP at ${url.href} (Ctrl+C ends it)

Connect a client that can show forms, and ask it to book a room for your next meeting:
the assistant asks the user for what is missing.

See the whole conversation, with sessions and without: npm run demo:conversation
`);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The assistant cannot start on port "${PORT}": ${reason}\n`);
  process.exit(1);
}
