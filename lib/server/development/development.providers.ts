import type { Provider } from '@nestjs/common';
import { DevelopmentReporter } from './development-reporter.js';
import { ReportedCalls } from './reported-calls.js';
import { ReturningClients } from './returning-clients.js';

/** What reports one server to `nestjs-mcp-cli dev`. */
export const DEVELOPMENT_PROVIDERS: readonly Provider[] = [
  ReportedCalls,
  ReturningClients,
  DevelopmentReporter,
];
