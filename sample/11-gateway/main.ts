import { start } from './start.js';

const { PORT = '3000' } = process.env;

try {
  const { url, stop } = await start(Number(PORT));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
  process.stdout.write(`
The gateway serves MCP at ${url.href} (Ctrl+C ends it)

  npx nestjs-mcp-cli call ${url.href} weather_forecast place=Oslo
  npx nestjs-mcp-cli call ${url.href} notes_add text=milk
`);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The gateway cannot start on the port "${PORT}": ${reason}\n`);
  process.exit(1);
}
