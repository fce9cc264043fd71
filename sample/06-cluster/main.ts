import { start } from './start.js';

const { PORT = '3000' } = process.env;

try {
  const { url, redisUrl, processes, stop } = await start(Number(PORT));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().then(() => process.exit(0)));
  }
  const list = processes.map(({ name, pid, origin }) => `  ${name}   pid ${pid}   ${origin}`).join('\n');
  process.stdout.write(`
The ferry terminal serves MCP at ${url.href} (Ctrl+C ends it). Behind the balancer and ${redisUrl} are

${list}

Call it twice, and see who answers; then end one by its pid, and call again:

  npx nestjs-mcp-cli call ${url.href} announce number=1 text=Welcome
  kill -9 ${processes[1]?.pid}

See what a client notices of that: npm run demo:cluster
`);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The terminal cannot start on port "${PORT}": ${reason}\n`);
  process.exit(1);
}
