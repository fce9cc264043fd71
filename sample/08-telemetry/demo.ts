import { NestFactory } from '@nestjs/core';
import { runDemo } from '../run-demo.js';
import { Visitor, VisitorModule } from './demo/visitor.js';
import { PrintedTelemetry } from './printed-telemetry.js';
import { start } from './start.js';

const print = (text: string): void => void process.stdout.write(`${text}\n`);

await runDemo(async () => {
  print('Spans and the audit, in the order in which operations end:\n');
  const telemetry = new PrintedTelemetry(print);
  const { app, url } = await start(0, telemetry);
  const visitors = await NestFactory.createApplicationContext(VisitorModule.of(url, telemetry.options), {
    logger: false,
  });
  await visitors.get(Visitor).visit();
  await visitors.close();
  print('\nMetrics:\n');
  print((await telemetry.describeMetrics()).join('\n'));
  await app.close();
  await telemetry.stop();
});
