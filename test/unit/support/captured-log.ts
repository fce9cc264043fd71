import { Logger, type LoggerService } from '@nestjs/common';

/** Keeps what Nest's loggers write, until it is released. */
export class CapturedLog implements LoggerService {
  readonly errors: string[] = [];
  readonly debugs: string[] = [];
  readonly warnings: string[] = [];
  readonly messages: string[] = [];

  static begin(): CapturedLog {
    const captured = new CapturedLog();
    Logger.overrideLogger(captured);
    return captured;
  }

  log(...lines: unknown[]): void {
    this.messages.push(lines.map(String).join('\n'));
  }

  warn(...lines: unknown[]): void {
    this.warnings.push(lines.map(String).join('\n'));
  }

  debug(...lines: unknown[]): void {
    this.debugs.push(lines.map(String).join('\n'));
  }

  error(...lines: unknown[]): void {
    this.errors.push(lines.map(String).join('\n'));
  }

  release(): void {
    Logger.overrideLogger(false);
  }
}
