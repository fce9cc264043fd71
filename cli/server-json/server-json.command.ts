import { writeFileSync } from 'node:fs';
import { quoteAll } from '../../lib/core/words/words.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { readModuleReport } from '../module/module-report.js';
import { flagOption, formatHelp, type Help, valueOption } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { runSafely, type Failure } from '../run-safely.js';
import { UsageError } from '../usage.error.js';
import { buildServerJson } from './build-server-json.js';
import { listDifferences } from './list-differences.js';
import { selectServer } from './select-server.js';
import { formatServerJson, readDocument, readManifest, SERVER_JSON } from './server-json-files.js';
import { ServerJsonError } from './server-json.error.js';
import type { ServerJson } from './server-json.interface.js';

const OPTIONS = {
  write: { ...flagOption('Write the file instead of printing it'), default: false },
  check: { ...flagOption('Compare the file, and fail if it is out of date'), default: false },
  out: { ...valueOption('<path>', 'File to write or compare'), default: SERVER_JSON },
  package: { ...valueOption('<path>', '"package.json" of the package to publish'), default: 'package.json' },
  server: valueOption('<key>', 'Key of the server, if the app has several'),
};

const HELP: Help = {
  usage: ['server-json <file> [options]'],
  description:
    'Create the "server.json" that the MCP registry requires, from "package.json" and the settings of an app. The app is a file such as dist/app.module.js; append "#" and the name of an export if it is not found automatically.',
  options: OPTIONS,
  exitCodes: {
    0: 'Success',
    1: '"server.json" cannot be created, or is out of date',
    2: 'Invalid usage, or the app cannot be created',
  },
};

/** Creates the `server.json` of an application: `nestjs-mcp-cli server-json <file>`. */
export const serverJsonCommand: Command = {
  help: HELP,
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: formatHelp(HELP), explain: explainComplaints }, () =>
      runServerJson(args, terminal),
    ),
};

async function runServerJson(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) {
    throw new UsageError(
      'Exactly one file is required: the one that contains the application, such as "dist/app.module.js"',
    );
  }
  if (values.write && values.check) throw new UsageError('"--write" and "--check" cannot be combined');
  const manifest = readManifest(values.package);
  const { servers } = await readModuleReport(file);
  const document = buildServerJson(selectServer(servers, values.server), manifest);
  if (values.check) return check(document, values.out, terminal);
  if (!values.write) terminal.print(formatServerJson(document).trimEnd());
  else {
    writeFileSync(values.out, formatServerJson(keepMeta(document, values.out)));
    terminal.complain(`Wrote "${values.out}"`);
  }
  return ExitCode.success;
}

function check(document: ServerJson, path: string, terminal: Terminal): number {
  const differences = listDifferences(readDocument(path), document);
  if (differences.length === 0) return ExitCode.success;
  const names = quoteAll(differences);
  terminal.complain(`"${path}" is out of date: it differs in ${names}; create it again with "--write"`);
  return ExitCode.failure;
}

/** Preserves the metadata that the publisher added. */
function keepMeta(document: ServerJson, path: string): object {
  const written = readDocument(path) as { readonly _meta?: unknown } | undefined;
  return written?._meta === undefined ? document : { ...document, _meta: written._meta };
}

function explainComplaints(error: unknown): Failure | undefined {
  return error instanceof ServerJsonError
    ? { exitCode: ExitCode.failure, message: error.message }
    : undefined;
}
