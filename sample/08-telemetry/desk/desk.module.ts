import { Module, type DynamicModule } from '@nestjs/common';
import { McpModule, type TelemetryOptions } from 'nestjs-mcp';
import { AuditLog } from './audit-log.js';
import { DeskTools } from './desk.tools.js';

/** A desk that is watched. */
@Module({})
export class DeskModule {
  static with(telemetry: TelemetryOptions): DynamicModule {
    return {
      module: DeskModule,
      imports: [
        McpModule.forRoot({
          serverInfo: { name: 'desk', version: '1.0.0' },
          telemetry: { ...telemetry, captureArguments: true, redact: shorten },
        }),
      ],
      providers: [DeskTools, AuditLog],
    };
  }
}

/** What is recorded of arguments is what those who read traces may know. */
function shorten(value: unknown): unknown {
  return Object.fromEntries(Object.entries(value as object).map(([name, given]) => [name, typeof given]));
}
