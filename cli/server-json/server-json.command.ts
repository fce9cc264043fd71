import { writeFileSync } from 'node:fs';
import { quoteAll } from '../../lib/core/words/quote-all.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { readModuleReport } from '../module/module-report.js';
import { parseArguments } from '../parse-arguments.js';
import { runSafely, type Failure } from '../run-safely.js';
import { UsageError } from '../usage.error.js';
import { buildServerJson } from './build-server-json.js';
import { listDifferences } from './list-differences.js';
import { selectServer } from './select-server.js';
import { formatServerJson, readDocument, readManifest, SERVER_JSON } from './server-json-files.js';
import { ServerJsonError } from './server-json.error.js';
import type { ServerJson } from './server-json.interface.js';

const USAGE = `Usage: nestjs-mcp-cli server-json <file> [options]

Creates the "server.json" by which the registry lists a server, from "package.json" and the settings of the application. The
application is a file such as dist/app.module.js. Add "#" and the name of its export if that is not a usual one.

  --write                  write it to "server.json" instead of printing it
  --check                  compare it with "server.json", and fail if that is out of date
  --out <path>             the file to write or to compare (server.json)
  --package <path>         the "package.json" of the package (package.json)
  --server <key>           the server, if the application has several

Exit codes: 0 done; 1 "server.json" cannot be created, or is out of date; 2 wrong usage, or the application cannot be created`;

const OPTIONS = {
  write: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  out: { type: 'string', default: SERVER_JSON },
  package: { type: 'string', default: 'package.json' },
  server: { type: 'string' },
} as const;

/** Makes the `server.json` of an application: `nestjs-mcp-cli server-json <file>`. */
export const serverJsonCommand: Command = {
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: USAGE, explain: explainComplaints }, () =>
      runServerJson(args, terminal),
    ),
};

async function runServerJson(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) {
    throw new UsageError('One file was expected: the file of the application, such as "dist/app.module.js"');
  }
  if (values.write && values.check) throw new UsageError('"--write" and "--check" do not go together');
  const manifest = readManifest(values.package);
  const { servers } = await readModuleReport(file);
  const document = buildServerJson(selectServer(servers, values.server), manifest);
  if (values.check) return check(document, values.out, terminal);
  if (!values.write) terminal.print(formatServerJson(document).trimEnd());
  else {
    writeFileSync(values.out, formatServerJson(keepMeta(document, values.out)));
    terminal.complain(`"${values.out}" is written`);
  }
  return ExitCode.success;
}

function check(document: ServerJson, path: string, terminal: Terminal): number {
  const differences = listDifferences(readDocument(path), document);
  if (differences.length === 0) return ExitCode.success;
  const names = quoteAll(differences);
  terminal.complain(`"${path}" is out of date: it differs in ${names}; make it again with "--write"`);
  return ExitCode.failure;
}

/** Further members belong to the publisher. */
function keepMeta(document: ServerJson, path: string): object {
  const written = readDocument(path) as { readonly _meta?: unknown } | undefined;
  return written?._meta === undefined ? document : { ...document, _meta: written._meta };
}

function explainComplaints(error: unknown): Failure | undefined {
  return error instanceof ServerJsonError
    ? { exitCode: ExitCode.failure, message: error.message }
    : undefined;
}
