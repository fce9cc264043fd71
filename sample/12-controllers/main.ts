import { start } from './start.js';

const { PORT = '3000' } = process.env;

try {
  const { url, stop } = await start(Number(PORT));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
  process.stdout.write(`
The shop serves MCP at ${url.href}, and its API at ${new URL('/articles', url).href} (Ctrl+C ends it)

  npx nestjs-mcp-cli call ${url.href} articles_search name=boots
  npx nestjs-mcp-cli call --header 'X-API-Key: staff-key' ${url.href} articles_add name=Umbrella price=20
`);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The shop cannot start on the port "${PORT}": ${reason}\n`);
  process.exit(1);
}
