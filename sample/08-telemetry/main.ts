import { PrintedTelemetry } from './printed-telemetry.js';
import { start } from './start.js';

const { PORT = '3000' } = process.env;
const PERIOD_MS = 10_000;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

try {
  const telemetry = new PrintedTelemetry(print);
  const { app, url } = await start(Number(PORT), telemetry);
  const printMetrics = async (): Promise<void> => print((await telemetry.describeMetrics()).join('\n'));
  const timer = setInterval(() => void printMetrics(), PERIOD_MS);
  const stop = async (): Promise<void> => {
    clearInterval(timer);
    await app.close();
    await printMetrics();
    await telemetry.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
  print(`
The desk serves MCP at ${url} (Ctrl+C ends it). It prints spans as they end, and metrics every ${PERIOD_MS / 1000} seconds:

  npx nestjs-mcp-cli call ${url} find word=printer

See a client in the same trace: npm run demo:telemetry
`);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The desk cannot start on the port "${PORT}": ${reason}; choose another by PORT\n`);
  process.exit(1);
}
