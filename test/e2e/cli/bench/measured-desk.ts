import { Injectable } from '@nestjs/common';
import { McpNotifier, Tool } from 'nestjs-mcp';
import { runCommandLine, type Ending, type RunSetup } from '../../../support/programs/command-line.js';

/** Tools as a bench finds them: some of which it must not call by itself. */
@Injectable()
export class MeasuredTools {
  /** How often the tool was called that nobody but its user may call. */
  ordered = 0;

  constructor(private readonly notifier: McpNotifier) {}

  @Tool({ description: 'Orders a part, which nobody takes back' })
  order(): string {
    this.ordered += 1;
    return 'ordered';
  }

  @Tool({ description: 'Tells the opening hours', annotations: { readOnlyHint: true } })
  hours(): string {
    return 'Monday to Friday';
  }

  @Tool({ description: 'Changes the list of tools' })
  change(): string {
    this.notifier.toolsListChanged();
    return 'changed';
  }

  @Tool({ description: 'Changes a queue' })
  advance(): string {
    this.notifier.resourceUpdated('desk://queue');
    return 'advanced';
  }
}

/** What `--json` prints, as far as these specs look at it. */
export interface PrintedReport {
  readonly server: string;
  readonly rows: readonly PrintedRow[];
  readonly leftOut: readonly { readonly workload: string; readonly why: string }[];
  readonly notes: readonly string[];
}

/** A row of it. */
export interface PrintedRow {
  readonly workload: string;
  readonly method: string;
  readonly revision: string;
  readonly count: number;
  readonly bytes: number;
  readonly perSecond: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  readonly bare: { readonly count: number; readonly perSecond: number };
  readonly ratio: { readonly time: { readonly median: number } };
}

/** So little load, for so long, that a machine under load comes to an end of it. */
export const LITTLE = ['--seconds', '3', '--connections', '2', '--streams', '3'];

/** Measures a server for a short time. */
export function runBench(url: string, args: readonly string[] = [], setup: RunSetup = {}): Promise<Ending> {
  return runCommandLine(['bench', url, ...LITTLE, ...args], setup);
}

/** Gives what `--json` printed. */
export function readReport({ stdout }: Ending): PrintedReport {
  return JSON.parse(stdout) as PrintedReport;
}
