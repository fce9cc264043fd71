import { start } from './start.js';

const { PORT = '3000' } = process.env;

try {
  const { url, desk, boathouse, issuer, stop } = await start(Number(PORT));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
  process.stdout.write(`
The agent serves MCP at ${url.href} (Ctrl+C ends it)
It uses the protected desk at ${desk} and the boathouse at ${boathouse}
Their authorization server is ${issuer}: log in with any name, such as ada

  npx nestjs-mcp-cli login ${url.href}
  npx nestjs-mcp-cli call ${url.href} my_day

See the whole exchange, without a browser: npm run demo:agent
`);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The agent cannot start on the port "${PORT}": ${reason}; choose another by PORT\n`);
  process.exit(1);
}
